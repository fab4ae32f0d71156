"""Weights on listed pairs."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, diags_array

from pairspace._core.data import DenseRows, Rows
from pairspace._core.graphs._base import Graph
from pairspace._core.typing import Bools, Floats, Ints


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
        joined = _joined(self.n_samples, self.pairs)
        if _laplacian_pays(self.pairs, joined):
            local = (np.cumsum(joined) - 1)[self.pairs]
            half = _half_laplacian(int(np.count_nonzero(joined)), local, self.weight)
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


def edge_scatters(rows: Rows, pairs: Ints, weights: Floats) -> tuple[list[Floats], Floats]:
    """The scatter of ``Edges`` for each row of weights, none of them negative; ‖x_i − x_j‖².

    The rows of the pairs are read once where their differences are multiplied.
    """
    if isinstance(rows, DenseRows) and not _laplacian_pays(pairs, _joined(len(rows), pairs)):
        scatters, squared = rows.difference_grams(pairs, weights)
        totals = weights.sum(axis=1)
        return list(map(rows.without_rounding, scatters, totals)), squared
    parts = (Edges(len(rows), pairs[some > 0], some[some > 0]) for some in weights)
    return [part.scatter(rows) for part in parts], rows.squared_lengths(pairs)


def _joined(n: int, pairs: Ints) -> Bools:
    """Which rows have an edge."""
    return np.asarray(np.bincount(pairs.ravel(), minlength=n) > 0)


def _laplacian_pays(pairs: Ints, joined: Bools) -> bool:
    """Differences cost pairs × d², the Laplacian 2 × rows with edges × d²."""
    return len(pairs) > 2 * int(np.count_nonzero(joined))


def _half_laplacian(n: int, pairs: Ints, weight: Floats) -> csr_array:
    """H with L = H + Hᵀ: half the degrees on the diagonal, and each edge once."""
    i, j = pairs.T.astype(np.int32 if n < 2**31 else np.int64)  # 32-bit indices are faster
    edges = csr_array((weight, (i, j)), shape=(n, n))
    return csr_array(diags_array(_degrees(n, pairs, weight) / 2) - edges)


def _degrees(n: int, pairs: Ints, weight: Floats) -> Floats:
    ends = np.bincount(pairs.T.ravel(), np.tile(weight, 2), minlength=n)
    return ends.astype(np.float64, copy=False)
