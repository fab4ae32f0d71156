"""The annotators of an answers file: how many answers each gave, how far they agree."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from pairspace.asking.agreement import (
    Agreement,
    Disagreement,
    Estimate,
    Judgement,
    Subject,
    agreements,
    estimate,
)

SHOWN = 10  # disagreements, in text
NOT_THERE = 0  # the answer of a person who took a row out of the group that another put it into
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
    settled : frozenset
        Questions that a person has looked at again after all others had answered them.
    drawn : set
        Persons, and rows that they were asked about because these were drawn at random.
    exams : Counter
        For each person the number of exams.
    """

    judgements: list[Judgement]
    programs: frozenset[str]
    not_sure: Counter[str]
    failed: Counter[str]
    outcomes: dict[str, Counter[str]]
    names: dict[int, str]
    confidences: dict[tuple[str, Subject], float]
    settled: frozenset[Subject]
    drawn: set[tuple[str, int]]
    exams: Counter[str]

    @property
    def estimate(self) -> Estimate:
        """How often each is right, and the disagreements."""
        return estimate(self.judgements, self.programs)

    @property
    def disagreements(self) -> list[Disagreement]:
        """Those that nobody has resolved, the least sure first."""
        found = self.estimate.disagreements
        return [each for each in found if each.subject not in self.settled]

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
        n_resolved = sum(each.subject in self.settled for each in found.disagreements)
        if n_resolved:
            lines.append(f"{n_resolved:,} disagreement{'s' * (n_resolved != 1)} resolved")
        unresolved = self.disagreements
        if unresolved:
            n = len(unresolved)
            lines.append(f"{n:,} disagreement{'s' * (n != 1)}, the least sure first:")
            lines += [f"  {self._explained(each)}" for each in unresolved[:SHOWN]]
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
                    "resolved": each.subject in self.settled,
                }
                for each in found.disagreements
            ],
        }

    def _explained(self, each: Disagreement) -> str:
        rows = " and ".join(self._name(row) for row in each.subject[1:])
        said = ", ".join(f"{name} says {_shown(value)}" for name, value in each.answers.items())
        return f"{rows}: {said}; likely {_shown(each.likely)} ({each.probability:.0%})"

    def _name(self, row: int) -> str:
        return self.names.get(row, str(row))


def _shown(value: Any) -> str:
    if value == NOT_THERE:
        return "another group"
    return f"group {value}" if isinstance(value, int) else str(value)
