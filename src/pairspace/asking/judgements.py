"""What each annotator said, from all tables of an answers file: also what was not used."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from typing import Any, NamedTuple

from pairspace.active.answer_log import ordered
from pairspace.asking.agreement import (
    Agreement,
    Estimate,
    Judgement,
    Subject,
    agreements,
    estimate,
)
from pairspace.asking.queries import NEW, NOT_SURE
from pairspace.asking.reply_log import StoredReply, judged_subject, read_replies
from pairspace.constraints.answers_file import StoredAnswer, StoreError, read_rows, reading

SHOWN = 10  # disagreements, in text
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
LEAST_CHECKED = 10  # shared questions with a confidence: with fewer, thresholds say nothing


class Threshold(NamedTuple):
    """What is left of a program's answers above a confidence.

    Parameters
    ----------
    confidence : float
        The least confidence.
    right : float
        The share of shared questions, answered with it or more, that are right.
    n_checked : int
        The number of these questions.
    kept : float
        The share of all answers with a confidence that have it or more.
    """

    confidence: float
    right: float
    n_checked: int
    kept: float


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
    confidences : dict
        For each program and question the confidence of its answer, if it has one.
    """

    judgements: list[Judgement]
    programs: frozenset[str]
    not_sure: Counter[str]
    failed: Counter[str]
    outcomes: dict[str, Counter[str]]
    names: dict[int, str]
    confidences: dict[tuple[str, Subject], float]

    @property
    def estimate(self) -> Estimate:
        """How often each is right, and the disagreements."""
        return estimate(self.judgements, self.programs)

    @property
    def agreements(self) -> list[Agreement]:
        """How each two agree."""
        return agreements(self.judgements)

    def thresholds(self, program: str) -> list[Threshold]:
        """What thresholds of a program's confidence would give, from the questions that are shared.

        Parameters
        ----------
        program : str
            The name of the program.

        Returns
        -------
        list of Threshold
            None with fewer than 10 shared questions that have a confidence.
        """
        likely = self.estimate.likely
        said = {each.subject: each.value for each in self.judgements if each.annotator == program}
        sure = {subject: c for (name, subject), c in self.confidences.items() if name == program}
        checked = {
            subject: said[subject] == likely[subject] for subject in sure if subject in likely
        }
        if len(checked) < LEAST_CHECKED:
            return []
        found = []
        for least in THRESHOLDS:
            right = [is_right for subject, is_right in checked.items() if sure[subject] >= least]
            kept = sum(each >= least for each in sure.values()) / len(sure)
            if right:
                found.append(Threshold(least, sum(right) / len(right), len(right), kept))
        return found

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
        for name in sorted(self.programs):
            lines += [
                f"{name} above {each.confidence:g}: {each.right:.0%} right of {each.n_checked:,} "
                f"checked, {each.kept:.0%} of its answers"
                for each in self.thresholds(name)
            ]
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
            "thresholds": {
                name: [each._asdict() for each in self.thresholds(name)]
                for name in sorted(self.programs)
            },
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


def _shown(value: Any) -> str:
    return f"group {value}" if isinstance(value, int) else str(value)
