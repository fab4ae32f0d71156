"""Clusters in which the answers hold: many small regions, joined as answers and distances say."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.metrics import pairwise_distances_argmin

from pairspace.active.knowledge import Knowledge

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MAX_GROUPS = 500  # that count, the largest: the table of distances is of the square of this


class Clusters(NamedTuple):
    """The region of each row, the centre of each region, and the cluster that it belongs to."""

    regions: Ints
    centres: Floats
    cluster_of_region: Ints


def clusters_of(
    Z: Floats, known: Knowledge, n_clusters: int, n_regions: int, random: np.random.RandomState
) -> Clusters:
    """Regions by k-means, joined to clusters by Ward's rule as far as the answers allow.

    An answer speaks for the regions of its two rows, not for these rows alone: regions with rows of
    one group are joined first, and those of groups that differ are not joined as long as there
    are others. A region with rows of several groups is divided among them.
    """
    k_means = KMeans(n_regions, n_init=1, random_state=random).fit(Z)
    groups = sorted(known.groups, key=lambda group: -len(known.members(group)))[:MAX_GROUPS]
    regions, group_of_region = _divided(
        Z, k_means.labels_.astype(np.int64), [np.array(known.members(group)) for group in groups]
    )
    differ = np.zeros((len(groups), len(groups)), dtype=bool)
    place = {group: at for at, group in enumerate(groups)}
    for group, at in place.items():
        differ[at, [place[other] for other in known.differs(group) if other in place]] = True

    # Regions of one group, and each of the others, are where joining starts.
    n_found = len(group_of_region)
    alone = len(groups) + np.arange(n_found)
    starts, part = np.unique(
        np.where(group_of_region < 0, alone, group_of_region), return_inverse=True
    )
    has_group = starts < len(groups)
    apart = np.zeros((len(starts), len(starts)), dtype=bool)
    apart[np.ix_(has_group, has_group)] = differ[np.ix_(starts[has_group], starts[has_group])]
    _, centres = _sizes_and_means(Z, regions, n_found)
    part_of_row = part[regions]
    joined = _joined(*_sizes_and_means(Z, part_of_row, len(starts)), apart, n_clusters)
    return Clusters(regions, centres, joined[part])


def _divided(Z: Floats, regions: Ints, groups: list[Ints]) -> tuple[Ints, Ints]:
    """Regions that each have rows of one group at most, and that group, or −1."""
    divided = np.full(len(Z), -1)
    group_of_region: list[int] = []
    asked = np.concatenate([np.empty(0, dtype=np.int64), *groups])
    group = np.repeat(np.arange(len(groups)), [len(members) for members in groups])
    for region in range(regions.max() + 1):
        rows = np.flatnonzero(regions == region)
        inside = regions[asked] == region
        owner = np.full(len(rows), -1)
        if inside.any():
            owner = group[inside][pairwise_distances_argmin(Z[rows], Z[asked[inside]])]
            owner[np.searchsorted(rows, asked[inside])] = group[inside]  # rows may coincide
        for one in np.unique(owner).tolist():
            divided[rows[owner == one]] = len(group_of_region)
            group_of_region.append(one)
    return divided, np.array(group_of_region)


def _joined(size: Floats, means: Floats, apart: NDArray[np.bool_], n_clusters: int) -> Ints:
    """The cluster of each part: the two whose joining costs least are joined, again and again.

    The cost is by how much the squares about the means grow. Parts that are to stay apart are only
    joined where there is nothing else to join.
    """
    size, means, apart = size.copy(), means.copy(), apart.copy()
    label = np.arange(len(size))

    def cost(at: int) -> Floats:
        found = np.sum((means - means[at]) ** 2, axis=1) * size * size[at] / (size + size[at])
        return np.asarray(np.where((size > 0) & (np.arange(len(size)) != at), found, np.inf))

    costs = np.array([cost(at) for at in range(len(size))])
    for _ in range(len(size) - n_clusters):
        allowed = np.where(apart, np.inf, costs)
        if np.isinf(allowed).all():
            allowed = costs
        one, other = divmod(int(np.argmin(allowed)), len(size))
        total = size[one] + size[other]
        means[one] = (size[one] * means[one] + size[other] * means[other]) / total
        size[one], size[other] = total, 0
        label[label == other] = one
        apart[one] |= apart[other]
        apart[:, one] |= apart[:, other]
        costs[other] = costs[:, other] = np.inf
        costs[one] = costs[:, one] = cost(one)
    return np.unique(label, return_inverse=True)[1].astype(np.int64)


def _sizes_and_means(Z: Floats, labels: Ints, n_labels: int) -> tuple[Floats, Floats]:
    size = np.bincount(labels, minlength=n_labels).astype(np.float64)
    sums = np.column_stack([np.bincount(labels, column, minlength=n_labels) for column in Z.T])
    return size, sums / np.maximum(size, 1)[:, None]
