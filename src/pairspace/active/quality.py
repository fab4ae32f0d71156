"""How good the clusters are, by answers to questions that were drawn for this, and what is enough.

The questions of a strategy are chosen, so their answers say little about all pairs. Every tenth
question is therefore an exam: a pair drawn at random, by turns from one cluster and from two. What
the clusters say about it is noted before the answer is known, so each exam is about a space that
had not seen it; only then the answer is learned from like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pairspace._core.typing import Ints, Pair

LATEST = 30  # exams that count: older ones were about other spaces
TRIES = 50  # pairs to draw before giving up: nearly all may be known


class Quality(NamedTuple):
    """How often the clusters are right about a pair of rows that no answer is about.

    The mean of two shares: of pairs in one cluster that are the same, and of pairs in two clusters
    that are different. 1 is perfect, and clusters at random have ½.
    """

    mean: float
    standard_error: float
    n_held_out: int

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.standard_error:.2f} by {self.n_held_out} exam questions"


class Point(NamedTuple):
    """The quality after some number of answers."""

    answers: int
    mean: float
    standard_error: float


class Exam(NamedTuple):
    """Which answer it was, whether the clusters had the pair together, and what it was."""

    number: int
    together: bool
    same: bool


def quality_of(exams: Sequence[Exam]) -> Quality | None:
    """The quality by the latest exams; None if not both kinds are among them.

    Each share has half a success and half a failure added (Jeffreys), so that three right answers
    out of three are not taken for certainty.
    """
    exams = exams[-LATEST:]
    means, variances = [], []
    for together in (True, False):
        right = [exam.same == together for exam in exams if exam.together == together]
        if not right:
            return None
        share = (sum(right) + 0.5) / (len(right) + 1)
        means.append(share)
        variances.append(share * (1 - share) / (len(right) + 2))
    return Quality(float(np.mean(means)), float(np.sqrt(np.sum(variances)) / 2), len(exams))


def curve_of(exams: Sequence[Exam]) -> tuple[Point, ...]:
    """The quality after each exam from which on there is one."""
    points = []
    for end in range(1, len(exams) + 1):
        found = quality_of(exams[:end])
        if found is not None:
            points.append(Point(exams[end - 1].number, found.mean, found.standard_error))
    return tuple(points)


def exam_pairs(clusters: Ints, *, together: bool, random: np.random.RandomState) -> Iterator[Pair]:
    """Pairs drawn uniformly from those in one cluster, or from those in two; none if there are."""
    size = np.bincount(clusters).astype(np.float64)
    inside = size * (size - 1) / 2
    if not (inside.any() if together else np.count_nonzero(size) > 1):
        return
    for _ in range(TRIES):
        if together:
            cluster = random.choice(len(size), p=inside / inside.sum())
            i, j = random.choice(np.flatnonzero(clusters == cluster), 2, replace=False)
        else:
            # A row by the number of its pairs, then one of these.
            other = len(clusters) - size
            cluster = random.choice(len(size), p=size * other / (size * other).sum())
            i = random.choice(np.flatnonzero(clusters == cluster))
            j = random.choice(np.flatnonzero(clusters != cluster))
        yield int(i), int(j)
