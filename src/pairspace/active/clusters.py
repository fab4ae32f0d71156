"""k-means that starts from the groups the answers have made, and keeps them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.metrics import euclidean_distances

from pairspace.active.knowledge import Knowledge

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MAX_ITER = 100
N_INIT = 5


def seeded_clusters(
    Z: Floats, known: Knowledge, n_clusters: int, random: np.random.RandomState
) -> tuple[Floats, Ints]:
    """The centres and the cluster of each row.

    The rows of a group are in one cluster, and groups that differ in two as long as there are
    clusters left. It starts from the means of groups, far from each other and large ones first;
    where there are too few of them, from those of plain k-means that are farthest from them.
    """
    groups = [np.array(known.members(group)) for group in known.groups]
    plain = KMeans(n_clusters, n_init=N_INIT, random_state=random).fit(Z)
    if not groups:
        return plain.cluster_centers_, plain.labels_.astype(np.int64)
    means = np.array([Z[members].mean(axis=0) for members in groups])
    sizes = np.array([len(members) for members in groups])
    position = {group: at for at, group in enumerate(known.groups)}
    differ = np.zeros((len(groups), len(groups)), dtype=bool)
    for group, at in position.items():
        differ[at, [position[other] for other in known.differs(group)]] = True

    centres = _start(means, sizes, differ, plain.cluster_centers_)
    labels = np.full(len(Z), -1)
    for _ in range(MAX_ITER):
        before, labels = labels, euclidean_distances(Z, centres, squared=True).argmin(axis=1)
        of_group = _placed(means, sizes, differ, centres)
        for members, cluster in zip(groups, of_group, strict=True):
            labels[members] = cluster
        if np.array_equal(before, labels):
            break
        centres = _means(Z, labels, centres)
    return centres, labels.astype(np.int64)


def _start(means: Floats, sizes: Ints, differ: NDArray[np.bool_], plain: Floats) -> Floats:
    """One group after another: those known to differ from all before, then the farthest."""
    chosen: list[int] = []
    distance = np.full(len(means), np.inf)
    while len(chosen) < min(len(plain), len(means)):
        new = differ[chosen].all(axis=0) & (distance > 0)
        if not new.any():
            break
        score = np.where(new, sizes, -1.0)
        best = np.flatnonzero(score == score.max())
        pick = int(best[np.argmax(distance[best])]) if chosen else int(best[0])
        chosen.append(pick)
        distance = np.minimum(distance, euclidean_distances(means, means[[pick]]).ravel())
    centres = list(means[chosen])
    left = np.ones(len(plain), dtype=bool)
    while len(centres) < len(plain):
        far = euclidean_distances(plain, np.array(centres)).min(axis=1)
        pick = int(np.argmax(np.where(left, far, -1.0)))
        left[pick] = False
        centres.append(plain[pick])
    return np.array(centres)


def _placed(means: Floats, sizes: Ints, differ: NDArray[np.bool_], centres: Floats) -> Ints:
    """The cluster of each group, large ones first: the nearest without one that it differs from."""
    distance = euclidean_distances(means, centres, squared=True)
    placed = np.full(len(means), -1)
    for at in np.argsort(-sizes, kind="stable"):
        taken = np.unique(placed[differ[at] & (placed >= 0)])
        free = distance[at].copy()
        if len(taken) < len(centres):
            free[taken] = np.inf
        placed[at] = int(np.argmin(free))
    return placed


def _means(Z: Floats, labels: Ints, centres: Floats) -> Floats:
    size = np.bincount(labels, minlength=len(centres))
    sums = np.zeros_like(centres)
    np.add.at(sums, labels, Z)
    return np.where(size[:, None] > 0, sums / np.maximum(size, 1)[:, None], centres)
