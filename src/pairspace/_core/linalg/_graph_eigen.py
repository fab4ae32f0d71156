"""The smallest eigenvectors of graphs, complete where eigenvalues are repeated."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from threadpoolctl import threadpool_limits  # a dependency of scikit-learn

from pairspace._core.linalg._eigen import oriented
from pairspace._core.linalg._graph_problem import GraphProblem
from pairspace._core.linalg._graph_solvers import solve_graph
from pairspace._core.typing import Floats, Ints, Seed
from pairspace._core.warn import warn_caller

WARN_ABOVE = 1e-8  # residual, as a share of the bound on the eigenvalues


class GraphEigen(NamedTuple):
    """Eigenvalues, vectors with vᵀDv = 1 as columns, and the largest ‖Au − λu‖ for u = D^½v."""

    values: Floats
    vectors: Floats
    residual: float


def smallest_eigenvectors(
    M: csr_array,
    degrees: Floats,
    k: int,
    *,
    component: Ints,
    solver: str = "auto",
    random_state: Seed = None,
) -> GraphEigen:
    """M v = λ D v for the smallest λ, ascending, without the constant vector.

    M·1_component = 0 for the indicator of each of the m components. Iterative solvers miss copies
    of repeated eigenvalues, and zero is repeated m times. So these vectors are not searched for:
    they are projected out, and the m − 1 of them that are orthogonal to the constant come first,
    with λ = 0. For other repeated λ, a second search among the vectors orthogonal to all those
    found finds the copies that the first one missed.

    Parameters
    ----------
    M : csr_array of shape (n, n)
        Symmetric: a Laplacian, or a difference of two.
    degrees : ndarray of shape (n,)
        The positive diagonal of D.
    k : int
        The number of vectors, at most n − 1.
    component : ndarray of shape (n,)
        The number of each row's component.
    solver : {"auto", "dense", "lanczos", "shift-invert", "amg"}
        "shift-invert" and "amg" need M to be positive semi-definite. "auto" factorises graphs of
        low bandwidth, such as those of curves and sheets, and uses Lanczos for others. If Lanczos
        stalls, it factorises where memory allows, and uses AMG otherwise if pyamg is installed.
    random_state : int, RandomState or None
        Seed of the start vectors.
    """
    problem = GraphProblem(M, degrees, component, check_random_state(random_state))
    contrasts = problem.contrasts()[:, :k]
    wanted = k - contrasts.shape[1]
    U = contrasts[:, :0]
    if wanted:
        # For the vector operations of Lanczos one thread is faster than two.
        with threadpool_limits(1, user_api="blas"):
            U = np.linalg.qr(problem.project(solve_graph(problem, wanted, solver)))[0]
    values, rotation = np.linalg.eigh(U.T @ (problem.A @ U))
    U = U @ rotation
    residual = float(np.linalg.norm(problem.A @ U - U * values, axis=0).max(initial=0.0))
    if residual > WARN_ABOVE * problem.bound:
        warn_caller(
            f"solver={solver!r} did not converge: the eigenvectors have a residual of "
            f"{residual:.1e}; use 'auto' or another solver",
            ConvergenceWarning,
        )
    values = np.concatenate([np.zeros(contrasts.shape[1]), values])
    vectors = np.hstack([contrasts, U]) * problem.scale[:, None]
    return GraphEigen(values, oriented(vectors), residual)
