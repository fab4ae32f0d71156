"""AutoReducer: the choice of a method by cross-validation on pairs."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import _fit_context
from sklearn.utils import _safe_indexing, check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from pairspace._core.data import read_table, rows_of
from pairspace._core.threads import one_blas_thread
from pairspace._core.typing import Ints, Seed
from pairspace.base import (
    Needs,
    Reducer,
    Supervision,
    fitted,
    unchanged_if_it_fails,
    with_plain_numbers,
)
from pairspace.constraints import UNKNOWN, Constraints
from pairspace.model_selection._candidates import UNSUPERVISED, candidates_of, without_reduction
from pairspace.model_selection._components import choose_n_components
from pairspace.model_selection._race import Trial, choose, race
from pairspace.model_selection._report import leaderboard, scores, summary
from pairspace.model_selection._scorer import PairScorer
from pairspace.model_selection._splits import scored_pairs, split_pairs
from pairspace.model_selection._tables import SharedTables

MAX_UNREDUCED = 10_000  # columns, up to which rows are scored without a reduction


class AutoReducer(Reducer):
    """Choose a method by its score on held-out pairs.

    All candidates are scored on the same folds as in
    :func:`~pairspace.cross_validate_pairs`: by the probability that a held-out
    must-link is shorter than a held-out cannot-link. After each repeat the worse half, and
    candidates clearly behind the best, are dropped. The first candidate, by default
    :class:`PairSpace`, is chosen unless it is more than 1.5 standard errors behind the best;
    otherwise the simplest candidate that is at most one standard error behind. The standard error
    is that of the difference on the same pairs.

    Parameters
    ----------
    n_components : int or "auto", default=2
        The number of components; for "auto" see Notes.
    candidates : "default", list or dict, default="default"
        Names of methods, each tried on standardised and on raw columns, or transformers and
        pipelines, tried as they are with ``n_components`` set; the simplest first. The keys of a
        dict are their names. "default" stands for all methods in Notes.
    cv : int, default=5
        The number of folds.
    n_repeats : int, default=2
        The number of times that the cross-validation is repeated with other folds.
    max_samples : int or None, default=5000
        The largest number of rows to choose on, rows with pairs or labels first. The chosen method
        is fitted on all rows.
    random_state : int, RandomState or None, default=None
        Draws the folds, and is passed to the methods.
    n_jobs : int or None, default=None
        The number of fits in parallel; −1 uses all processors.
    verbose : int, default=0
        With 1, print each repeat and the summary; with 2, also the score of each candidate.

    Attributes
    ----------
    best_estimator_ : Pipeline
        The scaling and the method that were chosen, fitted on all rows, pairs and labels.
    best_name_ : str
        The name of the chosen candidate.
    leaderboard_ : DataFrame, or a dict of columns if pandas is not installed
        A row for each candidate, best first: ``rank``, ``name``, ``method``, ``scaling``, ``mean``
        pair AUC and its ``standard_error``, ``over_pca`` and ``over_pca_error`` for the difference
        to the better PCA, ``folds``, ``seconds``, ``chosen``, ``error`` (text, or empty).
        Candidates that were dropped earlier are below those that were not.
    baselines_ : DataFrame, or a dict of columns if pandas is not installed
        The rows without a reduction, raw and standardised, scored on the same pairs: ``name``,
        ``mean`` pair AUC and its ``standard_error``. Empty if they could not be scored, or have
        too many columns.
    summary_ : str
        What was chosen, its score, and whether the answers help.
    n_components_ : int
        The number of components.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, if X has names that are all strings.

    See Also
    --------
    cross_validate_pairs : The score of one method.
    PairSpace : The default candidate.

    Notes
    -----
    The default candidates in the order of simplicity are PairSpace, PCA, SSDR, MMC, WMV, and with
    shrinkage CFLD, WBDR, BWDR and DCA, on standardised columns; the same on raw columns; and CFLD,
    WBDR and BWDR without shrinkage, again on both. Methods that need a kind of pair that is not
    given are skipped. With fewer than four pairs of a kind, the first candidate is chosen without
    cross-validation.

    By name, "SDA", "LFDA", "MFA", each also with ", shrunk", "SELF", "NPE" and "S2PPCA" can be
    tried, too: ``candidates=["PairSpace", "PCA", "SDA, shrunk"]``. They are not default candidates,
    since they have a better pair AUC than PairSpace on many datasets and a worse 1-NN accuracy.

    PairSpace is scored without its teacher, which takes longer than all other candidates. If
    it is chosen, it is fitted with it.

    ``n_components="auto"`` is the fewest components, at least two, with 90 % of the variance of
    the first 32 components of the first candidate. Held-out pairs would choose too few: their
    distances depend mostly on the first components, but nearest neighbours on later ones too.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pairspace import AutoReducer, Constraints
    >>> X, y = load_wine(return_X_y=True)
    >>> answers = Constraints.from_labels(y, n_pairs=40, random_state=0)
    >>> auto = AutoReducer(n_components=2, candidates=["PairSpace", "PCA"], random_state=0)
    >>> auto.fit(X, answers).best_name_
    'PairSpace, standardised'
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [StrOptions({"auto"}), Interval(Integral, 1, None, closed="left")],
        "candidates": [str, list, tuple, dict],
        "cv": [Interval(Integral, 2, None, closed="left")],
        "n_repeats": [Interval(Integral, 1, None, closed="left")],
        "max_samples": [None, Interval(Integral, 10, None, closed="left")],
        "random_state": ["random_state"],
        "n_jobs": [None, Integral],
        "verbose": ["verbose"],
    }
    needs: ClassVar[Needs] = Needs()

    def __init__(
        self,
        n_components: int | str = 2,
        *,
        candidates: Any = "default",
        cv: int = 5,
        n_repeats: int = 2,
        max_samples: int | None = 5_000,
        random_state: Seed = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.candidates = candidates
        self.cv = cv
        self.n_repeats = n_repeats
        self.max_samples = max_samples
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @with_plain_numbers
    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> Self:
        """Choose a candidate, then fit it on all rows, pairs and labels.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data, not scaled: the scaling is chosen too. A frame may have columns of other
            types if all ``candidates`` are pipelines that encode them.
        y : Constraints, or labels of shape (n_samples,), default=None
            Pairs; or labels, of which −1, None or NaN is unknown.
        constraints : Constraints, default=None
            Pairs in addition to labels, or if ``y`` is for another step of a pipeline.

        Returns
        -------
        AutoReducer
            The fitted estimator.
        """
        with unchanged_if_it_fails(self):
            self._fit(X, y, constraints)
        return self

    def _fit(self, X: Any, y: Any, constraints: Constraints | None) -> None:
        table = self._table(X, reset=True)
        if not self._encodes(X) and rows_of(table).all_equal():
            raise ValueError("all rows of X are equal, up to rounding: there is no space to find")
        known = Supervision(y, constraints, table.shape[0])
        too_many = self.n_components != "auto" and self.n_components > table.shape[1]
        if too_many and not self._encodes(X):
            raise ValueError(
                f"n_components={self.n_components} must be at most n_features={table.shape[1]}"
            )
        random = check_random_state(self.random_state)
        seed = int(random.randint(2**31 - 1))
        scorer, trials, unreduced = self._score_candidates(table, known, random, seed)
        named = X if hasattr(self, "feature_names_in_") else table
        best = self._refitted(named, known, scorer, trials)
        # An estimator of the user may have another number of components.
        self.n_components_ = self.best_estimator_.transform(_safe_indexing(named, [0])).shape[1]
        self.best_name_ = best.candidate.name
        self.leaderboard_ = leaderboard(trials, best, scorer)
        self.baselines_ = scores(unreduced, scorer)
        self.summary_ = summary(trials, best, scorer)
        self._log(self.summary_, 1)

    def transform(self, X: Any) -> NDArray[Any]:
        """Map rows into the chosen space.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            Their coordinates.
        """
        check_is_fitted(self)
        table = self._table(X, reset=False)
        named = hasattr(self, "feature_names_in_")
        return np.asarray(self.best_estimator_.transform(X if named else table))

    def _table(self, X: Any, *, reset: bool) -> Any:
        """X as numbers; a frame with other columns as it is, for candidates that encode them."""
        if self._encodes(X):
            validate_data(self, X, reset=reset, skip_check_array=True)
            return X
        try:
            return read_table(X, of=self, fit=reset, at_least=2 if reset else 1)
        except ValueError as error:
            if not str(error).startswith("could not convert string to float"):
                raise
            raise ValueError(
                f"X has text ({error}): encode it first, for example with "
                "make_pipeline(pairspace.make_recipe(X), AutoReducer())"
            ) from None

    def _encodes(self, X: Any) -> bool:
        """Whether X is a frame with columns that are no numbers, and no candidate is a name."""
        given = self.candidates.values() if isinstance(self.candidates, dict) else self.candidates
        return (
            hasattr(X, "dtypes")
            and hasattr(X, "columns")
            and any(getattr(kind, "kind", "O") not in "fiub" for kind in X.dtypes)
            and not isinstance(given, str)
            and not any(isinstance(each, str) for each in given)
        )

    @property
    def _n_features_out(self) -> int:
        return self.n_components_

    def _score_candidates(
        self, X: Any, known: Supervision, random: RandomState, seed: int
    ) -> tuple[PairScorer, list[Trial], list[Trial]]:
        """Score all candidates and the rows as they are, on a subsample if there are many rows."""
        if self.max_samples is not None and X.shape[0] > self.max_samples:
            rows = _subsample(known, self.max_samples, random)
            X, known = _safe_indexing(X, rows), known.on(rows)
        pairs = scored_pairs(known, random)
        scorer = PairScorer(pairs, random)
        repeats = [
            list(split_pairs(known, pairs, self.cv, random))
            for _ in range(self.n_repeats if scorer.has_enough_pairs else 0)
        ]

        def candidates(n_components: int) -> list[Any]:
            return candidates_of(self.candidates, known, n_components, seed, sparse=issparse(X))

        if self.n_components == "auto":
            self.n_components_ = choose_n_components(lambda k: candidates(k)[0], X, known)
        else:
            self.n_components_ = int(self.n_components)
        trials = [Trial(each, at) for at, each in enumerate(candidates(self.n_components_))]
        unreduced = [
            Trial(each, at) for at, each in enumerate(without_reduction(sparse=issparse(X)))
        ]
        tables = SharedTables(X)
        with one_blas_thread():  # once around all of these small problems
            race(
                trials,
                tables,
                repeats,
                scorer,
                always_keep=lambda trial: not trial.order or trial.candidate.method == UNSUPERVISED,
                n_jobs=self.n_jobs,
                log=self._log,
            )
            race(
                [] if self._encodes(X) else unreduced,
                tables,
                repeats if X.shape[1] <= MAX_UNREDUCED else [],
                scorer,
                always_keep=lambda _: True,
                n_jobs=None,
                log=lambda *_: None,
            )
        return scorer, trials, unreduced

    def _refitted(
        self, X: Any, known: Supervision, scorer: PairScorer, trials: list[Trial]
    ) -> Trial:
        """Fit the chosen candidate on all rows; if that fails, choose again without it."""
        while left := [trial for trial in trials if not trial.error]:
            best = choose(left, scorer)
            try:
                self.best_estimator_ = fitted(best.candidate.chosen, X, known)
                return best
            except Exception as error:
                best.error = f"{type(error).__name__}: {error}"
        reasons = "\n".join(f"{each.candidate.name}: {each.error}" for each in trials[:5])
        more = f"\n… and {len(trials) - 5} more" if len(trials) > 5 else ""
        raise ValueError(f"none of {len(trials)} candidates could be fitted:\n{reasons}{more}")

    def _log(self, text: str, level: int) -> None:
        if self.verbose >= level:
            print(f"[AutoReducer] {text}", flush=True)


def _subsample(known: Supervision, n: int, random: RandomState) -> Ints:
    """A subsample of n rows: those of pairs first, then labelled ones, then others."""
    links = np.vstack([known.pairs.must_link, known.pairs.cannot_link])
    labelled = np.flatnonzero(known.labels != UNKNOWN)
    order = np.concatenate(
        [
            random.permutation(links).ravel(),
            random.permutation(labelled),
            random.permutation(len(known.labels)),
        ]
    )
    rows, first = np.unique(order, return_index=True)
    return np.sort(rows[np.argsort(first)][:n])
