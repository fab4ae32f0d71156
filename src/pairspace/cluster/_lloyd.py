"""Lloyd's k-means on points of which only inner products are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from pairspace._core.kernels import KernelPoints
from pairspace._core.rounding import rounded
from pairspace._core.typing import Floats, Ints

ROUNDING = 1e-12  # squared distances that differ by no more than this share of the largest tie


class Clustering(NamedTuple):
    """Labels, Σ weight · squared distance to the own mean, and the number of iterations."""

    labels: Ints
    inertia: float
    n_iter: int


def k_means(
    points: KernelPoints,
    weight: Floats,
    n_clusters: int,
    max_iter: int,
    random: np.random.RandomState,
    start: Start,
) -> Clustering:
    """One run of Lloyd's iteration. The inertia never grows."""
    labels = start(points, weight, n_clusters, random)
    n_iter, moved = 0, True
    distances = squared_distances(points, weight, labels, n_clusters)
    while moved and n_iter < max_iter:
        previous, labels = labels, reassigned(distances, labels)
        moved, n_iter = not np.array_equal(labels, previous), n_iter + 1
        if moved:
            distances = squared_distances(points, weight, labels, n_clusters)
    own = distances[np.arange(len(labels)), labels]
    return Clustering(labels, float(weight @ own), n_iter)


def kmeans_plus_plus(
    points: KernelPoints, weight: Floats, n_clusters: int, random: np.random.RandomState
) -> Ints:
    """Each point with the nearest of the k-means++ seeds; each seed is the best of a few draws."""
    n_trials = 2 + int(np.log(n_clusters))
    nearest, labels = np.full(len(weight), np.inf), np.zeros(len(weight), dtype=np.int64)
    chosen = np.zeros(len(weight), dtype=bool)
    chance, least = weight, 0.0
    for cluster in range(n_clusters):
        # If every point coincides with a seed, draw from all points that are no seeds.
        chance = chance if chance.any() else weight * ~chosen
        total = np.cumsum(chance)
        drawn = np.searchsorted(total, random.uniform(size=n_trials) * total[-1], side="right")
        drawn = np.minimum(drawn, len(weight) - 1)
        drawn = drawn[:1] if cluster == 0 else drawn
        squared = points.squares[:, None] - 2 * points.columns(drawn) + points.squares[drawn]
        least = least or ROUNDING * float(squared.max())
        squared[squared <= least] = 0  # copies of a seed
        closer = np.minimum(nearest[:, None], squared)
        best = int(np.argmin(rounded(weight @ closer)))
        chosen[drawn[best]] = True
        closer[drawn[best], best] = 0
        labels[closer[:, best] < nearest - least] = cluster  # the first of seeds that tie
        labels[drawn[best]] = cluster
        nearest = closer[:, best]
        chance = weight * nearest
    return labels


def random_partition(
    points: KernelPoints, weight: Floats, n_clusters: int, random: np.random.RandomState
) -> Ints:
    """A random cluster for each point; no cluster is empty."""
    labels = random.randint(n_clusters, size=len(weight))
    labels[random.choice(len(weight), n_clusters, replace=False)] = np.arange(n_clusters)
    return labels


Start = Callable[[KernelPoints, Floats, int, np.random.RandomState], Ints]
STARTS: Mapping[str, Start] = {"k-means++": kmeans_plus_plus, "random": random_partition}


def squared_distances(
    points: KernelPoints, weight: Floats, labels: Ints, n_clusters: int
) -> Floats:
    """‖φ(x) − m‖² of each point from the mean of each cluster."""
    means = means_of(labels, weight, n_clusters)
    products = points.products(means)
    return np.maximum(points.squares[:, None] - 2 * products + squared_means(means, products), 0)


def means_of(labels: Ints, weight: Floats, n_clusters: int) -> csr_array:
    """The means, as weights on the points: one column for each cluster."""
    share = weight / np.bincount(labels, weight, minlength=n_clusters)[labels]
    return csr_array((share, labels, np.arange(len(labels) + 1)), shape=(len(labels), n_clusters))


def squared_means(means: csr_array, products: Floats) -> Floats:
    """‖m‖² of each mean, from the inner products of the points with the means."""
    labels = means.indices
    own = means.data * products[np.arange(len(labels)), labels]
    return np.bincount(labels, own, minlength=means.shape[1]).astype(np.float64, copy=False)


def reassigned(distances: Floats, labels: Ints) -> Ints:
    """The nearest mean of each point; if several tie its own, or the first. No cluster is empty.

    An empty cluster gets the point farthest from its mean, but no point that is alone.
    """
    rows, least = np.arange(len(labels)), ROUNDING * distances.max()
    smallest = distances.min(axis=1)
    nearest = np.argmax(distances <= smallest[:, None] + least, axis=1)
    labels = np.where(smallest < distances[rows, labels] - least, nearest, labels)
    size = np.bincount(labels, minlength=distances.shape[1])
    own = distances[rows, labels]
    for empty in np.flatnonzero(size == 0):
        far = np.where(size[labels] > 1, own, -1)
        farthest = int(np.argmax(far >= far.max() - least))
        size[labels[farthest]] -= 1
        size[empty] = 1
        labels[farthest], own[farthest] = empty, 0
    return labels
