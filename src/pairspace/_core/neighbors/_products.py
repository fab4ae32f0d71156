"""Nearest neighbours by matrix products in single precision."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import (
    euclidean_distances,
    pairwise_distances_argmin,
    pairwise_distances_argmin_min,
)

from pairspace._core.data import slices, squared_norms
from pairspace._core.neighbors._threads import own_threads
from pairspace._core.typing import Floats, Ints

TILE = 1_024  # rows and columns of a block of distances


class ProductSearch:
    """Brute-force search by matrix products, as ``NearestNeighbors``, that skips far cells.

    A cell has the rows nearest to one of some centres. The cells nearest to a query give an upper
    bound on the distance of its neighbours. Other cells are skipped if the triangle inequality,
    |x − p| ≥ |x − c| − |p − c|, shows that all their rows are beyond the bound.
    """

    def __init__(self, points: Floats) -> None:
        self._scale = float(np.abs(points).max()) or 1.0  # squares must not overflow
        points = points / self._scale
        self._centres = _centres(points)
        cell, distance = pairwise_distances_argmin_min(points, self._centres)
        self._order = np.argsort(cell, kind="stable")
        self._sizes = np.bincount(cell, minlength=len(self._centres))
        self._starts = np.cumsum(self._sizes) - self._sizes
        self._radius = np.zeros(len(self._centres))
        np.maximum.at(self._radius, cell, distance)
        ordered = points[self._order].astype(np.float32)
        # |p|²/2 − x·p is the product of (p, |p|²/2) and (−x, 1)
        self._points = np.column_stack([ordered, squared_norms(ordered) / 2])

    def kneighbors(self, queries: Floats, width: int) -> tuple[Floats, Ints]:
        queries = queries / self._scale
        distance, found = np.empty((len(queries), width)), np.empty((len(queries), width), np.int64)
        cell = pairwise_distances_argmin(queries, self._centres)
        order = np.argsort(cell, kind="stable")
        parts = np.split(order, np.flatnonzero(np.diff(cell[order])) + 1)

        def work(rows: Ints) -> None:
            values, columns = self._smallest(queries[rows], width)
            found[rows] = self._order[columns]
            squared = np.maximum(2 * values + squared_norms(queries[rows])[:, None], 0)
            distance[rows] = self._scale * np.sqrt(squared)

        # Own threads, as BLAS would run only the products in parallel.
        with own_threads() as pool:
            blocks = [part[block] for part in parts for block in slices(len(part), TILE // 2)]
            list(pool.map(work, blocks))
        return distance, found

    def _smallest(self, rows: Floats, width: int) -> tuple[Floats, Ints]:
        """The smallest |p|²/2 − x·p of each row, ascending, and their columns."""
        opposite = np.column_stack([-rows, np.ones(len(rows))]).astype(np.float32)
        to_centres = euclidean_distances(rows, self._centres)
        cells = np.argsort(to_centres.sum(axis=0))
        enough = 1 + np.searchsorted(np.cumsum(self._sizes[cells]), max(TILE // 4, 4 * width))
        near = self._columns(cells[:enough])
        values = opposite @ self._points[near].T
        chosen = np.argpartition(values, width - 1, axis=1)[:, :width]
        best = [np.take_along_axis(values, chosen, axis=1)]
        columns = [near[chosen]]
        limit = best[0].max(axis=1, keepdims=True)
        bound = np.sqrt(np.maximum(2 * limit.astype(np.float64) + squared_norms(rows)[:, None], 0))
        within_bound = to_centres[:, cells[enough:]] - self._radius[cells[enough:]] <= bound + 1e-5
        rest = self._columns(cells[enough:][within_bound.any(axis=0)])
        for tile in slices(len(rest), 2 * TILE):
            values = opposite @ self._points[rest[tile]].T
            value, column = _padded(values, np.flatnonzero(values <= limit))
            best.append(value)
            columns.append(rest[tile][column])
        values, found = np.hstack(best), np.hstack(columns)
        chosen = np.argpartition(values, width - 1, axis=1)[:, :width]
        order = np.argsort(np.take_along_axis(values, chosen, axis=1), axis=1)
        chosen = np.take_along_axis(chosen, order, axis=1)
        return (
            np.take_along_axis(values, chosen, axis=1).astype(np.float64),
            np.take_along_axis(found, chosen, axis=1),
        )

    def _columns(self, cells: Ints) -> Ints:
        """The positions of the rows of some cells."""
        sizes, starts = self._sizes[cells], self._starts[cells]
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return np.repeat(starts, sizes) + within


def _centres(points: Floats) -> Floats:
    """√n centres, by a few steps of k-means on a sample. They affect the time, not the result."""
    n_cells = int(np.sqrt(len(points)))
    sample = np.random.RandomState(0).permutation(len(points))[: 32 * n_cells]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # raised for duplicate rows
        k_means = KMeans(n_cells, init="random", n_init=1, max_iter=3, random_state=0)
        return k_means.fit(points[sample]).cluster_centers_


def _padded(values: Any, at: Ints) -> tuple[Any, Ints]:
    """The entries at some flat positions, one row each, padded: their values and columns."""
    row, column = np.divmod(at, values.shape[1])
    count = np.bincount(row, minlength=len(values))
    place = np.arange(len(at)) - np.repeat(np.cumsum(count) - count, count)
    shape = len(values), int(count.max(initial=0))
    padded, columns = np.full(shape, np.inf, dtype=values.dtype), np.zeros(shape, dtype=np.int64)
    padded[row, place], columns[row, place] = values.ravel()[at], column
    return padded, columns
