"""Ranking of candidates by distance, then by index."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils import check_array

from pairspace._core.data import DenseRows, rows_of, slices, squared_norms
from pairspace._core.rounding import tied
from pairspace._core.typing import Floats, Ints

TIE = 2.0**-37  # somewhat more than the share by which distances that tie may differ
BLOCK = 1_000_000  # numbers to hold at a time


def validated(X: Any, n_neighbors: int) -> tuple[Any, int]:
    if not isinstance(n_neighbors, Integral) or n_neighbors < 1:
        raise ValueError(f"n_neighbors={n_neighbors!r} must be an integer of at least 1")
    X = check_array(X, accept_sparse="csr", dtype=(np.float64, np.float32), ensure_min_samples=2)
    return X, min(int(n_neighbors), X.shape[0] - 1)


def ranked(
    X: Any, queries: Any, own: Ints, candidates: Ints, k: int, *, sign: int = 1
) -> tuple[Ints, Floats]:
    """The first k candidates by (sign · squared distance, index), and the value of the k-th.

    Distances of rows in other coordinates differ in their last digits, which must not decide
    between rows that are equally far.

    Candidates that are −1 or the query itself, whose row in X is ``own``, are ignored.
    """
    key = sign * squared_distances(X, queries, candidates)
    key[(candidates < 0) | (candidates == own[:, None])] = np.inf
    key = tied(key)
    first = np.lexsort((candidates, key), axis=-1)[:, :k]
    return (
        np.take_along_axis(candidates, first, axis=1),
        np.take_along_axis(key, first[:, -1:], axis=1).ravel(),
    )


def squared_distances(X: Any, queries: Any, candidates: Ints) -> Floats:
    """Squared distances from differences: duplicates have exactly equal distances to a query."""
    squared = np.empty(candidates.shape)
    row_size = candidates.shape[1] * (2 * X.nnz // X.shape[0] + 1 if issparse(X) else X.shape[1])
    for block in slices(len(candidates), BLOCK // row_size):
        some, rows = candidates[block], queries[block]
        if issparse(X):
            repeated = rows[np.repeat(np.arange(len(some)), some.shape[1])].astype(np.float64)
            difference = repeated - X[some.ravel()].astype(np.float64)
            squared[block] = squared_norms(difference).reshape(some.shape)
        else:
            difference = np.subtract(X[some], rows[:, None], dtype=np.float64)
            np.square(difference, out=difference).sum(axis=-1, out=squared[block])
    return squared


def centred(X: Any, mean: Floats | None = None) -> tuple[Any, Floats]:
    """The centred rows in float64, and their distances from the centre. Sparse rows stay as is."""
    rows = rows_of(X)
    if mean is not None:
        rows.mean = mean
    if isinstance(rows, DenseRows):
        points = rows.centred()
        return points, np.sqrt(squared_norms(points))
    points = csr_array(X, dtype=np.float64)
    square = squared_norms(points) - 2 * (points @ rows.mean) + rows.mean @ rows.mean
    return points, np.sqrt(np.maximum(square, 0))


def rounding_margin(
    X: Any, length: Floats, other_length: Any, eps: float = np.finfo(np.float64).eps
) -> Floats:
    """A bound on the rounding error of |x|² + |y|² − 2 x·y."""
    return 2 * (X.shape[1] + 8) * eps * (length + other_length) ** 2
