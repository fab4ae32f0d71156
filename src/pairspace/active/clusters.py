"""Clusters that answers make: many small regions, joined as distances and answers say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.metrics import euclidean_distances, pairwise_distances_argmin

from pairspace._core.rounding import rounded
from pairspace._core.typing import Floats, Ints
from pairspace.constraints import Constraints

N_INIT = 5  # starts of plain k-means
MAX_STEPS = 30  # of k-means at the end, which mostly takes fewer


@dataclass(frozen=True)
class Clusters:
    """Regions, by their centres, and the clusters that they are in."""

    centres: Floats  # of the regions
    cluster_of_region: Ints
    answered: NDArray[np.bool_]  # whether an answer is about a region
    cluster_centres: Floats

    def regions(self, Z: Floats) -> Ints:
        """The region of each row."""
        return np.asarray(pairwise_distances_argmin(Z, self.centres), dtype=np.int64)

    def clusters(self, Z: Floats) -> Ints:
        """The cluster of each row: of its region if an answer is about it, else the nearest.

        A region may lie across the border of two clusters, and so its rows are better asked one by
        one as long as nobody was asked about it.
        """
        regions = self.regions(Z)
        nearest = pairwise_distances_argmin(Z, self.cluster_centres)
        return np.where(self.answered[regions], self.cluster_of_region[regions], nearest)


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
    the squared distance between neighbouring clusters times the mean size of a region.
    The better of two starts counts: plain k-means, and Ward's rule.
    """
    k_means = KMeans(n_regions, init=_first_centres, n_init=1, random_state=random).fit(Z)
    plain = (
        KMeans(n_clusters, init=_first_centres, n_init=N_INIT, random_state=random)
        .fit(Z)
        .cluster_centers_
    )
    regions, means = k_means.labels_.astype(np.int64), k_means.cluster_centers_
    size = np.bincount(regions, minlength=n_regions).astype(np.float64)
    weight = rounded(_gap(plain)) * len(Z) / n_regions
    links = weight * _links(regions, pairs, n_regions)
    starts = _joined(size, means, links, n_clusters), pairwise_distances_argmin(means, plain)
    found = [_settled(size, means, links, start, n_clusters) for start in starts]
    # Both often end at the same clusters, numbered differently: then the first counts.
    best = found[np.argmin(rounded([_objective(size, means, links, label) for label in found]))]
    centres = _weighted_means(means, size, best, n_clusters)
    return Clusters(means, best, np.asarray(links.any(axis=1)), centres)


def _first_centres(Z: Floats, n_clusters: int, random_state: np.random.RandomState) -> Floats:
    """k-means++ as scikit-learn has it, but for ties.

    Of two rows that are far from all centres and near each other, either is as good a centre. In
    scikit-learn rounding errors choose, here the first that was drawn.
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
    """The squared distance of a cluster from the nearest other, the median; 0 if there is none."""
    squared = euclidean_distances(centres, squared=True)
    np.fill_diagonal(squared, np.inf)
    return float(np.median(squared.min(axis=1))) if len(centres) > 1 else 0.0


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


def _settled(size: Floats, means: Floats, links: Floats, label: Ints, n_clusters: int) -> Ints:
    """k-means from there, region by region, until nothing moves."""
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
    """What is minimised, less the weight of all must-links, which is the same for every label."""
    centres = _weighted_means(means, size, label, label.max() + 1)
    squares = size @ np.sum((means - centres[label]) ** 2, axis=1)
    return float(squares - np.sum(links[label[:, None] == label]) / 2)


def _weighted_means(means: Floats, size: Floats, label: Ints, n_clusters: int) -> Floats:
    total = np.bincount(label, size, minlength=n_clusters)
    sums = [np.bincount(label, size * column, minlength=n_clusters) for column in means.T]
    return np.column_stack(sums) / np.maximum(total, 1)[:, None]
