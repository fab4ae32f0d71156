"""A space projected to a plane for the map, aligned with the plane before."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import orthogonal_procrustes
from scipy.optimize import linear_sum_assignment
from sklearn.metrics.cluster import contingency_matrix

from pairspace._core.linalg import top
from pairspace._core.typing import Bools, Floats, Ints
from pairspace.constraints import Constraints
from pairspace.metrics import pair_distances

# The weight of the scatter within clusters: enough to define a second axis for two clusters.
WITHIN = 0.01


class View(NamedTuple):
    """What the map shows of a space.

    Parameters
    ----------
    points : ndarray of shape (n_samples, 2)
        The coordinates of the rows.
    clusters : ndarray of shape (n_samples,)
        The clusters, numbered as in the view before where they match.
    """

    points: Floats
    clusters: Ints


def view_of(space: Any, before: View | None) -> View:
    """The plane that separates the clusters best, rotated to match the view before."""
    points = _plane(space.embedding, space.clusters)
    if before is None:
        return View(points, space.clusters)
    rotation, _ = orthogonal_procrustes(points, before.points)
    return View(points @ rotation, _same_numbers(space.clusters, before.clusters))


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
    """Number the clusters like the earlier ones that they share most rows with."""
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
    """Answers as lines: pairs of rows, whether same, and whether the space violates them."""

    pairs: Ints
    same: Bools
    violated: Bools


def lines_of(answers: Constraints, embedding: Any, most: int) -> Lines:
    """At most so many answers, those that the space violates first."""
    distances = pair_distances(embedding, answers)
    pairs = np.vstack([answers.must_link, answers.cannot_link])
    same = np.arange(len(pairs)) < len(answers.must_link)
    violated = np.concatenate([distances.must_violated, distances.cannot_violated])
    first = np.argsort(~violated, kind="stable")[:most]
    return Lines(pairs[first], same[first], violated[first])
