"""Rows in doubt, after exploring."""

from collections.abc import Iterator

from pairspace.active.strategies.context import QuestionContext
from pairspace.active.strategies.medoids import Medoids

ENOUGH = 4  # placed rows for each group: until then every other row explores


class Doubt(Medoids):
    """Rows that the panel is in doubt about; medoids of large regions while groups are few.

    With few placed rows for each group the panel has little to judge by, and where classes are
    many, new ones are still to be found. Until there are four placed rows for each group, every
    other row is the medoid of a large region.
    """

    def rows(self, context: QuestionContext) -> Iterator[int]:
        """Rows to place, the best first."""
        asked = set(context.asked_rows.tolist())
        doubtful = (row for row in context.space.doubtful.tolist() if row not in asked)
        n_placed, n_groups = len(asked), max(len(context.groups), 1)
        if n_placed < ENOUGH * n_groups and n_placed % 2:
            yield from super().rows(context)
        yield from doubtful
        yield from super().rows(context)
