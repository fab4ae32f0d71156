"""What a strategy sees, and the interface of strategies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from pairspace._core.rounding import rounded
from pairspace._core.typing import Floats, Ints, Pair
from pairspace.active.answer_log import AnswerLog
from pairspace.active.space import Space


@dataclass(frozen=True)
class QuestionContext:
    """What a strategy chooses the next pair from.

    Parameters
    ----------
    space : Space
        The current space.
    log : AnswerLog
        The answers so far, and what they imply.
    n_clusters : int or None
        The number of classes, if known.
    random : RandomState
        The source of random draws.
    """

    space: Space
    log: AnswerLog
    n_clusters: int | None
    random: np.random.RandomState

    @cached_property
    def groups(self) -> list[Ints]:
        """The rows of each known group, without rows that only test questions were about.

        A test question leaves two rows that were not compared with the groups. If other rows were
        compared with these, one class would soon have many groups.
        """
        known = self.log.known
        groups = {
            known.group_of(row): None
            for (pair, reason, _), value in self.log.answers
            if value != "skip" and reason != "test"
            for row in pair
        }
        return [np.array(known.members(group)) for group in groups]

    @cached_property
    def asked_rows(self) -> Ints:
        """The rows of these groups."""
        return np.concatenate(self.groups) if self.groups else np.empty(0, dtype=np.int64)

    def unplaced_row(self) -> int | None:
        """The row of the last question, if its group is still unknown.

        Strategies that place rows put the row to place first in a pair, and the row it is compared
        with second.

        Returns
        -------
        int or None
            A row number, or None if the last row was placed.
        """
        for (pair, reason, _), value in reversed(self.log.answers):
            if reason == "strategy":
                return None if value == "same" else pair[0]
        return None

    def comparisons(self, row: int) -> Iterator[Pair]:
        """Compare a row with each group that it may belong to, the nearest first.

        The distance to a group is that to its mean. The row nearest to the mean represents it.

        Parameters
        ----------
        row : int
            The row to place.

        Yields
        ------
        tuple of two ints
            The row, and the row that represents a group.
        """
        others, distances = [], []
        for members in self.groups:
            if self.log.known.entails(row, int(members[0])) is None:
                mean = self.space.embedding[members].mean(axis=0)
                from_mean = self._squared_distances(members, mean)
                others.append(int(members[np.argmin(from_mean)]))
                distances.append(float(np.sum((self.space.embedding[row] - mean) ** 2)))
        for _, other in sorted(zip(rounded(distances), others, strict=True)):
            yield row, other

    def _squared_distances(self, rows: Ints, point: Floats) -> Floats:
        return rounded(np.sum((self.space.embedding[rows] - point) ** 2, axis=1))


class Strategy(Protocol):
    """The interface of a strategy: it proposes pairs, the best first."""

    def pairs(self, context: QuestionContext) -> Iterator[Pair]:
        """Propose pairs to ask.

        Parameters
        ----------
        context : QuestionContext
            The current space and the answers so far.

        Yields
        ------
        tuple of two ints
            A pair of rows. Pairs that may not be asked are skipped. When no proposals are left,
            pairs are drawn at random.
        """
        ...
