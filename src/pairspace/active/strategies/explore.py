"""Explore and consolidate: find a row of each class, then place others beside them."""

from collections.abc import Iterator

import numpy as np
from sklearn.metrics import pairwise_distances_argmin_min

from pairspace._core.rounding import rounded
from pairspace._core.typing import Floats, Ints, Pair
from pairspace.active.strategies.situation import Situation

CANDIDATES = 2_000  # rows looked at for the next one: the farthest of so many is far
UNKNOWN_CLASSES = 10  # rows to explore if nobody knows how many classes there are


class ExploreConsolidate:
    """Basu, Banerjee and Mooney: a farthest-first traversal until every class has a row.

    Then rows at random, each compared with the groups, the nearest first, until one is the same.
    """

    def pairs(self, situation: Situation) -> Iterator[Pair]:
        """Comparisons of the row in hand, then of the next one."""
        if not situation.groups:
            rows = _candidates(situation)
            i, j = rows[0], rows[np.argmax(_distances(situation, rows, rows[:1]))]
            yield int(i), int(j)
            return
        row = situation.row_in_hand()
        if row is not None:
            yield from situation.comparisons(row)
        yield from situation.comparisons(self._next_row(situation))

    def _next_row(self, situation: Situation) -> int:
        rows = _candidates(situation)
        n_classes = situation.n_clusters or UNKNOWN_CLASSES
        if len(situation.groups) < n_classes:
            return int(rows[np.argmax(_distances(situation, rows, situation.asked))])
        return self._to_consolidate(situation, rows)

    def _to_consolidate(self, situation: Situation, rows: Ints) -> int:
        return int(situation.random.choice(rows))


class MinMax(ExploreConsolidate):
    """Mallapragada, Jin and Jain: then not rows at random, but those least like any group."""

    def _to_consolidate(self, situation: Situation, rows: Ints) -> int:
        # With a similarity that falls with the distance, the smallest largest one.
        return int(rows[np.argmax(_distances(situation, rows, situation.asked))])


def _candidates(situation: Situation) -> Ints:
    n_rows = len(situation.space.embedding)
    rows = situation.random.permutation(n_rows)[: CANDIDATES + len(situation.asked)]
    fresh = np.setdiff1d(rows, situation.asked)
    return fresh if len(fresh) else rows


def _distances(situation: Situation, rows: Ints, others: Ints) -> Floats:
    embedding = situation.space.embedding
    return rounded(pairwise_distances_argmin_min(embedding[rows], embedding[others])[1])
