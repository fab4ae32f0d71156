"""The smallest eigenvectors of graphs: null vectors known, none missed, the residual reported.

With :mod:`pairspace.spectral` the only place that calls an eigen-solver.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array, csr_matrix, diags_array
from scipy.sparse.csgraph import reverse_cuthill_mckee
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh, lobpcg, splu
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from threadpoolctl import threadpool_limits  # which scikit-learn needs, too

from pairspace.spectral import bottom, oriented

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# The smallest eigenvectors of a graph:
DENSE_TO = 400  # rows up to which all of them are computed
GRAPH_TOLERANCE = 1e-10  # of a residual, as a share of the largest eigenvalue
WARN_ABOVE = 1e-8  # a residual of this share gets a warning
FIRST_TRY = 12  # restarts of Lanczos before a factorisation is considered
# Factors have at most n · bandwidth entries. Measured on rolls, cubes, clusters, digits, images and
# noise: they beat Lanczos at once up to the first bandwidth, and up to the second if it is a small
# share of the rows; up to the third where Lanczos has stalled.
NARROW, MIDDLING, AFFORDABLE = 200, 700, 1_000
SMALL_SHARE = 0.045
MOST_RESTARTS = 1_000
CHECK_TOLERANCE = 1e-5  # of the search for what a first one may have missed
SHIFT = 1e-6  # makes the matrix to factorise regular
SPARE = 3  # vectors more than wanted, with which LOBPCG converges sooner
Search = Callable[[int, float, NDArray[np.float64] | None], tuple[Any, Any]]


class GraphEigen(NamedTuple):
    """Eigenvalues, vectors with vᵀDv = 1 as columns, and the largest ‖Au − λu‖ for u = D^½v."""

    values: Floats
    vectors: Floats
    residual: float


def smoothest(
    M: csr_array,
    degrees: Floats,
    k: int,
    *,
    component: Ints,
    solver: str = "auto",
    random_state: Any = None,
) -> GraphEigen:
    """M v = λ D v, the smallest λ ascending, without the constant vector.

    The rows of each component (0, 1, …) are known to have M·1_component = 0. Iterations
    miss copies of a repeated eigenvalue, and zero is repeated where a graph falls apart. So
    these vectors are never searched for: they are projected out, and the m − 1 of them that
    are not constant come first, with λ = 0. Where several λ of the rest coincide a second
    search, among what is orthogonal to all that was found, finds what the first has missed.

    Parameters
    ----------
    M : csr_array of shape (n, n)
        Symmetric: a Laplacian, or a difference of two.
    degrees : ndarray of shape (n,)
        D: positive.
    k : int
        At most n − 1.
    component : ndarray of shape (n,)
        The number of each row's component.
    solver : {"auto", "dense", "lanczos", "shift-invert", "amg"}
        "shift-invert" and "amg" need M to be positive semi-definite. "auto" factorises graphs of
        low bandwidth, such as those of rolls and curves; iterates on others (Lanczos); and where
        that stalls factorises if it can, or else takes AMG if pyamg is installed.
    random_state : int, RandomState or None
        Where iterations start.
    """
    problem = _GraphProblem(M, degrees, component, check_random_state(random_state))
    contrasts = problem.contrasts()[:, :k]
    wanted = k - contrasts.shape[1]
    U = contrasts[:, :0]
    if wanted:
        # Lanczos' vector operations are too small for two threads to be worth the waiting.
        with threadpool_limits(1, user_api="blas"):
            U = np.linalg.qr(problem.project(_solve_graph(problem, wanted, solver)))[0]
    values, rotation = np.linalg.eigh(U.T @ (problem.A @ U))
    U = U @ rotation
    residual = float(np.linalg.norm(problem.A @ U - U * values, axis=0).max(initial=0.0))
    if residual > WARN_ABOVE * problem.bound:
        warnings.warn(
            f"the eigenvectors have the residual {residual:.1e}: solver={solver!r} did not "
            "converge; take 'auto' or another one",
            ConvergenceWarning,
            stacklevel=2,
        )
    values = np.concatenate([np.zeros(contrasts.shape[1]), values])
    vectors = np.hstack([contrasts, U]) * problem.scale[:, None]
    return GraphEigen(values, oriented(vectors), residual)


class _GraphProblem:
    """A = D^-½ M D^-½ where its known null vectors D^½·1_component are projected out."""

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
        """The null vectors orthogonal to the constant: the largest component against the others,

        then the second against those left, and so on.
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

    def raised(self) -> Floats:
        """A with the null vectors moved above all others."""
        null = self._null.toarray()
        return self.A.toarray() + (self.bound + 1) * (null @ null.T)

    def regular(self) -> csr_array:
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
        """The vectors of the largest eigenvalues of ``multiply``, and their λ."""

        def projected(v: Floats) -> Floats:
            return self.project(multiply(v), found)  # v is so already: it comes from here

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
        """The mean distance of an edge's ends in the best order of rows that is quickly found."""
        place = np.argsort(reverse_cuthill_mckee(csr_matrix(self.A), symmetric_mode=True))
        rows = np.repeat(np.arange(self.n), np.diff(self.A.indptr))
        return float(np.abs(place[rows] - place[self.A.indices]).mean())


def _solve_graph(problem: _GraphProblem, k: int, solver: str) -> Floats:
    if solver == "dense" or problem.n <= DENSE_TO or _basis(k) >= problem.n - problem.n_null:
        return bottom(problem.raised(), k).vectors
    if solver == "amg":
        return _complete(_amg(problem), k)
    if solver == "shift-invert" or (solver == "auto" and _is_narrow(problem)):
        return _complete(_shift_invert(problem), k)
    if solver == "auto":
        try:
            return _complete(_graph_lanczos(problem, FIRST_TRY), k)
        except ArpackError:
            if problem.bandwidth() <= AFFORDABLE:
                return _complete(_shift_invert(problem), k)
            if find_spec("pyamg"):
                return _complete(_amg(problem), k)
    try:
        return _complete(_graph_lanczos(problem, MOST_RESTARTS), k)
    except ArpackError as error:
        raise RuntimeError(
            f"Lanczos did not converge on this graph in {MOST_RESTARTS:,} restarts: take "
            "eigen_solver='shift-invert' or 'amg'"
        ) from error


def _is_narrow(problem: _GraphProblem) -> bool:
    return problem.bandwidth() <= max(NARROW, min(MIDDLING, SMALL_SHARE * problem.n))


def _complete(search: Search, k: int) -> Floats:
    """The vectors of the k smallest, none of which was missed.

    A copy of a repeated eigenvalue that a search has missed is the smallest among what is
    orthogonal to all that was found. A Rayleigh quotient there that is smaller proves it.
    """
    values, U = search(k, GRAPH_TOLERANCE, None)
    while True:
        found = np.linalg.qr(U)[0]
        largest = np.sort(values)[k - 1]
        if search(1, CHECK_TOLERANCE, found)[0][0] >= largest - CHECK_TOLERANCE * abs(largest):
            return U[:, np.argsort(values)[:k]]
        value, vector = search(1, GRAPH_TOLERANCE, found)
        values, U = np.append(values, value), np.column_stack([U, vector])


def _graph_lanczos(problem: _GraphProblem, max_restarts: int) -> Search:
    def search(k: int, tolerance: float, found: Floats | None) -> tuple[Floats, Floats]:
        return problem.krylov(
            lambda v: problem.bound * v - problem.A @ v,
            k,
            tolerance,
            found,
            _basis(k),
            max_restarts,
        )

    return search


def _shift_invert(problem: _GraphProblem) -> Search:
    # Symmetric and positive definite: its pivots may stay on the diagonal.
    factors = splu(
        csc_array(problem.regular()),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )

    def search(k: int, tolerance: float, found: Floats | None) -> tuple[Floats, Floats]:
        return problem.krylov(factors.solve, k, tolerance, found, 2 * k + 6, MOST_RESTARTS)

    return search


def _amg(problem: _GraphProblem) -> Search:
    """LOBPCG with an algebraic multigrid as its preconditioner."""
    try:
        pyamg = import_module("pyamg")
    except ImportError as error:
        raise ImportError("solver 'amg' needs pyamg: pip install 'pairspace[amg]'") from error
    M = csr_matrix(problem.regular())
    M.indices, M.indptr = M.indices.astype(np.int32), M.indptr.astype(np.int32)  # all it reads
    multigrid = pyamg.smoothed_aggregation_solver(
        M, B=1 / problem.scale[:, None]
    ).aspreconditioner()

    def search(k: int, tolerance: float, found: Floats | None) -> tuple[Floats, Floats]:
        def project(v: Floats) -> Floats:
            return problem.project(v, found)

        def precondition(v: Floats) -> Floats:
            return project(np.column_stack([multigrid @ column for column in project(v).T]))

        def multiply(v: Floats) -> Floats:
            return project(problem.A @ project(v))

        with warnings.catch_warnings():
            # It warns of what the residual, which is computed for every solver, says.
            warnings.simplefilter("ignore", UserWarning)
            values, U = lobpcg(
                problem.operator(multiply),
                project(problem.start(k + SPARE)),
                M=problem.operator(precondition),
                largest=False,
                tol=10 * tolerance,
                maxiter=200,
            )
        return values[:k], U[:, :k]

    return search


def _basis(k: int) -> int:
    """Vectors Lanczos keeps: with few of them it restarts too often to see small gaps."""
    return max(2 * k + 30, 60)
