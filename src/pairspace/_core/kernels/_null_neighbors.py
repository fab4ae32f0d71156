"""Nearest neighbours in the null space of an RBF kernel, and its largest distance.

d̂ is the distance in the null space. For few points all distances are computed, in blocks. For many,
candidates come from Nyström coordinates, from the input space, from the points with the smallest
norms, and from the neighbours of neighbours. The candidates are then ranked by d̂. For some of the
rows all their distances are computed, in single precision to find the candidates. Memory is linear
in the number of points.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pairspace._core.data import Rows, rows_of, slices
from pairspace._core.kernels._null_products import NullProducts
from pairspace._core.kernels._null_space import ROUNDING, KernelNullSpace
from pairspace._core.linalg import top
from pairspace._core.neighbors import nearest, neighbor_edges
from pairspace._core.rounding import TIE, tied
from pairspace._core.typing import Floats, Ints

EXACT_UP_TO = 8_000  # points: all distances take a few seconds
CANDIDATES = 16  # for each neighbour, by Nyström coordinates
EXTRA_CANDIDATES = 4  # for each neighbour, by input distance, and by smallest norm
SPARE = 3  # extra neighbours, whose neighbours are candidates, too
N_LANDMARKS = 1_000  # besides the linked rows
N_COORDINATES = 64  # the leading principal components of the Nyström coordinates
SAMPLE = 2_000  # points for these principal components
STARTS = 4  # start points of the search for the largest distance
BLOCK = 2_000_000  # numbers to hold at a time
DOUBTFUL = 0.01  # share of d̂²: if rounding may be more, double precision


class NullGraph(NamedTuple):
    """The pairs of nearest neighbours, their d̂, and the largest d̂ of all pairs of rows."""

    pairs: Ints
    distances: Floats
    largest: float


def null_graph(
    space: KernelNullSpace,
    rows: Rows,
    n_neighbors: int,
    random: np.random.RandomState,
    asked: Ints | None = None,
) -> NullGraph:
    """The graph of nearest neighbours by d̂; ties are broken by input distance, then by index.

    Ties are common, as all rows of a component of must-links are one point. A row has
    ``min(n_neighbors, n − 1)`` neighbours. If only some rows are asked for theirs, each pair has
    the row that was asked first, and pairs of two that were asked may occur in both directions.
    """
    search = NullSearch(space, rows)
    n_neighbors = int(n_neighbors)
    k, n_of_row = min(n_neighbors, len(space) - 1), min(n_neighbors, len(rows) - 1)
    if asked is not None:
        points = np.unique(space.component[asked])
        found = search.rows_of_points(search.nearest(points, k), n_of_row, points, asked)
        pairs = np.column_stack([np.repeat(asked, n_of_row), found.ravel()])
        largest = search.largest(random)
    else:
        if len(space) <= EXACT_UP_TO:
            near, largest = search.exact(k)
        else:
            near, largest = search.fast(k, random), search.largest(random)
        every = np.arange(len(space)), np.arange(len(rows))
        pairs = neighbor_edges(search.rows_of_points(near, n_of_row, *every))
    ends = space.component[pairs]
    distances = np.sqrt(search.squared(ends[:, 0], ends[:, 1]))
    return NullGraph(pairs, distances, max(largest, float(distances.max(initial=0.0))))


class NullSearch:
    """Searches for neighbours among the points of a null space."""

    def __init__(self, space: KernelNullSpace, rows: Rows) -> None:
        self._space = space
        self._rows = rows
        self._squares = -np.einsum("ij,ij->i", space.G, space.G)  # K̂_ii, as K_ii is 0
        # ``squared`` is a difference: it has the rounding of the kernel, however small it is.
        self._noise = TIE * float(np.abs(self._squares).max())

    def squared(self, i: Ints, j: Ints) -> Floats:
        """d̂² of pairs of points: −2K_ij − ‖G_i − G_j‖², from differences."""
        space, pairs = self._space, np.column_stack([i, j])
        lengths = self._rows.squared_lengths(space.rows[pairs])
        kernel = -2 * np.expm1(-space.gamma * lengths)
        squared = kernel.copy()
        if space.G.size:
            squared -= rows_of(space.G).squared_lengths(pairs)
        # A row that equals one of a component is at its point: what is left is rounding.
        return np.where((i == j) | (squared <= ROUNDING * kernel), 0.0, squared)

    def from_some(self, some: Any) -> Floats:
        """d̂² of some points to all, less accurate than ``squared``."""
        squared = self._space.products(some)
        squared *= -2
        squared += self._squares
        squared += self._squares[some][:, None]
        return squared

    def exact(self, k: int) -> tuple[Ints, float]:
        n, largest = len(self._space), 0.0
        width = min(CANDIDATES * max(k, 1), n)
        candidates = np.empty((n, width), dtype=np.int64)
        for block in slices(n, BLOCK // n):
            squared = self.from_some(block)
            largest = max(largest, float(squared.max()))
            candidates[block] = np.argpartition(squared, width - 1, axis=1)[:, :width]
        return self.ranked(np.arange(n), candidates, k), self._root(largest)

    def _root(self, largest: float) -> float:
        """The largest d̂; what may be rounding is 0."""
        noise = ROUNDING * float(np.abs(self._squares).max())
        return float(np.sqrt(largest)) if largest > noise else 0.0

    def nearest(self, points: Ints, k: int) -> Ints:
        """The k nearest of some points, from their distances to all."""
        products = NullProducts(self._space)
        if products.usable:
            found = self.ranked(points, products.candidates(points, k), k)
            kth = self.squared(points, found[:, -1]) if k else np.zeros(len(points))
            doubtful = np.flatnonzero((products.noise(points) > DOUBTFUL * kth) & (kth > 0))
        else:
            found, doubtful = np.empty((len(points), k), dtype=np.int64), np.arange(len(points))
        width = min(CANDIDATES * max(k, 1), len(self._space))
        for block in slices(len(doubtful), BLOCK // len(self._space)):
            some = doubtful[block]
            squared = self.from_some(points[some])
            candidates = np.argpartition(squared, width - 1, axis=1)[:, :width]
            found[some] = self.ranked(points[some], candidates, k)
        return found

    def fast(self, k: int, random: np.random.RandomState) -> Ints:
        space = self._space
        known = space.landmark_map(_some(len(self._rows), N_LANDMARKS, random))
        sample = known(space.points[_some(len(space), SAMPLE, random)])
        n_coordinates = min(N_COORDINATES, sample.shape[1])
        known.rotate(top(sample.T @ sample, n_coordinates).vectors)
        by_coordinates = nearest(known(space.points), CANDIDATES * k, random_state=random)
        # With a narrow kernel most landmarks have kernel values near 0. Then d̂ is close to the
        # input distance, and rows far from all others are nearest to the points of smallest norm.
        by_distance = nearest(space.points, EXTRA_CANDIDATES * k, random_state=random)
        shortest = np.argsort(self._squares, kind="stable")[: EXTRA_CANDIDATES * k]
        shortest = np.broadcast_to(shortest, (len(space), len(shortest)))
        points = np.arange(len(space))
        candidates = np.hstack([by_coordinates, by_distance, shortest])
        found = self.ranked(points, candidates, k + SPARE)
        of_neighbors = found[found].reshape(len(found), -1)
        return self.ranked(points, np.hstack([found, of_neighbors]), k)

    def ranked(self, points: Ints, candidates: Ints, k: int) -> Ints:
        """The k nearest candidates of each point by d̂², without itself and without duplicates."""
        found = np.empty((len(candidates), k), dtype=np.int64)
        for block in slices(len(candidates), BLOCK // candidates.shape[1]):
            some = np.sort(candidates[block], axis=1)
            point = points[block]
            squared = self.squared(np.repeat(point, some.shape[1]), some.ravel())
            squared = squared.reshape(some.shape)
            squared[some == point[:, None]] = np.inf
            squared[:, 1:][some[:, 1:] == some[:, :-1]] = np.inf
            first = np.argsort(tied(squared, self._noise), axis=1, kind="stable")[:, :k]
            found[block] = np.take_along_axis(some, first, axis=1)
        return found

    def largest(self, random: np.random.RandomState) -> float:
        """A lower bound: from a few points, jump to the farthest one until the distance stays."""
        at = _some(len(self._space), STARTS, random)
        best = -1.0
        while True:
            squared = self.from_some(at)
            at = np.argmax(squared, axis=1)
            if squared.max() <= best:
                return self._root(best)
            best = float(squared.max())

    def rows_of_points(self, near: Ints, k: int, points: Ints, asked: Ints) -> Ints:
        """The k nearest rows of each row that is asked, from the nearest points of some points.

        These points are those of the rows, ascending.
        """
        space = self._space
        if len(space) == len(self._rows):
            return near
        row, other = self._rows_to_rows(near, k, points, asked)
        point, other_point = space.component[row], space.component[other]
        squared = self.squared(point, other_point)
        lengths = self._rows.squared_lengths(np.column_stack([row, other]))
        order = np.lexsort((other, tied(lengths), tied(squared, self._noise), row))
        count = np.bincount(row, minlength=len(self._rows))[asked]
        start = np.cumsum(count) - count
        return other[order[start[:, None] + np.arange(k)]]

    def _rows_to_rows(self, near: Ints, k: int, points: Ints, asked: Ints) -> tuple[Ints, Ints]:
        """Each row with candidates for its neighbours, at most k + 1 from each point."""
        space = self._space
        at = np.searchsorted(points, space.component[asked])
        near = np.column_stack([points, near])[at]
        row, point = np.repeat(asked, near.shape[1]), near.ravel()
        single = space.sizes[point] == 1
        ones, others = [row[single]], [space.rows[point[single]]]
        row, point = row[~single], point[~single]
        order = np.argsort(point, kind="stable")
        for of_point in np.split(order, np.flatnonzero(np.diff(point[order])) + 1):
            if len(of_point):
                members = np.flatnonzero(space.component == point[of_point[0]])
                one, other = self._nearest_members(row[of_point], members, k)
                ones.append(one)
                others.append(other)
        row, other = np.concatenate(ones), np.concatenate(others)
        return row[row != other], other[row != other]

    def _nearest_members(self, row: Ints, members: Ints, k: int) -> tuple[Ints, Ints]:
        """Each row with the k + 1 members nearest to it, of which one may be the row itself."""
        if len(members) <= k + 1:
            return np.repeat(row, len(members)), np.tile(members, len(row))
        found = np.empty((len(row), k + 1), dtype=np.int64)
        for block in slices(len(row), BLOCK // len(members)):
            some = row[block]
            pairs = np.column_stack([np.repeat(some, len(members)), np.tile(members, len(some))])
            lengths = self._rows.squared_lengths(pairs).reshape(len(some), -1)
            found[block] = members[np.argsort(lengths, axis=1, kind="stable")[:, : k + 1]]
        return np.repeat(row, k + 1), found.ravel()


def _some(n: int, at_most: int, random: np.random.RandomState) -> Ints:
    return np.sort(random.choice(n, min(at_most, n), replace=False))
