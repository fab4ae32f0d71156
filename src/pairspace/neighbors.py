"""Nearest and farthest rows, in one order: by distance, and equal distances by index.

Searches find candidates quickly and with rounding; the candidates' distances are then computed
again from differences, in float64, and only these decide. So duplicates and grids give the same
answer every time, and where a tie may reach beyond the candidates more of them are asked for.
Memory is linear in the number of rows.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from importlib.util import find_spec
from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import (
    euclidean_distances,
    pairwise_distances_argmin,
    pairwise_distances_argmin_min,
)
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_array, check_random_state

from pairspace.rows import DenseRows, rows_of, slices
from pairspace.threads import own_threads

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

APPROXIMATE_FROM = 50_000  # rows: below, the exact search takes seconds
SPARE = 6  # candidates beyond those asked for: a tie past them costs a second search
MORE = 4  # times as many candidates where a tie reached past them
RECALL = 0.99  # that the approximate search aims at, measured on a sample of the rows
SAMPLE = 500  # rows to measure it on
TREE_TO = 15  # features: up to here scikit-learn searches trees, which no product beats
PRODUCTS_FROM = 12_000  # rows: below, scikit-learn is faster
WORTHWHILE = 0.25  # of all cells: where more must be searched, the exact search is as fast
BLOCK = 1_000_000  # numbers to hold at a time
TILE = 1_024  # rows whose distances to as many others are looked at together


def nearest(
    X: Any,
    n_neighbors: int,
    *,
    method: Literal["auto", "exact", "approximate"] = "auto",
    random_state: Any = None,
) -> Ints:
    """The nearest other rows of each row by Euclidean distance, the nearest first.

    Equal distances are ordered by index. There are ``min(n_neighbors, n − 1)`` columns.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, d)
        The data.
    n_neighbors : int
        How many neighbours a row gets, if there are that many other rows.
    method : {"auto", "exact", "approximate"}, default="auto"
        "approximate" finds about 99 % of the neighbours through faiss, which
        ``pip install 'pairspace[neighbors]'`` brings, on dense data; on data without structure,
        where that would save no time, it searches exactly. "auto" takes it for more than
        50,000 dense rows if faiss is installed.
    random_state : int, RandomState instance or None, default=None
        Where the cells of the approximate search start. With an int the result is the same
        every time.

    Examples
    --------
    >>> nearest([[0.0], [1.0], [3.0]], 1).ravel()
    array([1, 0, 1])
    """
    X, k = _checked(X, n_neighbors)
    if method not in ("auto", "exact", "approximate"):
        raise ValueError(f"method={method!r}: it is 'auto', 'exact' or 'approximate'")
    if method == "approximate" and issparse(X):
        raise ValueError("method='approximate' needs dense X; for sparse X take method='exact'")
    if (
        method == "auto"
        and X.shape[0] > APPROXIMATE_FROM
        and not issparse(X)
        and find_spec("faiss")
    ):
        method = "approximate"
    if method == "approximate":
        return _approximate(X, k, random_state)
    return _exact(X, k, np.arange(X.shape[0]))


def nearest_among(X: Any, asked: Any, n_neighbors: int) -> tuple[Ints, Floats]:
    """The rows of X nearest to other rows, the nearest first, and their squared distances. Exact.

    Equal distances are ordered by index. There are ``min(n_neighbors, n)`` columns. A row that is
    in X, digit by digit, has the distance 0.

    Examples
    --------
    >>> nearest_among([[0.0], [1.0], [3.0]], [[2.5], [1.0]], 1)
    (array([[2],
           [1]]), array([[0.25],
           [0.  ]]))
    """
    X, _ = _checked(X, n_neighbors)
    asked = check_array(asked, accept_sparse="csr", dtype=(np.float64, np.float32))
    if issparse(X) != issparse(asked):
        X, asked = csr_array(X), csr_array(asked)
    rows = np.arange(asked.shape[0])
    found = _exact(X, min(int(n_neighbors), X.shape[0]), rows, asked)
    return found, _squared_distances(X, asked, found)


def farthest(X: Any, n_neighbors: int) -> Ints:
    """The farthest other rows of each row by Euclidean distance, the farthest first. Exact.

    Equal distances are ordered by index. There are ``min(n_neighbors, n − 1)`` columns.

    About the centre c, d(x, p) ≤ |x − c| + |p − c|. So rows p are looked at by falling |p − c|,
    until no later one can be farther from x than those found.

    Examples
    --------
    >>> farthest([[0.0], [1.0], [3.0]], 1).ravel()
    array([2, 2, 0])
    """
    X, k = _checked(X, n_neighbors)
    n = X.shape[0]
    points, radius = _centred(X)
    order = np.argsort(-radius, kind="stable")
    points, radius = points[order], radius[order]
    half_squares = _squares(points) / 2
    margin = _margin(X, np.sqrt(2 * half_squares), np.sqrt(2 * half_squares.max()))
    found = np.full((n, k), -1, dtype=np.int64)
    for rows in slices(n, TILE):  # of like radius, so that they end together
        active = np.arange(rows.start, rows.stop)
        kth = np.full(len(active), -np.inf)
        start, width = 0, 2 * k + 2
        while len(active) and start < n:
            tile = slice(start, start + width)
            products = points[active] @ points[tile].T
            products = products.toarray() if issparse(products) else products
            products -= half_squares[tile]
            # |x|² + |p|² − 2 x·p is not below the k-th best, solved for what depends on p
            limit = half_squares[active] - (kth - margin[active]) / 2
            one, other = np.divmod(np.flatnonzero(products <= limit[:, None]), products.shape[1])
            if len(one):
                count = np.bincount(one, minlength=len(active))
                hit = np.flatnonzero(count)
                column = np.arange(len(one)) - np.repeat(np.cumsum(count) - count, count)
                new = np.full((len(active), count.max()), -1)
                new[one, column] = order[tile][other]
                candidates = np.hstack([found[order[active[hit]]], new[hit]])
                rows_hit = order[active[hit]]
                best, key = _ranked(X, X[rows_hit], rows_hit, candidates, k, sign=-1)
                found[order[active[hit]]] = best
                kth[hit] = -key
            start, width = start + width, min(2 * width, TILE)
            if start < n:
                # nearly the bound: rounding may not make a tie seem out of reach
                reach = (1 + 1e-9) * (radius[active] + radius[start]) ** 2 + margin[active]
                active, kth = active[reach >= kth], kth[reach >= kth]
    return found


def neighbor_edges(neighbors: Ints) -> Ints:
    """The pairs of which one is a neighbour of the other, as i < j, sorted, each once.

    Examples
    --------
    >>> neighbor_edges(np.array([[1], [0], [1]])).tolist()
    [[0, 1], [1, 2]]
    """
    n, k = neighbors.shape
    i, j = np.repeat(np.arange(n, dtype=np.int64), k), neighbors.ravel()
    return np.column_stack(np.divmod(np.unique(np.minimum(i, j) * n + np.maximum(i, j)), n))


def _checked(X: Any, n_neighbors: int) -> tuple[Any, int]:
    if not isinstance(n_neighbors, Integral) or n_neighbors < 1:
        raise ValueError(f"n_neighbors={n_neighbors!r}: it is a whole number from 1 on")
    X = check_array(X, accept_sparse="csr", dtype=(np.float64, np.float32), ensure_min_samples=2)
    return X, min(int(n_neighbors), X.shape[0] - 1)


def _exact(X: Any, k: int, rows: Ints, asked: Any = None) -> Ints:
    """The nearest other rows of some rows; or of X, those nearest to some rows of ``asked``."""
    n = X.shape[0]
    points, length = _centred(X)  # an offset costs the search digits
    if asked is None:
        asked, own, asked_points, asked_length = X, rows, points, length
    else:
        own = np.full(len(rows), -1)
        asked_points, asked_length = _centred(asked, rows_of(X).mean)
    eps = float(np.finfo(np.float64).eps)
    if not issparse(points) and points.shape[1] > TREE_TO and n >= PRODUCTS_FROM <= len(rows):
        # single precision is twice as fast; where it does not decide the search goes on below
        search: Any = _Products(points)
        eps = float(np.finfo(np.float32).eps)
    else:
        search = NearestNeighbors().fit(points)
    found = np.empty((len(rows), k), dtype=np.int64)
    unsure, width = np.arange(len(rows)), k + 1 + SPARE  # a row finds itself, too
    while len(unsure):
        width = min(width, n)
        left = []
        for block in slices(len(unsure), BLOCK // width):
            some = unsure[block]
            distance, candidates = search.kneighbors(asked_points[rows[some]], width)
            found[some], kth = _ranked(X, asked[rows[some]], own[some], candidates, k)
            last = distance[:, -1]
            # a row beyond the candidates is at most |x| + last away from the centre
            reach = asked_length[rows[some]]
            left.append(some[kth >= last**2 - _margin(X, reach, reach + last, eps)])
        unsure = np.concatenate(left) if width < n else unsure[:0]
        if isinstance(search, _Products):
            search, eps = NearestNeighbors().fit(points), float(np.finfo(np.float64).eps)
        width *= MORE
    return found


class _Products:
    """Search by matrix products in single precision, as ``NearestNeighbors`` with brute force.

    Rows are kept by cells, those nearest to one of some centres. The cells around a row give a
    bound on the distance of its neighbours. All others are looked at unless the triangle
    inequality, |x − p| ≥ |x − c| − |p − c|, says that they hold nothing within the bound.
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
        self._points = np.column_stack([ordered, _squares(ordered) / 2])

    def kneighbors(self, asked: Floats, width: int) -> tuple[Floats, Ints]:
        asked = asked / self._scale
        distance, found = np.empty((len(asked), width)), np.empty((len(asked), width), np.int64)
        cell = pairwise_distances_argmin(asked, self._centres)
        order = np.argsort(cell, kind="stable")
        parts = np.split(order, np.flatnonzero(np.diff(cell[order])) + 1)

        def work(rows: Ints) -> None:
            values, columns = self._smallest(asked[rows], width)
            found[rows] = self._order[columns]
            squared = np.maximum(2 * values + _squares(asked[rows])[:, None], 0)
            distance[rows] = self._scale * np.sqrt(squared)

        # threads of ours, for what stands between the products would be done by one only
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
        bound = np.sqrt(np.maximum(2 * limit.astype(np.float64) + _squares(rows)[:, None], 0))
        in_reach = to_centres[:, cells[enough:]] - self._radius[cells[enough:]] <= bound + 1e-5
        rest = self._columns(cells[enough:][in_reach.any(axis=0)])
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
        """The places of the rows of some cells."""
        sizes, starts = self._sizes[cells], self._starts[cells]
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return np.repeat(starts, sizes) + within


def _centres(points: Floats) -> Floats:
    """√n centres, by a few steps of k-means on a sample. They only change the time it takes."""
    n_cells = int(np.sqrt(len(points)))
    sample = np.random.RandomState(0).permutation(len(points))[: 32 * n_cells]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of rows that coincide
        k_means = KMeans(n_cells, init="random", n_init=1, max_iter=3, random_state=0)
        return k_means.fit(points[sample]).cluster_centers_


def _padded(values: Any, at: Ints) -> tuple[Any, Ints]:
    """Some entries of a table, by their flat places, as a table: values and columns of each row."""
    row, column = np.divmod(at, values.shape[1])
    count = np.bincount(row, minlength=len(values))
    place = np.arange(len(at)) - np.repeat(np.cumsum(count) - count, count)
    shape = len(values), int(count.max(initial=0))
    padded, columns = np.full(shape, np.inf, dtype=values.dtype), np.zeros(shape, dtype=np.int64)
    padded[row, place], columns[row, place] = values.ravel()[at], column
    return padded, columns


def _approximate(X: Any, k: int, random_state: Any) -> Ints:
    """Search only the cells about a row: as many as a sample of rows needs for their neighbours."""
    faiss = _import_faiss()
    random = check_random_state(random_state)
    n, d = X.shape
    points, radius = _centred(X)
    points = (points / (radius.max() or 1.0)).astype(np.float32)  # squares must not overflow
    n_cells = min(n, int(2 * np.sqrt(n)))
    cells = faiss.IndexFlatL2(d)
    index = faiss.IndexIVFFlat(cells, d, n_cells)
    index.cp.seed = int(random.randint(2**31 - 1))
    index.cp.niter, index.cp.min_points_per_centroid, index.cp.max_points_per_centroid = 5, 1, 32
    index.train(points)
    index.add(points)

    sample = np.sort(random.choice(n, min(SAMPLE, n), replace=False))
    true = _exact(X, k, sample)
    cell_of_true = cells.search(points[true.ravel()], 1)[1].reshape(true.shape)
    rank_of_cell = np.argsort(cells.search(points[sample], n_cells)[1], axis=1)
    rank = np.take_along_axis(rank_of_cell, cell_of_true, axis=1)
    index.nprobe = 1 + int(np.quantile(rank, RECALL, method="higher"))
    if index.nprobe > WORTHWHILE * n_cells:
        return _exact(X, k, np.arange(n))
    candidates = index.search(points, min(k + 1 + SPARE, n))[1]
    found, kth = _ranked(X, X, np.arange(n), candidates, k)
    lonely = np.flatnonzero(np.isinf(kth))  # fewer than k rows in their cells
    if len(lonely):
        found[lonely] = _exact(X, k, lonely)
    return found


def _import_faiss() -> Any:
    try:
        return import_module("faiss")
    except ImportError as error:
        raise ImportError(
            "method='approximate' needs faiss: pip install 'pairspace[neighbors]'"
        ) from error


def _ranked(
    X: Any, asked: Any, own: Ints, candidates: Ints, k: int, *, sign: int = 1
) -> tuple[Ints, Floats]:
    """The first k candidates by (sign · squared distance, index), and that value of the k-th.

    A candidate that is −1 or the row itself, whose number in X is ``own``, does not count.
    """
    key = sign * _squared_distances(X, asked, candidates)
    key[(candidates < 0) | (candidates == own[:, None])] = np.inf
    first = np.lexsort((candidates, key), axis=-1)[:, :k]
    return (
        np.take_along_axis(candidates, first, axis=1),
        np.take_along_axis(key, first[:, -1:], axis=1).ravel(),
    )


def _squared_distances(X: Any, asked: Any, candidates: Ints) -> Floats:
    """From differences, summed in one order, so that duplicates are equally far from a row."""
    squared = np.empty(candidates.shape)
    row_size = candidates.shape[1] * (2 * X.nnz // X.shape[0] + 1 if issparse(X) else X.shape[1])
    for block in slices(len(candidates), BLOCK // row_size):
        some, rows = candidates[block], asked[block]
        if issparse(X):
            repeated = rows[np.repeat(np.arange(len(some)), some.shape[1])].astype(np.float64)
            difference = repeated - X[some.ravel()].astype(np.float64)
            squared[block] = _squares(difference).reshape(some.shape)
        else:
            difference = np.subtract(X[some], rows[:, None], dtype=np.float64)
            np.square(difference, out=difference).sum(axis=-1, out=squared[block])
    return squared


def _centred(X: Any, mean: Floats | None = None) -> tuple[Any, Floats]:
    """The rows to search among, in float64, and how far they are from the centre."""
    rows = rows_of(X)
    if mean is not None:
        rows.mean = mean
    if isinstance(rows, DenseRows):
        points = rows.take(slice(None))
        return points, np.sqrt(_squares(points))
    points = csr_array(X, dtype=np.float64)  # they stay sparse and therefore where they are
    square = _squares(points) - 2 * (points @ rows.mean) + rows.mean @ rows.mean
    return points, np.sqrt(np.maximum(square, 0))


def _squares(points: Any) -> Floats:
    if issparse(points):
        return np.asarray(points.multiply(points).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", points, points)


def _margin(
    X: Any, length: Floats, other_length: Any, eps: float = np.finfo(np.float64).eps
) -> Floats:
    """How wrong |x|² + |y|² − 2 x·y may be by rounding."""
    return 2 * (X.shape[1] + 8) * eps * (length + other_length) ** 2
