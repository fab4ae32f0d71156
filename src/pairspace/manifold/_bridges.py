"""The shortest edges that join what a graph leaves apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from sklearn.metrics import euclidean_distances

from pairspace._core.data import Rows, slices
from pairspace._core.typing import Ints

BLOCK = 4_000_000  # distances to hold at a time


def bridges(rows: Rows, pairs: Ints) -> Ints:
    """The pairs, and for each component the shortest edge to another until there is one.

    That is Borůvka's way to a shortest spanning tree of the components. The largest waits for the
    others to come: only the rows of the smaller ones ask for distances.
    """
    while True:
        n_parts, part = connected_components(_joined(len(rows), pairs), directed=False)
        if n_parts == 1:
            return pairs
        asked = np.flatnonzero(part != np.argmax(np.bincount(part)))
        nearest, distance = _nearest_elsewhere(rows, asked, part)
        # By component, then length; equal lengths by the rows, so that no circle closes.
        ends = np.sort(np.column_stack([asked, nearest]), axis=1)
        order = np.lexsort((ends[:, 1], ends[:, 0], distance, part[asked]))
        first = np.unique(part[asked][order], return_index=True)[1]
        pairs = np.unique(np.vstack([pairs, ends[order[first]]]), axis=0)


def _nearest_elsewhere(rows: Rows, asked: Ints, part: Ints) -> tuple[Ints, NDArray[np.float64]]:
    X = rows.values
    nearest = np.empty(len(asked), dtype=np.int64)
    distance = np.empty(len(asked))
    for block in slices(len(asked), BLOCK // len(rows)):
        some = asked[block]
        squared = euclidean_distances(X[some], X, squared=True)
        squared[part[some][:, None] == part] = np.inf
        nearest[block] = np.argmin(squared, axis=1)
        distance[block] = squared[np.arange(len(some)), nearest[block]]
    return nearest, distance


def _joined(n: int, pairs: Ints) -> csr_array:
    return csr_array((np.ones(len(pairs)), pairs.T.astype(np.int32)), shape=(n, n))
