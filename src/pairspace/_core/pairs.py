"""Pairs of rows as arrays of shape (n_pairs, 2): keys, duplicates, connected components."""

from __future__ import annotations

import math
from typing import TypeVar

import numpy as np
from numpy.random import RandomState
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from pairspace._core.typing import Bools, Ints

Count = TypeVar("Count", int, Ints)

MAX_ROWS = math.isqrt(2**63 - 1)  # whose pairs can be numbered in 64 bits
MAX_PAIRS = 10_000_000  # that are listed one by one: more take too much memory


def count_pairs(n: Count) -> Count:
    """The number of unordered pairs of ``n`` items."""
    return n * (n - 1) // 2


def pair_keys(pairs: Ints, n_samples: int) -> Ints:
    """One integer for each pair (i, j). Sorted keys are sorted pairs."""
    return pairs[:, 0] * n_samples + pairs[:, 1]


def unordered_pair_keys(pairs: Ints, n_samples: int) -> Ints:
    """One integer for each pair, the same for (i, j) and (j, i)."""
    i, j = pairs.T
    return np.minimum(i, j) * n_samples + np.maximum(i, j)


def pairs_of_keys(keys: Ints, n_samples: int) -> Ints:
    """The pairs of these keys."""
    return np.column_stack(np.divmod(keys, max(n_samples, 1)))


def unique_pairs(pairs: Ints, n_samples: int) -> Ints:
    """Each pair once, as i < j, sorted."""
    keys = np.sort(unordered_pair_keys(pairs, n_samples))  # np.unique is slower
    return pairs_of_keys(keys[np.diff(keys, prepend=-1) > 0], n_samples)


def component_of_rows(n_samples: int, links: Ints) -> Ints:
    """The connected component of each row, numbered by their first rows."""
    # SciPy's graph routines need 32-bit indices where these suffice.
    i, j = links.T.astype(np.int32 if n_samples < 2**31 else np.int64)
    ones = np.ones(len(links), dtype=np.int8)
    graph = coo_array((ones, (i, j)), shape=(n_samples, n_samples))
    return connected_components(graph, directed=False)[1].astype(np.int64)


def disjoint_links(
    links: Ints, taken: Bools, random: RandomState, at_most: int | None = None
) -> Ints:
    """Random links between rows that are not taken, no two of which share a row."""
    order, chosen = random.permutation(len(links))[:at_most], []
    is_taken = bytearray(taken.tobytes())  # one entry at a time is slow in NumPy
    for at, (i, j) in zip(order.tolist(), links[order].tolist(), strict=True):
        if not (is_taken[i] or is_taken[j]):
            is_taken[i] = is_taken[j] = True
            chosen.append(at)
    return links[chosen]


def row_range(n_samples: int) -> str:
    """The valid row numbers, for error messages."""
    return f"the rows 0 … {n_samples - 1}" if n_samples else "the data, which has no rows"
