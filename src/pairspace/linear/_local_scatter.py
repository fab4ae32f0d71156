"""The within-class scatters of LFDA and SELF, with weights by locally scaled distances."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pairspace._core.data import Classes, Rows, slices, working_bytes
from pairspace._core.graphs import Blocks
from pairspace._core.typing import Floats, Ints
from pairspace.base import Supervision
from pairspace.linear._apart import told_apart

SMALL = 512  # rows of a class, up to which several classes are computed together
SMALL_CLASSES = 4_000_000  # weights of small classes, or their values, that are held at a time
PRODUCT_BYTES = 128_000_000  # the products of all rows of a class that are held
ROW_BYTES = 4_000_000  # the weights of some rows with all others that are held, which fit a cache


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
        for some, members in classes.members():
            size = members.shape[1]
            k = min(n_neighbors, size - 1)
            if size > SMALL:
                for rows, mean in zip(members, means[some], strict=True):
                    self._add(size, _LargeClass(Z, rows, mean).scatter(k))
            elif size > 1:
                for block in slices(len(some), SMALL_CLASSES // (size * max(size, Z.shape[1]))):
                    X = Z.take(members[block].ravel()).reshape(-1, size, Z.shape[1])
                    X -= means[some[block], None]
                    self._add(size, _scatter_of_small_classes(X, k))

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


class _LargeClass:
    """A class whose weights are computed for some rows at a time.

    The products of all rows are held if they fit. Otherwise they are computed twice.
    """

    def __init__(self, Z: Rows, rows: Ints, mean: Floats) -> None:
        self._Z, self._rows, self._mean = Z, rows, mean
        n, d = len(rows), Z.shape[1]
        self._X: Floats | None = None
        if 8 * n * d <= working_bytes() // 8:
            self._X = self._take(slice(0, n))
        self._products: Floats | None = None
        if self._X is not None and 8 * n**2 <= PRODUCT_BYTES:
            self._products = self._X @ self._X.T
        norms = [np.einsum("ij,ij->i", X, X) for X in map(self._take, slices(n, SMALL))]
        self._lengths = np.concatenate(norms)

    def scatter(self, k: int) -> Floats:
        """XᵀDX − XᵀAX from one triangle of A, which is symmetric."""
        n, d = len(self._rows), self._Z.shape[1]
        inverse = _inverse_widths(self._kth_distances(k), self._lengths, d)
        half, degrees = np.zeros((d, d)), np.zeros(n)
        for rows in self._blocks():
            A = self._weights(rows, inverse)
            # The square on the diagonal is in both triangles.
            square = slice(0, rows.stop - rows.start)
            A[:, square] /= 2
            degrees[rows] += A.sum(axis=1)
            degrees[rows.start :] += A.sum(axis=0)
            AX = sum(A[:, at] @ Y for at, Y in self._tiles(rows.start))
            half -= self._take(rows).T @ AX
        for rows in self._blocks():
            X = self._take(rows)
            half += X.T @ (X * (degrees[rows] / 2)[:, None])
        return half + half.T

    def _weights(self, rows: slice, inverse: Floats) -> Floats:
        """exp(−d²/(σ_i σ_j)) of some rows and all from the first of them on."""
        A = self._products_of(rows, rows.start)
        A *= 2
        A -= self._lengths[rows.start :]
        A -= self._lengths[rows, None]
        A *= inverse[rows, None]
        A *= inverse[rows.start :]
        np.exp(A, out=A)
        if not inverse.all():
            A[inverse[rows] == 0] = 0.0
            A[:, inverse[rows.start :] == 0] = 0.0
        return A

    def _kth_distances(self, k: int) -> Floats:
        """The squared distance of each row from its k-th nearest other row."""
        found = np.empty(len(self._rows))
        for rows in self._blocks():
            squared = -2 * self._products_of(rows)
            squared += self._lengths
            own = np.arange(rows.start, rows.stop)
            squared[own - rows.start, own] = np.inf  # a row is not its own neighbour
            found[rows] = _kth_smallest(squared, k) + self._lengths[rows]
        return found

    def _products_of(self, rows: slice, start: int = 0) -> Floats:
        """The products of some rows with all from a start on. What is held may be overwritten."""
        if self._products is not None:
            return self._products[rows, start:]
        X = self._take(rows)
        return np.hstack([X @ Y.T for _, Y in self._tiles(start)])

    def _tiles(self, start: int) -> Iterator[tuple[slice, Floats]]:
        """The rows from a start on: at once if they are held, or some at a time."""
        n = len(self._rows) - start
        for at in slices(n, n if self._X is not None else SMALL):
            yield at, self._take(slice(start + at.start, start + at.stop))

    def _blocks(self) -> Iterator[slice]:
        return slices(len(self._rows), ROW_BYTES // (8 * len(self._rows)))

    def _take(self, block: slice) -> Floats:
        if self._X is not None:
            return self._X[block]
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
