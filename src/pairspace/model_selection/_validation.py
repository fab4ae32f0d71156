"""How well a method tells pairs apart that it has not learned from."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils import Bunch, _safe_indexing, check_random_state
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _num_samples

from pairspace._core.typing import Floats
from pairspace.base import Supervision, fitted
from pairspace.constraints import Constraints
from pairspace.model_selection._folds import Fold, folds, judged_pairs
from pairspace.model_selection._judge import Judge, mean_ranks

Scoring = str | Callable[[Floats, Constraints], float]


def cross_validate_pairs(
    estimator: Any,
    X: Any,
    constraints: Any,
    *,
    y: Any = None,
    cv: int = 5,
    n_repeats: int = 3,
    scoring: Scoring = "pair_auc",
    random_state: Any = None,
    n_jobs: int | None = None,
) -> Bunch:
    """Hold out answers, not rows, and see whether the space that the others give agrees with them.

    All rows of X are there to be learned from, as they will be; only what is known about some of
    them is held out. Nothing known about a held-out row is learned from, neither given nor implied,
    and every pair that touches such a row judges: none of them follows from the others. The rows of
    a class, or of a large must-link component, are spread over the folds; each kind of pair is.

    Parameters
    ----------
    estimator : transformer or pipeline
        Cloned for each fold. Its last step is fitted with what is known, if it takes it.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data.
    constraints : Constraints, or labels of shape (n_samples,)
        Labels (−1, None or NaN is unknown) are held out row by row, and judge by their pairs.
    y : labels of shape (n_samples,), default=None
        Labels that are known beside pairs.
    cv : int, default=5
        The number of folds.
    n_repeats : int, default=3
        How often the folds are drawn anew.
    scoring : "pair_auc" or callable, default="pair_auc"
        "pair_auc" is how often a held-out must-link is shorter than a held-out cannot-link: of all
        folds together, lengths being ranked among those of any pairs in the same space, so that
        a few pairs a fold will do. If one kind is missing, any pairs stand for it. A callable
        gets the embedded rows of a fold's pairs and these pairs, and returns a number.
    random_state : int, RandomState or None
        Draws the folds.
    n_jobs : int or None
        Fits at a time.

    Returns
    -------
    Bunch
        ``scores`` of the folds, repeat by repeat, NaN where a fold has not both kinds of pairs;
        ``mean``; ``standard_error``; ``n_must`` and ``n_cannot``, held-out pairs that judged;
        ``seconds`` spent on fitting.

    Notes
    -----
    The same answers judge in every repeat, so more repeats do not make ``standard_error`` small:
    each pair's part is averaged over the repeats first, and pairs that share a row are not taken
    as independent. What another set of answers to *learn* from would change is not in it. With a
    callable, the folds' scores are all there is: their variance is multiplied by
    1/(folds · repeats) + 1/(folds − 1), as Nadeau and Bengio correct it for overlap.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from pairspace import Constraints, PairSpace
    >>> from pairspace.model_selection import cross_validate_pairs
    >>> X, y = load_wine(return_X_y=True)
    >>> answers = Constraints.from_labels(y, n_pairs=40, random_state=0)
    >>> space = make_pipeline(StandardScaler(), PairSpace(random_state=0))
    >>> found = cross_validate_pairs(space, X, answers, random_state=0)
    >>> found.scores.shape, found.n_must + found.n_cannot
    ((15,), 40)
    """
    for name, value, least in (("cv", cv, 2), ("n_repeats", n_repeats, 1)):
        if not isinstance(value, Integral) or value < least:
            raise ValueError(f"{name} must be a whole number, {least} or more; got {value!r}")
    if scoring != "pair_auc" and not callable(scoring):
        raise ValueError(f"scoring must be 'pair_auc' or a function; got {scoring!r}")
    X = np.asarray(X) if isinstance(X, list) else X
    known = _known(constraints, y, _num_samples(X))
    random = check_random_state(random_state)
    pairs = judged_pairs(known, random)
    judge = Judge(pairs, random)
    if len(judge.links) < 2:
        raise ValueError(
            f"{len(judge.links)} pair{'s' * (len(judge.links) != 1)} can't be both learned from "
            "and held out: give more pairs or labels"
        )
    repeats = [list(folds(known, pairs, cv, random)) for _ in range(n_repeats)]
    all_folds = [fold for repeat in repeats for fold in repeat]
    start = time.perf_counter()
    parallel = Parallel(n_jobs=n_jobs)
    if scoring == "pair_auc":
        ranks = parallel(delayed(held_out_ranks)(estimator, X, fold, judge) for fold in all_folds)
        of_folds = [
            judge.of_fold(fold.held_out, found)
            for fold, found in zip(all_folds, ranks, strict=True)
        ]
        placed = placements(judge, repeats, ranks)
        result = {"mean": judge.mean(placed), "standard_error": judge.standard_error(placed)}
    else:
        of_folds = parallel(
            delayed(_scored)(estimator, X, fold, judge, scoring) for fold in all_folds
        )
        result = _corrected(np.array(of_folds), cv)
    return Bunch(
        scores=np.array(of_folds),
        **result,
        n_must=judge.n_must,
        n_cannot=judge.n_cannot,
        seconds=time.perf_counter() - start,
    )


def held_out_ranks(estimator: Any, X: Any, fold: Fold, judge: Judge) -> Floats:
    """Fit without a fold; the ranks of its pairs."""
    return judge.ranks(fitted(estimator, X, fold.seen), X, fold.held_out)


def placements(judge: Judge, repeats: Sequence[Sequence[Fold]], ranks: Sequence[Floats]) -> Floats:
    """The placement of each pair, the mean over the repeats; the ranks in the order of folds."""
    left = iter(ranks)
    return np.mean(
        [
            judge.placements(
                mean_ranks(len(judge.links), [(fold.held_out, next(left)) for fold in repeat])
            )
            for repeat in repeats
        ],
        axis=0,
    )


def _known(constraints: Any, y: Any, n_samples: int) -> Supervision:
    if y is not None:
        return Supervision(y, constraints, n_samples)
    return Supervision(constraints, None, n_samples)


def _scored(estimator: Any, X: Any, fold: Fold, judge: Judge, scoring: Any) -> float:
    space = fitted(estimator, X, fold.seen)
    rows, links = np.unique(judge.links[fold.held_out], return_inverse=True)
    links, same = links.reshape(-1, 2), judge.same[fold.held_out]
    weight = judge.weight[fold.held_out]
    held_out = Constraints(
        len(rows),
        links[same],
        links[~same],
        must_weight=weight[same],
        cannot_weight=weight[~same],
    )
    return float(scoring(np.asarray(space.transform(_safe_indexing(X, rows))), held_out))


def _corrected(scores: Floats, cv: int) -> dict[str, Any]:
    """The mean over folds, with the standard error of Nadeau and Bengio."""
    variance = np.var(scores, ddof=1) if scores.size > 1 else np.inf
    overlap = 1 / scores.size + 1 / (cv - 1)
    return {"mean": float(np.mean(scores)), "standard_error": float(np.sqrt(variance * overlap))}
