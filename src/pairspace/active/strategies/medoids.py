"""Medoids of large regions, compared with the known groups."""

from collections.abc import Iterator
from itertools import combinations, islice

import numpy as np

from pairspace._core.typing import Pair
from pairspace.active.strategies.context import QuestionContext


class Medoids:
    """The medoid of the largest region without an asked row, compared with the nearest groups.

    The first answers find the large classes. Later answers place rows that represent many others.
    Once every region has an asked row, the next one is drawn from the region with the fewest asked
    rows for its size.
    """

    def pairs(self, context: QuestionContext) -> Iterator[Pair]:
        """Comparisons of the last row until it is placed, then of one row after another."""
        row = context.unplaced_row()
        if row is not None:
            yield from context.comparisons(row)
        rows = self.rows(context)
        if not context.groups:
            yield from combinations(islice(rows, 2), 2)
        for row in rows:
            yield from context.comparisons(row)

    def rows(self, context: QuestionContext) -> Iterator[int]:
        """Rows to place, the best first."""
        space = context.space
        size = np.bincount(space.regions, minlength=len(space.medoids))
        n_asked = np.bincount(space.regions[context.asked_rows], minlength=len(space.medoids))
        for region in np.lexsort([-size / (n_asked + 1), n_asked > 0]):
            if not n_asked[region]:
                yield int(space.medoids[region])
                continue
            inside = np.flatnonzero(space.regions == region)
            fresh = np.setdiff1d(inside, context.asked_rows, assume_unique=True)
            if len(fresh):
                yield int(context.random.choice(fresh))
