"""PairSearchCV: a grid of parameters, judged on held-out pairs."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.ma import MaskedArray
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, MetaEstimatorMixin, TransformerMixin, _fit_context, clone
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import ParameterGrid
from sklearn.utils import Tags, check_random_state, get_tags
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import (
    _check_feature_names,
    _num_features,
    _num_samples,
    check_is_fitted,
)

from pairspace._core.typing import Seed
from pairspace._core.warn import warn_caller
from pairspace.base import Supervision, fitted, unchanged_if_it_fails, with_plain_numbers
from pairspace.constraints import Constraints
from pairspace.metrics import pair_auc
from pairspace.model_selection._scorer import PairScorer
from pairspace.model_selection._splits import Split, split_pairs
from pairspace.model_selection._validation import (
    check_rows,
    held_out_ranks,
    indexable_rows,
    pairs_to_score,
    placements,
)


class PairSearchCV(MetaEstimatorMixin, TransformerMixin, BaseEstimator):
    """Search parameters by their score on held-out pairs.

    ``GridSearchCV`` splits rows, and a fold of a fifth of the rows has a twenty-fifth of the pairs:
    with a few dozen answers it has nothing to judge by. Here every fit has all rows, and the pairs
    and labels of some rows are held out, as in
    :func:`~pairspace.cross_validate_pairs`. All candidates are judged on the same
    folds, by the probability that a held-out must-link is shorter than a held-out cannot-link.

    Parameters
    ----------
    estimator : transformer or pipeline
        Cloned for each fit. The last step of a pipeline gets the constraints and labels.
    param_grid : dict or list of dicts
        The values to try for each parameter, as in ``GridSearchCV``.
    cv : int, default=5
        The number of folds.
    n_repeats : int, default=2
        The number of times that the cross-validation is repeated with other folds.
    refit : bool, default=True
        Fit the best candidate on all pairs and labels.
    error_score : "raise" or float, default=nan
        The score of a candidate whose fit fails; or "raise", to raise the error.
    random_state : int, RandomState or None, default=None
        Draws the folds.
    n_jobs : int or None, default=None
        The number of fits in parallel; −1 uses all processors.

    Attributes
    ----------
    cv_results_ : dict of arrays
        A row for each candidate: ``params``, ``param_…``, ``mean_test_score`` (the pair AUC on the
        held-out pairs of all folds together), ``standard_error_test_score``, ``rank_test_score``,
        ``split0_test_score`` and so on (of one fold, NaN if its pairs are of one kind), their
        ``std_test_score``, and ``mean_fit_time`` in seconds.
    best_index_ : int
        The row of the best candidate; the first of those that are equally good.
    best_params_ : dict
        Its parameters.
    best_score_ : float
        Its pair AUC on held-out pairs. It is the best of several, so it is a little too high.
    best_estimator_ : estimator
        Fitted with the best parameters on all rows, pairs and labels, if ``refit``.
    n_splits_ : int
        The number of folds of all repeats.
    refit_time_ : float
        The seconds of the last fit, if ``refit``.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, if X has names that are all strings.

    See Also
    --------
    AutoReducer : Choose a method and the scaling.
    cross_validate_pairs : The score of one candidate.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from pairspace import Constraints, PairSearchCV, WBDR
    >>> X, y = load_wine(return_X_y=True)
    >>> answers = Constraints.from_labels(y, n_pairs=40, random_state=0)
    >>> space = make_pipeline(StandardScaler(), WBDR())
    >>> grid = {"wbdr__n_components": [1, 2], "wbdr__shrinkage": [None, "auto"]}
    >>> search = PairSearchCV(space, grid, random_state=0).fit(X, answers)
    >>> search.best_params_["wbdr__shrinkage"], search.transform(X).shape[0]
    ('auto', 178)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "estimator": [HasMethods(["fit", "transform"])],
        "param_grid": [dict, list],
        "cv": [Interval(Integral, 2, None, closed="left")],
        "n_repeats": [Interval(Integral, 1, None, closed="left")],
        "refit": ["boolean"],
        "error_score": [StrOptions({"raise"}), Real],
        "random_state": ["random_state"],
        "n_jobs": [None, Integral],
    }

    def __init__(
        self,
        estimator: Any,
        param_grid: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Sequence[Any]]],
        *,
        cv: int = 5,
        n_repeats: int = 2,
        refit: bool = True,
        error_score: float | str = np.nan,
        random_state: Seed = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.cv = cv
        self.n_repeats = n_repeats
        self.refit = refit
        self.error_score = error_score
        self.random_state = random_state
        self.n_jobs = n_jobs

    @with_plain_numbers
    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> Self:
        """Score all candidates, and fit the best one on all pairs and labels.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data.
        y : Constraints, or labels of shape (n_samples,), default=None
            Pairs; or labels, of which −1, None or NaN is unknown.
        constraints : Constraints, default=None
            Pairs in addition to labels.

        Returns
        -------
        PairSearchCV
            The fitted search.
        """
        with unchanged_if_it_fails(self):
            self._fit(X, y, constraints)
        return self

    def _fit(self, X: Any, y: Any, constraints: Constraints | None) -> None:
        X = indexable_rows(X)
        if isinstance(X, Mapping | str):
            raise TypeError(f"X must be a table of numbers; got {type(X).__name__}")
        check_rows(X)
        _check_feature_names(self, X, reset=True)
        self.n_features_in_ = _num_features(X)
        known = Supervision(y, constraints, _num_samples(X))
        random = check_random_state(self.random_state)
        pairs, scorer = pairs_to_score(known, random)
        repeats = [list(split_pairs(known, pairs, self.cv, random)) for _ in range(self.n_repeats)]
        splits = [split for repeat in repeats for split in repeat]
        grid = list(ParameterGrid(self.param_grid))
        if not grid:
            raise ValueError("param_grid must have a candidate; got an empty list")
        trials = Parallel(n_jobs=self.n_jobs)(
            delayed(_trial)(
                clone(self.estimator).set_params(**clone(params, safe=False)), X, split, scorer
            )
            for params in grid
            for split in splits
        )
        by_candidate = [trials[at : at + len(splits)] for at in range(0, len(trials), len(splits))]
        self._report_errors(by_candidate)
        self.n_splits_ = len(splits)
        self.cv_results_ = self._results(grid, by_candidate, repeats, scorer)
        scores = self.cv_results_["mean_test_score"]
        self.best_index_ = int(np.nanargmax(scores))
        self.best_params_ = grid[self.best_index_]
        self.best_score_ = float(scores[self.best_index_])
        if self.refit:
            start = time.perf_counter()
            best = clone(self.estimator).set_params(**clone(self.best_params_, safe=False))
            self.best_estimator_ = fitted(best, X, known)
            self.refit_time_ = time.perf_counter() - start

    def _report_errors(self, by_candidate: list[list[Any]]) -> None:
        failed = [error for trials in by_candidate for _, _, error in trials if error is not None]
        if not failed:
            return
        if self.error_score == "raise":
            raise failed[0]
        n_failed = sum(any(error is not None for _, _, error in each) for each in by_candidate)
        first = f"{type(failed[0]).__name__}: {failed[0]}"
        if n_failed == len(by_candidate):
            raise ValueError(f"none of {n_failed} candidates could be fitted; the first: {first}")
        warn_caller(
            f"{n_failed} of {len(by_candidate)} candidates could not be fitted, and have the score "
            f"error_score={self.error_score}; the first: {first}",
            FitFailedWarning,
        )

    def _results(
        self,
        grid: list[dict[str, Any]],
        by_candidate: list[list[Any]],
        repeats: list[list[Split]],
        scorer: PairScorer,
    ) -> dict[str, Any]:
        splits = [split for repeat in repeats for split in repeat]
        shape = len(grid), len(splits)
        of_folds, seconds = np.full(shape, np.nan), np.empty(shape)
        mean, error = np.full(shape[0], np.nan), np.full(shape[0], np.nan)
        for at, trials in enumerate(by_candidate):
            seconds[at] = [each for _, each, _ in trials]
            if any(raised is not None for _, _, raised in trials):
                mean[at] = self.error_score
                continue
            ranks = [each for each, _, _ in trials]
            of_folds[at] = [
                scorer.fold_auc(split.held_out, each)
                for split, each in zip(splits, ranks, strict=True)
            ]
            placed = placements(scorer, repeats, ranks)
            mean[at], error[at] = scorer.mean(placed), scorer.standard_error(placed)
        results: dict[str, Any] = {
            f"param_{name}": _column([params.get(name, _ABSENT) for params in grid])
            for name in dict.fromkeys(name for params in grid for name in params)
        }
        results["params"] = grid
        results |= {f"split{at}_test_score": of_folds[:, at] for at in range(len(splits))}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a candidate without any score
            std = np.nanstd(of_folds, axis=1)
        worst = np.where(np.isnan(mean), -np.inf, mean)
        return results | {
            "mean_test_score": mean,
            "standard_error_test_score": error,
            "std_test_score": std,
            "rank_test_score": rankdata(-worst, method="min").astype(np.int32),
            "mean_fit_time": seconds.mean(axis=1),
        }

    def transform(self, X: Any) -> NDArray[Any]:
        """Map rows into the space of the best candidate.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            Their coordinates.
        """
        return self._best().transform(X)

    def score(self, X: Any, y: Any) -> float:
        """Return the pair AUC of the best candidate: see :func:`pairspace.metrics.pair_auc`.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data.
        y : Constraints, or labels of shape (n_samples,)
            Pairs or labels to score with.

        Returns
        -------
        float
            The pair AUC.
        """
        return pair_auc(np.asarray(self.transform(X)), y)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the components.

        Parameters
        ----------
        input_features : array-like of str, default=None
            The names of the features, where they are needed.

        Returns
        -------
        ndarray of str
            The names.
        """
        return self._best().get_feature_names_out(input_features)

    def _inverts(self) -> bool:
        return hasattr(getattr(self, "best_estimator_", self.estimator), "inverse_transform")

    @available_if(_inverts)
    def inverse_transform(self, X: Any) -> NDArray[Any]:
        """Map points of the space back to the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
            Points of the space.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Rows of features.
        """
        return self._best().inverse_transform(X)

    def _best(self) -> Any:
        check_is_fitted(self, "cv_results_")
        if not self.refit:
            raise AttributeError(
                "with refit=False there is no fitted estimator: fit one with best_params_"
            )
        return self.best_estimator_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        of = get_tags(self.estimator)
        tags.input_tags.sparse = of.input_tags.sparse
        tags.target_tags.required = True
        return tags


_ABSENT = object()  # a parameter that a candidate's grid does not have


def _column(values: list[Any]) -> MaskedArray[Any, Any]:
    """Values of a parameter, as GridSearchCV has them."""
    column = MaskedArray(np.empty(len(values), dtype=object), mask=True)
    for at, value in enumerate(values):
        if value is not _ABSENT:
            column[at] = value
    return column


def _trial(estimator: Any, X: Any, split: Split, scorer: PairScorer) -> tuple[Any, float, Any]:
    """The ranks of the held-out pairs, the seconds that took, and the error if there was one."""
    start = time.perf_counter()
    try:
        ranks, error = held_out_ranks(estimator, X, split, scorer), None
    except Exception as raised:  # counts as error_score; the others go on
        ranks, error = None, raised
    return ranks, time.perf_counter() - start, error
