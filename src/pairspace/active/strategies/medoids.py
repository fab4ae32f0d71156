"""Our own: rows that stand for many others, beside what is known."""

from collections.abc import Iterator

import numpy as np

from pairspace.active.knowledge import Pair
from pairspace.active.strategies.situation import Situation


class Medoids:
    """The medoid of the largest region without an asked row, compared with the nearest groups.

    The first answers find the classes, as far as they are large; the others place row after row
    that stands for many.
    """

    def pairs(self, situation: Situation) -> Iterator[Pair]:
        """Comparisons of the row in hand, then of one medoid after another."""
        row = situation.row_in_hand()
        if row is not None:
            yield from situation.comparisons(row)
        space = situation.space
        size = np.bincount(space.regions, minlength=len(space.medoids))
        size[space.regions[situation.asked]] = 0
        order = np.argsort(-size, kind="stable")
        if not situation.groups:
            yield int(space.medoids[order[0]]), int(space.medoids[order[1]])
        for region in order:
            yield from situation.comparisons(int(space.medoids[region]))
