"""Answers in the order they were given, what they imply, and what would contradict them."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any, Literal, NamedTuple, get_args

from pairspace._core.pairs import row_range
from pairspace._core.typing import Pair
from pairspace.constraints import Constraints, Contradiction, ContradictionError
from pairspace.constraints.known_groups import KnownGroups

AnswerValue = Literal["same", "different", "skip"]
Reason = Literal["strategy", "test", "person", "given"]

SKIP_PAUSE = 20  # answers before a skipped pair may be asked again


class Question(NamedTuple):
    """A pair to ask about, and why it is asked.

    Parameters
    ----------
    pair : tuple of two ints
        Two row numbers.
    reason : {"strategy", "test", "person", "given"}
        "strategy": the strategy chose the pair. "test": it was drawn at random to test the
        clusters. "person": the person chose it. "given": the answer was there from the start.
    same_cluster : bool or None, default=None
        Whether both rows were in the same cluster when the pair was asked; None if unknown.
    """

    pair: Pair
    reason: Reason
    same_cluster: bool | None = None


class Answer(NamedTuple):
    """A question and its answer.

    Parameters
    ----------
    question : Question
        The pair that was asked about, and why.
    value : {"same", "different", "skip"}
        What the person answered.
    """

    question: Question
    value: AnswerValue


class AnswerLog:
    """Answers that do not contradict each other, in order, and what they imply.

    Adding an answer costs as much as the groups that it joins. Removing one rebuilds the log from
    the others.
    """

    def __init__(self, n_rows: int, answers: Iterable[Answer] = ()) -> None:
        self.n_rows = n_rows
        self.answers: list[Answer] = []
        self.known = KnownGroups(n_rows)
        self._values: dict[Pair, AnswerValue] = {}
        self._constraints: Constraints | None = None
        for question, value in answers:
            found = self.add(question, value)
            if found:
                raise ContradictionError(f"the answers contradict each other: {found}", found)

    @property
    def constraints(self) -> Constraints:
        """The answers as constraints, without what they imply."""
        if self._constraints is None:
            links = {
                value: [pair for pair, given in self._values.items() if given == value]
                for value in ("same", "different")
            }
            self._constraints = Constraints(self.n_rows, links["same"], links["different"])
        return self._constraints

    def may_ask(self, pair: Pair) -> bool:
        """Whether a pair is open: its answer is not known, and it was not skipped recently."""
        return (
            pair[0] != pair[1]
            and self.known.entails(*pair) is None
            and not any(
                value == "skip" and ordered(question.pair) == ordered(pair)
                for question, value in self.answers[-SKIP_PAUSE:]
            )
        )

    def contradiction_with(self, pair: Pair, value: AnswerValue) -> Contradiction | None:
        """The contradiction that an answer would cause; nothing is recorded."""
        pair = ordered(pair)
        entailed = self.known.entails(*pair)
        if value == "skip" or entailed is None or entailed == (value == "same"):
            return None
        if pair in self._values:
            return Contradiction(pair, pair)
        new = Constraints(self.n_rows, *(([pair], []) if value == "same" else ([], [pair])))
        return min((self.constraints | new).contradictions(), key=lambda found: len(found.chain))

    def add(self, question: Question, value: AnswerValue) -> Contradiction | None:
        """Record an answer, or return the contradiction that it would cause."""
        pair = ordered(question.pair)
        found = self.contradiction_with(pair, value)
        if found is not None:
            return found
        if value != "skip":
            if self._values.get(pair) == value:
                return None
            self.known.add(*pair, same=value == "same")
            self._values[pair] = value
            self._constraints = None
        self.answers.append(Answer(question, value))
        return None

    def without(self, pair: Pair) -> AnswerLog:
        """The log without the answer to a pair."""
        if ordered(pair) not in self._values:
            raise ValueError(f"the pair {pair} has no answer to retract")
        return AnswerLog(
            self.n_rows,
            (
                answer
                for answer in self.answers
                if answer.value == "skip" or ordered(answer.question.pair) != ordered(pair)
            ),
        )

    def without_last(self) -> AnswerLog:
        """The log without the last answer or skip."""
        return AnswerLog(self.n_rows, self.answers[:-1])


def check_answers(given: Any, n_rows: int) -> AnswerLog:
    """A log of what a user passed: None, Constraints, or the history of earlier questions."""
    if isinstance(given, Constraints):
        if len(given) != n_rows:
            raise ValueError(
                f"answers has {len(given)} rows, but X has {n_rows}: "
                "make the Constraints with n_samples=len(X)"
            )
        given = [
            (Question((i, j), "given"), value)
            for value, links in (("same", given.must_link), ("different", given.cannot_link))
            for i, j in links.tolist()
        ]
    return AnswerLog(n_rows, [_check_answer(answer, n_rows) for answer in given or ()])


def _check_answer(answer: Any, n_rows: int) -> Answer:
    try:
        (pair, reason, same_cluster), value = answer
    except (TypeError, ValueError):
        raise ValueError(
            "answers must be a Constraints or the history of a PairQuestions, that is a list of "
            f"Answer(Question(pair, reason, same_cluster), value); got {answer!r}"
        ) from None
    if reason not in get_args(Reason):
        raise ValueError(f"reason must be one of {_listed(get_args(Reason))}; got {reason!r}")
    return Answer(Question(check_pair(pair, n_rows), reason, same_cluster), check_value(value))


def check_pair(pair: Any, n_rows: int) -> Pair:
    """Two different rows, or an error that names what is wrong."""
    try:
        i, j = pair
    except (TypeError, ValueError):
        raise ValueError(f"a pair must be two row numbers (i, j); got {pair!r}") from None
    for row in (i, j):
        if not isinstance(row, Integral) or isinstance(row, bool):
            raise ValueError(f"a pair must be two row numbers (i, j); got {pair!r}")
        if not 0 <= int(row) < n_rows:
            raise ValueError(f"row {row} is outside {row_range(n_rows)}")
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


def _listed(values: Iterable[str]) -> str:
    return ", ".join(map(repr, values))
