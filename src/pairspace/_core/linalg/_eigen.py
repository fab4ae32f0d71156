"""The eigenproblems: one order, one sign, one rank.

Every function takes symmetric matrices and gives eigenvalues with their eigenvectors as columns,
in an order its name says. Nothing but this and :mod:`pairspace._core.linalg` calls an
eigen-solver.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.linalg
from numpy.typing import NDArray
from scipy.linalg.lapack import dpocon
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from pairspace._core.typing import Floats

RANK_TOLERANCE = 1e-10  # an eigenvalue below this share of the largest counts as zero
# NumPy solves small problems, although SciPy can leave out vectors: each has a BLAS of its own, and
# the waiting threads of the one that made the scatter matrix slow the other down.
SUBSET_FROM = 500
LANCZOS_FROM = 1_000  # the order from which a few eigenvectors are found by iteration
LANCZOS_STEPS = 100  # the most to see that none was missed


class Eigen(NamedTuple):
    """Eigenvalues, and the vectors that belong to them as columns."""

    values: Floats
    vectors: Floats


def spectrum(A: Floats) -> Eigen:
    """All eigenvalues, descending."""
    return _descending(*np.linalg.eigh(_symmetric(A)))


def top(A: Floats, k: int) -> Eigen:
    """The k largest eigenvalues (by value, not by size), descending."""
    return _descending(*_some(A, len(A) - k, len(A) - 1))


def iteration_pays(order: int, k: int) -> bool:
    """Whether k eigenvectors of so large a matrix are found sooner by :func:`leading`."""
    return order >= LANCZOS_FROM and 0 < k <= order // 50


def leading(A: LinearOperator, k: int, *, patient: bool = False) -> Eigen | None:
    """The k largest eigenvalues, descending, of what can only be multiplied with.

    Lanczos may miss a copy of a repeated eigenvalue, and the vectors of coinciding ones depend on
    chance. So a second search, from another start, looks at all that is orthogonal to those found:
    its eigenvalues must be smaller than theirs. If they are not, or if either search takes too
    long, the answer is None. ``patient`` is for matrices that can't be written down: both searches
    may take much longer.
    """
    more = 10 if patient else 1
    random = np.random.default_rng(0)
    start, another = random.normal(size=(2, A.shape[0]))
    try:
        values, vectors = eigsh(A, k, which="LA", v0=start, ncv=2 * k + 30, maxiter=10 * more)
    except ArpackError:
        return None
    order = np.argsort(values)
    values, vectors = values[order], vectors[:, order]
    least = 1e-8 * np.abs(values).max()
    if np.any(np.diff(values) <= least):
        return None
    another -= vectors @ (vectors.T @ another)
    if not _all_below(values[0] - least, A, another, vectors, LANCZOS_STEPS * min(more, 3)):
        return None
    return _descending(values, vectors)


def _all_below(bound: float, A: LinearOperator, start: Floats, found: Floats, n_steps: int) -> bool:
    """Whether the eigenvalues of A that have a part of the start are below the bound.

    Lanczos, orthogonal to the vectors found, until the largest eigenvalue so far and its residual
    leave no doubt; False after too many steps.
    """
    basis = np.zeros((n_steps + 1, len(start)))
    basis[0] = start / np.linalg.norm(start)
    diagonal, beside = np.zeros(n_steps), np.zeros(n_steps)
    for step in range(n_steps):
        v = A.matvec(basis[step])
        diagonal[step] = basis[step] @ v
        for _ in range(2):  # once leaves the rounding of what is taken off
            v -= found @ (found.T @ v)
            v -= basis[: step + 1].T @ (basis[: step + 1] @ v)
        beside[step] = np.linalg.norm(v)
        basis[step + 1] = v / beside[step] if beside[step] > 0 else 0
        if step % 10 == 9 or beside[step] == 0:
            T = (
                np.diag(diagonal[: step + 1])
                + np.diag(beside[:step], 1)
                + np.diag(beside[:step], -1)
            )
            ritz, of_ritz = np.linalg.eigh(T)
            if ritz[-1] >= bound:
                return False
            if step > 10 and ritz[-1] + beside[step] * abs(of_ritz[-1, -1]) < bound:
                return True
    return False


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


def some_smallest(A: Floats, k: int) -> Eigen:
    """The k smallest eigenvalues of a symmetric A, ascending; the signs of the vectors are open.

    For one of many problems, with one thread of BLAS: see ``_core.threads``.
    """
    if k <= len(A) // 3:
        values, vectors = scipy.linalg.eigh(
            A, driver="evr", subset_by_index=(0, k - 1), check_finite=False
        )
    else:
        values, vectors = np.linalg.eigh(A)
    return Eigen(values[:k], vectors[:, :k])


def rank(values: NDArray[np.floating[Any]], floor: float = 0.0) -> int:
    """How many of the eigenvalues of a positive semi-definite matrix are not zero.

    Not zero is above a share of the largest, and above the floor: what rounding alone may make.
    """
    least = max(RANK_TOLERANCE * values.max(initial=0.0), floor, 0.0)
    return int(np.sum(values > least))


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


def top_definite(A: Floats, B: Floats, k: int) -> Eigen | None:
    """A w = μ B w, wᵀBw = 1, for the k largest μ, descending; None if B is not positive definite.

    Half the work of :func:`within` and :func:`whiten`. B counts as singular if it is, up to
    rounding, after its diagonal is made 1: columns of different scales do no harm.
    """
    scale = 1 / np.sqrt(np.maximum(B.diagonal(), np.finfo(np.float64).tiny))
    scaled = _symmetric(B * scale * scale[:, None])
    try:
        L = np.linalg.cholesky(scaled)
    except np.linalg.LinAlgError:
        return None
    if dpocon(L, np.abs(scaled).sum(axis=0).max(), uplo="L")[0] < RANK_TOLERANCE:
        return None
    half = np.linalg.solve(L, A * scale * scale[:, None])
    values, vectors = top(np.linalg.solve(L, half.T), k)
    return Eigen(values, oriented(np.linalg.solve(L.T, vectors) * scale[:, None]))


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


def _descending(values: Floats, vectors: Floats) -> Eigen:
    _check_finite(values)
    return Eigen(values[::-1], oriented(vectors[:, ::-1]))


def _symmetric(A: Floats) -> Floats:
    with np.errstate(over="ignore"):  # the sum may overflow where A does not
        A = (A + A.T) / 2
    _check_finite(A)
    return A


def _check_finite(A: Floats) -> None:
    if not np.isfinite(A).all():
        raise ValueError(
            "the scatter matrix overflows: values of X, weights or parameters are too large to "
            "square; scale the columns first, e.g. with StandardScaler"
        )
