"""What a strategy sees, and the interface of strategies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np

from pairspace._core.rounding import rounded
from pairspace._core.typing import Bools, Floats, Ints, Pair
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

        A group that the fit did not know has none. Where groups were merged since, or rows have
        moved, a predicted group is what most of its placed rows are in now.
        """
        found = np.zeros((len(self.space.embedding), len(self.groups)))
        placed = self.space.group_of_placed
        if placed and self.groups:
            of_row = self._group_of_row[list(placed)]
            column = np.fromiter(placed.values(), dtype=np.int64, count=len(placed))
            votes = np.zeros((self.space.probabilities.shape[1], len(self.groups)))
            np.add.at(votes, (column[of_row >= 0], of_row[of_row >= 0]), 1)
            for each in np.flatnonzero(votes.any(axis=1)):
                found[:, votes[each].argmax()] += self.space.probabilities[:, each]
        # The fit has weighed what was said before it; what was said since stands.
        found[self._excluded(self._since_fit)] = 0
        return found

    @cached_property
    def excluded(self) -> Bools:
        """Whether a row in no group was said to differ from each group."""
        return self._excluded(self.log.constraints.cannot_link)

    def _excluded(self, cannot_links: Ints) -> Bools:
        found = np.zeros((len(self.space.embedding), len(self.groups)), dtype=bool)
        group = self._group_of_row
        for i, j in (cannot_links.T, cannot_links.T[::-1]):
            of_open = (group[i] < 0) & (group[j] >= 0)
            found[i[of_open], group[j[of_open]]] = True
        return found

    @property
    def _since_fit(self) -> Ints:
        n_rows = len(self.space.embedding)
        now, before = (
            each.cannot_link[:, 0] * n_rows + each.cannot_link[:, 1]
            for each in (self.log.constraints, self.space.constraints)
        )
        return self.log.constraints.cannot_link[~np.isin(now, before)]

    @cached_property
    def _group_of_row(self) -> Ints:
        """The place of the group of each row; −1 if it is in none."""
        found = np.full(len(self.space.embedding), -1)
        for at, members in enumerate(self.groups):
            found[members] = at
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
        for at, members in enumerate(self.groups):
            if self.log.known.entails(row, int(members[0])) is None:
                mean = self.space.embedding[members].mean(axis=0)
                others.append(self._central(members))
                distances.append(float(np.sum((self.space.embedding[row] - mean) ** 2)))
                probabilities.append(float(self.probabilities[row, at]))
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
