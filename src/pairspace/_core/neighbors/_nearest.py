"""Nearest and farthest rows, in one order: by distance, and equal distances by index.

Searches find candidates quickly and with rounding; the candidates' distances are then computed
again from differences, in float64, and only these decide. So duplicates and grids give the same
answer every time, and where a tie may reach beyond the candidates more of them are asked for.
Memory is linear in the number of rows.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Literal

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils import check_array

from pairspace._core.neighbors._approximate import approximate_neighbors
from pairspace._core.neighbors._exact import exact_neighbors
from pairspace._core.neighbors._ranking import (
    checked,
    squared_distances,
)
from pairspace._core.pairs import unique_pairs
from pairspace._core.typing import Floats, Ints

APPROXIMATE_FROM = 50_000  # rows: below, the exact search takes seconds


def nearest(
    X: Any,
    n_neighbors: int,
    *,
    method: Literal["auto", "exact", "approximate"] = "auto",
    random_state: Any = None,
) -> Ints:
    """The nearest other rows of each row by Euclidean distance, the nearest first.

    Equal distances are ordered by index. There are ``min(n_neighbors, n − 1)`` columns.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, d)
        The data.
    n_neighbors : int
        How many neighbours a row gets, if there are that many other rows.
    method : {"auto", "exact", "approximate"}, default="auto"
        "approximate" finds about 99 % of the neighbours through faiss, which
        ``pip install 'pairspace[neighbors]'`` brings, on dense data; on data without structure,
        where that would save no time, it searches exactly. "auto" takes it for more than
        50,000 dense rows if faiss is installed.
    random_state : int, RandomState instance or None, default=None
        Where the cells of the approximate search start. With an int the result is the same
        every time.

    Examples
    --------
    >>> nearest([[0.0], [1.0], [3.0]], 1).ravel()
    array([1, 0, 1])
    """
    X, k = checked(X, n_neighbors)
    if method not in ("auto", "exact", "approximate"):
        raise ValueError(f"method={method!r}: it is 'auto', 'exact' or 'approximate'")
    if method == "approximate" and issparse(X):
        raise ValueError("method='approximate' needs dense X; for sparse X take method='exact'")
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


def nearest_among(X: Any, asked: Any, n_neighbors: int) -> tuple[Ints, Floats]:
    """The rows of X nearest to other rows, the nearest first, and their squared distances. Exact.

    Equal distances are ordered by index. There are ``min(n_neighbors, n)`` columns. A row that is
    in X, digit by digit, has the distance 0.

    Examples
    --------
    >>> nearest_among([[0.0], [1.0], [3.0]], [[2.5], [1.0]], 1)
    (array([[2],
           [1]]), array([[0.25],
           [0.  ]]))
    """
    X, _ = checked(X, n_neighbors)
    asked = check_array(asked, accept_sparse="csr", dtype=(np.float64, np.float32))
    if issparse(X) != issparse(asked):
        X, asked = csr_array(X), csr_array(asked)
    rows = np.arange(asked.shape[0])
    found = exact_neighbors(X, min(int(n_neighbors), X.shape[0]), rows, asked)
    return found, squared_distances(X, asked, found)


def neighbor_edges(neighbors: Ints) -> Ints:
    """The pairs of which one is a neighbour of the other, as i < j, sorted, each once.

    Examples
    --------
    >>> neighbor_edges(np.array([[1], [0], [1]])).tolist()
    [[0, 1], [1, 2]]
    """
    n, k = neighbors.shape
    i, j = np.repeat(np.arange(n, dtype=np.int64), k), neighbors.ravel()
    return unique_pairs(np.column_stack([i, j]), n)
