"""A space of many axes as a plane that can be looked at, and that stays in place."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import orthogonal_procrustes
from scipy.optimize import linear_sum_assignment
from sklearn.metrics.cluster import contingency_matrix

from pairspace._core.linalg import top
from pairspace._core.typing import Floats, Ints
from pairspace.constraints import Constraints
from pairspace.metrics import pair_distances

# How much the spread within clusters counts: enough to choose an axis where there are two clusters.
WITHIN = 0.01


class View(NamedTuple):
    """What the map shows of a space.

    Attributes
    ----------
    points : ndarray of shape (n_samples, 2)
    clusters : ndarray of shape (n_samples,)
        The same numbers as in the view before, as far as they are the same clusters.
    """

    points: Floats
    clusters: Ints


def view_of(space: Any, before: View | None) -> View:
    """The plane in which the clusters lie farthest apart, turned to look as it did before."""
    points = _plane(space.embedding, space.clusters)
    if before is None:
        return View(points, space.clusters)
    turn, _ = orthogonal_procrustes(points, before.points)
    return View(points @ turn, _same_numbers(space.clusters, before.clusters))


def _plane(embedding: Floats, clusters: Ints) -> Floats:
    centred = embedding - embedding.mean(axis=0)
    if centred.shape[1] < 2:
        return np.column_stack([centred, np.zeros(len(centred))])
    size = np.bincount(clusters)
    sums = np.array([np.bincount(clusters, axis) for axis in centred.T])
    between = (sums / np.maximum(size, 1)) @ sums.T
    spread = (between + WITHIN * centred.T @ centred) / len(centred)
    return np.asarray(centred @ top(spread, 2).vectors)


def _same_numbers(clusters: Ints, before: Ints) -> Ints:
    """Number the clusters like those they share most rows with."""
    shared = contingency_matrix(clusters, before)
    new, old = np.unique(clusters), np.unique(before)
    rows, columns = linear_sum_assignment(-shared)
    number = dict(zip(new[rows].tolist(), old[columns].tolist(), strict=True))
    unused = (each for each in range(2 * len(new) + len(old)) if each not in set(number.values()))
    for cluster in new.tolist():
        if cluster not in number:
            number[cluster] = next(unused)
    lookup = np.zeros(int(new.max()) + 1, dtype=np.int64)
    lookup[list(number)] = list(number.values())
    return lookup[clusters]


class Lines(NamedTuple):
    """Answers as lines of the map: pairs of rows, whether same, and whether the space breaks it."""

    pairs: Ints
    same: NDArray[np.bool_]
    broken: NDArray[np.bool_]


def lines_of(answers: Constraints, embedding: Any, most: int) -> Lines:
    """The answers, those that the space does not keep first, at most so many."""
    distances = pair_distances(embedding, answers)
    pairs = np.vstack([answers.must_link, answers.cannot_link])
    same = np.arange(len(pairs)) < len(answers.must_link)
    broken = np.concatenate([distances.must_violated, distances.cannot_violated])
    first = np.argsort(~broken, kind="stable")[:most]
    return Lines(pairs[first], same[first], broken[first])
