"""Reading X by rows: the sums of products that every scatter matrix is made of.

This is the one place that knows what kind of table X is. Dense rows of any float type and sparse
rows answer the same few questions, in blocks, so that no copy of X is ever made; all sums are
float64. Centring happens here and nowhere else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array, issparse

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

BLOCK_BYTES = 4_000_000  # of rows in float64: what fits a core's cache beside the result
COPY_BYTES = 200_000_000  # of columns in float64: the most that a Laplacian product may hold


class Rows(ABC):
    """The rows of X less their mean, and the sums over them."""

    def __init__(self, X: Any) -> None:
        self._X = X
        self.shape: tuple[int, int] = X.shape
        self.dtype: np.dtype[Any] = X.dtype

    def __len__(self) -> int:
        return self.shape[0]

    @cached_property
    def mean(self) -> Floats:
        """The mean row. Whoever finds it on the way may set it, as :attr:`gram`."""
        return self._mean()

    @abstractmethod
    def _mean(self) -> Floats: ...

    @property
    def values(self) -> Any:
        """The table itself, not centred, for work that only needs differences of rows."""
        return self._X

    @cached_property
    def gram(self) -> Floats:
        """Σ x xᵀ over the centred rows. Whoever finds it on the way may set it."""
        return self.weighted_gram(None)

    @abstractmethod
    def weighted_gram(self, weight: Floats | None) -> Floats:
        """Σ w x xᵀ over the centred rows, for weights that are not negative; None is 1."""

    @abstractmethod
    def difference_gram(self, pairs: Ints, weight: Floats) -> Floats:
        """Σ w (x_i − x_j)(x_i − x_j)ᵀ over the pairs."""

    @abstractmethod
    def squared_lengths(self, pairs: Ints) -> Floats:
        """‖x_i − x_j‖² for each pair."""

    @abstractmethod
    def class_gram(self, members: Ints) -> tuple[Floats, Floats]:
        """Σ (x − m)(x − m)ᵀ about the mean m of the row's class, and the means.

        ``members`` has the rows of a class in each of its rows; all classes are of one size.
        """

    def class_means(self, codes: Ints, sizes: Ints) -> Floats:
        """The mean of the rows of each class; −1 is no class. An empty class has the mean 0."""
        sums = class_indicator(codes, len(sizes)) @ self._X
        return (
            np.asarray(sums.toarray() if issparse(sums) else sums) / np.maximum(sizes, 1)[:, None]
        )

    @abstractmethod
    def deviation_gram(self, codes: Ints, means: Floats, weight: Floats) -> Floats:
        """Σ w (x − m)(x − m)ᵀ about the mean m of the row's class; rows of no class weigh 0."""

    @abstractmethod
    def squared_deviations(self, members: Ints, means: Floats) -> Floats:
        """‖x − m‖² from the mean of the row's class, in the shape of ``members``."""

    @abstractmethod
    def products(self) -> Floats:
        """The n × n products of the centred rows with each other. Only where n < d."""

    @abstractmethod
    def multiply(self, vectors: Floats) -> Floats:
        """The products of the centred rows with some vectors over the features: (n, k)."""

    @abstractmethod
    def combine(self, coefficients: Floats) -> Floats:
        """Σ c_i x_i over the centred rows, for each column of coefficients: (d, k)."""


def rows_of(X: Any) -> Rows:
    if isinstance(X, Rows):
        return X
    return SparseRows(csr_array(X)) if issparse(X) else DenseRows(np.asarray(X))


class DenseRows(Rows):
    """Rows of an array, centred as they are read."""

    def _mean(self) -> Floats:
        return self._X.mean(axis=0, dtype=np.float64)

    def weighted_gram(self, weight: Floats | None) -> Floats:
        total, buffer = self._zeros(), self._buffer()
        for block in self._blocks(len(self)):
            part = buffer[: block.stop - block.start]
            np.subtract(self._X[block], self.mean, out=part)
            if weight is not None:
                part *= np.sqrt(weight[block])[:, None]
            total += part.T @ part
        return total

    def difference_gram(self, pairs: Ints, weight: Floats) -> Floats:
        total, buffers = self._zeros(), (self._buffer(), self._buffer())
        for sign in (1, -1):
            chosen = np.flatnonzero(np.sign(weight) == sign)
            for block in self._blocks(len(chosen)):
                part = self._differences(pairs[chosen[block]], buffers)
                part *= np.sqrt(np.abs(weight[chosen[block]]))[:, None]
                total += sign * (part.T @ part)
        return total

    def squared_lengths(self, pairs: Ints) -> Floats:
        lengths, buffers = np.empty(len(pairs)), (self._buffer(), self._buffer())
        for block in self._blocks(len(pairs)):
            part = self._differences(pairs[block], buffers)
            lengths[block] = np.einsum("ij,ij->i", part, part)
        return lengths

    def class_gram(self, members: Ints) -> tuple[Floats, Floats]:
        n_classes, size = members.shape
        gram, means, buffer = self._zeros(), np.empty((n_classes, self.shape[1])), self._buffer()
        if size > len(buffer):
            for at, rows in enumerate(members):
                part, means[at] = self._large_class_gram(rows, buffer)
                gram += part
            return gram, means
        for some in self._blocks(n_classes, size):
            flat = self._read(members[some].ravel(), buffer)
            deviation = flat.reshape(-1, size, self.shape[1])
            means[some] = deviation.mean(axis=1)
            deviation -= means[some, None]
            gram += flat.T @ flat
        return gram, means

    def deviation_gram(self, codes: Ints, means: Floats, weight: Floats) -> Floats:
        total = self._zeros()
        # A product has to be added up: with fewer rows than features that takes the longer.
        size = max(len(self._buffer()), self.shape[1])
        buffer = np.empty((min(size, len(self)), self.shape[1]))
        for sign, add in (1, np.add), (-1, np.subtract):
            chosen = np.flatnonzero(np.sign(weight) == sign)
            for block in slices(len(chosen), size):
                rows = chosen[block]
                part = self._read(rows, buffer)
                part -= means[codes[rows]]
                part *= np.sqrt(np.abs(weight[rows]))[:, None]
                add(total, part.T @ part, out=total)
        return total

    def _large_class_gram(self, rows: Ints, buffer: Floats) -> tuple[Floats, Floats]:
        """Of one class that is read in blocks.

        Deviations from a mean of the first few rows are as small as those from the true mean, so
        that the difference can be put right afterwards: one reading, no lost digits.
        """
        gram = self._zeros()
        guess = self._X[rows[:16]].mean(axis=0, dtype=np.float64)
        offset = np.zeros_like(guess)
        for block in self._blocks(len(rows)):
            part = self._read(rows[block], buffer)
            part -= guess
            offset += part.sum(axis=0)
            gram += part.T @ part
        offset /= len(rows)
        return gram - len(rows) * np.outer(offset, offset), guess + offset

    def squared_deviations(self, members: Ints, means: Floats) -> Floats:
        rows, of_class = members.ravel(), np.repeat(np.arange(len(members)), members.shape[1])
        squared, buffer = np.empty(members.size), self._buffer()
        for block in self._blocks(len(rows)):
            part = self._read(rows[block], buffer)
            part -= means[of_class[block]]
            squared[block] = np.einsum("ij,ij->i", part, part)
        return squared.reshape(members.shape)

    def laplacian_gram(self, rows: Ints, half: csr_array) -> Floats:
        """XᵀLX of some centred rows, for L = half + halfᵀ.

        Uncentred rows would lose digits, for L·1 is 0 only up to rounding.
        """
        total = self._zeros()
        width = COPY_BYTES // (8 * len(rows))
        for columns in slices(self.shape[1], width):
            X = np.empty((len(rows), columns.stop - columns.start))
            for block in self._blocks(len(rows)):
                np.subtract(self._X[rows[block], columns], self.mean[columns], out=X[block])
            for block in self._blocks(len(rows)):
                left = X[block] if width >= self.shape[1] else self.take(rows[block])
                total[:, columns] += left.T @ (half[block] @ X)
        return total + total.T

    def products(self) -> Floats:
        total = np.zeros((len(self), len(self)))
        for columns in self._column_blocks():
            part = np.subtract(self._X[:, columns], self.mean[columns], dtype=np.float64)
            total += part @ part.T
        return total

    def multiply(self, vectors: Floats) -> Floats:
        multiplied = np.concatenate([block @ vectors for _, block in self._float64()])
        multiplied -= self.mean @ vectors
        return multiplied

    def combine(self, coefficients: Floats) -> Floats:
        # Centred coefficients instead of centred rows: the same sum, and X is not copied.
        centred = coefficients - coefficients.mean(axis=0)
        return sum(block.T @ centred[rows] for rows, block in self._float64())

    def _float64(self) -> Iterator[tuple[slice, Floats]]:
        """The rows as they are in float64: X itself, or a block of it at a time."""
        whole = [slice(0, len(self))]
        for rows in whole if self.dtype == np.float64 else self._blocks(len(self)):
            yield rows, np.asarray(self._X[rows], np.float64)

    def take(self, rows: Any) -> Floats:
        """Some of the centred rows, as float64."""
        return np.subtract(self._X[rows], self.mean, dtype=np.float64)

    def _differences(self, pairs: Ints, buffers: tuple[Floats, Floats]) -> Floats:
        part = self._read(pairs[:, 0], buffers[0])
        part -= self._read(pairs[:, 1], buffers[1])
        return part

    def _read(self, rows: Ints, buffer: Floats) -> Floats:
        """Rows by their numbers, as float64, to be changed in place."""
        part = buffer[: len(rows)]
        if self.dtype == np.float64 and isinstance(self._X, np.ndarray):
            np.take(self._X, rows, axis=0, out=part, mode="clip")  # which does not copy twice
        else:
            part[:] = self._X[rows]
        return part

    def _buffer(self) -> Floats:
        """Room for a block. Fresh memory for each block would cost as much as its product."""
        return np.empty((max(BLOCK_BYTES // (8 * self.shape[1]), 1), self.shape[1]))

    def _zeros(self) -> Floats:
        return np.zeros((self.shape[1], self.shape[1]))

    def _blocks(self, n: int, rows_each: int = 1) -> Iterator[slice]:
        return slices(n, BLOCK_BYTES // (8 * self.shape[1] * rows_each))

    def _column_blocks(self) -> Iterator[slice]:
        return slices(self.shape[1], BLOCK_BYTES // (8 * len(self)))


class SparseRows(Rows):
    """Rows of a CSR matrix. They stay sparse: the mean is taken out of the sums instead."""

    def _mean(self) -> Floats:
        return self._X.T @ np.full(len(self), 1 / len(self))  # in float64, which .sum() is not

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

    def squared_deviations(self, members: Ints, means: Floats) -> Floats:
        n_classes, size = members.shape
        squared = np.empty((n_classes, size))
        for column in range(size):  # one row of every class at a time
            X = self._X[members[:, column]].astype(np.float64)
            products = X.multiply(means).sum(axis=1)
            squared[:, column] = X.multiply(X).sum(axis=1) - 2 * products
        return np.maximum(squared + np.sum(means**2, axis=1)[:, None], 0)

    def products(self) -> Floats:
        X = self._X.astype(np.float64)
        with_mean = X @ self.mean
        return (X @ X.T).toarray() - with_mean - with_mean[:, None] + self.mean @ self.mean

    def multiply(self, vectors: Floats) -> Floats:
        return self._X @ vectors - self.mean @ vectors

    def combine(self, coefficients: Floats) -> Floats:
        return self._X.T @ (coefficients - coefficients.mean(axis=0))

    def _row_blocks(self, n: int) -> Iterator[slice]:
        nonzeros_a_row = max(1, self._X.nnz // len(self))
        return slices(n, BLOCK_BYTES // (32 * nonzeros_a_row))

    @staticmethod
    def _gram(X: csr_array) -> Floats:
        X = X.astype(np.float64, copy=False)
        return (X.T @ X).toarray()


def class_indicator(codes: Ints, n_classes: int) -> csr_array:
    """A row a class, with 1 at its members."""
    known = np.flatnonzero(codes >= 0)
    return csr_array((np.ones(len(known)), (codes[known], known)), shape=(n_classes, len(codes)))


def slices(n: int, size: int) -> Iterator[slice]:
    size = max(int(size), 1)
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))
