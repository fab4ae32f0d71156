"""Candidates for nearest neighbours in the null space of an RBF kernel, in single precision."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from pairspace._core.data import slices, squared_norms
from pairspace._core.kernels._null_space import KernelNullSpace
from pairspace._core.neighbors import FOLDED, centred, smallest
from pairspace._core.typing import Floats, Ints

ROUNDINGS = 2  # of d̂², which is twice the exponent
SPARE = 6  # extra candidates, and as many again as there are neighbours
TILE_BYTES = 8_000_000  # of distances to hold at a time
LARGEST = 1e6  # length of a row in units of the kernel's width: squares must not overflow
FAR = float(np.finfo(np.float32).max) / 4  # of the rows that fill up the last group


class NullProducts:
    """d̂² of some points to all others: two matrix products and an exponential.

    Nothing is computed for sparse rows, and with a kernel that is too narrow for the data.
    """

    def __init__(self, space: KernelNullSpace) -> None:
        self._n, self._G = len(space), space.G
        self.usable = not issparse(space.points)
        if not self.usable:
            return
        points, _ = centred(space.points)
        self._points = points * np.sqrt(space.gamma)
        self._G = self._G - self._G.mean(axis=0)  # differences are the same, with less rounding
        self._lengths = squared_norms(self._points)
        self._links = squared_norms(self._G)
        self.usable = bool(self._lengths.max() < LARGEST**2)

    def noise(self, points: Ints) -> Floats:
        """The rounding error of d̂² to be expected. That of a sum grows with the root of terms."""
        noise = np.zeros(len(points))
        for table, squares in ((self._points, self._lengths), (self._G, self._links)):
            length = np.sqrt(squares)
            noise += np.sqrt(table.shape[1]) * (length[points] + length.max()) ** 2
        return ROUNDINGS * float(np.finfo(np.float32).eps) * noise

    def candidates(self, points: Ints, k: int) -> Ints:
        """The points nearest to each of some points, in no order; it may be among them."""
        rows = _table(self._points, self._lengths, 0.0)
        links = _table(self._G, -self._links, FAR)
        width = min(2 * k + 1 + SPARE, self._n)
        found = np.empty((len(points), width), dtype=np.int64)
        for block in slices(len(points), TILE_BYTES // (4 * len(rows))):
            some = points[block]
            # |x|² + |p|² − 2 x·p in units of the width
            exponent = _query(-2 * self._points[some]) @ rows.T
            exponent += self._lengths[some, None].astype(np.float32)
            values = np.expm1(np.negative(exponent, out=exponent), out=exponent)
            values *= -2
            values += _query(2 * self._G[some]) @ links.T
            found[block] = smallest(values, width)
        return found


def _table(columns: Floats, last: Floats, fill: float) -> NDArray[Any]:
    """Columns and a last one in single precision, filled up to whole groups."""
    n = len(columns)
    table = np.zeros((-(-n // FOLDED) * FOLDED, columns.shape[1] + 1), dtype=np.float32)
    table[:n, :-1], table[:n, -1], table[n:, -1] = columns, last, fill
    return table


def _query(columns: Floats) -> NDArray[Any]:
    return np.column_stack([columns, np.ones(len(columns))]).astype(np.float32)
