"""Explore and consolidate: find a row of each class, then assign other rows to them."""

from collections.abc import Iterator

import numpy as np
from sklearn.metrics import pairwise_distances_argmin_min

from pairspace._core.rounding import rounded
from pairspace._core.typing import Floats, Ints, Pair
from pairspace.active.strategies.context import QuestionContext

CANDIDATES = 2_000  # rows that the next one is chosen from: the farthest of these is far
UNKNOWN_CLASSES = 10  # groups to find if the number of classes is unknown


class ExploreConsolidate:
    """Basu, Banerjee and Mooney: farthest-first traversal until every class has a row.

    Then rows are drawn at random. Each is compared with the known groups, the nearest first, until
    one is the same.
    """

    def pairs(self, context: QuestionContext) -> Iterator[Pair]:
        """Comparisons of the last row until it is placed, then of the next one."""
        if not context.groups:
            rows = _candidates(context)
            i, j = rows[0], rows[np.argmax(_distances(context, rows, rows[:1]))]
            yield int(i), int(j)
            return
        row = context.unplaced_row()
        if row is not None:
            yield from context.comparisons(row)
        yield from context.comparisons(self._next_row(context))

    def _next_row(self, context: QuestionContext) -> int:
        rows = _candidates(context)
        n_classes = context.n_clusters or UNKNOWN_CLASSES
        if len(context.groups) < n_classes:
            return int(rows[np.argmax(_distances(context, rows, context.asked_rows))])
        return self._to_consolidate(context, rows)

    def _to_consolidate(self, context: QuestionContext, rows: Ints) -> int:
        return int(context.random.choice(rows))


class MinMax(ExploreConsolidate):
    """Mallapragada, Jin and Jain: the second phase takes the row least similar to any group."""

    def _to_consolidate(self, context: QuestionContext, rows: Ints) -> int:
        # The minimum over rows of the maximum similarity, which falls with the distance.
        return int(rows[np.argmax(_distances(context, rows, context.asked_rows))])


def _candidates(context: QuestionContext) -> Ints:
    n_rows = len(context.space.embedding)
    rows = context.random.permutation(n_rows)[: CANDIDATES + len(context.asked_rows)]
    fresh = np.setdiff1d(rows, context.asked_rows)
    return fresh if len(fresh) else rows


def _distances(context: QuestionContext, rows: Ints, others: Ints) -> Floats:
    embedding = context.space.embedding
    return rounded(pairwise_distances_argmin_min(embedding[rows], embedding[others])[1])
