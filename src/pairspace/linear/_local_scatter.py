"""The within-class scatters of LFDA and SELF, with weights by locally scaled distances."""

from __future__ import annotations

from concurrent.futures import Executor
from functools import partial

import numpy as np

from pairspace._core.data import Classes, Rows, slices, working_bytes
from pairspace._core.graphs import Blocks
from pairspace._core.threads import own_threads
from pairspace._core.typing import Floats, Ints
from pairspace.base import Supervision
from pairspace.linear._apart import told_apart

TILE = 512  # rows and columns of a block of weights
ROW_BYTES = 4_000_000  # distances of some rows from all others that are held at a time
SMALL_CLASSES = 4_000_000  # weights of small classes, or their values, that are held at a time


def local_scatters(
    Z: Rows, known: Supervision, n_neighbors: int, weights: str
) -> tuple[Floats, Floats]:
    """S_lb and S_lw of labels and pairs.

    Within are the classes, and the chunklets of must-links; between are the classes and the
    cannot-links. Chunklets that no cannot-link joins are not pushed apart.
    """
    of_classes = _Within(Z, known.classes, n_neighbors, weights)
    same = known.chunklets is known.classes
    of_chunklets = of_classes if same else _Within(Z, known.chunklets, n_neighbors, weights)
    between = told_apart(known).scatter(Z)
    n_labelled = known.classes.n_known
    if n_labelled:
        between += Blocks(known.classes, between=1 / n_labelled).scatter(Z)
        between += of_classes.sum / n_labelled - of_classes.pooled
    return between, of_chunklets.pooled


class _Within:
    """ΣG_c and ΣG_c/n_c, where G_c = Σ A_ij (x_i − x_j)(x_i − x_j)ᵀ over the pairs of class c."""

    def __init__(self, Z: Rows, classes: Classes, n_neighbors: int, weights: str) -> None:
        if weights == "binary":
            self.sum = Blocks(classes, within=1.0).scatter(Z)
            self.pooled = Blocks(classes, pooled=1.0).scatter(Z)
            return
        self.sum, self.pooled = np.zeros((2, Z.shape[1], Z.shape[1]))
        if classes.sizes.max(initial=0) > 1:
            self._sum_up(Z, classes, classes.read(Z).means - Z.mean, n_neighbors)
        # A weight is at most 1. The mean of c rows has an error that grows as √c.
        most = classes.sizes.max(initial=1)
        self.sum = Z.without_rounding(self.sum, float(classes.n_known * most**2))
        self.pooled = Z.without_rounding(self.pooled, float(classes.n_known * most))

    def _sum_up(self, Z: Rows, classes: Classes, means: Floats, n_neighbors: int) -> None:
        large = []
        for some, members in classes.members():
            size = members.shape[1]
            k = min(n_neighbors, size - 1)
            if size > TILE:
                large += [(rows, mean, k) for rows, mean in zip(members, means[some], strict=True)]
            elif size > 1:
                for block in slices(len(some), SMALL_CLASSES // (size * max(size, Z.shape[1]))):
                    X = Z.take(members[block].ravel()).reshape(-1, size, Z.shape[1])
                    X -= means[some[block], None]
                    self._add(size, _scatter_of_small_classes(X, k))
        if large:
            # Own threads, as BLAS would run only the products in parallel.
            with own_threads() as pool:
                for rows, mean, k in large:
                    self._add(len(rows), _Tiles(Z, rows, mean, k, pool).scatter())

    def _add(self, size: int, scatter: Floats) -> None:
        self.sum += scatter
        self.pooled += scatter / size


def _scatter_of_small_classes(X: Floats, k: int) -> Floats:
    """ΣG_c over classes of one size, given as an array by class."""
    n_classes, size, d = X.shape
    lengths = np.einsum("ijk,ijk->ij", X, X)
    squared = X @ X.transpose(0, 2, 1)
    squared *= -2
    squared += lengths[:, :, None]
    squared += lengths[:, None, :]
    diagonal = np.arange(size)
    squared[:, diagonal, diagonal] = np.inf  # a row is not its own neighbour
    kth = _kth_smallest(squared.reshape(-1, size), k).reshape(n_classes, size)
    inverse = _inverse_widths(kth, lengths, d)
    squared[:, diagonal, diagonal] = 0.0
    squared *= inverse[:, :, None]
    squared *= inverse[:, None, :]
    A = np.exp(np.negative(squared, out=squared), out=squared)
    A *= inverse[:, :, None] > 0
    A *= inverse[:, None, :] > 0
    LX = A.sum(axis=2)[..., None] * X - A @ X
    return X.reshape(-1, d).T @ LX.reshape(-1, d)


class _Tiles:
    """A class that is too large for the matrix of its weights, which is read in tiles."""

    def __init__(self, Z: Rows, rows: Ints, mean: Floats, k: int, pool: Executor) -> None:
        self._Z, self._rows, self._mean, self._pool = Z, rows, mean, pool
        self._read: Floats | None = None
        if 8 * len(rows) * Z.shape[1] <= working_bytes() // 8:
            self._read = self._take(slice(None))
        lengths = np.concatenate([_squared_norms(self._take(block)) for block in self._blocks()])
        inverse = _inverse_widths(self._kth_distances(k, lengths), lengths, Z.shape[1])
        # Rows of width 0 have no weights.
        self._rows = rows[inverse > 0]
        if self._read is not None:
            self._read = self._read[inverse > 0]
        self._lengths, self._inverse = lengths[inverse > 0], inverse[inverse > 0]

    def scatter(self) -> Floats:
        """XᵀDX − XᵀAX from the tiles of one triangle of A, which is symmetric."""
        half = np.zeros((self._Z.shape[1], self._Z.shape[1]))
        degrees = np.zeros(len(self._rows))
        # In the order of the blocks, so that the sum is the same every time.
        for product, sums in self._pool.map(self._row_of_tiles, self._blocks()):
            half -= product
            degrees[len(degrees) - len(sums) :] += sums
        for rows in self._blocks():
            X = self._take(rows)
            half += X.T @ (X * (degrees[rows] / 2)[:, None])
        return half + half.T

    def _row_of_tiles(self, rows: slice) -> tuple[Floats, Floats]:
        """XᵀAX of the tiles from the diagonal on, and what they add to the degrees from there."""
        X, n_rows = self._take(rows), rows.stop - rows.start
        AX, sums = np.zeros_like(X), np.zeros(len(self._rows) - rows.start)
        inverse, lengths = self._inverse[rows, None], self._lengths[rows, None]
        # Times the other side, −d²/(σ_i σ_j) is one product.
        exponents = np.hstack([2 * inverse * X, -inverse * lengths, -inverse])
        for columns in self._blocks(rows.start):
            on_diagonal = columns == rows
            Y = X if on_diagonal else self._take(columns)
            A = exponents @ self._other_side(columns, Y).T
            np.exp(A, out=A)
            sums[:n_rows] += A.sum(axis=1)
            if on_diagonal:
                AX += (A @ Y) / 2  # it is in both triangles
            else:
                AX += A @ Y
                sums[columns.start - rows.start : columns.stop - rows.start] += A.sum(axis=0)
        return X.T @ AX, sums

    def _other_side(self, columns: slice, Y: Floats) -> Floats:
        inverse = self._inverse[columns, None]
        return np.hstack([inverse * Y, inverse, inverse * self._lengths[columns, None]])

    def _kth_distances(self, k: int, lengths: Floats) -> Floats:
        """The squared distance of each row from its k-th nearest other row."""
        size = max(ROW_BYTES // (8 * len(self._rows)), 1)
        work = partial(self._kth_distances_of, k=k, lengths=lengths)
        return np.concatenate(list(self._pool.map(work, slices(len(self._rows), size))))

    def _kth_distances_of(self, rows: slice, k: int, lengths: Floats) -> Floats:
        X = -2 * self._take(rows)
        squared = np.empty((len(X), len(self._rows)))
        for columns in self._blocks():
            np.add(X @ self._take(columns).T, lengths[columns], out=squared[:, columns])
        squared[np.arange(len(X)), np.arange(rows.start, rows.stop)] = np.inf  # the row itself
        return _kth_smallest(squared, k) + lengths[rows]

    def _blocks(self, start: int = 0) -> list[slice]:
        return [
            slice(start + block.start, start + block.stop)
            for block in slices(len(self._rows) - start, TILE)
        ]

    def _take(self, block: slice) -> Floats:
        """Some rows of the class, from memory if all of them are held there."""
        if self._read is not None:
            return self._read[block]
        part = self._Z.take(self._rows[block])
        part -= self._mean
        return part


def _kth_smallest(values: Floats, k: int) -> Floats:
    """The k-th smallest entry of each row.

    The k-th smallest of the minima of some groups is a bound that few entries are below, which is
    several times faster than a partition of the row.
    """
    n_rows, n = values.shape
    n_groups = 8 * k
    if n < 4 * n_groups:
        return np.partition(values, k - 1, axis=1)[:, k - 1]
    width = n // n_groups
    minima = values[:, : n_groups * width].reshape(n_rows, n_groups, width).min(axis=2)
    bound = np.partition(minima, k - 1, axis=1)[:, k - 1]
    row, column = np.nonzero(values <= bound[:, None])
    below = values[row, column]
    order = np.lexsort((below, row))
    return below[order][np.searchsorted(row, np.arange(n_rows)) + k - 1]


def _inverse_widths(squared: Floats, lengths: Floats, d: int) -> Floats:
    """1/σ, and 0 where σ may be nothing but rounding.

    The limit of the weights of a row for σ → 0 is 0, or a weight of differences that are 0.
    """
    rounding = 4 * (d + 8) * np.finfo(np.float64).eps * lengths
    some = squared > rounding
    return np.divide(
        1,
        np.sqrt(squared, where=some, out=np.ones_like(squared)),
        where=some,
        out=np.zeros_like(squared),
    )


def _squared_norms(X: Floats) -> Floats:
    return np.einsum("ij,ij->i", X, X)
