"""What a strategy sees, and what strategies are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from pairspace._core.rounding import rounded
from pairspace._core.typing import Floats, Ints, Pair
from pairspace.active.answers import Answers
from pairspace.active.space import Space


@dataclass(frozen=True)
class Situation:
    """The space, the answers, the number of classes if it is known, and what draws at random."""

    space: Space
    answers: Answers
    n_clusters: int | None
    random: np.random.RandomState

    @cached_property
    def groups(self) -> list[Ints]:
        """The rows of each group that something was told about, but for exams.

        An exam leaves two rows that nobody has compared with the groups; if others were compared
        with these, there would soon be many groups of one class.
        """
        known = self.answers.known
        groups = {
            known.group_of(row): None
            for (pair, reason, _), said in self.answers.history
            if said != "skip" and reason != "exam"
            for row in pair
        }
        return [np.array(known.members(group)) for group in groups]

    @cached_property
    def asked(self) -> Ints:
        """The rows of these groups."""
        return np.concatenate(self.groups) if self.groups else np.empty(0, dtype=np.int64)

    def row_in_hand(self) -> int | None:
        """The row that the last question was about, if it has not found its group.

        Strategies that place rows put the row to be placed first, the one it is compared with last.
        """
        for (pair, reason, _), said in reversed(self.answers.history):
            if reason == "strategy":
                return None if said == "same" else pair[0]
        return None

    def comparisons(self, row: int) -> Iterator[Pair]:
        """The row with each group that it may belong to, the nearest first.

        A group is as near as its mean, and its row nearest to that mean stands for it.
        """
        others, distances = [], []
        for members in self.groups:
            if self.answers.known.entails(row, int(members[0])) is None:
                mean = self.space.embedding[members].mean(axis=0)
                from_mean = self._squared_distances(members, mean)
                others.append(int(members[np.argmin(from_mean)]))
                distances.append(float(np.sum((self.space.embedding[row] - mean) ** 2)))
        for _, other in sorted(zip(rounded(distances), others, strict=True)):
            yield row, other

    def _squared_distances(self, rows: Ints, point: Floats) -> Floats:
        return rounded(np.sum((self.space.embedding[rows] - point) ** 2, axis=1))


class Strategy(Protocol):
    """Says which pairs to ask, the best first. Pairs that may not be asked are passed over."""

    def pairs(self, situation: Situation) -> Iterator[Pair]:
        """Some pairs; they may end, and then pairs are drawn at random."""
        ...
