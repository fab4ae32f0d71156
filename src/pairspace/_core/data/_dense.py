"""Rows of an array in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pairspace._core.data import _base
from pairspace._core.data._base import FAR, Rows, lock_free_cached_property, projected, slices
from pairspace._core.typing import Floats, Ints

MEAN_BYTES = 200_000  # of rows at a time: what a core adds up in its nearest cache
COPY_BYTES = 200_000_000  # the largest temporary copy of a Laplacian product, or of X by rows


class DenseRows(Rows):
    """Rows of an array, centred as they are read."""

    @lock_free_cached_property
    def _by_row(self) -> NDArray[Any]:
        """X in row-major order, for indexing by rows.

        Data frames are in column-major order, in which indexing rows takes several times as long as
        copying the table once.
        """
        by_column = self._X.flags.f_contiguous and not self._X.flags.c_contiguous
        return (
            np.ascontiguousarray(self._X) if by_column and self._X.nbytes <= COPY_BYTES else self._X
        )

    def _mean(self) -> Floats:
        # As differences from a row: the mean of equal rows is that row, to the last digit.
        first, total = self._X[0].astype(np.float64), np.zeros(self.shape[1])
        size = max(MEAN_BYTES // (8 * self.shape[1]), 1)
        buffer = np.empty((min(size, len(self)), self.shape[1]))
        for block in slices(len(self), size):
            part = buffer[: block.stop - block.start]
            total += np.subtract(self._X[block], first, out=part).sum(axis=0)
        return first + total / len(self)

    @lock_free_cached_property
    def gram(self) -> Floats:
        if "mean" in self.__dict__:
            return super().gram
        # One reading for both, about the mean of some rows: see _large_class_gram.
        total, offset, buffer, guess = (
            self._zeros(),
            np.zeros(self.shape[1]),
            self._buffer(),
            self._guess,
        )
        for block in self._blocks(len(self)):
            part = buffer[: block.stop - block.start]
            np.subtract(self._X[block], guess, out=part)
            offset += part.sum(axis=0)
            total += part.T @ part
        offset /= len(self)
        self.mean = guess + offset
        return self.without_rounding(total - len(self) * np.outer(offset, offset), len(self))

    @lock_free_cached_property
    def _guess(self) -> Floats:
        """The mean of about a thousand rows; of equal rows it is that row, to the last digit."""
        some = self._X[:: max(len(self) // 1_000, 1)]
        first = some[0].astype(np.float64)
        return np.asarray(first + np.subtract(some, first).mean(axis=0))

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

    def difference_grams(self, pairs: Ints, weights: Floats) -> tuple[list[Floats], Floats]:
        """``difference_gram`` for each row of weights, none of them negative, and ‖x_i − x_j‖².

        Pairs that have the same weight in several sums are multiplied once for all of them. The
        length of a pair without any weight is given as 0.
        """
        totals, lengths = [self._zeros() for _ in weights], np.zeros(len(pairs))
        buffers = self._buffer(), self._buffer()
        for chosen, where in _of_same_weight(weights):
            gram = self._zeros()
            for block in self._blocks(len(chosen)):
                some = chosen[block]
                part = self._differences(pairs[some], buffers)
                lengths[some] = np.einsum("ij,ij->i", part, part)
                part *= np.sqrt(weights[where[0], some])[:, None]
                gram += part.T @ part
            for at in where:
                totals[at] += gram
        return totals, lengths

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
        # With fewer rows than features, adding a product takes longer than computing it.
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
        """``class_gram`` of one class that is read in blocks, once.

        The scatter is computed about the mean of the first few rows, and corrected at the end. As
        that mean is close to the true one, the correction loses no digits.
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

    def squared_deviations(self, codes: Ints, means: Floats) -> Floats:
        squared, buffer = np.zeros(len(self)), self._buffer()
        known = np.flatnonzero(codes >= 0)
        for block in self._blocks(len(known)):
            rows = known[block]
            part = self._read(rows, buffer)
            part -= means[codes[rows]]
            squared[rows] = np.einsum("ij,ij->i", part, part)
        return squared

    def laplacian_gram(self, rows: Ints, half: csr_array) -> Floats:
        """XᵀLX of some centred rows, for L = half + halfᵀ.

        Uncentred rows would lose digits, as L·1 is 0 only up to rounding. The mean of some rows
        does as well, if that of all is not known.
        """
        centre = self.__dict__.get("mean", self._guess)
        total = self._zeros()
        width = COPY_BYTES // (8 * len(rows))
        for columns in slices(self.shape[1], width):
            X = np.empty((len(rows), columns.stop - columns.start))
            for block in self._blocks(len(rows)):
                np.subtract(self._by_row[rows[block], columns], centre[columns], out=X[block])
            for block in self._blocks(len(rows)):
                left = X[block]
                if width < self.shape[1]:
                    left = np.subtract(self._X[rows[block]], centre, dtype=np.float64)
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
        if not self._is_far:
            multiplied -= self.mean @ vectors
        return multiplied

    def combine(self, coefficients: Floats) -> Floats:
        # Centred coefficients give the same sum as centred rows, without a copy of X.
        centred = coefficients - coefficients.mean(axis=0)
        return sum(block.T @ centred[rows] for rows, block in self._float64())

    def project(self, components: NDArray[Any], origin: NDArray[Any]) -> NDArray[Any]:
        return projected(self._X, components, origin)

    def _float64(self) -> Iterator[tuple[slice, Floats]]:
        """The rows in float64: X itself, or one block at a time. Centred if they are far."""
        whole = [slice(0, len(self))]
        simple = self.dtype == np.float64 and not self._is_far
        for rows in whole if simple else self._blocks(len(self)):
            if self._is_far:
                yield rows, self.centred(rows)
            else:
                yield rows, np.asarray(self._X[rows], np.float64)

    @lock_free_cached_property
    def far(self) -> float:
        """The largest mean, in units of the largest deviation from it, of some of the rows."""
        some = self._X[:: max(len(self) // 1_000, 1)]
        # Unless these are all equal, there is no need to read all rows for their mean.
        deviation = np.abs(some - self._guess).max(initial=0)
        centre = self._guess if deviation else self.mean
        deviation = deviation or np.abs(some - centre).max(initial=0)
        return float(np.abs(centre).max(initial=0) / deviation) if deviation else 0.0

    @property
    def _is_far(self) -> bool:
        """Whether products of the rows lose digits by their distance from the origin."""
        return self.far > FAR

    def centred(self, rows: Any = slice(None)) -> Floats:
        return np.subtract(self._X[rows], self.mean, dtype=np.float64)

    def take(self, rows: Any) -> Floats:
        return np.subtract(self._X[rows], self.mean, dtype=np.float64)

    def _differences(self, pairs: Ints, buffers: tuple[Floats, Floats]) -> Floats:
        part = self._read(pairs[:, 0], buffers[0])
        part -= self._read(pairs[:, 1], buffers[1])
        return part

    def _read(self, rows: Ints, buffer: Floats) -> Floats:
        """Some uncentred rows as float64, in the buffer."""
        part = buffer[: len(rows)]
        if self.dtype == np.float64 and isinstance(self._X, np.ndarray):
            np.take(self._by_row, rows, axis=0, out=part, mode="clip")  # no second copy
        else:
            part[:] = self._by_row[rows]
        return part

    def _buffer(self) -> Floats:
        """Memory for a block. Allocating it for each block would take as long as its product."""
        return np.empty((max(_base.BLOCK_BYTES // (8 * self.shape[1]), 1), self.shape[1]))

    def _zeros(self) -> Floats:
        return np.zeros((self.shape[1], self.shape[1]))

    def _blocks(self, n: int, rows_each: int = 1) -> Iterator[slice]:
        return slices(n, _base.BLOCK_BYTES // (8 * self.shape[1] * rows_each))

    def _column_blocks(self) -> Iterator[slice]:
        return slices(self.shape[1], _base.BLOCK_BYTES // (8 * len(self)))


def _of_same_weight(weights: Floats) -> Iterator[tuple[Ints, Ints]]:
    """Columns, and the few rows in which each of them has the same weight that is not 0.

    All entries that are not 0 are in one of these parts.
    """
    used, numbers = weights > 0, np.arange(len(weights))
    alike = np.logical_and.reduce(~used | (weights == weights.max(axis=0, initial=0)))
    code = np.where(alike, (used << numbers[:, None]).sum(axis=0), 0)
    for one in np.unique(code[code > 0]):
        yield np.flatnonzero(code == one), numbers[(one >> numbers & 1) > 0]
    for at in numbers:
        yield np.flatnonzero(used[at] & ~alike), numbers[at : at + 1]
