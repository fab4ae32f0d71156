"""Rows that are read a block at a time, because they are not in memory or not in this process.

Every question is a sum over blocks, or an answer for each row, and a few rows may be fetched. What
is done with a block is what is done with an array in memory.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from pairspace._core.data._base import Rows, remembered, slices, working_bytes
from pairspace._core.data._memory import rows_in_memory
from pairspace._core.data._moments import ClassMoments
from pairspace._core.typing import Floats, Ints

T = TypeVar("T")


class LazyRows(Rows):
    """Answers from blocks. A kind of table says how they are read.

    ``dtype`` is the float type of the answers, and of the blocks.
    """

    in_memory: ClassVar[bool] = False
    _expects_spread = True

    @abstractmethod
    def _sum(self, part: Callable[..., T], *by_row: NDArray[Any]) -> T:
        """Σ part(block, *of_block) over the blocks, with those entries of arrays of length n.

        A block is an array of rows as they are, not centred; ``part`` may not change it. Parts are
        arrays or :class:`ClassMoments`. None of them may be left out: a block may be all there is.
        """

    @abstractmethod
    def _each(self, part: Callable[..., NDArray[Any]], *by_row: NDArray[Any]) -> NDArray[Any]:
        """part(block, *of_block) for each block, which has its length, one after the other."""

    @abstractmethod
    def fetch(self, rows: Ints) -> Any:
        """Some rows as they are, by rising numbers without repetition, as a table in memory."""

    def expect(self, rows: Ints, *, spread: bool) -> None:
        """Say what is going to be asked for, so that a reading brings it along.

        That is some rows, by rising numbers without repetition, and the scatter of all rows or not.
        Without this, no rows and the scatter.
        """
        self._expects_spread = spread

    @property
    def values(self) -> NoReturn:
        raise TypeError("these rows are not in memory: they can be summed over, not looked at")

    @remembered
    def _all(self) -> ClassMoments:
        return self._sum(ClassMoments.of_all)

    def _mean(self) -> Floats:
        if self._expects_spread:
            return self._all.means[0]
        return self._sum(_column_sums) / len(self)

    @remembered
    def rounding(self) -> Floats:
        return self._rounding_of(np.abs(self.mean))

    def weighted_gram(self, weight: Floats | None) -> Floats:
        if weight is None:
            return self._all.scatters[0]
        weighty = np.flatnonzero(weight)
        if (few := self.at_hand(weighty)) is not None:
            few.mean = self.mean
            return few.weighted_gram(weight[weighty])
        return self._sum(partial(_weighted_gram, mean=self.mean), weight)

    def difference_gram(self, pairs: Ints, weight: Floats) -> Floats:
        total = np.zeros((self.shape[1], self.shape[1]))
        for some, rows, local in self._fetched(pairs):
            total += rows.difference_gram(local, weight[some])
        return total

    def squared_lengths(self, pairs: Ints) -> Floats:
        lengths = np.empty(len(pairs))
        for some, rows, local in self._fetched(pairs):
            lengths[some] = rows.squared_lengths(local)
        return lengths

    def class_gram(self, members: Ints) -> tuple[Floats, Floats]:
        return self.class_grams([members])[0]

    def class_grams(self, members: Sequence[Ints]) -> list[tuple[Floats, Floats]]:
        """All of them, and the mean and the scatter of all rows, from one reading."""
        ends = np.cumsum([0, *(len(table) for table in members)])
        group = np.repeat(np.arange(len(members)), np.diff(ends))
        # Rows of no table are a class of their own, so that everything is in the sum.
        codes = np.full(len(self), ends[-1])
        complete = sum(table.size for table in members) == len(self)
        if not complete:
            group = np.append(group, len(members) if self._expects_spread else -1)
        for start, table in zip(ends, members, strict=False):
            codes[table] = start + np.arange(len(table))[:, None]
        found = self._sum(partial(ClassMoments.of, group=group), codes)
        self.mean, gram = found.total()
        if complete or self._expects_spread:
            self.gram = self.without_rounding(gram, len(self))
        return [
            (scatter, found.means[start:stop])
            for scatter, start, stop in zip(found.scatters, ends[:-1], ends[1:], strict=False)
        ]

    def class_moments(self, codes: Ints, group: Ints) -> ClassMoments:
        """Everything by class, from one reading."""
        return self._sum(partial(ClassMoments.of, group=group), codes)

    def class_means(self, codes: Ints, sizes: Ints) -> Floats:
        sums = self._sum(partial(_class_sums, n_classes=len(sizes)), codes)
        return sums / np.maximum(sizes, 1)[:, None]

    def deviation_gram(self, codes: Ints, means: Floats, weight: Floats) -> Floats:
        return self._sum(partial(_deviation_gram, means=means), codes, weight)

    def squared_deviations(self, codes: Ints, means: Floats) -> Floats:
        return self._each(partial(_squared_deviations, means=means), codes)

    def fourth_moment(self, codes: Ints, means: Floats, weight: Floats) -> float:
        return self._sum(partial(_fourth_moment, means=means, weight=weight), codes)

    def multiply(self, vectors: Floats) -> Floats:
        return self._each(partial(_multiply, vectors=vectors)) - self.mean @ vectors

    def combine(self, coefficients: Floats) -> Floats:
        return self._sum(_combine, coefficients - coefficients.mean(axis=0))

    def _fetched(self, pairs: Ints) -> Iterator[tuple[Ints, Rows, Ints]]:
        """Some of the pairs by their numbers, the rows they join, and the pairs as numbers there.

        As many as the working memory holds; pairs of near rows go together.
        """
        order = np.lexsort(pairs.T[::-1])
        for block in slices(len(pairs), working_bytes() // (32 * self.shape[1])):
            some = order[block]
            rows, local = np.unique(pairs[some], return_inverse=True)
            yield some, rows_in_memory(self.fetch(rows)), local.reshape(-1, 2)


def _column_sums(block: Any) -> Floats:
    rows = rows_in_memory(block)
    return rows.mean * len(rows)


def _weighted_gram(block: Any, weight: Floats, *, mean: Floats) -> Floats:
    rows = rows_in_memory(block)
    rows.mean = mean
    return rows.weighted_gram(weight)


def _class_sums(block: Any, codes: Ints, *, n_classes: int) -> Floats:
    return rows_in_memory(block).class_means(codes, np.ones(n_classes, dtype=np.int64))


def _deviation_gram(block: Any, codes: Ints, weight: Floats, *, means: Floats) -> Floats:
    return rows_in_memory(block).deviation_gram(codes, means, weight)


def _squared_deviations(block: Any, codes: Ints, *, means: Floats) -> Floats:
    return rows_in_memory(block).squared_deviations(codes, means)


def _fourth_moment(block: Any, codes: Ints, *, means: Floats, weight: Floats) -> float:
    return rows_in_memory(block).fourth_moment(codes, means, weight)


def _multiply(block: Any, *, vectors: Floats) -> Floats:
    return np.asarray(block @ vectors, dtype=np.float64)


def _combine(block: Any, coefficients: Floats) -> Floats:
    return np.asarray(block.T @ coefficients, dtype=np.float64)


def require_finite(block: Any, start: int = 0, of: str = "") -> None:
    """Raise an error that names the first row with a NaN or an infinity."""
    values = block.data if issparse(block) else block
    with np.errstate(all="ignore"):
        if np.isfinite(values.sum()):  # quick, and almost always true
            return
    bad = ~np.isfinite(values)
    if bad.any():  # else only the sum is too large
        rows = block.tocoo().row[bad] if issparse(block) else np.flatnonzero(bad.any(axis=1))
        raise ValueError(
            f"Input X contains NaN or infinity, first in row {start + rows.min()}{of}: "
            "fill in or leave out such rows"
        )
