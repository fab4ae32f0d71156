"""How well a space separates pairs or classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import NearestNeighbors

from pairspace._core.data import dask_array, is_dask, is_lazy, read_table, rows_of
from pairspace._core.rounding import rounded
from pairspace._core.typing import Floats, Ints, Seed
from pairspace._core.warn import warn_caller
from pairspace.constraints import UNKNOWN, Constraints, encode_labels


def pair_auc(X: Any, y: Any, *, max_pairs: int = 1_000_000, random_state: Seed = 0) -> float:
    """Probability that a must-link is shorter than a cannot-link; ties count ½.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The rows, usually after ``transform``.
    y : Constraints, or labels of shape (n_samples,)
        The pairs, with their weights; or labels, of which all pairs are used. A label of −1, None
        or NaN is unknown.
    max_pairs : int, default=1_000_000
        If labels have more pairs than this, a random sample of this size is used.
    random_state : int, RandomState or None, default=0
        Draws the sample.

    Returns
    -------
    float
        1 is perfect and ½ is chance. NaN, with a warning, if there are no must-links or no
        cannot-links.

    Examples
    --------
    >>> pair_auc([[0.0], [0.1], [5.0]], Constraints(3, [(0, 1)], [(1, 2), (0, 2)]))
    1.0
    """
    if is_dask(X):
        X = dask_array(X, count_rows=True)
    elif not is_lazy(X):
        X = read_table(X, sparse=False)
    pairs = y if isinstance(y, Constraints) else _pairs_of(y, max_pairs, random_state)
    if len(pairs) != X.shape[0]:
        raise ValueError(f"X has {X.shape[0]} rows, but y has {len(pairs)}")
    if not len(pairs.must_link) or not len(pairs.cannot_link):
        missing = "must-links" if not len(pairs.must_link) else "cannot-links"
        warn_caller(
            f"pair_auc is NaN: it compares must-links with cannot-links, and y has no {missing}; "
            "pass more pairs; to cross-validate with few pairs, use PairSearchCV or "
            "cross_validate_pairs, which hold out pairs and not rows",
            UndefinedMetricWarning,
        )
        return float("nan")
    links = np.vstack([pairs.must_link, pairs.cannot_link])
    same = np.arange(len(links)) < len(pairs.must_link)
    weight = np.concatenate([pairs.must_weight, pairs.cannot_weight])
    return float(roc_auc_score(same, -rows_of(X).squared_lengths(links), sample_weight=weight))


def cumulative_purity(X: Any, y: Any, n_neighbors: int = 10) -> Floats:
    """Share of the k nearest neighbours with the row's own label, for k = 1 … n_neighbors.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The rows, usually after ``transform``.
    y : array-like of shape (n_samples,)
        Labels. Rows of unknown label (−1, None or NaN) are ignored.
    n_neighbors : int, default=10
        The largest k.

    Returns
    -------
    ndarray of shape (n_neighbors,)
        The mean share over the rows, for each k.
    """
    X = read_table(X)
    labels = encode_labels(y)
    if len(labels) != X.shape[0]:
        raise ValueError(f"X has {X.shape[0]} rows, but y has {len(labels)} labels")
    known = labels != UNKNOWN
    X, labels = rows_of(X).centred(known), labels[known]
    if not 1 <= n_neighbors < len(labels):
        raise ValueError(
            f"n_neighbors={n_neighbors} must be between 1 and {max(len(labels) - 1, 0)}, the "
            "number of labelled rows less one"
        )
    neighbours = NearestNeighbors(n_neighbors=n_neighbors).fit(X).kneighbors(return_distance=False)
    right = labels[neighbours] == labels[:, None]
    return np.asarray(np.cumsum(right.mean(axis=0)) / np.arange(1, n_neighbors + 1))


def _pairs_of(y: Any, max_pairs: int, random_state: Seed) -> Constraints:
    n_known = int(np.sum(encode_labels(y) != UNKNOWN))
    if n_known * (n_known - 1) // 2 <= max_pairs:
        return Constraints.from_labels(y, fraction=1.0)
    return Constraints.from_labels(y, n_pairs=max_pairs, random_state=random_state)


def share_below(values: Floats, others: Floats, weight: Floats | None = None) -> Floats:
    """Share of reference values below each value; equal ones, up to rounding errors, count half.

    Parameters
    ----------
    values : ndarray of shape (n_values,)
        The values to rank.
    others : ndarray of shape (n_others,)
        The reference values.
    weight : ndarray of shape (n_others,), default=None
        Weights of the reference values; 1 by default.

    Returns
    -------
    ndarray of shape (n_values,)
        Shares between 0 and 1.
    """
    values, others = np.split(rounded(np.concatenate([values, others])), [len(values)])
    if weight is None:
        left, right = _places(values, np.sort(others))
        return (left + right) / (2 * len(others))
    order = np.argsort(others)
    sums = np.concatenate([[0.0], np.cumsum(weight[order])])
    left, right = _places(values, others[order])
    return np.asarray((sums[left] + sums[right]) / (2 * sums[-1]))


def _places(values: Floats, ascending: Floats) -> tuple[Ints, Ints]:
    """How many entries are below each value, and how many are not above it."""
    left = np.searchsorted(ascending, values)
    right = left.copy()
    equal = np.flatnonzero(np.append(ascending, np.inf)[left] == values)  # few
    right[equal] = np.searchsorted(ascending, values[equal], side="right")
    return left, right
