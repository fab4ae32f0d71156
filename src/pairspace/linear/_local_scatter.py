"""The within-class scatters of LFDA and SELF, with weights by locally scaled distances."""

from __future__ import annotations

import numpy as np

from pairspace._core.data import Classes, Rows, slices
from pairspace._core.graphs import Blocks
from pairspace._core.typing import Floats, Ints
from pairspace.base import Supervision
from pairspace.linear._apart import told_apart

TILE = 512  # rows and columns of a block of weights
ROW_BYTES = 16_000_000  # distances of some rows from all others that are held at a time
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
        means = classes.read(Z).means - Z.mean if classes.n_known else np.empty((0, 0))
        for some, members in classes.members():
            size = members.shape[1]
            if size < 2:
                continue
            k = min(n_neighbors, size - 1)
            if size > TILE:
                for mean, rows in zip(means[some], members, strict=True):
                    self._add(size, _Tiles(Z, rows, mean, k).scatter())
                continue
            for block in slices(len(some), SMALL_CLASSES // (size * max(size, Z.shape[1]))):
                X = Z.take(members[block].ravel()).reshape(-1, size, Z.shape[1])
                X -= means[some[block], None]
                self._add(size, _scatter_of_small_classes(X, k))
        # A weight is at most 1. The mean of c rows has an error that grows as √c.
        most = classes.sizes.max(initial=1)
        self.sum = Z.without_rounding(self.sum, float(classes.n_known * most**2))
        self.pooled = Z.without_rounding(self.pooled, float(classes.n_known * most))

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

    def __init__(self, Z: Rows, rows: Ints, mean: Floats, k: int) -> None:
        self._Z, self._rows, self._mean = Z, rows, mean
        lengths = np.concatenate([_squared_norms(self._take(block)) for block in self._blocks()])
        inverse = _inverse_widths(self._kth_distances(k, lengths), lengths, Z.shape[1])
        # Rows of width 0 have no weights.
        self._rows = rows[inverse > 0]
        self._lengths, self._inverse = lengths[inverse > 0], inverse[inverse > 0]

    def scatter(self) -> Floats:
        """XᵀDX − XᵀAX from the tiles of one triangle of A, which is symmetric."""
        d = self._Z.shape[1]
        half, degrees = np.zeros((d, d)), np.zeros(len(self._rows))
        for rows in self._blocks():
            X, AX = self._take(rows), np.zeros((rows.stop - rows.start, d))
            for columns in self._blocks(rows.start):
                Y = X if columns == rows else self._take(columns)
                A = self._weights(rows, X, columns, Y)
                degrees[rows] += A.sum(axis=1)
                if columns == rows:
                    AX += (A @ Y) / 2  # it is in both triangles
                else:
                    AX += A @ Y
                    degrees[columns] += A.sum(axis=0)
            half -= X.T @ AX
        for rows in self._blocks():
            X = self._take(rows)
            half += X.T @ (X * (degrees[rows] / 2)[:, None])
        return half + half.T

    def _weights(self, rows: slice, X: Floats, columns: slice, Y: Floats) -> Floats:
        """exp(−d²/(σ_i σ_j)), where the exponents are one product."""
        left, right = self._inverse[rows, None], self._inverse[columns, None]
        exponents = np.column_stack([2 * left * X, -left * self._lengths[rows, None], -left])
        others = np.column_stack([right * Y, right, right * self._lengths[columns, None]])
        A = exponents @ others.T
        return np.exp(A, out=A)

    def _kth_distances(self, k: int, lengths: Floats) -> Floats:
        """The squared distance of each row from its k-th nearest other row."""
        found = np.empty(len(self._rows))
        for rows in slices(len(self._rows), max(ROW_BYTES // (8 * len(self._rows)), 1)):
            X = np.column_stack([-2 * self._take(rows), np.ones(rows.stop - rows.start)])
            squared = np.empty((len(X), len(self._rows)))
            for columns in self._blocks():
                Y = np.column_stack([self._take(columns), lengths[columns]])
                squared[:, columns] = X @ Y.T
            squared[np.arange(len(X)), np.arange(rows.start, rows.stop)] = np.inf  # the row itself
            found[rows] = _kth_smallest(squared, k) + lengths[rows]
        return found

    def _blocks(self, start: int = 0) -> list[slice]:
        return [
            slice(start + block.start, start + block.stop)
            for block in slices(len(self._rows) - start, TILE)
        ]

    def _take(self, block: slice) -> Floats:
        return self._Z.take(self._rows[block]) - self._mean


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
