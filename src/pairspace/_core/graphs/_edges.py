"""Weights on listed pairs."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, diags_array

from pairspace._core.data import DenseRows, Rows
from pairspace._core.graphs._base import Graph
from pairspace._core.typing import Floats, Ints


class Edges(Graph):
    """A weight on each pair of a list. Weights of repeated pairs add up."""

    def __init__(self, n_samples: int, pairs: Ints, weight: Floats) -> None:
        super().__init__(n_samples)
        self.pairs = pairs
        self.weight = weight

    def _scatter(self, rows: Rows) -> Floats:
        scatter = self._summed(rows)
        if self.weight.min(initial=0.0) < 0:
            return scatter
        return rows.without_rounding(scatter, self.total)

    def _summed(self, rows: Rows) -> Floats:
        if not isinstance(rows, DenseRows):
            return rows.difference_gram(self.pairs, self.weight)
        joined = np.bincount(self.pairs.ravel(), minlength=self.n_samples) > 0
        n_joined = int(np.count_nonzero(joined))
        # Differences cost pairs × d², the Laplacian 2 × rows with edges × d².
        if len(self.pairs) > 2 * n_joined:
            local = (np.cumsum(joined) - 1)[self.pairs]
            half = _half_laplacian(n_joined, local, self.weight)
            return rows.laplacian_gram(np.flatnonzero(joined), half)
        return rows.difference_gram(self.pairs, self.weight)

    def degrees(self) -> Floats:
        return _degrees(self.n_samples, self.pairs, self.weight)

    @property
    def total(self) -> float:
        return float(self.weight.sum())

    def laplacian(self) -> csr_array:
        half = _half_laplacian(self.n_samples, self.pairs, self.weight)
        return csr_array(half + half.T)

    def __mul__(self, factor: float) -> Edges:
        return Edges(self.n_samples, self.pairs, self.weight * factor)

    def _merged(self, other: Graph) -> Graph | None:
        if not isinstance(other, Edges):
            return None
        pairs = np.vstack([self.pairs, other.pairs])
        return Edges(self.n_samples, pairs, np.concatenate([self.weight, other.weight]))


def _half_laplacian(n: int, pairs: Ints, weight: Floats) -> csr_array:
    """H with L = H + Hᵀ: half the degrees on the diagonal, and each edge once."""
    i, j = pairs.T.astype(np.int32 if n < 2**31 else np.int64)  # 32-bit indices are faster
    edges = csr_array((weight, (i, j)), shape=(n, n))
    return csr_array(diags_array(_degrees(n, pairs, weight) / 2) - edges)


def _degrees(n: int, pairs: Ints, weight: Floats) -> Floats:
    ends = np.bincount(pairs.T.ravel(), np.tile(weight, 2), minlength=n)
    return ends.astype(np.float64, copy=False)
