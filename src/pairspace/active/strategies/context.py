"""What a strategy sees, and the interface of strategies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

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

        A test question about a pair leaves two rows that were not compared with the groups. If
        other rows were compared with these, one class would soon have many groups.
        """
        return [np.array(group.rows) for group in self.log.groups]

    @cached_property
    def asked_rows(self) -> Ints:
        """The rows of these groups."""
        return np.concatenate(self.groups) if self.groups else np.empty(0, dtype=np.int64)

    @cached_property
    def probabilities(self) -> Floats:
        """The probability of each known group for each row, from the last fit.

        A group that the fit did not know has none; the columns of groups that were merged since are
        added.
        """
        found = np.zeros((len(self.space.embedding), len(self.groups)))
        for at, members in enumerate(self.groups):
            places = self.space.group_of_placed
            known = {places[row] for row in members.tolist() if row in places}
            found[:, at] = self.space.probabilities[:, sorted(known)].sum(axis=1)
        # What was said since the fit counts, too: a row is in none of the groups that it differs
        # from.
        group = np.full(len(found), -1)
        for at, members in enumerate(self.groups):
            group[members] = at
        for i, j in (self.log.constraints.cannot_link.T, self.log.constraints.cannot_link.T[::-1]):
            of_open = (group[i] < 0) & (group[j] >= 0)
            found[i[of_open], group[j[of_open]]] = 0
        return found

    def same_cluster(self, pair: Pair) -> bool:
        """Whether both rows of a pair are in the same predicted group.

        Parameters
        ----------
        pair : tuple of two ints
            Two rows.

        Returns
        -------
        bool
            The prediction of the last fit.
        """
        i, j = self.space.clusters[list(pair)]
        return bool(i == j)

    def unplaced_row(self) -> int | None:
        """The row of the last question, if its group is still unknown.

        Strategies that place rows put the row to place first in a pair, and the row it is compared
        with second.

        Returns
        -------
        int or None
            A row number, or None if the last row was placed.
        """
        for step in reversed(self.log.steps):
            if step.kind == "pair" and step.reason == "strategy":
                (pair, _, _), value = step.answers[0]
                return None if value == "same" else pair[0]
        return None

    def comparisons(self, row: int) -> Iterator[Pair]:
        """Compare a row with each group that it may belong to, the likeliest first.

        Groups that the last fit knew go by their probability for the row, the others by their
        distance. The distance to a group is that to its mean, and the row nearest to the mean
        represents the group.

        Parameters
        ----------
        row : int
            The row to place.

        Yields
        ------
        tuple of two ints
            The row, and the row that represents a group.
        """
        others, distances, probabilities = [], [], []
        for members in self.groups:
            if self.log.known.entails(row, int(members[0])) is None:
                mean = self.space.embedding[members].mean(axis=0)
                others.append(self._central(members))
                distances.append(float(np.sum((self.space.embedding[row] - mean) ** 2)))
                probabilities.append(self._probability(row, members))
        keys = zip(-rounded(probabilities), rounded(distances), others, strict=True)
        for _, _, other in sorted(keys):
            yield row, other

    def representatives(self) -> list[int]:
        """Return the row that represents each known group: the one nearest to its mean.

        Returns
        -------
        list of int
            Row numbers, in the order in which the groups were found.
        """
        return [self._central(members) for members in self.groups]

    def _central(self, members: Ints) -> int:
        mean = self.space.embedding[members].mean(axis=0)
        return int(members[np.argmin(self._squared_distances(members, mean))])

    def _probability(self, row: int, members: Ints) -> float:
        """The probability of a group for a row; 0 if the last fit did not know the group."""
        number = self.space.group_of_placed.get(int(members[0]))
        return 0.0 if number is None else float(self.space.probabilities[row, number])

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


@runtime_checkable
class RowStrategy(Strategy, Protocol):
    """A strategy that also proposes rows to place beside the known groups."""

    def rows(self, context: QuestionContext) -> Iterator[int]:
        """Propose rows to place, the best first.

        Parameters
        ----------
        context : QuestionContext
            The current space and the answers so far.

        Yields
        ------
        int
            A row.
        """
        ...
