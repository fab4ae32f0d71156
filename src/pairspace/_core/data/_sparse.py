"""Rows of a sparse matrix."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array

from pairspace._core.data import _base
from pairspace._core.data._base import ULPS, Rows, projected, slices
from pairspace._core.typing import Floats, Ints


class SparseRows(Rows):
    """Rows of a CSR matrix, which stay sparse: the mean is subtracted from the sums."""

    def _mean(self) -> Floats:
        return self._X.T @ np.full(len(self), 1 / len(self))  # in float64, unlike .sum()

    def _rounding_of(self, largest: Floats) -> Floats:
        # The mean is taken out of sums of squares, which have their own rounding. Each term is
        # rounded to the digits of the sum so far: of equal terms, always the same way.
        ulps = ULPS + len(self) / 2
        with np.errstate(over="ignore"):
            return np.asarray(ulps * np.finfo(np.float64).eps * largest**2)

    def _bytes(self, row: int) -> bytes:
        own = slice(*self._X.indptr[row : row + 2])
        return bytes(self._X.indices[own].tobytes() + self._X.data[own].tobytes())

    def weighted_gram(self, weight: Floats | None) -> Floats:
        weight = np.ones(len(self)) if weight is None else weight
        X = diags_array(np.sqrt(weight)) @ self._X
        with_mean = np.outer(self._X.T @ weight, self.mean)
        mean_with_mean = weight.sum() * np.outer(self.mean, self.mean)
        return self._gram(X) - with_mean - with_mean.T + mean_with_mean

    def squared_lengths(self, pairs: Ints) -> Floats:
        lengths = np.empty(len(pairs))
        for block in self._row_blocks(len(pairs)):
            i, j = pairs[block].T
            part = (self._X[i] - self._X[j]).astype(np.float64)
            lengths[block] = part.multiply(part).sum(axis=1)
        return lengths

    def difference_gram(self, pairs: Ints, weight: Floats) -> Floats:
        total = np.zeros((self.shape[1], self.shape[1]))
        for block in self._row_blocks(len(pairs)):
            i, j = pairs[block].T
            part = (self._X[i] - self._X[j]).astype(np.float64)
            total += (part.T @ (diags_array(weight[block]) @ part)).toarray()
        return total

    def class_gram(self, members: Ints) -> tuple[Floats, Floats]:
        n_classes, size = members.shape
        chosen = self._X[members.ravel()].astype(np.float64)
        starts = np.arange(0, members.size + 1, size)
        sums = csr_array((np.ones(members.size), np.arange(members.size), starts)) @ chosen
        means = sums.toarray().reshape(n_classes, -1) / size
        return self._gram(chosen) - size * (means.T @ means), means

    def deviation_gram(self, codes: Ints, means: Floats, weight: Floats) -> Floats:
        of_class = np.bincount(codes[codes >= 0], weight[codes >= 0], minlength=len(means))
        X = self._X.astype(np.float64)
        return (X.T @ (diags_array(weight) @ X)).toarray() - (means.T * of_class) @ means

    def squared_deviations(self, codes: Ints, means: Floats) -> Floats:
        squared = np.zeros(len(self))
        known, lengths = np.flatnonzero(codes >= 0), np.sum(means**2, axis=1)
        for block in slices(len(known), _base.BLOCK_BYTES // (8 * len(means))):
            rows, own = known[block], codes[known[block]]
            X = self._X[rows].astype(np.float64)
            products = (X @ means.T)[np.arange(len(rows)), own]
            squared[rows] = X.multiply(X).sum(axis=1) - 2 * products + lengths[own]
        return np.maximum(squared, 0)

    def products(self) -> Floats:
        X = self._X.astype(np.float64)
        with_mean = X @ self.mean
        total = np.empty((len(self), len(self)))
        for block in slices(len(self), _base.BLOCK_BYTES // (8 * len(self))):
            total[block] = (X[block] @ X.T).toarray()
            total[block] -= with_mean + with_mean[block, None] - self.mean @ self.mean
        return total

    def multiply(self, vectors: Floats) -> Floats:
        return self._X @ vectors - self.mean @ vectors

    def combine(self, coefficients: Floats) -> Floats:
        return self._X.T @ (coefficients - coefficients.mean(axis=0))

    def project(self, components: NDArray[Any], origin: NDArray[Any]) -> NDArray[Any]:
        return projected(self._X, components, origin)

    def take(self, rows: Any) -> Floats:
        return np.subtract(self._X[rows].toarray(), self.mean, dtype=np.float64)

    def _row_blocks(self, n: int) -> Iterator[slice]:
        nonzeros_a_row = max(1, self._X.nnz // len(self))
        return slices(n, _base.BLOCK_BYTES // (32 * nonzeros_a_row))

    @staticmethod
    def _gram(X: csr_array) -> Floats:
        X = X.astype(np.float64, copy=False)
        return (X.T @ X).toarray()
