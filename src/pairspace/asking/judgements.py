"""What each annotator said, from all tables of an answers file: also what was not used."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from typing import Any, NamedTuple

from pairspace._core.typing import Pair
from pairspace.active.answer_log import ordered
from pairspace.asking.agreement import Judgement, Subject
from pairspace.asking.annotators import NOT_THERE, Annotators
from pairspace.asking.queries import NEW, NOT_SURE
from pairspace.asking.reply_log import StoredReply, judged_subject, read_replies
from pairspace.constraints.answers_file import (
    AnswerStore,
    StoredAnswer,
    StoreError,
    read_rows,
    reading,
)

# Why a question was asked: an earlier answer may be wrong, or is compared with that of others.
RECHECK, EXAM = "recheck", "exam"


def read_annotators(path: str | os.PathLike[str]) -> Annotators:
    """Read what each annotator said.

    Parameters
    ----------
    path : path
        An answers file.

    Returns
    -------
    Annotators
        The annotators.
    """
    with reading(path) as connection:
        return _annotators(connection, path)


def annotators_in(store: AnswerStore) -> Annotators:
    """What each annotator said, in an answers file that is open.

    Parameters
    ----------
    store : AnswerStore
        The answers file.

    Returns
    -------
    Annotators
        The annotators.
    """
    with store.explained(), store.one_state():
        return _annotators(store.connection, store.path)


def _annotators(connection: sqlite3.Connection, path: str | os.PathLike[str]) -> Annotators:
    """What each annotator said, by a connection to an answers file."""
    answers, retracted = read_rows(connection, path)
    replies = read_replies(connection, path)
    steps = _read_steps(connection, path, answers)
    programs = frozenset(reply.annotator for reply in replies)
    inside = {number for step in steps.values() if step.kind != "pair" for number in step.answers}
    live = {number: each for number, each in answers.items() if number not in retracted}
    counted = [step for step in steps.values() if not step.refused]
    merged = {source: target for step in counted for source, target in step.merges}
    by_people = [step for step in steps.values() if step.annotator not in programs]
    # With its time: the last one of an annotator counts.
    said = [each for step in by_people for each in step.judgements(answers, merged)]
    for number, each in live.items():
        if each.same is not None and number not in inside and each.annotator not in programs:
            value = "same" if each.same else "different"
            said.append((each.time, Judgement(each.annotator, ("pair", *each.pair), value)))
    confidences: dict[tuple[str, Subject], float] = {}
    for reply in replies:
        value_of = _value(reply, steps)
        if value_of is not None:
            subject = judged_subject(reply.question)
            value = _surviving(value_of, merged)
            said.append((reply.time, Judgement(reply.annotator, subject, value)))
            if reply.confidence is not None:
                confidences[reply.annotator, subject] = reply.confidence
    said += _taken_out(by_people, answers, merged, said)
    said.sort(key=lambda pair: pair[0])
    judgements = [each for _, each in said]
    of_people = [each.annotator for each in live.values() if each.same is None]
    of_people += [step.annotator for step in steps.values() if step.not_sure]
    not_sure = Counter(name for name in of_people if name not in programs)
    not_sure.update(reply.annotator for reply in replies if reply.answer == NOT_SURE)
    outcomes: dict[str, Counter[str]] = {}
    for reply in replies:
        outcomes.setdefault(reply.annotator, Counter())[reply.outcome or "not used yet"] += 1
    failed = Counter(reply.annotator for reply in replies if reply.failure is not None)
    names = {row: name for each in answers.values() for row, name in _names(each)}
    return Annotators(
        judgements,
        programs,
        not_sure,
        failed,
        outcomes,
        names,
        confidences,
        settled=_settled(by_people, said),
        drawn={(step.annotator, row) for step in by_people for row in step.drawn},
        exams=Counter(step.annotator for step in by_people if step.reason == EXAM),
    )


Said = tuple[str, Judgement]  # when, and what


def _taken_out(
    steps: list[_Step], answers: dict[int, StoredAnswer], merged: dict[int, int], said: list[Said]
) -> list[Said]:
    """Rows that a sweep took out of a group that another annotator had put them into."""
    put: dict[tuple[Subject, Any], set[str]] = {}
    for _, each in said:
        put.setdefault((each.subject, each.value), set()).add(each.annotator)
    found = []
    for step in steps:
        number = _surviving(step.number, merged)
        for row in step.taken_out(answers):
            subject = ("board", row)
            if put.get((subject, number), set()) - {step.annotator}:
                found.append((step.time, Judgement(step.annotator, subject, NOT_THERE)))
    return found


def _settled(steps: list[_Step], said: list[Said]) -> frozenset[Subject]:
    """Questions that a person has looked at again after all others had answered them."""
    looked: dict[Subject, _Step] = {}
    for step in steps:
        if step.reason == RECHECK and not step.refused:
            looked.update(dict.fromkeys(step.subjects, step))
    open_again = {
        each.subject
        for time, each in said
        if each.subject in looked
        and each.annotator != looked[each.subject].annotator
        and time > looked[each.subject].time
    }
    return frozenset(looked.keys() - open_again)


class _Step(NamedTuple):
    """What a step says beyond its answers."""

    kind: str
    annotator: str
    time: str
    answers: list[int]
    founds: list[list[int]]
    merges: list[list[int]]
    piles: list[list[Any]]
    number: int | None
    reason: str
    looked: list[int]
    drawn: list[int]
    pairs: list[Pair]  # of a question about two rows
    refused: list[tuple[int, int, str]]  # answers that contradict earlier ones

    @property
    def not_sure(self) -> bool:
        """Whether a row was put on the pile of those that nobody is sure about."""
        return any(pile == NOT_SURE for _, pile in self.piles)

    @property
    def subjects(self) -> list[Subject]:
        """The questions that the step answers."""
        pairs: list[Subject] = [("pair", *ordered(pair)) for pair in self.pairs]
        return [*pairs, *(("board", row) for row in self.looked)]

    def judgements(self, answers: dict[int, StoredAnswer], merged: dict[int, int]) -> list[Said]:
        """What a person said with it, except which rows are not in a group."""
        number = _surviving(self.number, merged)
        if self.kind == "pair":
            return [
                (self.time, Judgement(self.annotator, ("pair", *ordered((i, j))), value))
                for i, j, value in self.refused
            ]
        if self.kind == "board" and self.refused and number == 0:
            return [
                (self.time, Judgement(self.annotator, ("board", row), NOT_THERE))
                for row in self.looked
            ]
        if self.kind == "board":
            placed = self.placed(answers)
            rows = set() if placed is None else {placed}
        else:
            rows = set(self.looked) - self.taken_out(answers)
        return [
            (self.time, Judgement(self.annotator, ("board", row), number)) for row in sorted(rows)
        ]

    def taken_out(self, answers: dict[int, StoredAnswer]) -> set[int]:
        """The rows that a grid shows not to be in its group."""
        if self.kind not in ("sweep", "pick"):
            return set()
        if self.refused:
            return {i for i, _, value in self.refused if value == "different"}
        if not self.answers and any(not number for _, number in self.founds):
            return set(self.looked)  # nothing of the group is left
        return {answers[each].a_row for each in self.answers if answers[each].same is False}

    def placed(self, answers: dict[int, StoredAnswer]) -> int | None:
        """The row that a board placed in a group; None if it did not."""
        if self.kind != "board" or not self.number:
            return None
        founded = [row for row, number in self.founds if number == self.number]
        if self.refused:
            return self.refused[-1][0]
        if self.answers:  # the last ones are about the row, which comes first in them
            return answers[self.answers[-1]].a_row
        return founded[0] if founded else None


def _read_steps(
    connection: sqlite3.Connection, path: Any, answers: dict[int, StoredAnswer]
) -> dict[int, _Step]:
    table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'steps'"
    if connection.execute(table).fetchone() is None:
        return {}
    found = {}
    rows = connection.execute("SELECT id, kind, annotator, time, undone, detail FROM steps")
    for number, kind, annotator, time, undone, text in rows.fetchall():
        try:
            detail = json.loads(text)
            refused = [(int(i), int(j), str(value)) for i, j, value in detail.get("refused", ())]
            if undone and not refused:
                continue
            pairs = [answers[each].pair for each in detail["answers"]] if kind == "pair" else []
            found[number] = _Step(
                kind,
                annotator,
                time,
                detail["answers"],
                detail["founds"],
                detail["merges"],
                detail["piles"],
                detail["number"],
                detail["reason"],
                [int(row) for row in detail.get("looked", ())],
                detail.get("looked", []) if detail["reason"] == EXAM else detail.get("drawn", []),
                pairs,
                refused,
            )
        except (KeyError, TypeError, ValueError):
            raise StoreError(
                f"{path}: step {number} can't be read; was the file changed by hand?"
            ) from None
    return found


def _value(reply: StoredReply, steps: dict[int, _Step]) -> Any:
    """The answer, of a new group its number; None if it says nothing."""
    answer: Any = reply.answer
    if answer == NEW:
        step = steps.get(reply.step or 0)
        return None if step is None else step.number
    return answer if answer in ("same", "different") or isinstance(answer, int) else None


def _surviving(number: Any, merged: dict[int, int]) -> Any:
    seen = set()
    while number in merged and number not in seen:
        seen.add(number)
        number = merged[number]
    return number


def _names(answer: StoredAnswer) -> tuple[tuple[int, str], tuple[int, str]]:
    return (answer.a_row, answer.a), (answer.b_row, answer.b)
