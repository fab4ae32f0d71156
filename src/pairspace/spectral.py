"""The eigenproblems: one order, one sign, one rank.

Every function takes symmetric matrices and gives eigenvalues with their eigenvectors as columns,
in an order its name says. Nothing else in the package calls an eigen-solver.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
import scipy.linalg
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array, csr_matrix, diags_array
from scipy.sparse.csgraph import reverse_cuthill_mckee
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh, lobpcg, splu
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from threadpoolctl import threadpool_limits  # which scikit-learn needs, too

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

RANK_TOLERANCE = 1e-10  # an eigenvalue below this share of the largest counts as zero
# NumPy solves small problems, although SciPy can leave out vectors: each has a BLAS of its own, and
# the waiting threads of the one that made the scatter matrix slow the other down.
SUBSET_FROM = 500
LANCZOS_FROM = 1_000  # the order from which a few eigenvectors are found by iteration

# The smallest eigenvectors of a graph:
DENSE_TO = 400  # rows up to which all of them are computed
GRAPH_TOLERANCE = 1e-10  # of a residual, as a share of the largest eigenvalue
WARN_ABOVE = 1e-8  # a residual of this share gets a warning
FIRST_TRY = 12  # restarts of Lanczos before a factorisation is considered
# Factors have at most n · bandwidth entries. Measured on rolls, cubes, clusters and digits: up to
# the first bandwidth they beat Lanczos at once, up to the second where it has stalled.
NARROW, AFFORDABLE = 200, 1_000
MOST_RESTARTS = 1_000
CHECK_TOLERANCE = 1e-5  # of the search for what a first one may have missed
SHIFT = 1e-6  # makes the matrix to factorise regular
SPARE = 3  # vectors more than wanted, with which LOBPCG converges sooner
Search = Callable[[int, float, NDArray[np.float64] | None], tuple[Any, Any]]


class Eigen(NamedTuple):
    """Eigenvalues, and the vectors that belong to them as columns."""

    values: Floats
    vectors: Floats


def spectrum(A: Floats) -> Eigen:
    """All eigenvalues, descending."""
    return _descending(*np.linalg.eigh(_symmetric(A)))


def top(A: Floats, k: int) -> Eigen:
    """The k largest eigenvalues (by value, not by size), descending."""
    _check_finite(A)
    found = _lanczos(A, k) if len(A) >= LANCZOS_FROM and 0 < k <= len(A) // 50 else None
    return _descending(*(found or _some(A, len(A) - k, len(A) - 1)))


def bottom(A: Floats, k: int, *, ties: Floats | None = None) -> Eigen:
    """The k smallest eigenvalues, ascending.

    A positive semi-definite A that is singular can't tell the directions of its null space apart,
    and a solver would return any. With ``ties``, a second matrix, they come in the order
    of its eigenvalues on that space, smallest first.
    """
    if ties is None:
        values, vectors = _some(A, 0, k - 1)
        return Eigen(values, oriented(vectors))
    values, vectors = spectrum(A)
    null = vectors[:, rank(values) :]
    if null.shape[1]:
        inside = np.linalg.eigh(_symmetric(null.T @ ties @ null))[1]
        vectors = np.hstack([null @ inside, vectors[:, : rank(values)][:, ::-1]])
        values = np.concatenate([np.zeros(null.shape[1]), values[: rank(values)][::-1]])
    else:
        values, vectors = values[::-1], vectors[:, ::-1]
    return Eigen(values[:k], oriented(vectors[:, :k]))


def rank(values: NDArray[np.floating[Any]]) -> int:
    """How many of the eigenvalues of a positive semi-definite matrix are not zero."""
    return int(np.sum(values > RANK_TOLERANCE * max(values.max(initial=0.0), 0.0)))


def rank_of(A: Floats) -> int:
    """The rank of a positive semi-definite matrix."""
    return rank(np.linalg.eigvalsh(_symmetric(A)))


def range_of(A: Floats) -> Floats:
    """An orthonormal basis of the range of a positive semi-definite matrix, as columns."""
    values, vectors = spectrum(A)
    return vectors[:, : rank(values)]


def whiten(B: Floats) -> Floats:
    """V with VᵀBV = I, a column for each eigenvalue of B that is not zero."""
    values, vectors = spectrum(B)
    kept = rank(values)
    return vectors[:, :kept] / np.sqrt(values[:kept])


def within(V: Floats, A: Floats, k: int, *, largest: bool = True) -> Eigen:
    """The eigenproblem VᵀAV u = μ u of A in the span of V, with the vectors w = Vu.

    With V = whiten(B) it is A w = μ B w, wᵀBw = 1, where B is not zero. The k largest μ descend,
    the k smallest ascend.
    """
    reduced = V.T @ A @ V
    values, vectors = top(reduced, k) if largest else bottom(reduced, k)
    return Eigen(values, oriented(V @ vectors))


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
    values, rotation = np.linalg.eigh(_symmetric(U.T @ (problem.A @ U)))
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


def oriented(vectors: Floats) -> Floats:
    """Each column with the sign that makes its largest entry positive.

    Entries within a millionth of the largest count as equal and the first of them decides, so
    that rounding can't flip a column.
    """
    size = np.abs(vectors)
    decides = np.argmax(size >= (1 - 1e-6) * size.max(axis=0), axis=0)
    sign = np.where(vectors[decides, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)
    return vectors * sign


def _some(A: Floats, first: int, last: int) -> tuple[Floats, Floats]:
    if not 0 <= first <= last < len(A):
        raise ValueError(f"{last - first + 1} eigenvectors of a matrix of order {len(A)}")
    A = _symmetric(A)
    if len(A) >= SUBSET_FROM and last - first + 1 <= len(A) // 3:
        return scipy.linalg.eigh(A, driver="evr", subset_by_index=(first, last))
    values, vectors = np.linalg.eigh(A)
    return values[first : last + 1], vectors[:, first : last + 1]


def _lanczos(A: Floats, k: int) -> tuple[Floats, Floats] | None:
    """The k largest, ascending, by Lanczos; None if they are not unique or one may be missed.

    Lanczos may miss a copy of a repeated eigenvalue. So those found are lowered to the smallest of
    them: no eigenvalue of the rest may be larger, which one Cholesky factorisation proves. And
    where eigenvalues coincide, also with the next one, its vectors depend on chance.
    """
    start = np.random.default_rng(0).normal(size=len(A))
    try:
        values, vectors = eigsh(A, k + 1, which="LA", v0=start, ncv=2 * k + 30, maxiter=20)
        order = np.argsort(values)
        values, vectors = values[order], vectors[:, order]
        if np.diff(values).min() <= 1e-8 * np.abs(values).max():
            return None
        proof = (vectors * (values - values[0])) @ vectors.T
        proof -= A
        proof.flat[:: len(A) + 1] += values[0] + 1e-10 * np.abs(values).max()
        np.linalg.cholesky(proof)
    except (ArpackError, np.linalg.LinAlgError):
        return None
    return values[1:], vectors[:, 1:]


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
        return _some(problem.raised(), 0, k - 1)[1]
    if solver == "amg":
        return _complete(_amg(problem), k)
    if solver == "shift-invert" or (solver == "auto" and problem.bandwidth() <= NARROW):
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
        return problem.krylov(factors.solve, k, tolerance, found, max(2 * k + 1, 20), MOST_RESTARTS)

    return search


def _amg(problem: _GraphProblem) -> Search:
    """LOBPCG with an algebraic multigrid as its preconditioner."""
    try:
        pyamg = import_module("pyamg")
    except ImportError as error:
        raise ImportError("solver 'amg' needs pyamg: pip install 'pairspace[amg]'") from error
    multigrid = pyamg.smoothed_aggregation_solver(
        csr_matrix(problem.regular()), B=1 / problem.scale[:, None]
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


def _descending(values: Floats, vectors: Floats) -> Eigen:
    return Eigen(values[::-1], oriented(vectors[:, ::-1]))


def _symmetric(A: Floats) -> Floats:
    _check_finite(A)
    return (A + A.T) / 2


def _check_finite(A: Floats) -> None:
    if not np.isfinite(A).all():
        raise ValueError(
            "the scatter matrix overflows: the data has values too large to square; "
            "scale the columns first, e.g. with StandardScaler"
        )
