"""A person audits an annotator: which of its answers to look at first, and how often it is right.

The answers that are least likely to be right come first, and a few drawn at random beside them. The
former stand for themselves only; the latter stand for all answers that nobody has looked at.
"""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

import numpy as np

from pairspace.active import PairQuestions, SweepQuestion
from pairspace.active.choosing import GRID
from pairspace.asking.annotators import THRESHOLDS, Annotators

N_DRAWN = 4  # rows of a sweep that are drawn at random: errors that nobody suspects are found, too
UNKNOWN_CHANCE = 0.9  # of an answer that the last fit has not seen
LEAST_LOOKS = 30  # before it is said how often the annotator is right
LEAST_DRAWN = 8  # of these, if not all answers were looked at


class Look(NamedTuple):
    """An answer that a person has looked at.

    Parameters
    ----------
    right : bool
        Whether the person gave the same answer.
    drawn : bool
        Whether it was drawn at random.
    """

    right: bool
    drawn: bool


class Audit(NamedTuple):
    """The placements of an annotator, and which of them people have looked at.

    Parameters
    ----------
    annotator : str
        Its name.
    said : dict
        For each row the number of the group that it chose.
    looks : dict of Look
        The rows that people have looked at.
    confidences : dict
        Its confidence in each row, where it gave one.
    """

    annotator: str
    said: dict[int, int]
    looks: dict[int, Look]
    confidences: dict[int, float]


class AuditThreshold(NamedTuple):
    """What is left of the answers above a threshold.

    Parameters
    ----------
    threshold : float
        The least confidence.
    right : float
        The estimated share of these answers that is right.
    kept : float
        Their share of all answers.
    """

    threshold: float
    right: float
    kept: float


class AuditResult(NamedTuple):
    """How often an annotator is right.

    Parameters
    ----------
    mean : float
        The estimate, over all of its placements.
    standard_error : float
        Its standard error.
    thresholds : list of AuditThreshold
        What thresholds of its confidence would give; none if it gave no confidence.
    """

    mean: float
    standard_error: float
    thresholds: list[AuditThreshold]


def audit_of(annotators: Annotators, name: str) -> Audit:
    """What there is to audit.

    Parameters
    ----------
    annotators : Annotators
        The annotators of an answers file.
    name : str
        The one to audit.

    Returns
    -------
    Audit
        Its placements, and which of them people have looked at.
    """
    placements = [each for each in annotators.judgements if each.subject[0] == "board"]
    said = {each.subject[1]: each.value for each in placements if each.annotator == name}
    if not said:
        others = sorted({each.annotator for each in placements})
        raise ValueError(
            f"{name!r} has placed no rows on boards, so there is nothing to audit; "
            f"annotators who have: {', '.join(map(repr, others)) or 'none'}"
        )
    looks = {
        each.subject[1]: Look(
            each.value == said[each.subject[1]],
            (each.annotator, each.subject[1]) in annotators.drawn,
        )
        for each in placements
        if each.annotator != name
        and each.annotator not in annotators.programs
        and each.subject[1] in said
    }
    sure = {
        subject[1]: confidence
        for (annotator, subject), confidence in annotators.confidences.items()
        if annotator == name and subject[0] == "board"
    }
    return Audit(name, said, looks, sure)  # type: ignore[arg-type]


def audit_results(annotators: Annotators) -> dict[str, tuple[Audit, AuditResult]]:
    """The results of the audits of all programs that have one.

    Parameters
    ----------
    annotators : Annotators
        The annotators of an answers file.

    Returns
    -------
    dict
        For each program what was looked at, and how often it is right.
    """
    found = {}
    on_boards = {each.annotator for each in annotators.judgements if each.subject[0] == "board"}
    for name in sorted(annotators.programs & on_boards):
        audit = audit_of(annotators, name)
        result = audit_result(audit)
        if result is not None:
            found[name] = (audit, result)
    return found


def chances_of_right(questions: PairQuestions) -> dict[int, float]:
    """For each placed row the chance that its group is right, by all other rows."""
    space, answers = questions.space, questions.space.groups.answers
    found = zip(answers.kinds, answers.rows[:, 0], answers.probability, strict=True)
    return {int(space.fitted_rows[row]): float(p) for kind, row, p in found if kind == "label"}


def next_sweep(
    questions: PairQuestions, audit: Audit, taken: Set[int] = frozenset()
) -> SweepQuestion | None:
    """The group with the most answers that are probably wrong, the least likely ones first.

    Parameters
    ----------
    questions : PairQuestions
        The groups, and the last fit.
    audit : Audit
        What was said, and what was looked at.
    taken : set of int, default=frozenset()
        Rows that other people are looking at.

    Returns
    -------
    SweepQuestion or None
        Which of these do not belong to this group? None if all was looked at.
    """
    chance = _chances(questions, audit)
    random = np.random.RandomState(len(audit.looks))
    best: tuple[float, int, list[int]] | None = None
    for group in questions.groups:
        open_rows = [
            row
            for row in group.rows
            if audit.said.get(row) == group.number and row not in audit.looks and row not in taken
        ]
        if len(group.rows) < 2 or not open_rows:
            continue  # there is nothing to compare the only row with
        open_rows.sort(key=lambda row: (chance[row], row))
        rows, others = open_rows[: GRID - N_DRAWN], open_rows[GRID - N_DRAWN :]
        rows += random.permutation(others)[:N_DRAWN].tolist()
        wrong = sum(1 - chance[row] for row in rows)
        if best is None or wrong > best[0] + 1e-9:
            best = (wrong, group.number, rows)
    if best is None:
        return None
    _, number, rows = best
    sweep = questions.sweep_of(number, rows)
    likely = chances_of_right(questions)
    members = next(group.rows for group in questions.groups if group.number == number)
    # The surest rows stand for the group: the row that founded it may be wrong itself.
    surest = sorted(set(members) - set(rows), key=lambda row: (-likely.get(row, 0.0), row))
    shown = tuple(surest[: len(sweep.representatives)]) or sweep.representatives
    ordered = tuple(sorted(rows, key=lambda row: (chance[row], row)))
    return SweepQuestion(number, shown, ordered, "recheck", tuple(rows[GRID - N_DRAWN :]))


def audit_result(audit: Audit) -> AuditResult | None:
    """How often the annotator is right, over all of its placements.

    Parameters
    ----------
    audit : Audit
        What was said, and what was looked at.

    Returns
    -------
    AuditResult or None
        None before 30 answers were looked at, or all.
    """
    rows, looks = list(audit.said), audit.looks
    left = len(rows) - len(looks)
    drawn = [look.right for look in looks.values() if look.drawn]
    if left and (len(looks) < LEAST_LOOKS or len(drawn) < LEAST_DRAWN):
        return None
    # Half a success and half a failure are added (Jeffreys): eight right of eight is no certainty.
    share = (sum(drawn) + 0.5) / (len(drawn) + 1)
    error = float(np.sqrt(share * (1 - share) / (len(drawn) + 2)))
    n_right = sum(look.right for look in looks.values()) + left * share
    above = {
        least: [row for row, sure in audit.confidences.items() if sure >= least]
        for least in THRESHOLDS
    }
    thresholds = [
        AuditThreshold(least, _right_among(some, audit, share), len(some) / len(rows))
        for least, some in above.items()
        if some
    ]
    return AuditResult(n_right / len(rows), error * left / len(rows), thresholds)


def _right_among(rows: list[int], audit: Audit, share: float) -> float:
    """The share of right answers about rows; one more drawn answer is as right as all of them."""
    looked = [audit.looks[row] for row in rows if row in audit.looks]
    left = len(rows) - len(looked)
    drawn = [look.right for look in looked if look.drawn]
    of_left = (sum(drawn) + share) / (len(drawn) + 1)
    return (sum(look.right for look in looked) + left * of_left) / (len(looked) + left)


def _chances(questions: PairQuestions, audit: Audit) -> dict[int, float]:
    """The chance of each answer to be right, with the annotator's own confidence."""
    by_others = chances_of_right(questions)
    return {
        row: by_others.get(row, UNKNOWN_CHANCE) * audit.confidences.get(row, 1.0)
        for row in audit.said
    }
