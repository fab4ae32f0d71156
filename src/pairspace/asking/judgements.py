"""What each annotator said, from all tables of an answers file: also what was not used."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from typing import Any, NamedTuple

from pairspace.asking.agreement import (
    Agreement,
    Estimate,
    Judgement,
    agreements,
    estimate,
)
from pairspace.asking.queries import NEW, NOT_SURE
from pairspace.asking.reply_log import StoredReply, judged_subject, read_replies
from pairspace.constraints.answers_file import StoredAnswer, StoreError, read_rows, reading

SHOWN = 10  # disagreements, in text


class Annotators(NamedTuple):
    """The annotators of an answers file.

    Parameters
    ----------
    judgements : list of Judgement
        What each said, without "not sure".
    programs : frozenset of str
        The annotators that are programs.
    not_sure : Counter
        For each annotator the number of answers "not sure".
    failed : Counter
        For each program the number of failures.
    outcomes : dict of Counter
        For each program what became of its replies.
    names : dict
        The names of rows in answers.
    """

    judgements: list[Judgement]
    programs: frozenset[str]
    not_sure: Counter[str]
    failed: Counter[str]
    outcomes: dict[str, Counter[str]]
    names: dict[int, str]

    @property
    def estimate(self) -> Estimate:
        """How often each is right, and the disagreements."""
        return estimate(self.judgements, self.programs)

    @property
    def agreements(self) -> list[Agreement]:
        """How each two agree."""
        return agreements(self.judgements)

    def lines(self) -> list[str]:
        """The annotators as text; none if there is only one, a person."""
        n_answers = Counter(each.annotator for each in self.judgements)
        everyone = sorted({*n_answers, *self.not_sure, *self.failed})
        if len(everyone) < 2 and not self.programs:
            return []
        found = self.estimate
        lines = []
        for name in everyone:
            parts = [f"{n_answers[name]:,} answers"]
            parts += [f"{self.not_sure[name]:,} not sure"] * bool(self.not_sure[name])
            parts += [f"{self.failed[name]:,} failed"] * bool(self.failed[name])
            accuracy = found.accuracies.get(name)
            if accuracy is not None and accuracy.n_shared:
                plural = "s" * (accuracy.n_shared != 1)
                parts.append(f"{accuracy}, from {accuracy.n_shared:,} shared question{plural}")
            else:
                parts.append("no shared questions")
            kind = "program" if name in self.programs else "person"
            lines.append(f"{name} ({kind}): {', '.join(parts)}")
        for each in self.agreements:
            first, second = each.annotators
            kappa = "" if each.kappa is None else f", kappa {each.kappa:.2f}"
            lines.append(
                f"{first} and {second} agree on {each.n_equal:,} of {each.n_shared:,} shared "
                f"question{'s' * (each.n_shared != 1)}{kappa}"
            )
            unequal = {said: n for said, n in each.confusion.items() if said[0] != said[1]}
            for (a, b), n in sorted(unequal.items(), key=lambda item: -item[1])[:SHOWN]:
                lines.append(f"  {first}: {a}, {second}: {b}: {n:,}")
        if found.disagreements:
            n = len(found.disagreements)
            lines.append(f"{n:,} disagreement{'s' * (n != 1)}, the least sure first:")
            lines += [f"  {self._explained(each)}" for each in found.disagreements[:SHOWN]]
        return lines

    def as_dict(self) -> dict[str, Any]:
        """The annotators as plain values, with all disagreements."""
        found = self.estimate
        n_answers = Counter(each.annotator for each in self.judgements)
        return {
            "annotators": [
                {
                    "name": name,
                    "program": name in self.programs,
                    "answers": n_answers[name],
                    "not_sure": self.not_sure[name],
                    "failed": self.failed[name],
                    "outcomes": dict(self.outcomes.get(name, {})),
                    "accuracy": found.accuracies[name].mean,
                    "interval": [found.accuracies[name].low, found.accuracies[name].high],
                    "shared_questions": found.accuracies[name].n_shared,
                }
                for name in sorted(n_answers)
            ],
            "agreements": [
                {
                    "annotators": list(each.annotators),
                    "shared_questions": each.n_shared,
                    "equal": each.n_equal,
                    "kappa": each.kappa,
                    "confusion": [[a, b, n] for (a, b), n in each.confusion.items()],
                }
                for each in self.agreements
            ],
            "disagreements": [
                {
                    "rows": [self._name(row) for row in each.subject[1:]],
                    "answers": each.answers,
                    "likely": each.likely,
                    "probability": each.probability,
                }
                for each in found.disagreements
            ],
        }

    def _explained(self, each: Any) -> str:
        rows = " and ".join(self._name(row) for row in each.subject[1:])
        said = ", ".join(f"{name} says {_shown(value)}" for name, value in each.answers.items())
        return f"{rows}: {said}; likely {_shown(each.likely)} ({each.probability:.0%})"

    def _name(self, row: int) -> str:
        return self.names.get(row, str(row))


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
    judgements = [
        Judgement(each.annotator, ("pair", *each.pair), "same" if each.same else "different")
        for number, each in live.items()
        if each.same is not None and number not in inside and each.annotator not in programs
    ]
    merged = {source: target for step in steps.values() for source, target in step.merges}
    for step in steps.values():
        placed = step.placed(answers)
        if placed is not None and step.annotator not in programs:
            judgements.append(Judgement(step.annotator, ("board", placed), step.number))
    judgements += [said for reply in replies for said in _of_reply(reply, steps)]
    judgements = [
        each._replace(value=_surviving(each.value, merged)) if each.subject[0] == "board" else each
        for each in judgements
    ]
    of_people = [each.annotator for each in live.values() if each.same is None]
    of_people += [step.annotator for step in steps.values() if step.not_sure]
    not_sure = Counter(name for name in of_people if name not in programs)
    not_sure.update(reply.annotator for reply in replies if reply.answer == NOT_SURE)
    outcomes: dict[str, Counter[str]] = {}
    for reply in replies:
        outcomes.setdefault(reply.annotator, Counter())[reply.outcome or "not used yet"] += 1
    failed = Counter(reply.annotator for reply in replies if reply.failure is not None)
    names = {row: name for each in answers.values() for row, name in _names(each)}
    return Annotators(judgements, programs, not_sure, failed, outcomes, names)


class _Step(NamedTuple):
    """What a step says beyond its answers."""

    kind: str
    annotator: str
    answers: list[int]
    founds: list[list[int]]
    merges: list[list[int]]
    piles: list[list[Any]]
    number: int | None

    @property
    def not_sure(self) -> bool:
        """Whether a row was put on the pile of those that nobody is sure about."""
        return any(pile == NOT_SURE for _, pile in self.piles)

    def placed(self, answers: dict[int, StoredAnswer]) -> int | None:
        """The row that a board placed in a group; None if it did not."""
        if self.kind != "board" or not self.number:
            return None
        founded = [row for row, number in self.founds if number == self.number]
        if self.answers:  # the last ones are about the row, which comes first in them
            return answers[self.answers[-1]].a_row
        return founded[0] if founded else None


def _read_steps(connection: sqlite3.Connection, path: Any) -> dict[int, _Step]:
    table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'steps'"
    if connection.execute(table).fetchone() is None:
        return {}
    found = {}
    rows = connection.execute("SELECT id, kind, annotator, detail FROM steps WHERE undone = 0")
    for number, kind, annotator, text in rows.fetchall():
        try:
            detail = json.loads(text)
            fields = [detail[name] for name in ("answers", "founds", "merges", "piles", "number")]
            found[number] = _Step(kind, annotator, *fields)
        except (KeyError, TypeError, ValueError):
            raise StoreError(
                f"{path}: step {number} can't be read; was the file changed by hand?"
            ) from None
    return found


def _of_reply(reply: StoredReply, steps: dict[int, _Step]) -> list[Judgement]:
    answer: Any = reply.answer
    if answer == NEW:
        step = steps.get(reply.step or 0)
        answer = None if step is None else step.number
    if answer not in ("same", "different") and not isinstance(answer, int):
        return []
    return [Judgement(reply.annotator, judged_subject(reply.question), answer)]


def _surviving(number: Any, merged: dict[int, int]) -> Any:
    seen = set()
    while number in merged and number not in seen:
        seen.add(number)
        number = merged[number]
    return number


def _names(answer: StoredAnswer) -> tuple[tuple[int, str], tuple[int, str]]:
    return (answer.a_row, answer.a), (answer.b_row, answer.b)


def _shown(value: Any) -> str:
    return f"group {value}" if isinstance(value, int) else str(value)
