"""Clusters that follow distances and answers: many small regions, merged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.metrics import euclidean_distances, pairwise_distances_argmin

from pairspace._core.rounding import rounded
from pairspace._core.threads import one_thread
from pairspace._core.typing import Bools, Floats, Ints
from pairspace.constraints import Constraints

N_INIT = 5  # starts of plain k-means
MAX_STEPS = 30  # of the last k-means; it mostly takes fewer


@dataclass(frozen=True)
class RegionClustering:
    """Regions, and the clusters that they belong to.

    Parameters
    ----------
    centres : ndarray of shape (n_regions, n_components)
        The centre of each region.
    cluster_of_region : ndarray of shape (n_regions,)
        The cluster of each region.
    answered : ndarray of shape (n_regions,)
        Whether an answer links the region with another.
    cluster_centres : ndarray of shape (n_clusters, n_components)
        The centre of each cluster.
    """

    centres: Floats
    cluster_of_region: Ints
    answered: Bools
    cluster_centres: Floats

    def regions(self, Z: Floats) -> Ints:
        """The region of each row: the one with the nearest centre."""
        return np.asarray(pairwise_distances_argmin(Z, self.centres), dtype=np.int64)

    def predict(self, Z: Floats) -> Ints:
        """The cluster of each row.

        A row in a region with answers belongs to the cluster of its region. Any other row belongs
        to the nearest cluster: a region may lie across the border of two clusters.
        """
        regions = self.regions(Z)
        nearest = pairwise_distances_argmin(Z, self.cluster_centres)
        return np.where(self.answered[regions], self.cluster_of_region[regions], nearest)


def cluster_regions(
    Z: Floats,
    pairs: Constraints,
    n_clusters: int,
    n_regions: int,
    random: np.random.RandomState,
) -> RegionClustering:
    r"""Regions by k-means, merged into clusters that minimise

    .. math:: \sum_r n_r \|\mu_r - m_{c(r)}\|^2 + w \cdot \#\{\text{violated answers}\}

    over the cluster c(r) of each region. An answer about two rows counts for their two regions, so
    other answers can outweigh a wrong one. w is the squared distance between neighbouring clusters
    times the mean size of a region. The better of two starts is kept: plain k-means and Ward's
    rule.
    """
    k_means = regions_of(Z, n_regions, random)
    plain = k_means_of(Z, n_clusters, random).cluster_centers_
    regions, means = k_means.labels_.astype(np.int64), k_means.cluster_centers_
    size = np.bincount(regions, minlength=n_regions).astype(np.float64)
    weight = rounded(_gap(plain)) * len(Z) / n_regions
    links = weight * _links(regions, pairs, n_regions)
    starts = _merged(size, means, links, n_clusters), pairwise_distances_argmin(means, plain)
    found = [_refined(size, means, links, start, n_clusters) for start in starts]
    # Both often end with the same clusters, numbered differently: then the first is kept.
    best = found[np.argmin(rounded([_objective(size, means, links, label) for label in found]))]
    centres = _weighted_means(means, size, best, n_clusters)
    return RegionClustering(means, best, np.asarray(links.any(axis=1)), centres)


def k_means_of(Z: Floats, n_clusters: int, random: np.random.RandomState) -> KMeans:
    """Plain k-means, the best of several starts."""
    return _k_means(Z, n_clusters, N_INIT, random)


def regions_of(Z: Floats, n_regions: int, random: np.random.RandomState) -> KMeans:
    """k-means with many clusters."""
    return _k_means(Z, n_regions, 1, random)


def _k_means(Z: Floats, n_clusters: int, n_init: int, random: np.random.RandomState) -> KMeans:
    k_means = KMeans(n_clusters, init=_first_centres, n_init=n_init, random_state=random)
    # A step takes about a millisecond: on a busy machine threads wait for each other ten times as
    # long as they work.
    with one_thread():
        return k_means.fit(Z)


def _first_centres(Z: Floats, n_clusters: int, random_state: np.random.RandomState) -> Floats:
    """k-means++ as in scikit-learn, except for ties.

    Two rows that are far from all centres and near each other are equally good centres. In
    scikit-learn rounding errors decide between them; here the first one drawn is taken.
    """
    n_trials = 2 + int(np.log(n_clusters))
    chosen = [random_state.choice(len(Z), p=np.full(len(Z), 1 / len(Z)))]  # the same draws
    squared = cdist(Z[chosen], Z, "sqeuclidean")[0]
    while len(chosen) < n_clusters:
        sums = np.cumsum(squared)
        drawn = np.searchsorted(sums, random_state.uniform(size=n_trials) * sums[-1])
        drawn = np.minimum(drawn, len(Z) - 1)
        left = np.minimum(squared, cdist(Z[drawn], Z, "sqeuclidean"))
        best = np.argmin(rounded(left.sum(axis=1)))
        chosen.append(drawn[best])
        squared = left[best]
    return Z[chosen]


def _gap(centres: Floats) -> float:
    """The median squared distance from a cluster to the nearest other; 0 with one cluster."""
    squared = euclidean_distances(centres, squared=True)
    np.fill_diagonal(squared, np.inf)
    return float(np.median(squared.min(axis=1))) if len(centres) > 1 else 0.0


def _links(regions: Ints, pairs: Constraints, n_regions: int) -> Floats:
    """For each two regions, the number of "same" answers minus that of "different" ones."""
    links = np.zeros((n_regions, n_regions))
    for ends, sign in ((regions[pairs.must_link], 1), (regions[pairs.cannot_link], -1)):
        np.add.at(links, (ends[:, 0], ends[:, 1]), sign)
        np.add.at(links, (ends[:, 1], ends[:, 0]), sign)
    np.fill_diagonal(links, 0)
    return links


def _merged(size: Floats, means: Floats, links: Floats, n_clusters: int) -> Ints:
    """Ward's rule: merge the two regions with the lowest cost, until n_clusters are left."""
    size, means, links = size.copy(), means.copy(), links.copy()
    label = np.arange(len(size))

    def cost(at: int) -> Floats:
        squares = np.sum((means - means[at]) ** 2, axis=1) * size * size[at] / (size + size[at])
        there = (size > 0) & (np.arange(len(size)) != at)
        return rounded(np.where(there, squares - links[at], np.inf))

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


def _refined(size: Floats, means: Floats, links: Floats, label: Ints, n_clusters: int) -> Ints:
    """k-means over regions from these labels, until no region moves."""
    label = label.astype(np.int64)
    for _ in range(MAX_STEPS):
        new = label.copy()
        centres = _weighted_means(means, size, label, n_clusters)
        costs = rounded(size[:, None] * euclidean_distances(means, centres, squared=True))
        for at in np.argsort(-size, kind="stable"):
            agree = np.bincount(new, links[at], minlength=n_clusters)
            new[at] = np.argmin(costs[at] - agree)
        if np.array_equal(new, label) or len(np.unique(new)) < n_clusters:
            break
        label = new
    return label


def _objective(size: Floats, means: Floats, links: Floats, label: Ints) -> float:
    """The objective minus the weight of all must-links, a constant."""
    centres = _weighted_means(means, size, label, label.max() + 1)
    squares = size @ np.sum((means - centres[label]) ** 2, axis=1)
    return float(squares - np.sum(links[label[:, None] == label]) / 2)


def _weighted_means(means: Floats, size: Floats, label: Ints, n_clusters: int) -> Floats:
    total = np.bincount(label, size, minlength=n_clusters)
    sums = [np.bincount(label, size * column, minlength=n_clusters) for column in means.T]
    return np.column_stack(sums) / np.maximum(total, 1)[:, None]
