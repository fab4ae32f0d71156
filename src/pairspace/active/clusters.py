"""Clusters that answers make: many small regions, joined as distances and answers say."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.metrics import euclidean_distances

from pairspace.constraints import Constraints

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

TRUST = 1.5  # an answer weighs as much as so many regions of mean size in the wrong cluster
MAX_STEPS = 30  # of k-means at the end, which mostly takes fewer


class Clusters(NamedTuple):
    """The region of each row, the centre of each region, and the cluster that it belongs to."""

    regions: Ints
    centres: Floats
    cluster_of_region: Ints


def clusters_of(
    Z: Floats,
    pairs: Constraints,
    n_clusters: int,
    n_regions: int,
    random: np.random.RandomState,
) -> Clusters:
    r"""Regions by k-means, in clusters that minimise

    .. math:: \sum_r n_r \|\mu_r - m_{c(r)}\|^2 + w \cdot \#\{\text{answers that are broken}\}

    over the cluster c(r) of each region, where the answers are between the regions of their rows.
    An answer so speaks for all rows of its regions, and one that is wrong can be outvoted. w is
    1.5 times the squared distance between neighbouring clusters times the mean size of a region.
    """
    k_means = KMeans(n_regions, n_init=1, random_state=random).fit(Z)
    regions = k_means.labels_.astype(np.int64)
    size = np.bincount(regions, minlength=n_regions).astype(np.float64)
    means = k_means.cluster_centers_
    weight = TRUST * _gap(Z, n_clusters, random) * len(Z) / n_regions
    links = weight * _links(regions, pairs, n_regions)
    label = _settled(size, means, links, _joined(size, means, links, n_clusters))
    return Clusters(regions, means, label)


def _gap(Z: Floats, n_clusters: int, random: np.random.RandomState) -> float:
    """The squared distance of a cluster from the nearest other, the median."""
    if n_clusters < 2:
        return 0.0
    centres = KMeans(n_clusters, n_init=3, random_state=random).fit(Z).cluster_centers_
    squared = euclidean_distances(centres, squared=True)
    np.fill_diagonal(squared, np.inf)
    return float(np.median(squared.min(axis=1)))


def _links(regions: Ints, pairs: Constraints, n_regions: int) -> Floats:
    """How many answers say of two regions that they are the same, less those that they differ."""
    links = np.zeros((n_regions, n_regions))
    for ends, sign in ((regions[pairs.must_link], 1), (regions[pairs.cannot_link], -1)):
        np.add.at(links, (ends[:, 0], ends[:, 1]), sign)
        np.add.at(links, (ends[:, 1], ends[:, 0]), sign)
    np.fill_diagonal(links, 0)
    return links


def _joined(size: Floats, means: Floats, links: Floats, n_clusters: int) -> Ints:
    """Ward's rule: again and again, the two whose joining costs least become one."""
    size, means, links = size.copy(), means.copy(), links.copy()
    label = np.arange(len(size))

    def cost(at: int) -> Floats:
        squares = np.sum((means - means[at]) ** 2, axis=1) * size * size[at] / (size + size[at])
        there = (size > 0) & (np.arange(len(size)) != at)
        return np.asarray(np.where(there, squares - links[at], np.inf))

    costs = np.array([cost(at) for at in range(len(size))])
    for _ in range(len(size) - n_clusters):
        one, other = divmod(int(np.argmin(costs)), len(size))
        total = size[one] + size[other]
        means[one] = (size[one] * means[one] + size[other] * means[other]) / total
        size[one], size[other] = total, 0
        label[label == other] = one
        links[one] += links[other]
        links[:, one] += links[:, other]
        costs[other] = costs[:, other] = np.inf
        costs[one] = costs[:, one] = cost(one)
    return np.unique(label, return_inverse=True)[1].astype(np.int64)


def _settled(size: Floats, means: Floats, links: Floats, label: Ints) -> Ints:
    """k-means from there, region by region: Ward's rule never takes back what it has joined."""
    n_clusters = label.max() + 1
    for _ in range(MAX_STEPS):
        new = label.copy()
        total = np.bincount(label, size)
        centres = np.column_stack([np.bincount(label, size * x) / total for x in means.T])
        costs = size[:, None] * euclidean_distances(means, centres, squared=True)
        for at in np.argsort(-size, kind="stable"):
            agree = np.bincount(new, links[at], minlength=n_clusters)
            new[at] = np.argmin(costs[at] - agree)
        if np.array_equal(new, label) or len(np.unique(new)) < n_clusters:
            break
        label = new
    return label
