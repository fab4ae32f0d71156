"""Our own: rows that stand for many others, beside what is known."""

from collections.abc import Iterator
from itertools import combinations, islice

import numpy as np

from pairspace._core.typing import Pair
from pairspace.active.strategies.situation import Situation


class Medoids:
    """The medoid of the largest region without an asked row, compared with the nearest groups.

    The first answers find the classes, as far as they are large; the others place row after row
    that stands for many. Where every region has an asked row, those with the fewest for their size
    are next, by a row at random.
    """

    def pairs(self, situation: Situation) -> Iterator[Pair]:
        """Comparisons of the row in hand, then of one row after another."""
        row = situation.row_in_hand()
        if row is not None:
            yield from situation.comparisons(row)
        rows = self._rows(situation)
        if not situation.groups:
            yield from combinations(islice(rows, 2), 2)
        for row in rows:
            yield from situation.comparisons(row)

    def _rows(self, situation: Situation) -> Iterator[int]:
        space = situation.space
        size = np.bincount(space.regions, minlength=len(space.medoids))
        n_asked = np.bincount(space.regions[situation.asked], minlength=len(space.medoids))
        for region in np.lexsort([-size / (n_asked + 1), n_asked > 0]):
            if not n_asked[region]:
                yield int(space.medoids[region])
                continue
            inside = np.flatnonzero(space.regions == region)
            fresh = np.setdiff1d(inside, situation.asked, assume_unique=True)
            if len(fresh):
                yield int(situation.random.choice(fresh))
