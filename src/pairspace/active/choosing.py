"""Which question to ask next, of each kind."""

from __future__ import annotations

from collections.abc import Container, Iterator, Set
from functools import cached_property
from itertools import chain

import numpy as np

from pairspace._core.rounding import rounded
from pairspace._core.typing import Bools, Floats, Ints, Pair
from pairspace.active.answer_log import AnswerLog, ordered
from pairspace.active.doubt import doubt_of
from pairspace.active.kinds import (
    BoardQuestion,
    Card,
    Group,
    Kind,
    PairQuestion,
    PickQuestion,
    Question,
    Reason,
    Step,
    SweepQuestion,
)
from pairspace.active.looks import LOOKS
from pairspace.active.quality import draw_test_pairs
from pairspace.active.strategies import QuestionContext, RowStrategy, Strategy, random_pairs
from pairspace.constraints import UNKNOWN

MOST_CARDS = 12  # groups that a board shows: as many as a person sees at a glance
SHOWN = 3  # members of a group on its card
GRID = 12  # rows of a pick or a sweep
LEAST_GRID = 4  # rows: with fewer, a board is as fast
COMPARED = 40  # members of a group that those shown are chosen from
ENOUGH = 4  # placed rows for each group before grids are asked: earlier predictions are poor
BOARDS = 3  # every so many screens of "mixed" is a board, once grids are asked
SETTLED = 0.02  # doubt, as of .9 against .05: to confirm rows that are surer would be a waste
LIKELY = 0.5  # the probability of a group from which a row is shown in its sweep
UNLIKELY = 0.8  # the chance of being right below which an answer is looked at again in a sweep
DOUBTFUL = 0.3  # the chance of being right below which an answer is asked again
MOST_RECHECKS = 10  # at most one in so many screens asks again


class Chooser:
    """Chooses the next question.

    Parameters
    ----------
    context : QuestionContext
        The space, the answers and the source of random draws.
    strategy : Strategy
        Chooses pairs and rows.
    test_every : int or None
        How often a question is a test question.
    first_equal : ndarray of shape (n_samples,)
        For each row the first row equal to it: only that one is asked about.
    taken : set of int
        Rows that other people are being asked about.
    """

    def __init__(
        self,
        context: QuestionContext,
        strategy: Strategy,
        test_every: int | None,
        first_equal: Ints,
        taken: Set[int] = frozenset(),
    ) -> None:
        self.context = context
        self.log: AnswerLog = context.log
        self.strategy = strategy
        self.test_every = test_every
        self.first_equal = first_equal
        self.taken = taken

    def next(self, kind: Kind) -> Question | None:
        """The next question of a kind; a board where there is nothing to fill a grid with."""
        if kind == "pair":
            return self.pair()
        question: Question | None = None
        if self._test_is_due:
            question = self.test_board()
        if question is None and self._recheck_is_due:
            question = self.recheck()
        # Grids find no groups: boards do, until each has enough rows to predict others by.
        if question is None and self._known_to_fit and self._may_predict:
            if kind == "pick":
                question = self.pick()
            elif kind == "sweep":
                # The person wants to look through the groups, also where they are sure.
                question = self.sweep(SETTLED) or self.sweep(0)
            elif kind == "mixed" and len(self._screens) % BOARDS:
                question = self.sweep(SETTLED)
        return question or self.board()

    @cached_property
    def _screens(self) -> list[Step]:
        return [step for step in self.log.steps if step.kind in ("board", "pick", "sweep")]

    @property
    def _test_is_due(self) -> bool:
        every = self.test_every
        return every is not None and self._known_to_fit and (len(self._screens) + 1) % every == 0

    @property
    def _recheck_is_due(self) -> bool:
        n_rechecks = sum(step.reason == "recheck" for step in self._screens)
        return MOST_RECHECKS * n_rechecks <= len(self._screens)

    # ---- Pairs -------------------------------------------------------------------------------

    def pair(self, excluded: Container[Pair] = ()) -> PairQuestion | None:
        """The next pair: a test question, or what the strategy proposes, or any that is open."""
        random = self.context.random
        proposed = chain(
            self.strategy.pairs(self.context),
            random_pairs(self.log.n_rows, random),
            self.log.known.open_pairs(),
        )
        by_reason: dict[Reason, Iterator[Pair]] = {
            "test": self._test_pairs(random),
            "strategy": proposed,
        }
        for reason, pairs in by_reason.items():
            for pair in pairs:
                if self.log.may_ask(pair) and ordered(pair) not in excluded:
                    return PairQuestion(pair, reason, self.context.same_cluster(pair))
        return None

    def _test_pairs(self, random: np.random.RandomState) -> Iterator[Pair]:
        n_answers = len(self.log.values)
        if self.test_every is None or (n_answers + 1) % self.test_every:
            return
        n_tests = sum(answer.question.reason == "test" for answer in self.log.answers)
        yield from draw_test_pairs(
            self.context.space.clusters, same_cluster=n_tests % 2 == 0, random=random
        )

    # ---- Boards ------------------------------------------------------------------------------

    def board(self) -> BoardQuestion | None:
        """The row that the strategy would place next."""
        strategy = self.strategy
        proposed = strategy.rows(self.context) if isinstance(strategy, RowStrategy) else iter(())
        drawn = (int(row) for row in self.context.random.permutation(self.log.n_rows))
        for row in chain(proposed, drawn):
            row = int(self.first_equal[row])
            if self._may_place(row):
                return self.board_of(row, "strategy")
        return None

    def test_board(self) -> BoardQuestion | None:
        """A row drawn at random from those that no answer has placed."""
        rows = np.flatnonzero(self._open)
        for row in self.context.random.permutation(rows).tolist():
            if self._may_place(int(self.first_equal[row])):
                return self.board_of(int(self.first_equal[row]), "test")
        return None

    def recheck(self) -> BoardQuestion | None:
        """The row whose answer is most likely to be wrong, if it was not asked again yet."""
        for kind, row, chance in self._doubtful_answers:
            placed = self.log.group_of(row) is not None
            if chance < DOUBTFUL and placed == (kind == "label") and self._may_look_again(row):
                return self.board_of(row, "recheck")
        return None

    @cached_property
    def _doubtful_answers(self) -> list[tuple[str, int, float]]:
        """Of the last fit: the kind of answer, its row, and the chance that it is right."""
        space, answers = self.context.space, self.context.space.groups.answers
        found = zip(answers.kinds, answers.rows.tolist(), answers.probability.tolist(), strict=True)
        return [
            (kind, int(space.fitted_rows[row]), chance)
            for kind, rows, chance in found
            if kind != "must-link" and chance < UNLIKELY
            for row in rows
            if row >= 0
        ]

    def _may_look_again(self, row: int) -> bool:
        looks = self.log.agreeing_looks(row)
        return 0 < looks < LOOKS and row not in self.taken and self.log.may_place(row)

    def board_of(self, row: int, reason: Reason) -> BoardQuestion:
        """A board for a given row."""
        predicted = self._predicted[row] if self._known_to_fit else UNKNOWN
        number = self.log.groups[predicted].number if predicted != UNKNOWN else None
        return BoardQuestion(row, self.cards(row), reason, number)

    def cards(self, row: int) -> tuple[Card, ...]:
        """The first groups, in the order of their numbers: their places never change."""
        P = self.context.probabilities
        return tuple(
            Card(
                group.number,
                self.representatives(group, besides=row),
                float(P[row, at]) if P[:, at].any() else None,
            )
            for at, group in enumerate(self.log.groups[:MOST_CARDS])
        )

    def representatives(self, group: Group, besides: int | None = None) -> tuple[int, ...]:
        """Its first row, and members that differ from it and from each other."""
        members = np.array([row for row in group.rows if row not in (besides, group.anchor)])
        shown = [] if group.anchor == besides else [group.anchor]
        if len(members) > COMPARED:
            members = members[np.linspace(0, len(members) - 1, COMPARED).astype(int)]
        Z = self.context.space.embedding
        while len(members) and len(shown) < SHOWN:
            if not shown:
                shown.append(int(members[0]))
            else:
                away = ((Z[members][:, None] - Z[shown][None]) ** 2).sum(axis=2).min(axis=1)
                shown.append(int(members[np.argmax(rounded(away))]))
            members = members[members != shown[-1]]
        return tuple(shown)

    # ---- Grids -------------------------------------------------------------------------------

    def sweep(self, least_doubt: float) -> SweepQuestion | None:
        """The group with the most doubt among its likely members, the least sure first.

        Rows in less doubt than ``least_doubt`` are not shown. Rows that are more likely in other
        groups are left to boards. Members that are probably wrong are looked at again.
        """
        weight = self._grid_weight
        doubted = [row for kind, row, _ in self._doubtful_answers if kind == "label"]
        best: tuple[float, list[int], int] | None = None
        for at, group in enumerate(self.log.groups):
            likely = self.context.probabilities[:, at] > LIKELY
            rows = self._candidates(at, (self._predicted == at) & likely & (weight > least_doubt))
            if len(rows) < LEAST_GRID:
                continue
            rows = rows[np.argsort(-weight[rows], kind="stable")][:GRID]
            total = float(rounded([weight[rows].sum()])[0])
            if best is None or total > best[0]:
                members = set(group.rows)
                again = [row for row in doubted if row in members and self._may_look_again(row)]
                again = again[: GRID // 3]
                best = (total, [*again, *rows.tolist()][:GRID], at)
        if best is None:
            return None
        return self.sweep_of(self.log.groups[best[2]], best[1], "strategy")

    def sweep_of(self, group: Group, rows: list[int], reason: Reason) -> SweepQuestion:
        """A sweep of given rows into a group, the least sure first."""
        at = self.log.groups.index(group)
        chance = rounded(self.context.probabilities[rows, at])
        least = [rows[place] for place in np.argsort(chance, kind="stable")]
        return SweepQuestion(group.number, self.representatives(group), tuple(least), reason)

    def members_to_sweep(self, group: Group) -> list[int]:
        """The rows of a group and those predicted to be in it, the least sure first, one screen."""
        at = self.log.groups.index(group)
        predicted = (
            self._candidates(at, self._predicted == at).tolist() if self._known_to_fit else []
        )
        rows = [*predicted, *(row for row in group.rows if self.log.agreeing_looks(row) < LOOKS)]
        chance = rounded(self.context.probabilities[rows, at])
        return [rows[place] for place in np.argsort(chance, kind="stable")[:GRID]]

    def pick(self) -> PickQuestion | None:
        """The group with the most rows to win: likely rows, and a few in doubt."""
        best: tuple[float, Group, list[int]] | None = None
        for at, group in enumerate(self.log.groups):
            chance = rounded(self.context.probabilities[:, at])
            rows = self._candidates(at, chance > 1 / GRID)
            if len(rows) < LEAST_GRID:
                continue
            by_chance = rows[np.argsort(-chance[rows], kind="stable")]
            likely = by_chance[self._grid_weight[by_chance] > 0][: GRID - GRID // 3]
            doubtful = rows[np.argsort(-self._grid_weight[rows], kind="stable")]
            chosen = list(dict.fromkeys([*likely.tolist(), *doubtful.tolist()]))[:GRID]
            total = float(chance[chosen].sum()) / len(group.rows)
            if best is None or total > best[0]:
                best = (total, group, chosen)
        if best is None:
            return None
        _, group, chosen = best
        return PickQuestion(group.anchor, tuple(chosen), "strategy")

    # ---- Parts -------------------------------------------------------------------------------

    @cached_property
    def _known_to_fit(self) -> bool:
        """Whether the last fit knows at least two of the groups."""
        return int(np.count_nonzero(self.context.probabilities.any(axis=0))) > 1

    @property
    def _may_predict(self) -> bool:
        return len(self.context.asked_rows) >= ENOUGH * len(self.log.groups)

    @cached_property
    def _predicted(self) -> Ints:
        """The place of the likeliest group of each row; −1 if the fit knows none."""
        P = self.context.probabilities
        if not P.shape[1]:
            return np.full(len(P), UNKNOWN)
        return np.where(P.any(axis=1), P.argmax(axis=1), UNKNOWN)

    @cached_property
    def _open(self) -> Bools:
        """Rows in no group that may be asked about: the first of those that are equal."""
        found = self.first_equal == np.arange(self.log.n_rows)
        found[self.context.asked_rows] = False
        found[[row for row in self.log.piles if not self.log.may_place(row)]] = False
        found[list(self.taken)] = False
        return found

    @cached_property
    def _grid_weight(self) -> Floats:
        """How much is in doubt about each row, and about the rows around it."""
        return rounded(doubt_of(self.context.probabilities))

    def _candidates(self, at: int, which: Bools) -> Ints:
        """Rows for a grid of a group, without those that were taken out of it."""
        return np.flatnonzero(which & self._open & ~self.context.excluded[:, at])

    def _may_place(self, row: int) -> bool:
        """Whether a row is in no group, may be asked about, and is not known to be in none."""
        if not self._open[row]:
            return False
        known = self.log.known
        return not self.log.pile_of(row) or any(
            known.entails(row, group.anchor) is None for group in self.log.groups
        )
