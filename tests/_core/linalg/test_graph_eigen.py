"""The smallest eigenvectors of graphs: none missed, whatever the solver, the seed and the parts."""

import sys
from functools import cache

import numpy as np
import pytest
import scipy.linalg
from scipy.sparse import block_diag, csr_array
from scipy.sparse.csgraph import connected_components, laplacian
from sklearn.exceptions import ConvergenceWarning

from pairspace._core.linalg import _graph_solvers, smallest_eigenvectors

ITERATIVE = ["auto", "lanczos", "shift-invert", "amg"]
SOLVERS = ["dense", *ITERATIVE]


def random_graph(n, seed=0, n_edges=None):
    random = np.random.default_rng(seed)
    i, j = random.integers(0, n, (2, n_edges or 6 * n))
    W = csr_array((random.uniform(0.1, 1, len(i)), (i, j)), shape=(n, n))
    path = csr_array((np.full(n - 1, 0.5), (np.arange(n - 1), np.arange(1, n))), shape=(n, n))
    W = (W + path + (W + path).T).tolil()
    W.setdiag(0)
    return csr_array(W)


def solve(W, k, solver="auto", seed=0):
    degrees = W.sum(axis=1)
    component = connected_components(W, directed=False)[1]
    L = csr_array(laplacian(W))
    return smallest_eigenvectors(
        L, degrees, k, component=component, solver=solver, random_state=seed
    )


def check(W, found, reference):
    D, L = W.sum(axis=1), laplacian(W)
    k = len(found.values)
    np.testing.assert_allclose(found.values, reference[1 : k + 1], atol=1e-10)
    Y = found.vectors
    np.testing.assert_allclose(Y.T @ (D[:, None] * Y), np.eye(k), atol=1e-10)
    np.testing.assert_allclose(D @ Y, 0, atol=1e-9)
    residual = np.linalg.norm(L @ Y - D[:, None] * Y * found.values, axis=0).max()
    assert residual < 1e-8
    assert found.residual < 1e-8


@cache
def parts(n_parts):
    """Components of different sizes, and all eigenvalues by a dense solver."""
    sizes = 600 // n_parts + np.arange(n_parts) % 3
    W = csr_array(block_diag([random_graph(n, seed) for seed, n in enumerate(sizes)]))
    W = csr_array(
        W[np.random.default_rng(0).permutation(W.shape[0])][
            :, np.random.default_rng(0).permutation(W.shape[0])
        ]
    )
    return W, scipy.linalg.eigh(laplacian(W).toarray(), np.diag(W.sum(axis=1)), eigvals_only=True)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("n_parts", [2, 5, 23])
def test_every_zero_is_found(n_parts, solver, seed):
    W, reference = parts(n_parts)
    found = solve(W, n_parts + 2, solver, seed)
    assert np.sum(found.values < 1e-12) == n_parts - 1
    check(W, found, reference)


@pytest.mark.parametrize("solver", SOLVERS)
def test_fewer_than_there_are_parts(solver):
    W, reference = parts(23)
    found = solve(W, 4, solver)
    check(W, found, reference)
    assert found.residual == 0


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kind", ["copies", "ring", "grid"])
def test_repeated_eigenvalues_are_found(kind, solver, seed):
    if kind == "copies":
        W = csr_array(block_diag([random_graph(150)] * 4))
    elif kind == "ring":
        step = np.arange(500)
        W = csr_array((np.ones(500), (step, (step + 1) % 500)), shape=(500, 500))
        W = csr_array(W + W.T)
    else:  # a torus: each eigenvalue four times
        at = np.arange(484).reshape(22, 22)
        ends = np.concatenate([np.roll(at, 1, axis).ravel() for axis in (0, 1)])
        W = csr_array((np.ones(968), (np.tile(at.ravel(), 2), ends)), shape=(484, 484))
        W = csr_array(W + W.T)
    reference = scipy.linalg.eigh(laplacian(W).toarray(), np.diag(W.sum(axis=1)), eigvals_only=True)
    check(W, solve(W, 9, solver, seed), reference)


def test_a_search_that_misses_a_copy_is_caught():
    values = np.array([0.1, 0.2, 0.2, 0.3, 0.5])
    basis = np.linalg.qr(np.random.default_rng(0).normal(size=(9, 5)))[0]
    asked = []

    def forgetful(k, tolerance, found):
        asked.append(k)
        hidden = np.zeros(5, bool) if found is None else np.abs(found.T @ basis).max(axis=0) > 0.9
        hidden |= (np.arange(5) == 2) & (found is None)
        left = np.flatnonzero(~hidden)[:k]
        return values[left], basis[:, left]

    U = _graph_solvers._complete(forgetful, 3)
    np.testing.assert_allclose(np.abs(basis.T @ U).max(axis=1), [1, 1, 1, 0, 0], atol=1e-12)
    assert asked == [3, 1, 1, 1]


def test_indefinite_problems():
    pull, push = random_graph(600), random_graph(600, 1)
    M = csr_array(laplacian(pull) - 0.3 * laplacian(push))
    D = pull.sum(axis=1)
    found = smallest_eigenvectors(
        M, D, 4, component=np.zeros(600, int), solver="lanczos", random_state=0
    )
    rest = scipy.linalg.null_space(D[None])
    wanted = scipy.linalg.eigh(
        rest.T @ M @ rest, rest.T @ np.diag(D) @ rest, eigvals_only=True, subset_by_index=(0, 3)
    )
    np.testing.assert_allclose(found.values, wanted, atol=1e-9)


def test_auto_factorises_narrow_graphs_and_those_on_which_lanczos_stalls(monkeypatch):
    used = []
    for name in ("_graph_lanczos", "_shift_invert", "_amg"):
        real = getattr(_graph_solvers, name)

        def noted(*args, name=name, real=real):
            used.append(name)
            return real(*args)

        monkeypatch.setattr(_graph_solvers, name, noted)
    path = random_graph(600, n_edges=1)
    reference = scipy.linalg.eigh(
        laplacian(path).toarray(), np.diag(path.sum(axis=1)), eigvals_only=True
    )

    def solvers():
        used.clear()
        check(path, solve(path, 3), reference)
        return list(used)

    assert solvers() == ["_shift_invert"]
    monkeypatch.setattr(_graph_solvers, "NARROW", 0)
    assert solvers() == ["_shift_invert"]  # narrow as a share of its rows
    monkeypatch.setattr(_graph_solvers, "SMALL_SHARE", 0.0)
    monkeypatch.setattr(_graph_solvers, "FIRST_TRY", 1)
    assert solvers() == ["_graph_lanczos", "_shift_invert"]
    monkeypatch.setattr(_graph_solvers, "AFFORDABLE", 0)
    assert solvers() == ["_graph_lanczos", "_amg"]
    monkeypatch.setattr(_graph_solvers, "find_spec", lambda name: None)
    assert solvers() == ["_graph_lanczos", "_graph_lanczos"]


def test_a_bad_residual_is_reported(monkeypatch):
    monkeypatch.setattr(_graph_solvers, "GRAPH_TOLERANCE", 1e-3)
    with pytest.warns(ConvergenceWarning, match="solver='amg' did not converge: .* residual"):
        found = solve(random_graph(600), 2, "amg")
    assert found.residual > 1e-8


def test_no_convergence_is_an_error(monkeypatch):
    monkeypatch.setattr(_graph_solvers, "MAX_RESTARTS", 1)
    with pytest.raises(RuntimeError, match="eigen_solver='shift-invert' or 'amg'"):
        solve(random_graph(2000, n_edges=1), 3, "lanczos")


def test_amg_without_the_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyamg", None)
    with pytest.raises(ImportError, match=r"pip install 'pairspace\[amg\]'"):
        solve(random_graph(600), 2, "amg")


@pytest.mark.parametrize("k", [1, 29, 59])
def test_many_of_few(k):
    W = random_graph(60)
    reference = scipy.linalg.eigh(laplacian(W).toarray(), np.diag(W.sum(axis=1)), eigvals_only=True)
    for solver in SOLVERS:
        check(W, solve(W, k, solver), reference)
