"""Rows whose group is in doubt: many rows around them are, too, and they are apart."""

from __future__ import annotations

import numpy as np
from sklearn.cluster import KMeans

from pairspace._core.rounding import rounded
from pairspace._core.threads import one_thread
from pairspace._core.typing import Floats, Ints
from pairspace.cluster.groups import Groups
from pairspace.cluster.panel import PanelTable


def doubtful_rows(table: PanelTable, groups: Groups, n: int, random: np.random.RandomState) -> Ints:
    """Rows of a table to ask about next, the most important first; none before rows are placed.

    The doubt of a row is the square of 1 − the difference of its two largest probabilities, times
    the mean of the same over its nearest neighbours: an outlier in doubt says little about others.
    Weighted k-means finds n regions in doubt, and of each the row nearest to the centre for its
    doubt is taken.
    """
    placed = groups.placed.rows
    if not len(placed) or groups.n_groups < 2:
        return np.empty(0, dtype=np.int64)
    doubt = doubt_of(groups.probabilities)
    doubt[placed] = 0
    neighbours = table.standardised.affinities.astype(bool).astype(np.float64)
    around = neighbours @ doubt / np.maximum(neighbours.sum(axis=1), 1)
    weight = rounded(doubt * around)
    in_doubt = np.flatnonzero(weight > 0)
    if len(in_doubt) <= n:
        return in_doubt[np.argsort(-weight[in_doubt], kind="stable")]
    Z = table.standardised.rows[in_doubt]
    with one_thread():  # see cluster/regions.py
        found = KMeans(n, n_init=1, random_state=random).fit(Z, sample_weight=weight[in_doubt])
    squared = rounded(np.sum((Z - found.cluster_centers_[found.labels_]) ** 2, axis=1))
    cost = rounded(squared / weight[in_doubt])
    total = rounded(np.bincount(found.labels_, weight[in_doubt], minlength=n))
    chosen = []
    for region in np.argsort(-total, kind="stable"):
        members = np.flatnonzero(found.labels_ == region)
        if len(members):
            chosen.append(in_doubt[members[np.argmin(cost[members])]])
    return np.array(chosen, dtype=np.int64)


def doubt_of(P: Floats) -> Floats:
    """The square of 1 − the difference of the two largest probabilities of each row."""
    if P.shape[1] < 2:
        return np.ones(len(P))
    first_two = np.partition(P, -2, axis=1)[:, -2:]
    return np.asarray((1 - (first_two[:, 1] - first_two[:, 0])) ** 2)
