"""The smallest eigenvectors of graphs: null vectors known, none missed, the residual reported.

With :mod:`pairspace._core.linalg` the only place that calls an eigen-solver.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from threadpoolctl import threadpool_limits  # which scikit-learn needs, too

from pairspace._core.linalg._eigen import oriented
from pairspace._core.linalg._graph_problem import GraphProblem
from pairspace._core.linalg._graph_solvers import solve_graph
from pairspace._core.typing import Floats, Ints

WARN_ABOVE = 1e-8  # a residual of this share gets a warning


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
    problem = GraphProblem(M, degrees, component, check_random_state(random_state))
    contrasts = problem.contrasts()[:, :k]
    wanted = k - contrasts.shape[1]
    U = contrasts[:, :0]
    if wanted:
        # Lanczos' vector operations are too small for two threads to be worth the waiting.
        with threadpool_limits(1, user_api="blas"):
            U = np.linalg.qr(problem.project(solve_graph(problem, wanted, solver)))[0]
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
