"""What all coordinates have in common."""

from __future__ import annotations

from pairspace._core.data import Rows
from pairspace._core.typing import Floats

LEADING = 300  # directions: beyond, those of documents are noise


class Span:
    """Rows in coordinates of their own, and the way back to the features."""

    n_directions: int | None = None  # that were chosen from more; None is all there are

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
