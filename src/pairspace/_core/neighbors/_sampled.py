"""Nearest neighbours of some rows, by matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from pairspace._core.data import slices, squared_norms
from pairspace._core.neighbors._ranking import centred, ranked, rounding_margin
from pairspace._core.typing import Floats, Ints

SPARE = 6  # extra candidates, since single precision may misplace the last ones
FOLDED = 16  # columns of products that are compared before the smallest are selected
TILE_BYTES = 16_000_000  # of products to hold at a time
DOUBTFUL = 0.01  # share of a squared distance: if rounding may be more, double precision


class QuerySearch:
    """The nearest rows of some rows of a table, by brute force.

    Candidates are found in single precision, and ordered as in :func:`nearest`. So a neighbour may
    be replaced by a row that is farther by rounding: at most 1 % of the squared distance. ``mean``
    is a point near the centre, if one is known.

    Examples
    --------
    >>> QuerySearch(np.array([[0.0], [1.0], [3.0], [9.0]])).nearest(np.array([0, 2]), 1).tolist()
    [[1], [1]]
    """

    def __init__(self, X: Any, mean: Floats | None = None) -> None:
        self._X = X
        self._points, self._length = centred(X, mean)
        self._scale = float(self._length.max()) or 1.0  # squares must not overflow
        self._tables: dict[Any, tuple[Any, Any]] = {}

    def nearest(self, rows: Ints, k: int) -> Ints:
        """The k nearest other rows of each of these rows."""
        found, doubtful = self._searched(rows, k, np.float32)
        if len(doubtful):
            found[doubtful] = self._searched(rows[doubtful], k, np.float64)[0]
        return found

    def _searched(self, rows: Ints, k: int, dtype: Any) -> tuple[Ints, Ints]:
        """The neighbours, and for which of the rows rounding may matter."""
        n = len(self._length)
        found = np.empty((len(rows), int(k)), dtype=np.int64)  # 1 may be True, which is no shape
        doubtful = [np.empty(0, dtype=np.int64)]
        for block in slices(len(rows), TILE_BYTES // (np.dtype(dtype).itemsize * n)):
            own = rows[block]
            candidates = smallest(self._values(own, dtype), min(k + 1 + SPARE, n))
            candidates[candidates >= n] = -1
            found[block], kth = ranked(self._X, self._X[own], own, candidates, k)
            margin = rounding_margin(
                self._X, self._length[own], self._scale, float(np.finfo(dtype).eps)
            )
            unsure = (margin > DOUBTFUL * kth) & (kth > 0)  # of equal rows, any will do
            doubtful.append(block.start + np.flatnonzero(unsure))
        return found, np.concatenate(doubtful)

    def _values(self, rows: Ints, dtype: Any) -> NDArray[Any]:
        """|p|²/2 − x·p for each row x and all p, padded with large values."""
        table, half = self._table(dtype)
        if issparse(table):
            values = np.repeat(half[None], len(rows), axis=0)
            values[:, : len(self._length)] -= (table[rows] @ table.T).toarray()
            return values
        query = table[rows]
        query[:, -1] = -1.0
        return np.negative(query, out=query) @ table.T

    def _table(self, dtype: Any) -> tuple[Any, Any]:
        """The points and |p|²/2; dense points have it as a last column."""
        if dtype not in self._tables:
            n = len(self._length)
            half = np.full(-(-n // FOLDED) * FOLDED, np.finfo(np.float32).max, dtype=dtype)
            # Sparse points are not centred.
            half[:n] = squared_norms(self._points) / self._scale**2 / 2
            if issparse(self._points):
                table = (self._points / self._scale).astype(dtype)
            else:
                table = np.zeros((len(half), self._points.shape[1] + 1), dtype=dtype)
                np.divide(self._points, self._scale, out=table[:n, :-1], casting="same_kind")
                table[:, -1] = half
            self._tables[dtype] = table, half
        return self._tables[dtype]


def smallest(values: NDArray[Any], width: int) -> Ints:
    """The columns of the smallest values of each row, in no order.

    The smallest are in the groups of columns with the smallest minima, and only these are sorted.
    """
    n_groups = values.shape[1] // FOLDED
    if n_groups <= width:
        return np.argpartition(values, width - 1, axis=1)[:, :width]
    grouped = values.reshape(len(values), FOLDED, n_groups)
    groups = np.argpartition(grouped.min(axis=1), width - 1, axis=1)[:, :width]
    columns = (groups[:, None] + n_groups * np.arange(FOLDED)[:, None]).reshape(len(values), -1)
    best = np.argpartition(np.take_along_axis(values, columns, axis=1), width - 1, axis=1)
    return np.take_along_axis(columns, best[:, :width], axis=1)
