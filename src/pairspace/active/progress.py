"""The progress of the questions, and when to stop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sklearn.metrics import adjusted_rand_score

from pairspace._core.typing import Ints
from pairspace.active.answer_log import AnswerLog, is_skip
from pairspace.active.kinds import Answer, Step
from pairspace.active.quality import (
    LATEST,
    Outcome,
    Point,
    Quality,
    quality_curve,
    quality_of,
    row_quality,
)
from pairspace.active.space import Space
from pairspace.active.tested import tested_rows

RECENT = 20  # answers whose effect on the clusters is measured
SMALL_CHANGE = 0.05  # 1 − the adjusted Rand index of two clusterings that hardly differ
GOOD = 0.8  # the quality below which nobody is told to stop, even if more answers change little
LEAST_TESTS = 5  # test questions before the page says that one can stop
COMPARED_ROWS = 5_000  # at most, when two clusterings are compared


@dataclass(frozen=True)
class Progress:
    """The progress of the questions.

    Parameters
    ----------
    answers : int
        The number of questions that were answered, without skips.
    same : int
        The number of pairs that were said to be the same.
    different : int
        The number of pairs that were said to be different.
    skipped : int
        The number of skips.
    groups : int
        The number of groups that the person has made.
    implied_pairs : int
        The number of pairs whose answer was given or is implied.
    quality : Quality or None
        How often the clusters are right about a pair; None until test questions of both kinds are
        answered.
    curve : tuple of Point
        The quality after each test question.
    surprises : float or None
        The share of the last 20 answers that the clusters predicted wrongly; None before there
        are 20.
    changed : float or None
        1 − the adjusted Rand index between the clusters now and those 20 answers earlier; None
        before there are 20.
    enough : bool
        Whether more answers would change little.
    why : str
        The same in words, with the numbers.
    """

    answers: int
    same: int
    different: int
    skipped: int
    groups: int
    implied_pairs: int
    quality: Quality | None
    curve: tuple[Point, ...]
    surprises: float | None
    changed: float | None
    enough: bool
    why: str


def progress_of(log: AnswerLog, snapshots: Sequence[Snapshot], space: Space) -> Progress:
    """The progress after these answers, given snapshots of the clusters and the current space."""
    answered = log.answered
    outcomes = [
        Outcome(number, bool(answer.question.same_cluster), answer.value == "same")
        for number, step in enumerate(answered, start=1)
        if step.kind == "pair"
        for answer in step.answers
        if answer.question.reason == "test"
    ]
    quality = row_quality([test.right for test in tested_rows(log, space)])
    quality, changed = quality or quality_of(outcomes), _changed(snapshots)
    same = sum(answer.value == "same" for answer in log.answers)
    return Progress(
        answers=len(answered),
        same=same,
        different=len(log.answers) - same,
        skipped=sum(map(is_skip, log.steps)),
        groups=len(log.groups),
        implied_pairs=log.known.n_known_pairs,
        quality=quality,
        curve=_row_curve(answered) or quality_curve(outcomes),
        surprises=_surprises(log.answers),
        changed=changed,
        enough=_is_known(quality) and changed is not None and changed <= SMALL_CHANGE,
        why=_why(quality, changed),
    )


def _row_curve(answered: Sequence[Step]) -> tuple[Point, ...]:
    """The share of test rows that were predicted right, after each of them."""
    points, right = [], []
    for number, step in enumerate(answered, start=1):
        if step.reason == "test" and step.predicted is not None and step.number is not None:
            right.append(step.predicted == step.number)
            found = row_quality(right[-LATEST:])
            assert found is not None
            points.append(Point(number, found.mean, found.standard_error))
    return tuple(points)


class Snapshot(NamedTuple):
    """The clusters of some rows after some number of answers."""

    n_answers: int
    clusters: Ints


def with_snapshot(snapshots: Sequence[Snapshot], space: Space) -> list[Snapshot]:
    """The snapshots plus the current one; those too old to be compared with are dropped."""
    every = slice(None, None, -(-len(space.clusters) // COMPARED_ROWS))
    snapshots = [*snapshots, Snapshot(space.n_answers, space.clusters[every].copy())]
    latest = space.n_answers - RECENT
    old = [at for at, snapshot in enumerate(snapshots) if snapshot.n_answers <= latest]
    return snapshots[old[-1] if old else 0 :]


def _changed(snapshots: Sequence[Snapshot]) -> float | None:
    first, last = snapshots[0], snapshots[-1]
    if first.n_answers > last.n_answers - RECENT:
        return None
    return 1 - float(adjusted_rand_score(first.clusters, last.clusters))


def _surprises(answered: Sequence[Answer]) -> float | None:
    outcomes = [
        (question.same_cluster, value == "same")
        for question, value in answered[-RECENT:]
        if question.same_cluster is not None
    ]
    if len(outcomes) < RECENT:
        return None
    return sum(same_cluster != same for same_cluster, same in outcomes) / len(outcomes)


def _is_known(quality: Quality | None) -> bool:
    return quality is not None and quality.n_test_questions >= LEAST_TESTS


def _why(quality: Quality | None, changed: float | None) -> str:
    if quality is None:
        return "Keep going: there are too few test questions to judge the clusters."
    if changed is None or not _is_known(quality):
        return f"Keep going: {quality}."
    change = f"The last {RECENT} answers changed the clusters by"
    percent = f"{100 * max(changed, 0):.0f} %"
    if changed > SMALL_CHANGE:
        return f"Keep going: {quality}. {change} {percent}."
    if quality.mean < GOOD:
        return f"More answers change little: {quality}. {change} only {percent}."
    return f"You can stop: {quality}. {change} only {percent}."
