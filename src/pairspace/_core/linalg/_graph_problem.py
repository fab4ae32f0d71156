"""The eigenproblem of a graph, with its null vectors projected out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_array, csr_matrix, diags_array
from scipy.sparse.csgraph import reverse_cuthill_mckee
from scipy.sparse.linalg import LinearOperator, eigsh

from pairspace._core.typing import Floats, Ints

SHIFT = 1e-6  # added to the diagonal before the factorisation


class GraphProblem:
    """A = D^-½ M D^-½, with its null vectors D^½·1_component projected out."""

    def __init__(
        self, M: csr_array, degrees: Floats, component: Ints, random: np.random.RandomState
    ) -> None:
        self.n = len(degrees)
        self.scale = 1 / np.sqrt(degrees)
        self.A = csr_array(diags_array(self.scale) @ M @ diags_array(self.scale))
        self.bound = float(np.abs(self.A).sum(axis=1).max())  # no eigenvalue is larger
        self.volume = np.bincount(component, degrees)
        entries = np.sqrt(degrees / self.volume[component])
        self._null = csr_array((entries, component, np.arange(self.n + 1)))
        self._null_t = csr_array(self._null.T)
        self._random = random

    @property
    def n_null(self) -> int:
        return len(self.volume)

    def contrasts(self) -> Floats:
        """The null vectors that are orthogonal to the constant.

        The first contrasts the largest component with the others, the second one the next largest
        with the remaining ones, and so on.
        """
        order = np.argsort(-self.volume, kind="stable")[: self.n_null - 1]
        corners = np.eye(self.n_null)[:, order]
        basis = np.linalg.qr(np.column_stack([np.sqrt(self.volume), corners]))[0]
        return np.asarray(self._null @ basis[:, 1:])

    def project(self, v: Floats, found: Floats | None = None) -> Floats:
        v = v - self._null @ (self._null_t @ v)
        return v if found is None else v - found @ (found.T @ v)

    def start(self, n_columns: int = 1) -> Floats:
        return self._random.standard_normal((self.n, n_columns))

    def deflated(self) -> Floats:
        """A, dense, with the eigenvalues of the null vectors raised above all others."""
        null = self._null.toarray()
        return self.A.toarray() + (self.bound + 1) * (null @ null.T)

    def shifted(self) -> csr_array:
        """A + SHIFT · I, which is regular."""
        return self.A + SHIFT * diags_array(np.ones(self.n))

    def operator(self, multiply: Callable[[Floats], Floats]) -> LinearOperator:
        return LinearOperator((self.n, self.n), matvec=multiply, matmat=multiply, dtype=float)

    def krylov(
        self,
        multiply: Callable[[Floats], Floats],
        k: int,
        tolerance: float,
        found: Floats | None,
        n_basis: int,
        max_restarts: int,
    ) -> tuple[Floats, Floats]:
        """The eigenvectors of the largest eigenvalues of ``multiply``, and their λ = uᵀAu."""

        def projected(v: Floats) -> Floats:
            return self.project(multiply(v), found)  # v itself is projected already

        _, U = eigsh(
            self.operator(projected),
            k,
            which="LA",
            v0=self.project(self.start()[:, 0], found),
            ncv=n_basis,
            tol=tolerance,
            maxiter=max_restarts,
        )
        return np.einsum("ij,ij->j", U, self.A @ U), U

    def bandwidth(self) -> float:
        """The mean |i − j| of the edges after a reordering of the rows (reverse Cuthill-McKee)."""
        position = np.argsort(reverse_cuthill_mckee(csr_matrix(self.A), symmetric_mode=True))
        rows = np.repeat(np.arange(self.n), np.diff(self.A.indptr))
        return float(np.abs(position[rows] - position[self.A.indices]).mean())
