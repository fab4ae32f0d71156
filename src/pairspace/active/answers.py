"""Answers in their order, what they imply, and what contradicts them."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any, Literal, NamedTuple, get_args

from pairspace._core.pairs import row_range
from pairspace._core.typing import Pair
from pairspace.active.knowledge import Knowledge
from pairspace.constraints import Constraints, Contradiction, ContradictionError

Said = Literal["same", "different", "skip"]
Reason = Literal["strategy", "exam", "person", "given"]

SKIP_RESTS = 20  # answers before a pair that was skipped may be asked again


class Question(NamedTuple):
    """A pair, why it is asked, and whether the clusters have it together (None: nobody noted)."""

    pair: Pair
    reason: Reason
    together: bool | None = None


class Answer(NamedTuple):
    """A question and what was said."""

    question: Question
    said: Said


class Answers:
    """A history of answers that do not contradict each other, and what they imply.

    An answer is learned at the cost of the groups that it joins; to forget one, all others are
    learned again.
    """

    def __init__(self, n_rows: int, history: Iterable[Answer] = ()) -> None:
        self.n_rows = n_rows
        self.history: list[Answer] = []
        self.known = Knowledge(n_rows)
        self._said: dict[Pair, Said] = {}
        self._constraints: Constraints | None = None
        for question, said in history:
            found = self.add(question, said)
            if found:
                raise ContradictionError(f"the answers contradict each other: {found}", found)

    @property
    def constraints(self) -> Constraints:
        """The answers as pairs, without what they imply."""
        if self._constraints is None:
            links = {
                said: [pair for pair, answer in self._said.items() if answer == said]
                for said in ("same", "different")
            }
            self._constraints = Constraints(self.n_rows, links["same"], links["different"])
        return self._constraints

    def may_ask(self, pair: Pair) -> bool:
        """Whether a pair is open: neither told nor implied, nor skipped lately."""
        return (
            pair[0] != pair[1]
            and self.known.entails(*pair) is None
            and not any(
                said == "skip" and _sorted(question.pair) == _sorted(pair)
                for question, said in self.history[-SKIP_RESTS:]
            )
        )

    def add(self, question: Question, said: Said) -> Contradiction | None:
        """Learn an answer, or return the contradiction that it would make."""
        pair = _sorted(question.pair)
        if said != "skip":
            if pair in self._said and self._said[pair] == said:
                return None
            entailed = self.known.entails(*pair)
            if entailed is not None and entailed != (said == "same"):
                return self._contradiction(pair, said)
            self.known.tell(*pair, same=said == "same")
            self._said[pair] = said
            self._constraints = None
        self.history.append(Answer(question, said))
        return None

    def without(self, pair: Pair) -> Answers:
        """These without the answer to a pair."""
        if _sorted(pair) not in self._said:
            raise ValueError(f"no answer to the pair {pair} was given, so none can be taken back")
        return Answers(
            self.n_rows,
            (
                a
                for a in self.history
                if a.said == "skip" or _sorted(a.question.pair) != _sorted(pair)
            ),
        )

    def without_last(self) -> Answers:
        """These without the last answer or skip."""
        return Answers(self.n_rows, self.history[:-1])

    def _contradiction(self, pair: Pair, said: Said) -> Contradiction:
        if pair in self._said:
            return Contradiction(pair, pair)
        new = Constraints(self.n_rows, *(([pair], []) if said == "same" else ([], [pair])))
        return min((self.constraints | new).contradictions(), key=lambda found: len(found.chain))


def read_answers(given: Any, n_rows: int) -> Answers:
    """What a user has: nothing, pairs, or the history of earlier questions."""
    if isinstance(given, Constraints):
        if len(given) != n_rows:
            raise ValueError(
                f"X has {n_rows} rows, but the answers are about {len(given)}: "
                "make them with n_samples=len(X)"
            )
        given = [
            (Question((i, j), "given"), said)
            for said, links in (("same", given.must_link), ("different", given.cannot_link))
            for i, j in links.tolist()
        ]
    return Answers(n_rows, [_read_answer(answer, n_rows) for answer in given or ()])


def _read_answer(answer: Any, n_rows: int) -> Answer:
    try:
        (pair, reason, together), said = answer
    except (TypeError, ValueError):
        raise ValueError(
            "answers are a Constraints or the history of other questions, that is "
            f"Answer(Question(pair, reason, together), said); got {answer!r}"
        ) from None
    if reason not in get_args(Reason):
        raise ValueError(f"a question is asked for {', '.join(get_args(Reason))}; got {reason!r}")
    return Answer(Question(read_pair(pair, n_rows), reason, together), read_said(said))


def read_pair(pair: Any, n_rows: int) -> Pair:
    """Two different rows, or an error that names what is wrong."""
    try:
        i, j = pair
    except (TypeError, ValueError):
        raise ValueError(f"a pair is two row numbers (i, j); got {pair!r}") from None
    for row in (i, j):
        if not isinstance(row, Integral) or isinstance(row, bool):
            raise ValueError(f"a pair is two row numbers (i, j); got {pair!r}")
        if not 0 <= int(row) < n_rows:
            raise ValueError(f"row {row} is outside {row_range(n_rows)}")
    if i == j:
        raise ValueError(f"the pair ({i}, {j}) joins a row with itself: pick two rows")
    return int(i), int(j)


def read_said(said: Any) -> Said:
    """One of the three answers, or an error."""
    if said not in get_args(Said):
        raise ValueError(f"an answer is 'same', 'different' or 'skip'; got {said!r}")
    return said


def _sorted(pair: Pair) -> Pair:
    return (min(pair), max(pair))
