r"""Points in the feature space of a kernel: by all inner products, or by Nyström coordinates.

Only distances in the feature space matter here. They are the same for :math:`k(x, y)` and for
:math:`k(x, y) - f(x) - f(y)`, so constants that would cost digits are subtracted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.metrics.pairwise import euclidean_distances, kernel_metrics, pairwise_kernels

from pairspace._core.data import rows_of, slices, squared_norms
from pairspace._core.limits import LARGEST
from pairspace._core.linalg import whiten
from pairspace._core.typing import Floats, Ints

KernelFunction = Callable[[Any, Any], Any]

NAMES = {*kernel_metrics(), "precomputed"}
NEGLIGIBLE = 1e-8  # a change of the exponent that changes no cluster
VANISHING = 50.0  # the exponent from which on a kernel value is as good as 0
BLOCK = 2_000_000  # values of the kernel to compute at a time


class Kernel:
    r"""The kernel k(x, y) of all rows of two tables, in float64.

    "rbf" is :math:`\exp(-\gamma d^2) - 1`, which keeps the digits of a small d. "precomputed" takes
    tables of kernel values.
    """

    def __init__(self, kernel: str | KernelFunction, gamma: float | None, X: Any) -> None:
        self.function = kernel
        self.gamma = 1 / X.shape[1] if gamma is None else gamma
        # Distances of rows far from the origin lose digits.
        self._origin = None if issparse(X) or kernel != "rbf" else rows_of(X).mean

    def gram(self, X: Any) -> Floats:
        return self._values(self._read(X), None)

    def __call__(self, X: Any, Y: Any) -> Floats:
        values = np.empty((X.shape[0], Y.shape[0]))
        Y = self._read(Y)
        for block in slices(len(values), BLOCK // values.shape[1]):
            values[block] = self._values(self._read(X[block]), Y)
        return values

    def combine(self, X: Any, Y: Any, coefficients: Floats, shift: Floats | float = 0.0) -> Floats:
        """(k(X, Y) − shift) · coefficients, without k(X, Y) as a whole."""
        combined = np.zeros((X.shape[0], coefficients.shape[1]))
        if not Y.shape[0]:
            return combined
        for block in slices(len(combined), BLOCK // Y.shape[0]):
            values = self(X[block], Y)
            values -= shift
            np.matmul(values, coefficients, out=combined[block])
        return combined

    def _read(self, X: Any) -> Any:
        X = X.astype(np.float64, copy=False)
        return X if self._origin is None else X - self._origin

    def _values(self, X: Any, Y: Any) -> Floats:
        with np.errstate(all="ignore"):  # exp(−∞) is 0
            values = self._computed(X, Y)
        largest = max(values.max(initial=0.0), -values.min(initial=0.0))
        if largest <= LARGEST**2:
            return values
        raise ValueError(
            f"the kernel {self.function!r} overflows: its values must be at most "
            f"{LARGEST**2:.0e}; scale X first, e.g. with StandardScaler, or lower gamma"
        )

    def _computed(self, X: Any, Y: Any) -> Floats:
        if callable(self.function):
            return np.asarray(self.function(X, X if Y is None else Y), dtype=np.float64)
        if self.function == "precomputed":
            return X
        if self.function == "rbf":
            squared = squared_distances(X, X if Y is None else Y, 1 / self.gamma)
            return np.expm1(np.multiply(squared, -self.gamma, out=squared), out=squared)
        if not issparse(X):  # some of scikit-learn's kernels take no read-only arrays
            X, Y = (None if rows is None else np.require(rows, requirements="W") for rows in (X, Y))
        values = pairwise_kernels(X, Y, self.function, filter_params=True, gamma=self.gamma)
        return values.toarray() if issparse(values) else values


def squared_distances(X: Any, Y: Any, unit: float) -> Floats:
    """Squared distances of all rows, with all digits where they are less than some units.

    They are made of products, with errors that grow with the squared lengths of the rows. Where
    these are so many units that the errors count, small distances are computed from differences:
    those of equal rows are 0.
    """
    squared = euclidean_distances(X, None if Y is X else Y, squared=True)
    longest = max(float(squared_norms(table).max(initial=0.0)) for table in (X, Y))
    error = 4 * (X.shape[1] + 8) * np.finfo(np.float64).eps * longest
    if error > NEGLIGIBLE * unit:
        i, j = np.nonzero(squared <= VANISHING * unit + error)
        for block in slices(len(i), BLOCK // X.shape[1]):
            squared[i[block], j[block]] = squared_norms(X[i[block]] - Y[j[block]])
    return squared


class KernelPoints(Protocol):
    """Points of which only inner products are known. A mean is a column of weights on them."""

    squares: Floats  # the squared norm of each point

    def columns(self, chosen: Ints) -> Floats:
        """The inner products of all points with some."""

    def products(self, means: csr_array) -> Floats:
        """The inner products of all points with some means."""

    def expansion(self, means: csr_array) -> tuple[Any, Floats, Floats | float]:
        """B, C and c such that (k(x, B) − c) C are the inner products of any x with the means."""


class GramPoints:
    """Points by all their inner products: exact, n × n."""

    def __init__(self, gram: Floats, basis: Any) -> None:
        self._gram = gram
        self._basis = basis
        self.squares = gram.diagonal()

    def columns(self, chosen: Ints) -> Floats:
        return self._gram[:, chosen]

    def products(self, means: csr_array) -> Floats:
        return np.ascontiguousarray((means.T @ self._gram).T)

    def expansion(self, means: csr_array) -> tuple[Any, Floats, Floats | float]:
        return self._basis, means.toarray(), 0.0


class LandmarkMap:
    r"""Nyström coordinates :math:`(k(x, L) - c) T` of any row, from landmarks L.

    W is the centred kernel of the landmarks, :math:`T^\top W T = I`, and c is the mean row of W.
    The inner products of coordinates are those about the mean of the landmarks. They are exact for
    points in the span of the landmarks.
    """

    def __init__(self, kernel: Kernel, landmarks: Any) -> None:
        W = kernel.gram(landmarks)
        self._kernel = kernel
        self.landmarks, self.shift = landmarks, W.mean(axis=0)
        W -= self.shift
        self.map = whiten(W - W.mean(axis=1)[:, None])
        self.of_landmarks = W @ self.map

    def __call__(self, X: Any) -> Floats:
        return self._kernel.combine(X, self.landmarks, self.map, self.shift)

    def rotate(self, rotation: Floats) -> None:
        """Change to other axes, or to some of them."""
        self.map = self.map @ rotation
        self.of_landmarks = self.of_landmarks @ rotation


class LandmarkPoints:
    """Points by Nyström coordinates: approximate, n × landmarks."""

    def __init__(self, landmarks: LandmarkMap, X: Any) -> None:
        self._landmarks = landmarks
        self.coordinates = landmarks(X)
        self.squares = np.einsum("ij,ij->i", self.coordinates, self.coordinates)

    def columns(self, chosen: Ints) -> Floats:
        return self.coordinates @ self.coordinates[chosen].T

    def products(self, means: csr_array) -> Floats:
        return self.coordinates @ (means.T @ self.coordinates).T

    def expansion(self, means: csr_array) -> tuple[Any, Floats, Floats | float]:
        known = self._landmarks
        return known.landmarks, known.map @ (means.T @ self.coordinates).T, known.shift
