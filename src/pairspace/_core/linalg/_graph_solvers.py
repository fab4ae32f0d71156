"""Solvers for the eigenproblem of a graph: dense, Lanczos, shift-invert, multigrid."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy.sparse import csc_array, csr_matrix
from scipy.sparse.linalg import ArpackError, lobpcg, splu

from pairspace._core.linalg._eigen import bottom
from pairspace._core.linalg._graph_problem import GraphProblem
from pairspace._core.typing import Floats

DENSE_TO = 400  # rows: for so few the dense solver is used
GRAPH_TOLERANCE = 1e-10  # of a residual, as a share of the largest eigenvalue
FIRST_TRY = 12  # restarts of Lanczos before a factorisation is considered
# Factors have at most n · bandwidth entries. Measured on rolls, cubes, clusters, digits, images and
# noise: a factorisation is faster than Lanczos up to the first bandwidth, up to the second if it is
# a small share of the rows, and up to the third if Lanczos has stalled.
NARROW, MIDDLING, AFFORDABLE = 280, 700, 1_000
SMALL_SHARE = 0.045
MAX_RESTARTS = 1_000
CHECK_TOLERANCE = 1e-5  # of the search for missed eigenvalues
SPARE = 3  # extra vectors, with which LOBPCG converges faster
Search = Callable[[int, float, Floats | None], tuple[Any, Any]]


def solve_graph(problem: GraphProblem, k: int, solver: str) -> Floats:
    if solver == "dense" or problem.n <= DENSE_TO or _basis(k) >= problem.n - problem.n_null:
        return bottom(problem.deflated(), k).vectors
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
        return _complete(_graph_lanczos(problem, MAX_RESTARTS), k)
    except ArpackError as error:
        raise RuntimeError(
            f"Lanczos did not converge in {MAX_RESTARTS:,} restarts: use "
            "eigen_solver='shift-invert' or 'amg'"
        ) from error


def _is_narrow(problem: GraphProblem) -> bool:
    return problem.bandwidth() <= max(NARROW, min(MIDDLING, SMALL_SHARE * problem.n))


def _complete(search: Search, k: int) -> Floats:
    """The vectors of the k smallest eigenvalues, with all copies of repeated ones.

    If a search missed an eigenvalue, the smallest one among the vectors orthogonal to those found
    is below the largest found. So this is searched for, and added, until it is not below.
    """
    values, U = search(k, GRAPH_TOLERANCE, None)
    while True:
        found = np.linalg.qr(U)[0]
        largest = np.sort(values)[k - 1]
        if search(1, CHECK_TOLERANCE, found)[0][0] >= largest - CHECK_TOLERANCE * abs(largest):
            return U[:, np.argsort(values)[:k]]
        value, vector = search(1, GRAPH_TOLERANCE, found)
        values, U = np.append(values, value), np.column_stack([U, vector])


def _graph_lanczos(problem: GraphProblem, max_restarts: int) -> Search:
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


def _shift_invert(problem: GraphProblem) -> Search:
    # Symmetric and positive definite: no pivoting is needed.
    factors = splu(
        csc_array(problem.shifted()),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )

    def search(k: int, tolerance: float, found: Floats | None) -> tuple[Floats, Floats]:
        return problem.krylov(factors.solve, k, tolerance, found, 2 * k + 6, MAX_RESTARTS)

    return search


def _amg(problem: GraphProblem) -> Search:
    """LOBPCG with an algebraic multigrid preconditioner."""
    try:
        pyamg = import_module("pyamg")
    except ImportError as error:
        raise ImportError("eigen_solver='amg' needs pyamg: pip install 'pairspace[amg]'") from error
    M = csr_matrix(problem.shifted())
    # pyamg needs 32-bit indices.
    M.indices, M.indptr = M.indices.astype(np.int32), M.indptr.astype(np.int32)
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
            # Its warnings are superfluous: the residual is checked for every solver.
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
    """The size of the Lanczos basis: with a small one it restarts too often to resolve gaps."""
    return max(2 * k + 30, 60)
