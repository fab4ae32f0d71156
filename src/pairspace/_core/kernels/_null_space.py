r"""The kernel null space, in which must-linked rows are one point.

With a column :math:`e_i - e_j` of E for each must-link, :math:`\hat K = K - K E (E^\top K E)^+
E^\top K`. Only the span of E matters, so its columns are the differences of each row and the first
row of its component. With the linked rows P, :math:`E^\top K_{PP} E = V \Lambda V^\top` and
:math:`G = K(X, P) E V \Lambda^{-1/2}`,

.. math:: \hat d^2(i, j) = K_{ii} + K_{jj} - 2 K_{ij} - \|G_i - G_j\|^2

needs no n × n matrix. K is the RBF kernel minus 1, so that :math:`K_{ii}` is 0 and a wide kernel
loses no digits. As the columns of E sum to 0, the 1 cancels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse, vstack

from pairspace._core.kernels._kernel import GramPoints, Kernel, LandmarkMap
from pairspace._core.linalg import spectrum, whiten
from pairspace._core.typing import Floats, Ints

ROUNDING = 1e-12  # a squared distance that is no more than this share of the kernel is 0
MAX_LINKS = 5_000  # linked rows besides the first of each component: an eigenproblem of this order


class KernelNullSpace:
    """Points of the null space: one for each component of must-links, at its first row.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    X : array or CSR matrix of shape (n, d)
        The data.
    codes : array of shape (n,)
        The component of each row; −1 for a row without must-links.
    """

    def __init__(self, kernel: Kernel, X: Any, codes: Ints) -> None:
        first = _first_rows(codes)
        self.members = np.flatnonzero(first != np.arange(len(first)))  # besides the first
        if len(self.members) > MAX_LINKS:
            raise ValueError(
                f"must-links or labels join {len(self.members):,} rows to others, but the null "
                f"space can have at most {MAX_LINKS:,}: give fewer, for example "
                "Constraints.from_labels(y, n_pairs=1000)"
            )
        self.first = first[self.members]
        self.rows = np.flatnonzero(first == np.arange(len(first)))  # a row for each component
        self.component = np.searchsorted(self.rows, first)
        self.sizes = np.bincount(self.component)
        self.linked = np.union1d(self.members, self.first)
        self._kernel, self._X, self.gamma = kernel, X, kernel.gamma
        self.points = X[self.rows]
        self._weights = self._whitened_differences()
        self.G = kernel.combine(self.points, X[self.linked], self._weights)

    def __len__(self) -> int:
        return len(self.rows)

    def _whitened_differences(self) -> Floats:
        """E V Λ^(−1/2), a row for each linked row."""
        n, rank = len(self.linked), len(self.members)
        ends = np.searchsorted(self.linked, np.concatenate([self.members, self.first]))
        sign, column = np.repeat([1.0, -1.0], rank), np.tile(np.arange(rank), 2)
        E = csr_array((sign, (ends, column)), shape=(n, rank))
        if not rank:
            return np.empty((0, 0))
        W = E.T @ (E.T @ self._kernel.gram(self._X[self.linked])).T
        values, vectors = spectrum(W)
        # Not linalg.rank: with its larger tolerance, rows of one component would stay apart.
        eps: float = np.finfo(np.float64).eps
        kept = values > 10 * rank * eps * max(values[0], 0)
        return E @ (vectors[:, kept] / np.sqrt(values[kept]))

    def products(self, some: Any) -> Floats:
        """K̂ of some points and all."""
        K = self._kernel(self.points[some], self.points)
        K -= self.G[some] @ self.G.T
        return K

    def gram_points(self) -> GramPoints:
        """The points by all inner products, exact."""
        kernel = self._kernel.gram(self.points)
        gram = kernel - self.G @ self.G.T
        squares = gram.diagonal()
        apart = squares + squares[:, None] - 2 * gram
        if apart.max() <= ROUNDING * np.abs(kernel).max():  # the links take up all there is
            gram = np.zeros_like(gram)
        return _NullSpacePoints(gram, self)

    def expansion(self, means: csr_array) -> tuple[Any, Floats, float]:
        """See KernelPoints. For any x it is K(x, points) − G(x)·G, with G(x) = K(x, P) weights."""
        linked = self._X[self.linked]
        stack = vstack if issparse(linked) else np.vstack
        removed = self._weights @ (means.T @ self.G).T
        return stack([self.points, linked]), np.vstack([means.toarray(), -removed]), 0.0

    def landmark_map(self, rows: Ints) -> LandmarkMap:
        """Nyström coordinates from linked and other rows, orthogonal to the linked differences."""
        landmarks = np.union1d(self.linked, rows)
        known = LandmarkMap(self._kernel, self._X[landmarks])
        if len(self.members):
            at = known.of_landmarks
            apart = at[np.searchsorted(landmarks, self.members)]
            apart = apart - at[np.searchsorted(landmarks, self.first)]
            out = apart.T @ whiten(apart @ apart.T)  # an orthonormal basis of the differences
            known.rotate(np.eye(len(out)) - out @ out.T)
        return known


class _NullSpacePoints(GramPoints):
    def __init__(self, gram: Floats, space: KernelNullSpace) -> None:
        super().__init__(gram, None)
        self._space = space

    def expansion(self, means: csr_array) -> tuple[Any, Floats, Floats | float]:
        return self._space.expansion(means)


def _first_rows(codes: Ints) -> Ints:
    """The first row of each row's component."""
    first = np.full(codes.max() + 1, len(codes))
    own = np.arange(len(codes))
    known = codes >= 0
    np.minimum.at(first, codes[known], own[known])
    return np.where(known, first[codes], own) if len(first) else own
