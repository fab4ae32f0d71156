"""The complete graph."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from scipy.sparse.linalg import LinearOperator

from pairspace._core.data import Rows
from pairspace._core.graphs._base import Graph, operator
from pairspace._core.typing import Floats


class Complete(Graph):
    """The same weight on every pair. Its scatter is n · weight times the total scatter."""

    needs_total_scatter: ClassVar[bool] = True

    def __init__(self, n_samples: int, weight: float = 1.0) -> None:
        super().__init__(n_samples)
        self.weight = weight

    def _scatter(self, rows: Rows) -> Floats:
        return self.weight * self.n_samples * rows.gram

    def degrees(self) -> Floats:
        return np.full(self.n_samples, self.weight * (self.n_samples - 1))

    def laplacian(self) -> LinearOperator:
        n, weight = self.n_samples, self.weight
        return operator(n, lambda v: weight * (n * v - v.sum(axis=0)))

    def __mul__(self, factor: float) -> Complete:
        return Complete(self.n_samples, self.weight * factor)

    def _merged(self, other: Graph) -> Graph | None:
        if isinstance(other, Complete):
            return Complete(self.n_samples, self.weight + other.weight)
        return None
