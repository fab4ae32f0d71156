"""Cross-validation of a method on pairs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.random import RandomState
from scipy.sparse import csr_array, issparse
from sklearn.utils import Bunch, _safe_indexing, check_random_state
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _num_samples

from pairspace._core.typing import Floats, Seed
from pairspace.base import Supervision, fitted
from pairspace.constraints import Constraints
from pairspace.model_selection._scorer import PairScorer, mean_ranks
from pairspace.model_selection._splits import Split, scored_pairs, split_pairs

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
    random_state: Seed = None,
    n_jobs: int | None = None,
) -> Bunch:
    """Cross-validate a method on held-out pairs.

    Each fit uses all rows of X, but the pairs and labels of some rows are held out. The score is
    computed on all pairs with a held-out row; none of them is given to the fit or implied by what
    is given. The rows of a class, or of a large must-link component, are spread over the folds.

    Parameters
    ----------
    estimator : transformer or pipeline
        Cloned for each fold. The last step of a pipeline gets the constraints and labels.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data.
    constraints : Constraints, or labels of shape (n_samples,)
        The pairs; or labels, which are held out row by row and scored on their pairs. A label of
        −1, None or NaN is unknown.
    y : labels of shape (n_samples,), default=None
        Labels in addition to constraints.
    cv : int, default=5
        The number of folds.
    n_repeats : int, default=3
        The number of times that the cross-validation is repeated with other folds.
    scoring : "pair_auc" or callable, default="pair_auc"
        With "pair_auc", the probability that a held-out must-link is shorter than a held-out
        cannot-link. It is computed on the pairs of all folds together; distances are replaced by
        ranks among the distances of random pairs in the same space. If one kind is missing, random
        pairs take its place. A callable gets the embedded rows of a fold's pairs and a
        ``Constraints`` with these pairs, and returns a number.
    random_state : int, RandomState or None, default=None
        Draws the folds.
    n_jobs : int or None, default=None
        The number of fits in parallel; −1 uses all processors.

    Returns
    -------
    Bunch
        ``scores`` of the folds, repeat by repeat, NaN where a fold has pairs of one kind only;
        ``mean``; ``standard_error``; ``n_must`` and ``n_cannot``, the numbers of scored pairs;
        ``seconds``, the time of all fits.

    See Also
    --------
    AutoReducer : Choose a method by this score.
    PairSearchCV : Choose parameters by this score.
    pairspace.metrics.pair_auc : The score of one embedding.

    Notes
    -----
    The standard error is DeLong's, of each pair's mean over the repeats, corrected for pairs that
    share a row. The same pairs are scored in every repeat, so more repeats reduce only the noise
    of drawing folds. The variance between different sets of training answers is not included.
    With a callable, the variance of the folds' scores is multiplied by
    1/(folds · repeats) + 1/(folds − 1), the correction of Nadeau and Bengio for overlap.

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
            raise ValueError(f"{name} must be an integer, {least} or more; got {value!r}")
    if scoring != "pair_auc" and not callable(scoring):
        raise ValueError(f"scoring must be 'pair_auc' or a callable; got {scoring!r}")
    X = indexable_rows(X)
    check_rows(X)
    known = _known(constraints, y, _num_samples(X))
    random = check_random_state(random_state)
    pairs, scorer = pairs_to_score(known, random)
    repeats = [list(split_pairs(known, pairs, cv, random)) for _ in range(n_repeats)]
    splits = [split for repeat in repeats for split in repeat]
    start = time.perf_counter()
    parallel = Parallel(n_jobs=n_jobs)
    if scoring == "pair_auc":
        ranks = parallel(delayed(held_out_ranks)(estimator, X, split, scorer) for split in splits)
        of_folds = [
            scorer.fold_auc(split.held_out, found)
            for split, found in zip(splits, ranks, strict=True)
        ]
        placed = placements(scorer, repeats, ranks)
        result = {"mean": scorer.mean(placed), "standard_error": scorer.standard_error(placed)}
    else:
        of_folds = parallel(
            delayed(_scored)(estimator, X, split, scorer, scoring) for split in splits
        )
        result = _corrected(np.array(of_folds), cv)
    return Bunch(
        scores=np.array(of_folds),
        **result,
        n_must=scorer.n_must,
        n_cannot=scorer.n_cannot,
        seconds=time.perf_counter() - start,
    )


def pairs_to_score(known: Supervision, random: RandomState) -> tuple[Constraints, PairScorer]:
    """The pairs to hold out, and what scores them; an error if they are too few."""
    pairs = scored_pairs(known, random)
    scorer = PairScorer(pairs, random)
    if len(scorer.links) < 2:
        raise ValueError(
            f"cross-validation needs at least 2 pairs; got {len(scorer.links)}: "
            "pass more pairs or labels"
        )
    return pairs, scorer


def indexable_rows(X: Any) -> Any:
    """X as a table of which rows can be taken, which lists and some sparse matrices are not."""
    if issparse(X):
        return csr_array(X)
    if not isinstance(X, list):
        return X
    try:
        return np.asarray(X)
    except ValueError:
        raise ValueError("X must be a table, but its rows have different lengths") from None


def check_rows(X: Any) -> None:
    """An error, unless there are rows to compare."""
    if _num_samples(X) < 2:
        raise ValueError(f"X must have 2 rows or more; got {_num_samples(X)}")


def held_out_ranks(estimator: Any, X: Any, split: Split, scorer: PairScorer) -> Floats:
    """Fit without the held-out pairs, and rank these."""
    return scorer.ranks(fitted(estimator, X, split.train), X, split.held_out)


def placements(
    scorer: PairScorer, repeats: Sequence[Sequence[Split]], ranks: Sequence[Floats]
) -> Floats:
    """The mean placement of each pair over the repeats; ``ranks`` are in the order of splits."""
    left = iter(ranks)
    return np.mean(
        [
            scorer.placements(
                mean_ranks(len(scorer.links), [(split.held_out, next(left)) for split in repeat])
            )
            for repeat in repeats
        ],
        axis=0,
    )


def _known(constraints: Any, y: Any, n_samples: int) -> Supervision:
    if y is not None:
        return Supervision(y, constraints, n_samples)
    return Supervision(constraints, None, n_samples)


def _scored(estimator: Any, X: Any, split: Split, scorer: PairScorer, scoring: Any) -> float:
    space = fitted(estimator, X, split.train)
    rows, links = np.unique(scorer.links[split.held_out], return_inverse=True)
    links, same = links.reshape(-1, 2), scorer.same[split.held_out]
    weight = scorer.weight[split.held_out]
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
