"""The covariance of neighbours, from all rows or from a sample of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pairspace._core.data import Rows
from pairspace._core.graphs import Edges
from pairspace._core.neighbors import QuerySearch, nearest, neighbor_edges
from pairspace._core.typing import Floats

ALL_TO = 5_000  # rows: for so few, "auto" takes the neighbours of all
FIRST, MOST = 1_000, 8_000  # queries of "auto"
TOLERANCE = 0.3  # the standard error, as a share of the covariance, at which "auto" stops
N_BATCHES = 8  # of the first queries, whose covariances differ by the error
# Rows to search for the neighbours of a query: products with a thousand queries then take about
# twice as long as XᵀX.
AMONG_VALUES, AMONG_MOST, AMONG_SHARE = 2_000_000, 50_000, 1 / 400


class Near(NamedTuple):
    """The covariance of differences of neighbours, over √2, and how it was found."""

    covariance: Floats
    n_queries: int | None  # None is all rows
    error: float  # standard error in Frobenius norm, as a share of that of the covariance


def near_covariance(
    Z: Rows, n_neighbors: int, n_queries: int | str | None, random: np.random.RandomState
) -> Near:
    """The mean of δδᵀ, δ = (x_i − x_j)/√2, over the edges of the graph of nearest neighbours.

    With all rows, each edge counts once. With ``n_queries`` rows, drawn at random, all their
    neighbours count: an edge in both directions counts as two. "auto" is all of 5,000 rows; of more
    rows it is 1,000, and twice as many until the standard error is below 0.3 of it, at most 8,000.
    """
    n = len(Z)
    few = n <= ALL_TO if n_queries == "auto" else n_queries is None or int(n_queries) >= n
    if few:
        pairs = neighbor_edges(nearest(Z.values, n_neighbors, random_state=random))
        weight = np.full(len(pairs), 0.5 / len(pairs))
        return Near(Edges(n, pairs, weight).scatter(Z), None, 0.0)
    first = FIRST if n_queries == "auto" else int(n_queries or n)
    sample = random.permutation(n)[: max(_rows_to_search(n, Z.shape[1]), first)]
    search = QuerySearch(Z.values[sample], Z.mean)
    k = min(n_neighbors, len(sample) - 1)
    batches: list[Floats] = []
    size = max(first // N_BATCHES, 1)
    at_most = min(MOST, len(sample)) if n_queries == "auto" else first
    done, goal = 0, first
    while True:
        queries = np.arange(done, goal)
        neighbors = search.nearest(queries, k)
        # Of equal size, so that they differ by chance alone.
        for some in np.array_split(queries, max(len(queries) // size, 1)):
            i, j = np.repeat(some, k), neighbors[some - done].ravel()
            weight = np.full(len(i), 0.5 / len(i))
            batches.append(Edges(n, sample[np.column_stack([i, j])], weight).scatter(Z))
        done, goal = goal, min(2 * goal, at_most)
        mean = np.mean(batches, axis=0)
        error = _standard_error(batches, mean)
        if error <= TOLERANCE or done == goal:
            return Near(mean, done, error)


def _rows_to_search(n: int, d: int) -> int:
    return min(n, int(max(min(AMONG_VALUES / d, AMONG_MOST), AMONG_SHARE * n * d)))


def _standard_error(batches: list[Floats], mean: Floats) -> float:
    """Of the mean of the batches, as a share of it, in Frobenius norm."""
    size = float(np.linalg.norm(mean))
    if len(batches) < 2 or not size:
        return 0.0
    squared = sum(float(np.sum((each - mean) ** 2)) for each in batches)
    return float(np.sqrt(squared / (len(batches) * (len(batches) - 1)))) / size
