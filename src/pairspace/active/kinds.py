"""The kinds of questions: what a screen shows, and what a person may answer."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

from pairspace._core.typing import Pair

Kind = Literal["mixed", "board", "pick", "sweep", "pair"]
Reason = Literal["strategy", "test", "recheck", "exam", "person", "given"]
AnswerValue = Literal["same", "different", "skip"]
SECONDS = {"pair": 2.0, "board": 3.0, "pick": 6.0, "sweep": 6.0}  # a person takes, about

NEW, NONE, SKIP, ASIDE = "new", "none", "skip", "aside"
BOARD_WORDS = (NEW, NONE, SKIP, ASIDE)


class Group(NamedTuple):
    """A group of rows that a person has made.

    Parameters
    ----------
    number : int
        Its number, from 1 on, which never changes.
    name : str
        Its name; empty if the person gave none. Two groups may have the same name.
    rows : tuple of int
        The rows that answers put into it, in the order of the data.
    anchor : int
        The row that other rows are linked to.
    """

    number: int
    name: str
    rows: tuple[int, ...]
    anchor: int

    @property
    def title(self) -> str:
        """The name, or "Group 3"."""
        return self.name or f"Group {self.number}"


class Card(NamedTuple):
    """A group as a board shows it.

    Parameters
    ----------
    number : int
        The number of the group.
    rows : tuple of int
        One to three members that differ, the first of which represents the group.
    probability : float or None
        The predicted probability that the row to place is in this group; None before a fit knows
        the group.
    """

    number: int
    rows: tuple[int, ...]
    probability: float | None


class PairQuestion(NamedTuple):
    """Are these two the same? The answer is "same", "different" or "skip".

    Parameters
    ----------
    pair : tuple of two ints
        Two row numbers.
    reason : {"strategy", "test", "recheck", "exam", "person", "given"}
        "strategy": the strategy chose the question. "test": it was drawn at random to test the
        groups. "recheck": an earlier answer is likely to be wrong. "exam": another annotator has
        answered it, and the answers are compared. "person": the person chose it. "given": the
        answer was there from the start.
    same_cluster : bool or None, default=None
        Whether both rows were in the same predicted group when it was asked; None if unknown.
    """

    pair: Pair
    reason: Reason
    same_cluster: bool | None = None

    @property
    def kind(self) -> Literal["pair"]:
        """The kind of question."""
        return "pair"

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows that the question is about."""
        return self.pair


class BoardQuestion(NamedTuple):
    """Which of these groups is this row in?

    The answer is the number of a group, "new" (a group of its own), "none" (none of the groups
    shown), "skip" (not sure) or "aside" (not of interest). The number may be that of a group that
    has no card.

    Parameters
    ----------
    row : int
        The row to place.
    cards : tuple of Card
        The groups that are shown, in the order of their numbers.
    reason : {"strategy", "test", "recheck", "exam", "person"}
        Why it is asked: see :class:`PairQuestion`.
    predicted : int or None, default=None
        The number of the group that was predicted for the row.
    """

    row: int
    cards: tuple[Card, ...]
    reason: Reason
    predicted: int | None = None

    @property
    def kind(self) -> Literal["board"]:
        """The kind of question."""
        return "board"

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows that the question is about."""
        return (self.row,)


class PickQuestion(NamedTuple):
    """Which of these are the same as this row? The answer is a :class:`Marked`.

    Parameters
    ----------
    row : int
        A row, of a group or of none.
    candidates : tuple of int
        Rows that may be the same.
    reason : {"strategy", "person"}
        Why it is asked: see :class:`PairQuestion`.
    """

    row: int
    candidates: tuple[int, ...]
    reason: Reason

    @property
    def kind(self) -> Literal["pick"]:
        """The kind of question."""
        return "pick"

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows that the question is about."""
        return self.candidates


class SweepQuestion(NamedTuple):
    """Which of these do not belong to this group? The answer is a :class:`Marked`.

    Parameters
    ----------
    number : int
        The number of the group.
    representatives : tuple of int
        One to three members of the group to compare with.
    candidates : tuple of int
        Rows that are in the group or predicted to be, the least sure first.
    reason : {"strategy", "recheck", "person"}
        Why it is asked: see :class:`PairQuestion`.
    drawn : tuple of int, default=()
        In an audit: those of the rows that were drawn at random.
    """

    number: int
    representatives: tuple[int, ...]
    candidates: tuple[int, ...]
    reason: Reason
    drawn: tuple[int, ...] = ()

    @property
    def kind(self) -> Literal["sweep"]:
        """The kind of question."""
        return "sweep"

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows that the question is about."""
        return self.candidates


class Marked(NamedTuple):
    """The answer to a grid of rows.

    Parameters
    ----------
    rows : tuple of int
        The marked rows: in a pick those that are the same, in a sweep those that do not belong.
    others_unknown : bool, default=False
        Whether nothing is said about rows that are not marked.
    """

    rows: tuple[int, ...]
    others_unknown: bool = False


Question = PairQuestion | BoardQuestion | PickQuestion | SweepQuestion


class Answer(NamedTuple):
    """What is known about a pair, and the question that showed it.

    Parameters
    ----------
    question : PairQuestion
        The pair, and why it was asked about.
    value : {"same", "different", "skip"}
        What the person answered.
    """

    question: PairQuestion
    value: AnswerValue


class Step(NamedTuple):
    """One action of a person: everything that one click stores, and that one undo takes back.

    Parameters
    ----------
    kind : str
        "pair", "board", "pick" or "sweep" for answers; "merge", "split", "name" and "retract" for
        what a person does to groups and earlier answers; "given" for answers from the start.
    answers : tuple of Answer, default=()
        What it says about pairs.
    retracts : tuple of pairs, default=()
        Earlier answers that it replaces.
    founds : tuple of (row, number), default=()
        New groups: their first row and their number; 0 for a row that no longer founds a group.
    merges : tuple of (number, number), default=()
        Groups that become a part of another one, which keeps its number and name.
    names : tuple of (number, name), default=()
        New names of groups.
    piles : tuple of (row, pile), default=()
        Rows put on a pile: "not sure", "none of these" or "not of interest".
    predicted : int or None, default=None
        The predicted group of the row of a test question.
    number : int or None, default=None
        The group that the person chose or judged; 0 for none of those shown.
    reason : str, default="strategy"
        Why the question was asked.
    by : str, default=""
        Who did it.
    looked : tuple of int, default=()
        The rows that the person judged: the row of a board, and those of a grid, marked or not.
    drawn : tuple of int, default=()
        In an audit: those of these rows that were drawn at random.
    """

    kind: str
    answers: tuple[Answer, ...] = ()
    retracts: tuple[Pair, ...] = ()
    founds: tuple[tuple[int, int], ...] = ()
    merges: tuple[tuple[int, int], ...] = ()
    names: tuple[tuple[int, str], ...] = ()
    piles: tuple[tuple[int, str], ...] = ()
    predicted: int | None = None
    number: int | None = None
    reason: Reason = "strategy"
    by: str = ""
    looked: tuple[int, ...] = ()
    drawn: tuple[int, ...] = ()


Response = Any  # AnswerValue, a group's number or one of BOARD_WORDS, or Marked: by kind


def check_kind(kind: Any) -> Kind:
    """One of the kinds of questions, or an error."""
    if kind not in get_args(Kind):
        names = ", ".join(map(repr, get_args(Kind)))
        raise ValueError(f"kind must be one of {names}; got {kind!r}")
    return kind
