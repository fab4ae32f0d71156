"""AutoReducer: which method, by the answers it has not seen."""

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

from pairspace._core.typing import Ints
from pairspace.base import Needs, Reducer, Supervision, fitted
from pairspace.constraints import UNKNOWN, Constraints
from pairspace.model_selection._candidates import UNSUPERVISED, candidates_of
from pairspace.model_selection._components import choose_n_components
from pairspace.model_selection._folds import folds, judged_pairs
from pairspace.model_selection._judge import Judge
from pairspace.model_selection._race import Runner, preferred, race
from pairspace.model_selection._report import leaderboard, summary


class AutoReducer(Reducer):
    """Try methods on the answers that there are, and keep the one that unseen answers speak for.

    Candidates are judged by :func:`~pairspace.model_selection.cross_validate_pairs`: how often a
    held-out must-link is shorter than a held-out cannot-link. All are judged on the same folds;
    after each repeat the worse half, and those clearly behind, drop out. In the end the first
    candidate, :class:`PairSpace` by default, stays unless it is more than 1.5 standard errors
    behind the best; then the simplest is chosen of those that are no more than one behind. The
    error is that of the difference on the same pairs. A few answers rarely tell methods apart, and
    the best of many is ahead by chance: ``summary_`` says how little is known.

    Parameters
    ----------
    n_components : int or "auto", default=2
        "auto": see Notes.
    candidates : "default", list or dict, default="default"
        Names of our methods (each is tried on standardised and on raw columns), or transformers and
        pipelines, which are tried as they are with ``n_components`` set; the simplest first.
        A dict gives them names. "default": all that the answers allow; see Notes.
    cv : int, default=5
        The number of folds.
    n_repeats : int, default=2
        How often the folds are drawn anew.
    max_samples : int or None, default=5000
        With more rows the choice is made on so many, those of the answers first. The method that
        is chosen is fitted on all.
    random_state : int, RandomState or None
        For the folds and for methods that need one.
    n_jobs : int or None
        Fits at a time.
    verbose : int, default=0
        1 prints each repeat and the summary, 2 each candidate as soon as it is judged.

    Attributes
    ----------
    best_estimator_ : Pipeline
        The scaling and the method, fitted on all rows with all that is known.
    best_name_ : str
    leaderboard_ : DataFrame, or a dict of columns where there is no pandas
        A row for each candidate, best first: ``rank``, ``name``, ``method``, ``scaling``, ``mean``
        pair AUC and its ``standard_error``, ``over_pca`` and ``over_pca_error`` for the difference
        to the better PCA, ``folds``, ``seconds``, ``chosen``, ``error`` (text, or empty).
        Candidates that dropped out earlier stand below those that stayed.
    summary_ : str
        What was chosen and how sure that is, in words.
    n_components_ : int

    Notes
    -----
    The default candidates in the order of simplicity are PairSpace, PCA, SSDR, MMC, WMV, and with
    shrinkage CFLD, WBDR, BWDR and DCA, on standardised columns; the same on raw columns; and CFLD,
    WBDR and BWDR without shrinkage, again on both. Those that need links of a kind that is not
    known are left out. With fewer than four pairs of a kind nothing is tried: it is the first
    candidate.

    ``n_components="auto"`` is the fewest components, at least two, that have nine tenths of the
    spread of the first 32 in the space of the first candidate. Held-out pairs have no say in it:
    they would choose too few, for a nearest neighbour is found by later components too.

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
        random_state: Any = None,
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

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> Self:
        """Choose, then fit the one that is chosen with all that is known.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data, not scaled: scaling is part of what is chosen.
        y : Constraints, or labels of shape (n_samples,), default=None
            Pairs, or labels of which some may be unknown: −1, None or NaN.
        constraints : Constraints, default=None
            Pairs beside labels, or where ``y`` belongs to another step of a pipeline.
        """
        with self._unchanged_if_it_fails():
            self._fit(X, y, constraints)
        return self

    def _fit(self, X: Any, y: Any, constraints: Constraints | None) -> None:
        table = validate_data(
            self, X, accept_sparse="csr", dtype=(np.float64, np.float32), ensure_min_samples=2
        )
        known = Supervision(y, constraints, table.shape[0])
        if self.n_components != "auto" and self.n_components > table.shape[1]:
            raise ValueError(
                f"n_components={self.n_components} is more than the data has: "
                f"n_features={table.shape[1]}"
            )
        random = check_random_state(self.random_state)
        seed = int(random.randint(2**31 - 1))
        judge, runners = self._raced(table, known, random, seed)
        named = X if hasattr(self, "feature_names_in_") else table
        best = self._refitted(named, known, judge, runners)
        # A candidate that was given may have another number than it was asked for.
        self.n_components_ = self.best_estimator_.transform(_safe_indexing(named, [0])).shape[1]
        self.best_name_ = best.candidate.name
        self.leaderboard_ = leaderboard(runners, best, judge)
        self.summary_ = summary(runners, best, judge)
        self._say(self.summary_, 1)

    def transform(self, X: Any) -> NDArray[Any]:
        """The rows in the space that was chosen."""
        check_is_fitted(self)
        table = validate_data(
            self, X, accept_sparse="csr", dtype=(np.float64, np.float32), reset=False
        )
        named = hasattr(self, "feature_names_in_")
        return np.asarray(self.best_estimator_.transform(X if named else table))

    @property
    def _n_features_out(self) -> int:
        return self.n_components_

    def _raced(
        self, X: Any, known: Supervision, random: RandomState, seed: int
    ) -> tuple[Judge, list[Runner]]:
        """All candidates, judged on a part of the rows if there are many."""
        if self.max_samples is not None and X.shape[0] > self.max_samples:
            rows = _rows_to_choose_on(known, self.max_samples, random)
            X, known = X[rows], known.on(rows)
        pairs = judged_pairs(known, random)
        judge = Judge(pairs, random)
        repeats = [
            list(folds(known, pairs, self.cv, random))
            for _ in range(self.n_repeats if judge.can_tell else 0)
        ]

        def candidates(n_components: int) -> list[Any]:
            return candidates_of(self.candidates, known, n_components, seed, sparse=issparse(X))

        if self.n_components == "auto":
            self.n_components_ = choose_n_components(lambda k: candidates(k)[0], X, known)
        else:
            self.n_components_ = int(self.n_components)
        runners = [Runner(each, at) for at, each in enumerate(candidates(self.n_components_))]
        race(
            runners,
            X,
            repeats,
            judge,
            stay=lambda runner: not runner.order or runner.candidate.method == UNSUPERVISED,
            n_jobs=self.n_jobs,
            say=self._say,
        )
        return judge, runners

    def _refitted(self, X: Any, known: Supervision, judge: Judge, runners: list[Runner]) -> Runner:
        """The preferred candidate, fitted on all; one that fails there is passed over."""
        while left := [runner for runner in runners if not runner.error]:
            best = preferred(left, judge)
            try:
                self.best_estimator_ = fitted(best.candidate.pipeline, X, known)
                return best
            except Exception as error:
                best.error = f"{type(error).__name__}: {error}"
        reasons = "\n".join(f"{each.candidate.name}: {each.error}" for each in runners[:5])
        more = f"\n… and {len(runners) - 5} more" if len(runners) > 5 else ""
        raise ValueError(f"none of {len(runners)} candidates could be fitted:\n{reasons}{more}")

    def _say(self, text: str, level: int) -> None:
        if self.verbose >= level:
            print(f"[AutoReducer] {text}", flush=True)


def _rows_to_choose_on(known: Supervision, n: int, random: RandomState) -> Ints:
    """So many rows: ends of pairs, pair by pair, then labelled rows, then others."""
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
