"""What each annotator said, from all tables of an answers file: also what was not used."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from typing import Any, NamedTuple

from pairspace.active.answer_log import ordered
from pairspace.asking.agreement import Judgement, Subject
from pairspace.asking.annotators import Annotators
from pairspace.asking.queries import NEW, NOT_SURE
from pairspace.asking.reply_log import StoredReply, judged_subject, read_replies
from pairspace.constraints.answers_file import StoredAnswer, StoreError, read_rows, reading


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
        return annotators_of(connection, path)


def annotators_of(connection: sqlite3.Connection, path: str | os.PathLike[str]) -> Annotators:
    """What each annotator said, by a connection to an answers file."""
    answers, retracted = read_rows(connection, path)
    replies = read_replies(connection, path)
    steps = _read_steps(connection, path)
    programs = frozenset(reply.annotator for reply in replies)
    inside = {number for step in steps.values() if step.kind != "pair" for number in step.answers}
    live = {number: each for number, each in answers.items() if number not in retracted}
    counted = [step for step in steps.values() if not step.refused]
    merged = {source: target for step in counted for source, target in step.merges}
    said: list[tuple[str, Judgement]] = []  # with its time: the last one of an annotator counts
    for step in steps.values():
        if step.annotator in programs:
            continue
        placed = step.placed(answers)
        if placed is not None:
            number = _surviving(step.number, merged)
            said.append((step.time, Judgement(step.annotator, ("board", placed), number)))
        elif step.kind == "pair":
            said += [
                (step.time, Judgement(step.annotator, ("pair", *ordered((i, j))), value))
                for i, j, value in step.refused
            ]
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
    judgements = [each for _, each in sorted(said, key=lambda pair: pair[0])]
    of_people = [each.annotator for each in live.values() if each.same is None]
    of_people += [step.annotator for step in steps.values() if step.not_sure]
    not_sure = Counter(name for name in of_people if name not in programs)
    not_sure.update(reply.annotator for reply in replies if reply.answer == NOT_SURE)
    outcomes: dict[str, Counter[str]] = {}
    for reply in replies:
        outcomes.setdefault(reply.annotator, Counter())[reply.outcome or "not used yet"] += 1
    failed = Counter(reply.annotator for reply in replies if reply.failure is not None)
    names = {row: name for each in answers.values() for row, name in _names(each)}
    return Annotators(judgements, programs, not_sure, failed, outcomes, names, confidences)


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
    refused: list[tuple[int, int, str]]  # answers that contradict earlier ones

    @property
    def not_sure(self) -> bool:
        """Whether a row was put on the pile of those that nobody is sure about."""
        return any(pile == NOT_SURE for _, pile in self.piles)

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


def _read_steps(connection: sqlite3.Connection, path: Any) -> dict[int, _Step]:
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
            found[number] = _Step(
                kind,
                annotator,
                time,
                detail["answers"],
                detail["founds"],
                detail["merges"],
                detail["piles"],
                detail["number"],
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
