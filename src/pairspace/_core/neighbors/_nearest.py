"""Nearest rows, and the pairs of the graph of nearest neighbours."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Literal

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils import check_array

from pairspace._core.neighbors._approximate import approximate_neighbors
from pairspace._core.neighbors._exact import exact_neighbors
from pairspace._core.neighbors._ranking import (
    squared_distances,
    validated,
)
from pairspace._core.pairs import unique_pairs
from pairspace._core.typing import Floats, Ints, Seed

APPROXIMATE_FROM = 50_000  # rows: for fewer the exact search takes seconds


def nearest(
    X: Any,
    n_neighbors: int,
    *,
    method: Literal["auto", "exact", "approximate"] = "auto",
    random_state: Seed = None,
) -> Ints:
    """The nearest other rows of each row by Euclidean distance, the nearest first.

    Equal distances are ordered by index. There are ``min(n_neighbors, n − 1)`` columns.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, d)
        The data.
    n_neighbors : int
        The number of neighbours of a row.
    method : {"auto", "exact", "approximate"}, default="auto"
        "approximate" finds about 99 % of the neighbours, on dense data. It needs faiss:
        ``pip install 'pairspace[neighbors]'``. On data without structure, where it would not be
        faster, it searches exactly. "auto" is "approximate" for more than 50,000 dense rows if
        faiss is installed, else "exact".
    random_state : int, RandomState instance or None, default=None
        Seed of the approximate search. With an int the result is the same every time.

    Examples
    --------
    >>> nearest([[0.0], [1.0], [3.0]], 1).ravel()
    array([1, 0, 1])
    """
    X, k = validated(X, n_neighbors)
    if method not in ("auto", "exact", "approximate"):
        raise ValueError(f"method must be one of 'auto', 'exact', 'approximate'; got {method!r}")
    if method == "approximate" and issparse(X):
        raise ValueError("method='approximate' needs dense X; for sparse X use method='exact'")
    if (
        method == "auto"
        and X.shape[0] > APPROXIMATE_FROM
        and not issparse(X)
        and find_spec("faiss")
    ):
        method = "approximate"
    if method == "approximate":
        return approximate_neighbors(X, k, random_state)
    return exact_neighbors(X, k, np.arange(X.shape[0]))


def nearest_among(X: Any, queries: Any, n_neighbors: int) -> tuple[Ints, Floats]:
    """The rows of X nearest to each query, the nearest first, and their squared distances. Exact.

    Equal distances are ordered by index. There are ``min(n_neighbors, n)`` columns. A query that
    equals a row of X has the distance 0 from it.

    Examples
    --------
    >>> nearest_among([[0.0], [1.0], [3.0]], [[2.5], [1.0]], 1)
    (array([[2],
           [1]]), array([[0.25],
           [0.  ]]))
    """
    X, _ = validated(X, n_neighbors)
    queries = check_array(queries, accept_sparse="csr", dtype=(np.float64, np.float32))
    if issparse(X) != issparse(queries):
        X, queries = csr_array(X), csr_array(queries)
    rows = np.arange(queries.shape[0])
    found = exact_neighbors(X, min(int(n_neighbors), X.shape[0]), rows, queries)
    return found, squared_distances(X, queries, found)


def neighbor_edges(neighbors: Ints) -> Ints:
    """The pairs in which one row is a neighbour of the other: i < j, sorted, each once.

    Examples
    --------
    >>> neighbor_edges(np.array([[1], [0], [1]])).tolist()
    [[0, 1], [1, 2]]
    """
    n, k = neighbors.shape
    i, j = np.repeat(np.arange(n, dtype=np.int64), k), neighbors.ravel()
    return unique_pairs(np.column_stack([i, j]), n)
