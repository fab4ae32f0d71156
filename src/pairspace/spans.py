"""The coordinates to work in: the features, or the row space if there are more of them than rows.

Every method's solution is a combination of differences of rows. With more features than rows it
is therefore found in the few coordinates of an orthonormal basis of the centred rows and lifted
back: 16,384 pixels of 1,440 images cost an eigenproblem of order 1,440.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairspace import spectral
from pairspace.rows import DenseRows, Rows, rows_of

Floats = NDArray[np.float64]


class Span:
    """Rows in coordinates of their own, and the way back to the features."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self._features = rows

    @property
    def mean(self) -> Floats:
        """The mean of the rows, over the features."""
        return self._features.mean

    def lift(self, directions: Floats) -> Floats:
        """Directions in these coordinates (as columns) as directions over the features."""
        return directions


class RowSpan(Span):
    """Coordinates U√λ of the centred rows, where UλUᵀ are their products with each other."""

    def __init__(self, rows: Rows) -> None:
        super().__init__(rows)
        values, vectors = spectral.spectrum(rows.products())
        r = max(spectral.rank(values), 1)  # identical rows: one coordinate, all zero
        roots = np.sqrt(np.maximum(values[:r], 0))
        self.rows = DenseRows(vectors[:, :r] * roots)
        self.rows.mean, self.rows.gram = np.zeros(r), np.diag(roots**2)  # no need to read for them
        self._inverse = vectors[:, :r] * np.divide(1, roots, where=roots > 0, out=np.zeros(r))

    def lift(self, directions: Floats) -> Floats:
        return self._features.combine(self._inverse @ directions)


def span_of(X: Any) -> Span:
    """The span of a table, or of its rows."""
    rows = rows_of(X)
    n_samples, n_features = rows.shape
    return RowSpan(rows) if n_features > n_samples else Span(rows)
