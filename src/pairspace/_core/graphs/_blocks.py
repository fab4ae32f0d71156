"""Weights by class."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator

from pairspace._core.data import Classes, Rows, class_indicator
from pairspace._core.graphs._base import Graph, operator
from pairspace._core.graphs._complete import Complete
from pairspace._core.typing import Floats


class Blocks(Graph):
    """Weights on all pairs within a class, and on all pairs between classes.

    Within class c the weight is ``within + pooled / n_c``. ``pooled=1`` alone gives the scatter
    about the class means. Rows of unknown class have no edges.
    """

    def __init__(
        self, classes: Classes, *, within: float = 0.0, between: float = 0.0, pooled: float = 0.0
    ) -> None:
        super().__init__(len(classes))
        self.classes = classes
        self.within = within
        self.between = between
        self.pooled = pooled

    def _scatter(self, rows: Rows) -> Floats:
        n = self.classes.n_known
        if not n:
            return np.zeros((rows.shape[1], rows.shape[1]))
        reading = self.classes.read(rows)
        scatter = reading.about_means(
            lambda size: self.within * size + self.pooled + self.between * (n - size)
        )
        if self.between:
            scatter += self.between * n * reading.of_means(self.classes.sizes)
        if min(self.within, self.between, self.pooled) < 0:
            return scatter
        return rows.without_rounding(scatter, self.total * self.classes.sizes.max())

    def degree_gram(self, rows: Rows) -> Floats:
        if not self.classes.n_known:
            return np.zeros((rows.shape[1], rows.shape[1]))
        reading, sizes = self.classes.read(rows), self.classes.sizes
        means = reading.means - rows.mean
        degrees = self._degree(sizes) * sizes
        gram = reading.about_means(self._degree) + (means.T * degrees) @ means
        return rows.without_rounding(gram, float(degrees.sum() * sizes.max()))

    def degrees(self) -> Floats:
        of_class = self._degree(self.classes.sizes)
        return np.append(of_class, 0.0)[self.classes.codes]  # 0 for unknown, which is −1

    def _degree(self, size: Any) -> Any:
        """The sum of the weights at a row of a class of this size."""
        inside = self._inside(size) * (size - 1)
        return inside + self.between * (self.classes.n_known - size)

    def _inside(self, size: Any) -> Any:
        """The weight of a pair within a class of this size."""
        return self.within + self.pooled / np.maximum(size, 1)

    @property
    def total(self) -> float:
        sizes = self.classes.sizes.astype(np.float64)
        same, every = sizes * (sizes - 1) / 2, sizes.sum() * (sizes.sum() - 1) / 2
        return float(self._inside(sizes) @ same + self.between * (every - same.sum()))

    def laplacian(self) -> LinearOperator:
        codes, sizes = self.classes.codes, self.classes.sizes
        indicator = class_indicator(codes, len(sizes))
        inside = self._inside(sizes) - self.between

        def neighbours(v: Floats) -> Floats:
            """A·v with an edge from each row to itself, which cancels in the Laplacian."""
            sums = indicator @ v
            return indicator.T @ ((inside * sums.T).T + self.between * sums.sum(axis=0))

        degrees = neighbours(np.ones(self.n_samples))
        return operator(self.n_samples, lambda v: (degrees * v.T).T - neighbours(v))

    def __mul__(self, factor: float) -> Blocks:
        return Blocks(
            self.classes,
            within=self.within * factor,
            between=self.between * factor,
            pooled=self.pooled * factor,
        )

    def _merged(self, other: Graph) -> Graph | None:
        if isinstance(other, Complete) and self.classes.n_known == self.n_samples:
            other = Blocks(self.classes, within=other.weight, between=other.weight)
        if not isinstance(other, Blocks) or other.classes is not self.classes:
            return None
        return Blocks(
            self.classes,
            within=self.within + other.within,
            between=self.between + other.between,
            pooled=self.pooled + other.pooled,
        )
