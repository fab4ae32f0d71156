"""How far the questions have come, and when they have come far enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sklearn.metrics import adjusted_rand_score

from pairspace._core.typing import Ints
from pairspace.active.answers import Answer, Answers
from pairspace.active.quality import Exam, Point, Quality, curve_of, quality_of
from pairspace.active.space import Space

OVER = 20  # the answers by which it is judged whether answers still matter
LITTLE = 0.05  # 1 − the adjusted Rand index of two clusterings that hardly differ
COMPARED_ROWS = 5_000  # at most, by which two clusterings are compared


@dataclass(frozen=True)
class Progress:
    """How far the questions have come.

    Attributes
    ----------
    answers, same, different, skipped : int
        ``answers`` are the same and the different ones.
    groups : int
        Groups of two or more rows that are known to be the same.
    implied_pairs : int
        Pairs that are known, told or implied.
    quality : Quality or None
        How often the clusters are right about a pair of rows: ``mean``, ``standard_error``,
        ``n_held_out``. None before the first exam questions of both kinds.
    curve : tuple of Point
        The quality as it was: ``answers``, ``mean``, ``standard_error``.
    surprises : float or None
        The share of the last 20 answers that the clusters had not foreseen; None before.
    changed : float or None
        1 − the adjusted Rand index between the clusters now and those 20 answers earlier.
    enough : bool
        Whether more answers would change little.
    why : str
        The reason, in words.
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


def progress_of(answers: Answers, snapshots: Sequence[Snapshot]) -> Progress:
    """The progress that these answers are, with snapshots of the clusters, the last of now."""
    told = [answer for answer in answers.history if answer.said != "skip"]
    exams = [
        Exam(at, bool(question.together), said == "same")
        for at, (question, said) in enumerate(told, start=1)
        if question.reason == "exam"
    ]
    quality, changed = quality_of(exams), _changed(snapshots)
    same = sum(answer.said == "same" for answer in told)
    return Progress(
        answers=len(told),
        same=same,
        different=len(told) - same,
        skipped=len(answers.history) - len(told),
        groups=answers.known.n_joined,
        implied_pairs=answers.known.n_implied,
        quality=quality,
        curve=curve_of(exams),
        surprises=_surprises(told),
        changed=changed,
        enough=quality is not None and changed is not None and changed <= LITTLE,
        why=_why(quality, changed),
    )


class Snapshot(NamedTuple):
    """The clusters of some rows after so many answers."""

    answers_seen: int
    clusters: Ints


def with_snapshot(snapshots: Sequence[Snapshot], space: Space) -> list[Snapshot]:
    """The snapshots that are still needed: from the last that is old enough to compare with."""
    some = slice(None, None, -(-len(space.clusters) // COMPARED_ROWS))
    snapshots = [*snapshots, Snapshot(space.answers_seen, space.clusters[some].copy())]
    enough = space.answers_seen - OVER
    old = [at for at, snapshot in enumerate(snapshots) if snapshot.answers_seen <= enough]
    return snapshots[old[-1] if old else 0 :]


def _changed(snapshots: Sequence[Snapshot]) -> float | None:
    first, last = snapshots[0], snapshots[-1]
    if first.answers_seen > last.answers_seen - OVER:
        return None
    return 1 - float(adjusted_rand_score(first.clusters, last.clusters))


def _surprises(told: Sequence[Answer]) -> float | None:
    noted = [(q.together, said == "same") for q, said in told[-OVER:] if q.together is not None]
    if len(noted) < OVER:
        return None
    return sum(together != same for together, same in noted) / len(noted)


def _why(quality: Quality | None, changed: float | None) -> str:
    if quality is None:
        return "too few exam questions have been answered to judge the clusters by"
    if changed is None:
        return f"{quality}; {OVER} answers more will show whether they still change the clusters"
    moved = f"{quality}; the last {OVER} answers changed the clusters by {max(changed, 0):.0%}"
    if changed > LITTLE:
        return moved
    return f"{moved}: more of this kind will change little"
