"""The progress of the questions, and when to stop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sklearn.metrics import adjusted_rand_score

from pairspace._core.typing import Ints
from pairspace.active.answer_log import Answer, AnswerLog
from pairspace.active.quality import Outcome, Point, Quality, quality_curve, quality_of
from pairspace.active.space import Space

RECENT = 20  # answers whose effect on the clusters is measured
SMALL_CHANGE = 0.05  # 1 − the adjusted Rand index of two clusterings that hardly differ
COMPARED_ROWS = 5_000  # at most, when two clusterings are compared


@dataclass(frozen=True)
class Progress:
    """The progress of the questions.

    Parameters
    ----------
    answers : int
        The number of answers, without skips.
    same : int
        How many of them are "same".
    different : int
        How many of them are "different".
    skipped : int
        The number of skips.
    groups : int
        The number of groups of two or more rows known to be the same.
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


def progress_of(log: AnswerLog, snapshots: Sequence[Snapshot]) -> Progress:
    """The progress after these answers, given snapshots of the clusters, the current one last."""
    answered = [answer for answer in log.answers if answer.value != "skip"]
    outcomes = [
        Outcome(number, bool(question.same_cluster), value == "same")
        for number, (question, value) in enumerate(answered, start=1)
        if question.reason == "test"
    ]
    quality, changed = quality_of(outcomes), _changed(snapshots)
    same = sum(answer.value == "same" for answer in answered)
    return Progress(
        answers=len(answered),
        same=same,
        different=len(answered) - same,
        skipped=len(log.answers) - len(answered),
        groups=log.known.n_joined,
        implied_pairs=log.known.n_known_pairs,
        quality=quality,
        curve=quality_curve(outcomes),
        surprises=_surprises(answered),
        changed=changed,
        enough=quality is not None and changed is not None and changed <= SMALL_CHANGE,
        why=_why(quality, changed),
    )


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


def _why(quality: Quality | None, changed: float | None) -> str:
    if quality is None:
        return "Keep going: there are too few test questions to judge the clusters."
    if changed is None:
        return f"Keep going: {quality}."
    change = f"The last {RECENT} answers changed the clusters by"
    percent = f"{100 * max(changed, 0):.0f} %"
    if changed > SMALL_CHANGE:
        return f"Keep going: {quality}. {change} {percent}."
    return f"You can stop: {quality}. {change} only {percent}."
