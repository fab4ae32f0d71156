"""How good the clusters are, estimated from the answers to test questions.

A strategy chooses its questions, so their answers say little about all pairs. Every tenth question
is therefore a test question: a pair drawn at random, in turn from one cluster and from two. The
prediction of the clusters is noted before the answer is known, so the test is fair; afterwards the
answer is used like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pairspace._core.typing import Ints, Pair

LATEST = 30  # test questions that count: older ones tested other clusters
TRIES = 50  # pairs to draw before giving up: nearly all may be known


class Quality(NamedTuple):
    """How often the predicted groups are right.

    About rows: the share of rows drawn at random that are in the group predicted for them. About
    pairs: the mean of two shares, of pairs in one cluster that are the same, and of pairs in two
    clusters that are different, which is 1 for perfect clusters and ½ for random ones.

    Parameters
    ----------
    mean : float
        The estimate.
    standard_error : float
        Its standard error.
    n_test_questions : int
        The number of test questions it comes from.
    about : {"pairs", "rows"}, default="pairs"
        What the test questions were about.
    """

    mean: float
    standard_error: float
    n_test_questions: int
    about: str = "pairs"

    def __str__(self) -> str:
        questions = f"{self.n_test_questions} test question{'s' * (self.n_test_questions != 1)}"
        return (
            f"{100 * self.mean:.0f} % of {self.about} judged right "
            f"(± {100 * self.standard_error:.0f} %, from {questions})"
        )


class Point(NamedTuple):
    """The quality after some number of answers.

    Parameters
    ----------
    answers : int
        The number of answers.
    mean : float
        The estimated quality.
    standard_error : float
        Its standard error.
    """

    answers: int
    mean: float
    standard_error: float


class Outcome(NamedTuple):
    """The outcome of a test question.

    Parameters
    ----------
    number : int
        Which answer it was, counted from 1.
    same_cluster : bool
        What the clusters predicted.
    same : bool
        What the person answered.
    """

    number: int
    same_cluster: bool
    same: bool


def quality_of(outcomes: Sequence[Outcome]) -> Quality | None:
    """The quality estimated from the latest outcomes; None unless both kinds are among them.

    Half a success and half a failure are added to each share (Jeffreys), so that three right
    answers out of three do not count as certainty.
    """
    outcomes = outcomes[-LATEST:]
    means, variances = [], []
    for same_cluster in (True, False):
        right = [
            each.same == same_cluster for each in outcomes if each.same_cluster == same_cluster
        ]
        if not right:
            return None
        share = (sum(right) + 0.5) / (len(right) + 1)
        means.append(share)
        variances.append(share * (1 - share) / (len(right) + 2))
    return Quality(float(np.mean(means)), float(np.sqrt(np.sum(variances)) / 2), len(outcomes))


def row_quality(right: Sequence[bool]) -> Quality | None:
    """The quality estimated from rows drawn at random; None without any."""
    if not right:
        return None
    share = (sum(right) + 0.5) / (len(right) + 1)
    error = float(np.sqrt(share * (1 - share) / (len(right) + 2)))
    return Quality(share, error, len(right), "rows")


def quality_curve(outcomes: Sequence[Outcome]) -> tuple[Point, ...]:
    """The quality after each test question, from the first with an estimate on."""
    points = []
    for end in range(1, len(outcomes) + 1):
        found = quality_of(outcomes[:end])
        if found is not None:
            points.append(Point(outcomes[end - 1].number, found.mean, found.standard_error))
    return tuple(points)


def draw_test_pairs(
    clusters: Ints, *, same_cluster: bool, random: np.random.RandomState
) -> Iterator[Pair]:
    """Pairs drawn uniformly from those within clusters, or from those between two clusters."""
    size = np.bincount(clusters).astype(np.float64)
    inside = size * (size - 1) / 2
    if not (inside.any() if same_cluster else np.count_nonzero(size) > 1):
        return
    for _ in range(TRIES):
        if same_cluster:
            cluster = random.choice(len(size), p=inside / inside.sum())
            i, j = random.choice(np.flatnonzero(clusters == cluster), 2, replace=False)
        else:
            # A cluster by the number of its pairs, then one of these.
            other = len(clusters) - size
            cluster = random.choice(len(size), p=size * other / (size * other).sum())
            i = random.choice(np.flatnonzero(clusters == cluster))
            j = random.choice(np.flatnonzero(clusters != cluster))
        yield int(i), int(j)
