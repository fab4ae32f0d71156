"""Clusters of regions: where answers do not place rows, and for groups not yet shown."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import softmax
from sklearn.metrics import pairwise_distances_argmin_min

from pairspace._core.rounding import rounded
from pairspace._core.typing import Floats
from pairspace.base import PlacedRows, Supervision
from pairspace.cluster.panel import PanelTable, Projection
from pairspace.cluster.regions import RegionClustering, cluster_regions, k_means_of, regions_of
from pairspace.constraints import Constraints

COMPONENTS = 9
MAX_REGIONS = 500  # the table of their distances grows with the square
EXAMPLES = 3  # rows that stand for a group that no answer has shown
MIN_JUDGED = 4  # must-links, and cannot-links, without which no number of clusters is chosen
GROWTH = 1.3  # from one number of clusters that is tried to the next
MOST_CLUSTERS = 40  # that are tried
SURE = 0.5  # of the probability is for the cluster itself, the rest by distance


class RegionGroups:
    """Clusters of regions in PairSpace's space.

    Parameters
    ----------
    projection : Projection
        Maps rows into the space.
    embedding : ndarray of shape (n_rows, n_components)
        The rows in the space.
    clustering : RegionClustering
        Assigns rows to regions and clusters.
    """

    def __init__(
        self, projection: Projection, embedding: Floats, clustering: RegionClustering
    ) -> None:
        self.projection = projection
        self.clustering = clustering
        clusters = clustering.predict(embedding)
        deviations = embedding - clustering.cluster_centres[clusters]
        self._variance = float(np.mean(deviations**2)) or 1.0
        self.probabilities = self._probabilities(embedding)

    def predict(self, X: Any) -> Floats:
        """The probability of each cluster for new rows."""
        return self._probabilities(self.projection.transform(X))

    def _probabilities(self, Z: Floats) -> Floats:
        centres = self.clustering.cluster_centres
        squared = np.sum((Z[:, None, :] - centres[None]) ** 2, axis=2)
        near = softmax(-squared / (2 * self._variance), axis=1)
        return SURE * np.eye(len(centres))[self.clustering.predict(Z)] + (1 - SURE) * near


def n_regions_of(n_clusters: int, n_answers: int, n_distinct: int) -> int:
    """The number of regions: more for more clusters and answers."""
    return max(n_clusters, min(2 * n_clusters + 20 + n_answers // 2, MAX_REGIONS, n_distinct))


def fit_regions(
    table: PanelTable,
    known: Supervision,
    n_clusters: int | None,
    at_least: int,
    random: np.random.RandomState,
) -> RegionGroups:
    """Clusters of the rows that follow distances in PairSpace's space, and the answers.

    If ``n_clusters`` is None, there are ``at_least`` so many, and more if the pairs ask for them.
    """
    view = table.standardised
    solution = view.closed_form.solve(known, COMPONENTS, random)
    W = solution.eigen.vectors
    Z = rounded(view.rows @ W)
    n_distinct = len(np.unique(Z, axis=0))
    if n_clusters is None:
        n_clusters = n_clusters_of(Z, known.pairs, at_least, n_distinct, random)
    n_clusters = min(n_clusters, n_distinct)
    pairs = known.implied
    n_regions = n_regions_of(n_clusters, len(pairs.must_link) + len(pairs.cannot_link), n_distinct)
    clustering = cluster_regions(Z, pairs, n_clusters, n_regions, random)
    return RegionGroups(view.projection.then(W), Z, clustering)


def n_clusters_of(
    Z: Floats, pairs: Constraints, at_least: int, n_distinct: int, random: np.random.RandomState
) -> int:
    """The number of clusters of plain k-means that keeps the most pairs.

    k-means has not seen the pairs, so they can judge it: too few clusters break cannot-links, too
    many break must-links. Both kinds count alike, whatever their numbers.
    """
    must, cannot = pairs.must_link, pairs.cannot_link
    if min(len(must), len(cannot)) < MIN_JUDGED:
        return at_least
    most = min(max(MOST_CLUSTERS, at_least), n_distinct)
    tried = [at_least]
    while tried[-1] < most:
        tried.append(min(max(tried[-1] + 1, round(tried[-1] * GROWTH)), most))
    kept = []
    for n_clusters in tried:
        labels = k_means_of(Z, n_clusters, random).labels_
        same, apart = (labels[links[:, 0]] == labels[links[:, 1]] for links in (must, cannot))
        kept.append(same.mean() + 1 - apart.mean())
    return tried[int(np.argmax(rounded(kept)))]


def with_more_groups(
    table: PanelTable, placed: PlacedRows, n_clusters: int, random: np.random.RandomState
) -> PlacedRows:
    """Groups that no answer has shown yet, each represented by a few rows.

    A new group starts from the region that is large and far from all placed rows: by its size times
    its squared distance from the nearest of them.
    """
    Z = table.standardised.rows
    n_distinct = len(np.unique(Z, axis=0))
    regions = regions_of(Z, n_regions_of(n_clusters, len(placed.rows), n_distinct), random)
    sizes = np.bincount(regions.labels_, minlength=len(regions.cluster_centers_))
    rows, groups = placed.rows.tolist(), placed.groups.tolist()
    for group in range(placed.n_groups, n_clusters):
        far = pairwise_distances_argmin_min(regions.cluster_centers_, Z[rows])[1] ** 2
        free = np.bincount(regions.labels_[rows], minlength=len(sizes)) == 0
        if not free.any():
            break
        chosen = int(np.argmax(rounded(np.where(free, sizes * far, -1.0))))
        members = np.flatnonzero(regions.labels_ == chosen)
        squared = np.sum((Z[members] - regions.cluster_centers_[chosen]) ** 2, axis=1)
        central = members[np.argsort(rounded(squared), kind="stable")[:EXAMPLES]]
        rows += central.tolist()
        groups += [group] * len(central)
    order = np.argsort(rows, kind="stable")
    weight = np.append(placed.weight, np.ones(len(rows) - len(placed.rows)))
    return PlacedRows(
        np.array(rows)[order],
        np.array(groups)[order],
        weight[order],
        max(groups) + 1,
        placed.n_answered,
    )
