"""Rows that are read in blocks, because they are not in memory or not in this process.

Every result is a sum over blocks, or one value for each row. Single rows can be fetched. A block is
processed as an array in memory.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from pairspace._core.data._base import Rows, lock_free_cached_property, slices, working_bytes
from pairspace._core.data._memory import rows_in_memory
from pairspace._core.data._moments import ClassMoments
from pairspace._core.typing import Floats, Ints

T = TypeVar("T")


class LazyRows(Rows):
    """Sums over blocks. Subclasses define how blocks are read.

    ``dtype`` is the float type of the blocks and of the results.
    """

    in_memory: ClassVar[bool] = False
    sparse = False  # whether the blocks are
    _needs_spread = True

    @abstractmethod
    def _sum(self, function: Callable[..., T], *by_row: NDArray[Any]) -> T:
        """Σ function(block, *entries) over the blocks.

        A block has uncentred rows, which the function must not change. The entries are those of
        the arrays ``by_row``, of length n, for the rows of the block. The function returns an array
        or :class:`ClassMoments`, also for a block that adds nothing.
        """

    @abstractmethod
    def _each(self, function: Callable[..., NDArray[Any]], *by_row: NDArray[Any]) -> NDArray[Any]:
        """function(block, *entries) for each block, concatenated: one entry for each row."""

    @abstractmethod
    def fetch(self, rows: Ints) -> Any:
        """Some uncentred rows, given in ascending order without duplicates, in memory."""

    def prefetch(self, rows: Ints, *, spread: bool) -> None:
        """Plan the next reading: the rows to keep, and whether it computes the total scatter.

        The rows are in ascending order without duplicates. By default no rows are kept, and the
        total scatter is computed.
        """
        self._needs_spread = spread

    @property
    def values(self) -> NoReturn:
        raise TypeError("these rows are not in memory: only sums over them are available")

    @lock_free_cached_property
    def _all(self) -> ClassMoments:
        return self._sum(ClassMoments.of_all)

    def _mean(self) -> Floats:
        if self._needs_spread:
            return self._all.means[0]
        return self._sum(_column_sums) / len(self)

    @lock_free_cached_property
    def rounding(self) -> Floats:
        return self._rounding_of(np.abs(self.mean))

    def weighted_gram(self, weight: Floats | None) -> Floats:
        if weight is None:
            return self._all.scatters[0]
        weighted = np.flatnonzero(weight)
        if (few := self.subset_in_memory(weighted)) is not None:
            few.mean = self.mean
            return few.weighted_gram(weight[weighted])
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
        """All of them from one reading, which also gives the mean and the total scatter."""
        ends = np.cumsum([0, *(len(table) for table in members)])
        group = np.repeat(np.arange(len(members)), np.diff(ends))
        # Rows of no table are one more class, so that the sum includes all rows.
        codes = np.full(len(self), ends[-1])
        complete = sum(table.size for table in members) == len(self)
        if not complete:
            group = np.append(group, len(members) if self._needs_spread else -1)
        for start, table in zip(ends, members, strict=False):
            codes[table] = start + np.arange(len(table))[:, None]
        found = self._sum(partial(ClassMoments.of, group=group), codes)
        self.mean, gram = found.total()
        if complete or self._needs_spread:
            self.gram = self.without_rounding(gram, len(self))
        return [
            (scatter, found.means[start:stop])
            for scatter, start, stop in zip(found.scatters, ends[:-1], ends[1:], strict=False)
        ]

    def class_moments(self, codes: Ints, group: Ints) -> ClassMoments:
        """The moments by class, from one reading."""
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
        """Batches of pairs: their positions, their rows, and the pairs as positions in these rows.

        A batch fits the working memory. Pairs of nearby rows are in one batch.
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
    """Raise an error that names the first row with NaN or infinity."""
    values = block.data if issparse(block) else block
    with np.errstate(all="ignore"):
        if np.isfinite(values.sum()):  # fast, and almost always true
            return
    bad = ~np.isfinite(values)
    if bad.any():  # otherwise only the sum has overflowed
        rows = block.tocoo().row[bad] if issparse(block) else np.flatnonzero(bad.any(axis=1))
        raise ValueError(
            f"Input X contains NaN or infinity, first in row {start + rows.min()}{of}: "
            "impute or drop such rows"
        )
