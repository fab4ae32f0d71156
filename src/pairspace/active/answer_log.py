"""Steps in the order they were taken, the groups they make, and what would contradict them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from numbers import Integral
from typing import Any, NamedTuple, get_args

from pairspace._core.pairs import row_range
from pairspace._core.typing import Pair
from pairspace.active.kinds import Answer, AnswerValue, Group, PairQuestion, Reason, Step
from pairspace.active.looks import Looks
from pairspace.constraints import Constraints, Contradiction, ContradictionError
from pairspace.constraints.known_groups import KnownGroups

SKIP_PAUSE = 20  # steps before a skipped pair or row may be asked again
# What a person said about rows that are in no group.
NOT_SURE, NONE_OF_THESE, NOT_OF_INTEREST = "not sure", "none of these", "not of interest"
ASKED = ("given", "pair", "board", "pick", "sweep")  # kinds of steps that answer a question


class Test(NamedTuple):
    """A row drawn at random: the group predicted for it, and the one the person chose."""

    predicted: int
    said: int


class AnswerLog:
    """Steps that do not contradict each other, in order, and what they imply.

    A step is recorded as a whole or not at all. Recording one costs as much as its answers, unless
    it replaces earlier answers; taking one back rebuilds the log from the others.
    """

    def __init__(self, n_rows: int, steps: Iterable[Step] = ()) -> None:
        self.n_rows = n_rows
        self._start()
        for step in steps:
            found = self.record(step)
            if found:
                raise ContradictionError(f"the answers contradict each other: {found}", found)

    def _start(self) -> None:
        self.steps: list[Step] = []
        # Of each pair the answer that counts, in the order in which they were given.
        self.values: dict[Pair, Answer] = {}
        self.skipped: list[tuple[int, Pair]] = []  # with the number of the step
        self.piles: dict[int, tuple[int, str]] = {}  # row: the number of the step, and the pile
        self.looks = Looks()
        self.tests: list[Test] = []
        self.known = KnownGroups(self.n_rows)
        self._founders: dict[int, int] = {}  # row: the number of the group that it founded
        self._made: set[int] = set()  # numbers of groups that a person made, not pairs
        self._merged: dict[int, int] = {}
        self._names: dict[int, str] = {}
        self._changed()

    # ---- Recording ---------------------------------------------------------------------------

    def record(self, step: Step) -> Contradiction | None:
        """Record a step, or return the contradiction that it would cause."""
        if step.retracts:
            return self._replay([*self.steps, step])
        before = self.steps
        found = self._apply(step)
        if found is not None:
            self._rebuild(before)
        return found

    def without(self, at: int) -> Contradiction | None:
        """Take back a step; if what it replaced contradicts later steps, nothing changes."""
        if not isinstance(at, Integral) or not 0 <= at < len(self.steps):
            raise ValueError(
                f"there is no step {at!r}: history has {len(self.steps)} steps, from 0 on"
            )
        return self._replay([*self.steps[:at], *self.steps[at + 1 :]])

    def _replay(self, steps: Sequence[Step]) -> Contradiction | None:
        other = AnswerLog(self.n_rows)
        for step in steps:
            for pair in step.retracts:
                other.values.pop(ordered(pair), None)
            if step.retracts:
                other._join_again()
            found = other._apply(step)
            if found is not None:
                return found
        self.__dict__.update(other.__dict__)
        return None

    def _rebuild(self, steps: Sequence[Step]) -> None:
        steps = list(steps)
        self._start()
        self._replay(steps)

    def _join_again(self) -> None:
        self.known = KnownGroups(self.n_rows)
        for pair, answer in self.values.items():
            self.known.add(*pair, same=answer.value == "same")

    def _apply(self, step: Step) -> Contradiction | None:
        number = len(self.steps)
        for answer in step.answers:
            pair = ordered(answer.question.pair)
            if answer.value == "skip":
                self.skipped.append((number, pair))
                continue
            found = self._contradiction(pair, answer.value)
            if found is not None:
                return found
            self.known.add(*pair, same=answer.value == "same")
            self.values.setdefault(pair, answer)
            if step.kind in ("pair", "given") and answer.question.reason != "test":
                for row in pair:
                    self._found(row)
        for row, group in step.founds:
            if group:
                self._make_way(row, group)
                self._founders[row] = group
                self._made.add(group)
            else:
                self._founders.pop(row, None)
        self._merged.update(step.merges)
        self._names.update(step.names)
        self.piles.update({row: (number, pile) for row, pile in step.piles})
        self.looks.add(step)
        if step.reason == "test" and step.predicted is not None and step.number is not None:
            self.tests.append(Test(step.predicted, step.number))
        self.steps = [*self.steps, step]
        self._changed()
        return None

    def _found(self, row: int) -> None:
        """Give the group of a row a number, if it has none."""
        self._changed()
        root = self.known.group_of(row)
        if all(self.known.group_of(founder) != root for founder in self._founders):
            self._founders[row] = self.next_number

    def _make_way(self, row: int, number: int) -> None:
        """Give other rows with this number another: without a step that was taken back, they got it
        although a later step uses it.
        """
        for other in [each for each, its in self._founders.items() if its == number]:
            if other != row:
                self._founders[other] = max(self.next_number, number + 1)

    def _changed(self) -> None:
        self._constraints: Constraints | None = None
        self._groups: list[Group] | None = None
        self._at_root: dict[int, Group] = {}

    # ---- What is known -----------------------------------------------------------------------

    @property
    def answers(self) -> list[Answer]:
        """The answers that count, in order, without skips."""
        return list(self.values.values())

    @property
    def answered(self) -> list[Step]:
        """The steps that answer a question, without skips."""
        return [step for step in self.steps if step.kind in ASKED and not is_skip(step)]

    @property
    def constraints(self) -> Constraints:
        """The answers as constraints, without what they imply."""
        if self._constraints is None:
            links: dict[str, list[Pair]] = {"same": [], "different": []}
            for pair, answer in self.values.items():
                links[answer.value].append(pair)
            self._constraints = Constraints(self.n_rows, links["same"], links["different"])
        return self._constraints

    @property
    def groups(self) -> list[Group]:
        """The groups that the person has made, in the order of their numbers."""
        if self._groups is None:
            numbers: dict[int, dict[int, int]] = {}
            for row, number in self._founders.items():
                numbers.setdefault(self.known.group_of(row), {})[number] = row
            found = []
            for root, of_root in numbers.items():
                number = min(self._surviving(number, of_root) for number in of_root)
                rows = tuple(self.known.members(root))
                found.append(Group(number, self._names.get(number, ""), rows, of_root[number]))
            self._groups = sorted(found)
            self._at_root = {self.known.group_of(group.anchor): group for group in found}
        return self._groups

    def group(self, number: int) -> Group:
        """The group with this number."""
        for group in self.groups:
            if group.number == number:
                return group
        raise ValueError(f"there is no group {number}")

    def group_of(self, row: int) -> Group | None:
        """The group of a row; None if it is in none."""
        return self._at_root.get(self.known.group_of(row)) if self.groups else None

    @property
    def numbers(self) -> list[int]:
        """The numbers of the groups."""
        return [group.number for group in self.groups]

    def agreeing_looks(self, row: int) -> int:
        """How many looks at a row agree with the last one; 0 if there was none."""
        return self.looks.agreeing(row, self.numbers)

    @property
    def placements(self) -> dict[int, int]:
        """The groups of rows that were placed in groups, not only compared in pairs.

        A person who makes a new group knows the others, so these groups differ.
        """
        made = {
            self.known.group_of(row)
            for row, number in self._founders.items()
            if number in self._made
        }
        return {
            row: group.number
            for group in self.groups
            if self.known.group_of(group.anchor) in made
            for row in group.rows
        }

    @property
    def next_number(self) -> int:
        """The number of the next group."""
        return 1 + max(self._founders.values(), default=0)

    def _surviving(self, number: int, among: Container[int]) -> int:
        """The number that a group got by merges, unless the answer that merged it was retracted."""
        seen = set()
        while self._merged.get(number) in among and number not in seen:
            seen.add(number)
            number = self._merged[number]
        return number

    def said_by(self, pair: Pair) -> set[str]:
        """Who gave a pair the answer that counts."""
        names: set[str] = set()
        for step in self.steps:
            if pair in map(ordered, step.retracts):
                names.clear()
            for answer in step.answers:
                if ordered(answer.question.pair) == pair and answer.value != "skip":
                    names.add(step.by)
        return names

    # ---- What may be asked -------------------------------------------------------------------

    def may_ask(self, pair: Pair) -> bool:
        """Whether a pair is open: its answer is not known, and it was not skipped recently."""
        since = len(self.steps) - SKIP_PAUSE
        return (
            pair[0] != pair[1]
            and self.known.entails(*pair) is None
            and not any(at >= since and other == ordered(pair) for at, other in self.skipped)
        )

    def may_place(self, row: int) -> bool:
        """Whether a row in no group may be asked about now."""
        at, pile = self.piles.get(row, (-1, ""))
        if pile == NOT_OF_INTEREST:
            return False
        return not pile or at < len(self.steps) - SKIP_PAUSE

    def pile_of(self, row: int) -> str:
        """The pile that a row is on; empty if it is on none."""
        return self.piles.get(row, (0, ""))[1]

    # ---- Contradictions ----------------------------------------------------------------------

    def contradiction_with(self, pair: Pair, value: AnswerValue) -> Contradiction | None:
        """The contradiction that an answer would cause; nothing is recorded."""
        return self._contradiction(ordered(pair), value)

    def _contradiction(self, pair: Pair, value: AnswerValue) -> Contradiction | None:
        entailed = self.known.entails(*pair)
        if value == "skip" or entailed is None or entailed == (value == "same"):
            return None
        if pair in self.values:
            return Contradiction(pair, pair)
        self._changed()  # this step's own answers count, too
        new = Constraints(self.n_rows, *(([pair], []) if value == "same" else ([], [pair])))
        return min((self.constraints | new).contradictions(), key=lambda found: len(found.chain))


def is_skip(step: Step) -> bool:
    """Whether the person was not sure."""
    return any(answer.value == "skip" for answer in step.answers) or any(
        pile == NOT_SURE for _, pile in step.piles
    )


def check_steps(given: Any, n_rows: int) -> AnswerLog:
    """A log of what a user passed: None, Constraints, or the history of earlier questions."""
    if isinstance(given, Constraints):
        if len(given) != n_rows:
            raise ValueError(
                f"answers has {len(given)} rows, but X has {n_rows}: "
                "make the Constraints with n_samples=len(X)"
            )
        links: tuple[tuple[AnswerValue, Any], ...] = (
            ("same", given.must_link),
            ("different", given.cannot_link),
        )
        given = [
            Step("given", (Answer(PairQuestion((i, j), "given"), value),), reason="given")
            for value, pairs in links
            for i, j in pairs.tolist()
        ]
    return AnswerLog(n_rows, [_check_step(step, n_rows) for step in given or ()])


def _check_step(step: Any, n_rows: int) -> Step:
    if not isinstance(step, Step):
        raise ValueError(
            "answers must be a Constraints or the history of a PairQuestions, that is a list of "
            f"Step; got {step!r}"
        )
    if step.reason not in get_args(Reason):
        raise ValueError(f"reason must be one of {_listed(get_args(Reason))}; got {step.reason!r}")
    for question, value in step.answers:
        check_pair(question.pair, n_rows)
        check_value(value)
    for row in (*step.looked, *(row for row, _ in (*step.founds, *step.piles))):
        check_row(row, n_rows)
    return step


def check_row(row: Any, n_rows: int) -> int:
    """A row number, or an error that names what is wrong."""
    if not isinstance(row, Integral) or isinstance(row, bool):
        raise ValueError(f"a row must be a row number; got {row!r}")
    if not 0 <= int(row) < n_rows:
        raise ValueError(f"row {row} is outside {row_range(n_rows)}")
    return int(row)


def check_pair(pair: Any, n_rows: int) -> Pair:
    """Two different rows, or an error that names what is wrong."""
    try:
        i, j = pair
    except (TypeError, ValueError):
        raise ValueError(f"a pair must be two row numbers (i, j); got {pair!r}") from None
    for row in (i, j):
        if not isinstance(row, Integral) or isinstance(row, bool):
            raise ValueError(f"a pair must be two row numbers (i, j); got {pair!r}")
        check_row(row, n_rows)
    if i == j:
        raise ValueError(f"a pair must be two different rows; got ({i}, {j})")
    return int(i), int(j)


def check_value(value: Any) -> AnswerValue:
    """One of the three answers, or an error."""
    if value not in get_args(AnswerValue):
        raise ValueError(f"answer must be one of {_listed(get_args(AnswerValue))}; got {value!r}")
    return value


def ordered(pair: Pair) -> Pair:
    """The same pair, the smaller row first."""
    return (min(pair), max(pair))


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(map(repr, values))
