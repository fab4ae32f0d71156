"""What an answer to each kind of question stores, and what people do to their groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from numbers import Integral
from typing import Any, NamedTuple

from pairspace._core.typing import Pair
from pairspace.active.answer_log import (
    NONE_OF_THESE,
    NOT_OF_INTEREST,
    NOT_SURE,
    AnswerLog,
    check_value,
)
from pairspace.active.kinds import (
    ASIDE,
    BOARD_WORDS,
    NEW,
    SKIP,
    Answer,
    AnswerValue,
    BoardQuestion,
    Group,
    Marked,
    PairQuestion,
    PickQuestion,
    Question,
    Reason,
    Response,
    Step,
    SweepQuestion,
)

# Whether the two rows of a pair are in the same predicted group; None if it was not predicted.
Predict = Callable[[Pair], bool | None]


def step_of(
    log: AnswerLog, question: Question, response: Response, predict: Predict, by: str = ""
) -> Step:
    """The step that an answer to a question is.

    Parameters
    ----------
    log : AnswerLog
        The steps so far.
    question : Question
        The question, of any kind.
    response : object
        The answer: see the kinds of questions.
    predict : callable
        Whether the two rows of a pair are in the same predicted group.
    by : str, default=""
        Who answers. On a board their word replaces what they alone have said before.

    Returns
    -------
    Step
        All that is stored.
    """
    writer = _Writer(question.reason, predict)
    if isinstance(question, PairQuestion):
        answer = Answer(question, check_value(response))
        return Step("pair", (answer,), reason=question.reason, by=by)
    if isinstance(question, BoardQuestion):
        return _board(log, question, response, writer, by)._replace(by=by)
    if isinstance(question, PickQuestion):
        made = _pick(log, question, _check_marked(response, question.candidates), writer)
    else:
        made = _sweep(log, question, _check_marked(response, question.candidates), writer)
    return made._replace(by=by)


class _Writer(NamedTuple):
    """Writes answers about pairs, each with what was predicted."""

    reason: Reason
    predict: Predict

    def link(self, row: int, other: int, value: AnswerValue) -> Answer:
        pair = (row, other)
        return Answer(PairQuestion(pair, self.reason, self.predict(pair)), value)


def _board(
    log: AnswerLog, question: BoardQuestion, response: Any, writer: _Writer, by: str
) -> Step:
    word, name = _board_response(log, response)
    row, number = question.row, word if isinstance(word, int) else None
    if word == SKIP:
        return Step("board", piles=((row, NOT_SURE),), reason=question.reason)
    left = _leave(log, [row], to=number)
    founds = left.founds
    names: tuple[tuple[int, str], ...] = ()
    piles: tuple[tuple[int, str], ...] = ()
    answers = list(left.answers)
    retracts = left.retracts
    if isinstance(word, int):
        answers += _join(writer, row, log.group(word))
        # The newer word of the same person counts, and that of anyone who was asked again because
        # an earlier "not in this group" is likely to be wrong. Other people's words stand.
        again = question.reason == "recheck"
        not_here = _links(log, [row], log.group(word).rows, "different")
        gone = [pair for pair in not_here if again or log.said_by(pair) == {by}]
        retracts = tuple(dict.fromkeys((*retracts, *gone)))
    elif word == NEW:
        number = log.next_number
        # Its old group may have been this row alone: then it stays what it is.
        founds = (*founds, (row, number))
        names = ((number, name),) if name else ()
    else:
        number = 0
        piles = ((row, NOT_OF_INTEREST if word == ASIDE else NONE_OF_THESE),)
    if word != ASIDE:
        shown = [card for card in question.cards if card.number != word]
        answers += [
            writer.link(row, other, "different")
            for card in shown
            for other in [_stays(card.rows, row)]
            if other is not None
        ]
    return Step(
        "board",
        tuple(answers),
        retracts,
        founds,
        names=names,
        piles=piles,
        predicted=question.predicted,
        number=None if word == ASIDE else number,
        reason=question.reason,
        looked=(row,),
    )


def _pick(log: AnswerLog, question: PickQuestion, marked: Marked, writer: _Writer) -> Step:
    group = log.group_of(question.row)
    number = group.number if group else log.next_number
    anchor = group.anchor if group else question.row
    same = set(marked.rows)
    answers = [
        writer.link(row, anchor, "same" if row in same else "different")
        for row in question.candidates
        if row != anchor and (row in same or not marked.others_unknown)
    ]
    founds = () if group else ((anchor, number),)
    looked = tuple(answer.question.pair[0] for answer in answers)
    return Step(
        "pick", tuple(answers), (), founds, number=number, reason=question.reason, looked=looked
    )


def _sweep(log: AnswerLog, question: SweepQuestion, marked: Marked, writer: _Writer) -> Step:
    group = log.group(question.number)
    out = set(marked.rows)
    looked = tuple(row for row in question.candidates if row in out or not marked.others_unknown)
    drawn = tuple(row for row in question.drawn if row in looked)
    kept = [row for row in question.candidates if row not in out and row not in group.rows]
    gone = [row for row in question.candidates if row in out and row in group.rows]
    left = _leave(log, gone)
    # Who put a row into the wrong group said "different" of the right one.
    retracts = tuple(dict.fromkeys((*left.retracts, *_links_of(log, gone, "different"))))
    step = partial(
        Step,
        "sweep",
        retracts=retracts,
        number=group.number,
        reason=question.reason,
        looked=looked,
        drawn=drawn,
    )
    answers = list(left.answers)
    anchor = left.anchor if left.anchor is not None else group.anchor
    founds = left.founds
    if anchor in out:  # nothing of the group is left, but perhaps of what was added to it
        if not kept or marked.others_unknown:
            return step(founds=founds)
        anchor = kept[0]
        founds = (*founds, (anchor, group.number))
    if not marked.others_unknown:
        answers += [writer.link(row, anchor, "same") for row in kept if row != anchor]
        # Members that were looked at again are confirmed.
        members = [row for row in question.candidates if row in group.rows and row not in out]
        answers += [writer.link(row, anchor, "same") for row in members if row != anchor]
    answers += [writer.link(row, anchor, "different") for row in question.candidates if row in out]
    return step(tuple(answers), founds=founds)


# ---- Groups ----------------------------------------------------------------------------------


def merge_step(log: AnswerLog, target: int, source: int, predict: Predict) -> Step:
    """Make a group a part of another one, which keeps its number and name."""
    into, gone = log.group(target), log.group(source)
    if target == source:
        raise ValueError(f"group {target} can't be merged with itself")
    answer = _Writer("person", predict).link(gone.anchor, into.anchor, "same")
    return Step(
        "merge",
        (answer,),
        tuple(_links(log, into.rows, gone.rows, "different")),
        merges=((source, target),),
        number=target,
        reason="person",
    )


def split_step(log: AnswerLog, number: int, rows: Sequence[int], predict: Predict) -> Step:
    """Make some rows of a group a group of their own."""
    group, chosen = log.group(number), list(dict.fromkeys(rows))
    if not chosen or not set(chosen) < set(group.rows):
        raise ValueError(f"rows to split off must be some, but not all, of group {number}'s rows")
    writer = _Writer("person", predict)
    left = _leave(log, chosen)
    assert left.anchor is not None
    answers = [
        *left.answers,
        *(writer.link(row, chosen[0], "same") for row in chosen[1:]),
        writer.link(chosen[0], left.anchor, "different"),
    ]
    founds = (*left.founds, (chosen[0], log.next_number))
    return Step(
        "split", tuple(answers), left.retracts, founds, number=log.next_number, reason="person"
    )


def name_step(log: AnswerLog, number: int, name: str) -> Step:
    """Name a group."""
    log.group(number)
    clean = " ".join(str(name).split())
    return Step("name", names=((number, clean),), number=number, reason="person")


def retract_step(log: AnswerLog, pairs: Iterable[Pair]) -> Step:
    """Take back answers to single pairs."""
    found = tuple((min(pair), max(pair)) for pair in pairs)
    for pair in found:
        if pair not in log.values:
            raise ValueError(f"the pair {pair} has no answer to retract")
    return Step("retract", retracts=found, reason="person")


# ---- Parts -----------------------------------------------------------------------------------


class _Left(NamedTuple):
    """How rows leave their group: what is retracted, and how the rest is linked again."""

    retracts: tuple[Pair, ...] = ()
    answers: tuple[Answer, ...] = ()
    founds: tuple[tuple[int, int], ...] = ()
    anchor: int | None = None


def _leave(log: AnswerLog, rows: Sequence[int], to: int | None = None) -> _Left:
    """Rows of one group leave it, unless it is the group that they go to."""
    group = log.group_of(rows[0]) if rows else None
    if group is None or group.number == to:
        return _Left()
    gone = set(rows)
    rest = [row for row in group.rows if row not in gone]
    if not rest and to is None and len(group.rows) == 1:
        return _Left(founds=((rows[0], 0),), anchor=group.anchor)
    retracts = _links(log, group.rows, group.rows, "same")
    if to is not None:
        retracts += _links(log, list(gone), log.group(to).rows, "different")
    # The row that founded a group does not take its number along.
    unfounds = tuple((row, 0) for row in gone)
    if not rest:
        return _Left(tuple(retracts), founds=unfounds, anchor=group.anchor)
    anchor = group.anchor if group.anchor in rest else rest[0]
    kept = {
        (min(row, anchor), max(row, anchor)): log.values.get((min(row, anchor), max(row, anchor)))
        for row in rest
        if row != anchor
    }
    answers = tuple(
        was or Answer(PairQuestion(pair, "person"), "same") for pair, was in kept.items()
    )
    retracts += _links(log, list(gone), rest, "different")
    return _Left(tuple(retracts), answers, (*unfounds, (anchor, group.number)), anchor)


def _join(writer: _Writer, row: int, group: Group) -> list[Answer]:
    return [] if row == group.anchor else [writer.link(row, group.anchor, "same")]


def _stays(rows: Sequence[int], row: int) -> int | None:
    """The first of the rows of a card that is not the row itself."""
    return next((other for other in rows if other != row), None)


def _links(log: AnswerLog, some: Sequence[int], others: Sequence[int], value: str) -> list[Pair]:
    """The answers of one kind between two sets of rows."""
    a, b = set(some), set(others)
    return [
        (i, j)
        for (i, j), answer in log.values.items()
        if answer.value == value and ((i in a and j in b) or (j in a and i in b))
    ]


def _links_of(log: AnswerLog, rows: Sequence[int], value: str) -> list[Pair]:
    """The answers of one kind about rows, with any other row."""
    some = set(rows)
    return [pair for pair, each in log.values.items() if each.value == value and some & {*pair}]


def _board_response(log: AnswerLog, response: Any) -> tuple[Any, str]:
    word, name = response if isinstance(response, tuple) and len(response) == 2 else (response, "")
    if isinstance(word, Integral) and not isinstance(word, bool):
        return log.group(int(word)).number, ""
    if word in BOARD_WORDS:
        return word, " ".join(str(name).split())
    raise ValueError(
        "the answer to a board must be the number of a group or one of "
        f"{', '.join(map(repr, BOARD_WORDS))}; got {response!r}"
    )


def _check_marked(response: Any, candidates: Sequence[int]) -> Marked:
    if not isinstance(response, Marked):
        try:
            response = Marked(tuple(response))
        except TypeError:
            raise ValueError(
                f"the answer to a grid must be the marked rows, or a Marked; got {response!r}"
            ) from None
    strange = [row for row in response.rows if row not in candidates]
    if strange:
        raise ValueError(f"row {strange[0]} is not in the question")
    return response
