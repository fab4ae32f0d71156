"""Classes of rows: sizes, means, and scatters about the means."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pairspace._core.data._base import Rows, working_bytes
from pairspace._core.typing import Floats, Ints


class Classes:
    """Labels, −1 for unknown, and the scatter T_c of each class c about its mean."""

    def __init__(self, codes: Ints) -> None:
        self.codes = codes
        self.sizes = np.bincount(codes[codes >= 0])
        self.n_known = int(self.sizes.sum())
        self._read: tuple[Rows, ClassReading] | None = None

    def __len__(self) -> int:
        return len(self.codes)

    def read(self, rows: Rows) -> ClassReading:
        """The rows read by class. It is kept for the next graph of the same rows."""
        if self._read is None or self._read[0] is not rows:
            classes, some = self.labelled_in_memory(rows)
            kind = ReadBySize if classes._reads_by_size(some) else ReadByRow
            self._read = rows, kind(classes, some)
        return self._read[1]

    def labelled_in_memory(self, rows: Rows) -> tuple[Classes, Rows]:
        """The classes and the rows, or the labelled rows only if just these are in memory."""
        if rows.in_memory:
            return self, rows
        known = np.flatnonzero(self.codes >= 0)
        few = rows.subset_in_memory(known)
        return (self, rows) if few is None else (Classes(self.codes[known]), few)

    def _reads_by_size(self, rows: Rows) -> bool:
        """Whether a d × d matrix for each class size is small compared to the rows."""
        n_sizes = len(_distinct(self.sizes))
        if rows.in_memory:
            return self.n_known >= n_sizes * rows.shape[1]
        return 4 * n_sizes * 8 * rows.shape[1] ** 2 <= working_bytes()

    def members(self) -> Iterator[tuple[Ints, Ints]]:
        """For each class size: the classes of that size, and their rows as a table by class."""
        order = np.argsort(self.codes, kind="stable")[len(self) - self.n_known :]
        start = np.cumsum(self.sizes) - self.sizes
        for size in _distinct(self.sizes):
            classes = np.flatnonzero(self.sizes == size)
            yield classes, order[start[classes][:, None] + np.arange(size)]


class ClassReading(ABC):
    """Rows read by class, without loss of digits."""

    means: Floats

    def __init__(self, sizes: Ints, rows: Rows) -> None:
        self._sizes, self._rows = sizes, rows

    def about_means(self, coefficient: Callable[[Any], Any]) -> Floats:
        """Σ f(n_c) T_c for a function f of the class's size."""
        scatter = self._about_means(coefficient)
        sizes = self._sizes[self._sizes > 0]
        weight = np.asarray(coefficient(sizes), dtype=np.float64) * sizes
        if weight.min(initial=0) < 0:
            return scatter
        # The mean of c rows has an error that grows as √c.
        return self._rows.without_rounding(scatter, float(weight.sum() * sizes.max(initial=1)))

    @abstractmethod
    def _about_means(self, coefficient: Callable[[Any], Any]) -> Floats: ...

    def of_means(self, sizes: Ints) -> Floats:
        """Σ n_c (m_c − m)(m_c − m)ᵀ, where m is the mean of all labelled rows."""
        spread = (self.means - sizes @ self.means / sizes.sum()) * np.sqrt(sizes)[:, None]
        return spread.T @ spread


class ReadBySize(ClassReading):
    """Reads the rows once, and keeps Σ T_c for each class size, from which any sum follows.

    For many rows and few features, where these matrices are small compared to X.
    """

    def __init__(self, classes: Classes, rows: Rows) -> None:
        super().__init__(classes.sizes, rows)
        self.means = np.zeros((len(classes.sizes), rows.shape[1]))
        self._of_size: dict[int, Floats] = {}
        some, members = zip(*classes.members(), strict=True)
        for at, table, read in zip(some, members, rows.class_grams(members), strict=True):
            self._of_size[table.shape[1]], self.means[at] = read
        self._zero = np.zeros((rows.shape[1], rows.shape[1]))
        few = len(classes.sizes) <= len(rows) // 10
        if few and classes.n_known == len(rows):
            # The total scatter and the mean follow without another reading.
            rows.mean = classes.sizes @ self.means / len(rows)
            total = self.about_means(lambda size: 1) + self.of_means(classes.sizes)
            rows.gram = rows.without_rounding(total, len(rows))

    def _about_means(self, coefficient: Callable[[Any], Any]) -> Floats:
        parts = (gram * coefficient(size) for size, gram in self._of_size.items())
        return sum(parts, start=self._zero)


class ReadByRow(ClassReading):
    """Reads the rows once for the means, and once for each sum, which is a single product.

    For many features and few rows in a class, where adding up a product for each class takes as
    long as computing it.
    """

    def __init__(self, classes: Classes, rows: Rows) -> None:
        super().__init__(classes.sizes, rows)
        self._codes = classes.codes
        self.means = rows.class_means(classes.codes, classes.sizes)

    def _about_means(self, coefficient: Callable[[Any], Any]) -> Floats:
        sizes, codes = self._sizes, self._codes
        of_class = np.where(sizes > 0, coefficient(np.maximum(sizes, 1)), 0.0)
        return self._rows.deviation_gram(codes, self.means, np.append(of_class, 0.0)[codes])


def _distinct(sizes: Ints) -> list[int]:
    return sorted(set(sizes[sizes > 0].tolist()))
