"""The shortest edges between the connected components of a graph."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import euclidean_distances

from pairspace._core.data import Rows, slices
from pairspace._core.pairs import component_of_rows, unique_pairs
from pairspace._core.typing import Floats, Ints

BLOCK = 4_000_000  # distances to hold at a time


def with_bridges(rows: Rows, pairs: Ints) -> Ints:
    """The pairs, and the edges of a shortest spanning tree between their components.

    This is Borůvka's algorithm: each component gets its shortest edge to another one, until a
    single component is left. The largest component is skipped, as it is joined by the others.
    Distances are computed from the rows of the smaller components only.
    """
    while True:
        component = component_of_rows(len(rows), pairs)
        if not component.any():
            return pairs
        some = np.flatnonzero(component != np.argmax(np.bincount(component)))
        nearest, distance = _nearest_in_other_components(rows, some, component)
        # By component, then length; equal lengths by row, so that no cycle is made.
        ends = np.sort(np.column_stack([some, nearest]), axis=1)
        order = np.lexsort((ends[:, 1], ends[:, 0], distance, component[some]))
        first = np.unique(component[some][order], return_index=True)[1]
        pairs = unique_pairs(np.vstack([pairs, ends[order[first]]]), len(rows))


def _nearest_in_other_components(rows: Rows, some: Ints, component: Ints) -> tuple[Ints, Floats]:
    X = rows.values
    nearest = np.empty(len(some), dtype=np.int64)
    distance = np.empty(len(some))
    for block in slices(len(some), BLOCK // len(rows)):
        queries = some[block]
        squared = euclidean_distances(X[queries], X, squared=True)
        squared[component[queries][:, None] == component] = np.inf
        nearest[block] = np.argmin(squared, axis=1)
        distance[block] = squared[np.arange(len(queries)), nearest[block]]
    return nearest, distance
