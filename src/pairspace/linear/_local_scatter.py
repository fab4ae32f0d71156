"""The within-class scatters of LFDA and SELF, with weights by locally scaled distances."""

from __future__ import annotations

import numpy as np

from pairspace._core.data import Classes, Rows, slices
from pairspace._core.graphs import Blocks
from pairspace._core.typing import Floats, Ints
from pairspace.base import Supervision
from pairspace.linear._apart import told_apart

TILE = 1_024  # rows and columns of a block of weights
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
    lengths = np.einsum("...j,...j->...", X, X)
    squared = _squared_distances(X, X, lengths, lengths)
    diagonal = np.arange(X.shape[1])
    squared[:, diagonal, diagonal] = np.inf  # a row is not its own neighbour
    width = np.sqrt(np.partition(squared, k - 1, axis=-1)[..., k - 1])
    squared[:, diagonal, diagonal] = 0.0
    A = _weights(squared, width, width)
    LX = A.sum(axis=-1)[..., None] * X - A @ X
    d = X.shape[-1]
    return X.reshape(-1, d).T @ LX.reshape(-1, d)


class _Tiles:
    """A class that is too large for the matrix of its weights, which is read in tiles."""

    def __init__(self, Z: Rows, rows: Ints, mean: Floats, k: int) -> None:
        self._Z, self._rows, self._mean = Z, rows, mean
        self._lengths = np.empty(len(rows))
        for block in self._blocks():
            X = self._take(block)
            self._lengths[block] = np.einsum("ij,ij->i", X, X)
        self._width = self._distances_of_neighbors(k)

    def scatter(self) -> Floats:
        """XᵀDX − XᵀAX from the tiles of one triangle of A, which is symmetric."""
        d = self._Z.shape[1]
        half, degrees = np.zeros((d, d)), np.zeros(len(self._rows))
        for rows in self._blocks():
            X, AX = self._take(rows), np.zeros((rows.stop - rows.start, d))
            for columns in self._blocks(rows.start):
                Y = self._take(columns)
                A = _weights(self._squared(rows, X, columns, Y), *self._widths(rows, columns))
                if rows == columns:
                    A /= 2  # it is in both triangles
                AX += A @ Y
                degrees[rows] += A.sum(axis=1)
                degrees[columns] += A.sum(axis=0)
            half -= X.T @ AX
        for rows in self._blocks():
            X = self._take(rows)
            half += X.T @ (X * (degrees[rows] / 2)[:, None])
        return half + half.T

    def _distances_of_neighbors(self, k: int) -> Floats:
        """The distance of each row from its k-th nearest other row."""
        width = np.empty(len(self._rows))
        for rows in self._blocks():
            X = self._take(rows)
            nearest = np.empty((rows.stop - rows.start, 0))
            for columns in self._blocks():
                squared = self._squared(rows, X, columns, self._take(columns))
                if rows == columns:
                    np.fill_diagonal(squared, np.inf)
                if squared.shape[1] > k:
                    squared = np.partition(squared, k - 1, axis=1)[:, :k]
                nearest = np.hstack([nearest, squared])
            width[rows] = np.sqrt(np.partition(nearest, k - 1, axis=1)[:, k - 1])
        return width

    def _squared(self, rows: slice, X: Floats, columns: slice, Y: Floats) -> Floats:
        return _squared_distances(X, Y, self._lengths[rows], self._lengths[columns])

    def _widths(self, rows: slice, columns: slice) -> tuple[Floats, Floats]:
        return self._width[rows], self._width[columns]

    def _blocks(self, start: int = 0) -> list[slice]:
        return [
            slice(start + block.start, start + block.stop)
            for block in slices(len(self._rows) - start, TILE)
        ]

    def _take(self, block: slice) -> Floats:
        return self._Z.take(self._rows[block]) - self._mean


def _squared_distances(X: Floats, Y: Floats, x_lengths: Floats, y_lengths: Floats) -> Floats:
    """Squared distances by products, 0 where they may be nothing but rounding.

    A distance so small makes weights of 0 or multiplies a difference of 0, so nothing is lost.
    """
    lengths = x_lengths[..., :, None] + y_lengths[..., None, :]
    squared = X @ np.swapaxes(Y, -1, -2)
    squared *= -2
    squared += lengths
    lengths *= 8 * np.finfo(np.float64).eps
    squared[squared <= lengths] = 0.0
    return squared


def _weights(squared: Floats, x_width: Floats, y_width: Floats) -> Floats:
    """exp(−d²/(σ_i σ_j)), in place; 0 where a σ is 0, which is the limit."""
    with np.errstate(divide="ignore", invalid="ignore"):
        squared *= -1 / x_width[..., :, None]
        squared *= 1 / y_width[..., None, :]
    A = np.exp(squared, out=squared)
    A[np.broadcast_to((x_width == 0)[..., :, None], A.shape)] = 0.0
    A[np.broadcast_to((y_width == 0)[..., None, :], A.shape)] = 0.0
    return A
