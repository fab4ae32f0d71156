"""The shortest pairs between a set of rows and all others."""

from __future__ import annotations

from typing import Any

import numpy as np

from pairspace._core.neighbors._nearest import nearest_among
from pairspace._core.typing import Bools, Ints

FIRST = 8  # neighbours that each row asks for


def shortest_pairs(X: Any, inside: Bools, n_pairs: int) -> Ints:
    """The shortest pairs (i, j) with i inside and j outside, the shortest first. Exact.

    Equal distances are ordered by i, then by j. Fewer are returned if there are no more.

    Examples
    --------
    >>> shortest_pairs([[0.0], [1.0], [3.0]], np.array([True, False, False]), 2).tolist()
    [[0, 1], [0, 2]]
    """
    X = np.asarray(X) if isinstance(X, list) else X
    rows, others = np.flatnonzero(inside), np.flatnonzero(~inside)
    if not len(rows) or not len(others):
        return np.empty((0, 2), dtype=np.int64)
    pairs = np.empty((0, 2), dtype=np.int64)
    squared = np.empty(0)
    asking, width = rows, FIRST
    while len(asking):
        width = min(width, len(others))
        found, distance = nearest_among(X[others], X[asking], width)
        # Those that ask again find the same pairs, and more.
        rest = ~np.isin(pairs[:, 0], asking)
        again = np.column_stack([np.repeat(asking, width), others[found].ravel()])
        pairs = np.vstack([pairs[rest], again])
        squared = np.concatenate([squared[rest], distance.ravel()])
        first = np.lexsort((pairs[:, 1], pairs[:, 0], squared))[:n_pairs]
        pairs, squared = pairs[first], squared[first]
        # A row may have more pairs among the shortest than it asked for.
        complete = len(pairs) == n_pairs
        limit = squared[-1] if complete else np.inf
        asking = asking[distance[:, -1] <= limit] if width < len(others) else asking[:0]
        width *= 2
    return pairs
