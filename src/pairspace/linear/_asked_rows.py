"""The rows that DSP asks for their nearest and farthest rows: all, or some drawn at random."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairspace._core.data import Rows
from pairspace._core.neighbors import farthest, neighbor_edges
from pairspace._core.typing import Floats, Ints

ALL_TO = 8_000  # rows: "auto" asks all of so few
LEAST = 2_000  # rows that "auto" draws of more,
OF_FEATURE = 20  # and for each feature: with too few the smallest eigenvalues become too small


class AskedRows(NamedTuple):
    """The rows that are asked, ascending, and how many rows each of them stands for."""

    rows: Ints | None  # None is all rows
    n_drawn: int | None
    counts: Floats | None

    def weight(self, pairs: Ints) -> Floats:
        """How often each pair counts, if its first row was asked."""
        return np.ones(len(pairs)) if self.counts is None else self.counts[pairs[:, 0]]


def asked_rows(
    shape: tuple[int, int],
    linked: NDArray[np.bool_],
    n_queries: int | str | None,
    random: np.random.RandomState,
) -> AskedRows:
    """All rows; or all that are linked, and some drawn of the others."""
    n, d = shape
    n_others = n - int(np.count_nonzero(linked))
    if n_queries == "auto":
        n_drawn = n if n <= ALL_TO else max(LEAST, OF_FEATURE * d)
    else:
        n_drawn = n if n_queries is None else int(n_queries)
    if n_drawn >= n_others:
        return AskedRows(None, None, None)
    drawn = random.choice(np.flatnonzero(~linked), n_drawn, replace=False)
    counts = linked.astype(np.float64)
    counts[drawn] = n_others / n_drawn
    return AskedRows(np.flatnonzero(counts), n_drawn, counts)


def far_pairs(Z: Rows, n_neighbors: int, asked: AskedRows) -> tuple[Ints, float]:
    """Pairs of each row that is asked and a farthest row, and the largest distance of two rows.

    For all rows each pair is in once. For some, the largest distance is a lower bound: from the
    farthest rows found, jump to their farthest, until it stays.
    """
    if asked.rows is None:
        return neighbor_edges(farthest(Z.values, n_neighbors)), 0.0
    found = farthest(Z.values, n_neighbors, asked.rows)
    pairs = np.column_stack([np.repeat(asked.rows, found.shape[1]), found.ravel()])
    largest = -1.0
    while True:
        ends = np.unique(found[:, 0])
        found = farthest(Z.values, 1, ends)
        distance = np.sqrt(Z.squared_lengths(np.column_stack([ends, found[:, 0]])).max())
        if distance <= largest:
            return pairs, largest
        largest = float(distance)
