"""Counts, means and scatters by class, which can be added over blocks of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pairspace._core.data._base import Rows
from pairspace._core.data._memory import rows_in_memory
from pairspace._core.typing import Floats, Ints


@dataclass
class ClassMoments:
    """The sizes and means of the classes, and the scatter about the means by group of classes.

    The sum of two is that of the rows of both, by the formula of Chan, Golub and LeVeque, which
    loses no digits.
    """

    sizes: Floats  # (classes,)
    means: Floats  # (classes, d); 0 for a class without rows
    scatters: Floats  # (groups, d, d): Σ (x − m)(x − m)ᵀ over the rows of the group's classes
    group: Ints  # (classes,); −1 for no scatter

    @classmethod
    def of(cls, X: Any, codes: Ints, group: Ints) -> ClassMoments:
        """The moments of some rows by class; −1 is no class."""
        rows = X if isinstance(X, Rows) else rows_in_memory(X)
        n_groups, known = int(group.max(initial=-1)) + 1, codes >= 0
        sizes = np.bincount(codes[known], minlength=len(group))
        means = rows.class_means(codes, sizes)
        group_of_row = np.where(known, group[codes], -1)
        scatters = np.zeros((n_groups, rows.shape[1], rows.shape[1]))
        for one in np.unique(group_of_row[group_of_row >= 0]):
            weight = (group_of_row == one).astype(np.float64)
            scatters[one] = rows.deviation_gram(codes, means, weight)
        return cls(sizes.astype(np.float64), means, scatters, group)

    @classmethod
    def of_all(cls, X: Any) -> ClassMoments:
        """The moments of some rows as one class."""
        rows = rows_in_memory(X)
        size, group = np.array([float(len(rows))]), np.zeros(1, dtype=np.int64)
        return cls(size, rows.mean[None].copy(), rows.gram[None], group)

    def __sizeof__(self) -> int:
        """The bytes of the arrays, which Dask uses for scheduling."""
        arrays = (self.sizes, self.means, self.scatters, self.group)
        return sum(array.nbytes for array in arrays)

    def __iadd__(self, other: ClassMoments) -> ClassMoments:
        sizes = self.sizes + other.sizes
        share = other.sizes / np.maximum(sizes, 1)
        step = other.means - self.means
        weighted = step * np.sqrt(self.sizes * share)[:, None]
        for at, scatter in enumerate(self.scatters):
            moved = weighted[self.group == at]
            scatter += other.scatters[at]
            scatter += moved.T @ moved
        self.means += step * share[:, None]
        self.sizes = sizes
        return self

    def __add__(self, other: ClassMoments) -> ClassMoments:
        total = ClassMoments(self.sizes, self.means.copy(), self.scatters.copy(), self.group)
        total += other
        return total

    def with_more_classes(self, n: int) -> ClassMoments:
        """The same with n more classes without rows, each a group of its own."""
        d, n_groups = self.means.shape[1], len(self.scatters)
        return ClassMoments(
            np.append(self.sizes, np.zeros(n)),
            np.vstack([self.means, np.zeros((n, d))]),
            np.vstack([self.scatters, np.zeros((n, d, d))]),
            np.append(self.group, n_groups + np.arange(n)),
        )

    def rotated(self, V: Floats) -> ClassMoments:
        """The moments in the coordinates of an orthonormal basis V."""
        return ClassMoments(self.sizes, self.means @ V, V.T @ self.scatters @ V, self.group)

    def total(self) -> tuple[Floats, Floats]:
        """The mean of all rows, and their scatter about it."""
        mean = self.sizes @ self.means / self.sizes.sum()
        spread = (self.means - mean) * np.sqrt(self.sizes)[:, None]
        return mean, self.scatters.sum(axis=0) + spread.T @ spread
