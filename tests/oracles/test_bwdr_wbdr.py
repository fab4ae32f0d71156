"""The oracles of BWDR and WBDR, by the identities of the paper."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse.csgraph

from oracles.bwdr_wbdr import bwdr, wbdr
from oracles.pairs import pairs_of_labels, scatter
from oracles.scatters import close
from oracles.subspaces import principal_angles, same_columns_up_to_sign


@pytest.mark.parametrize("t0", [0.5, 0.8, 0.95, 1.0])
@pytest.mark.parametrize("K", [1, 2, 4])
def test_bwdr_facts(data, pairs, rng, K, t0):
    X, _ = data
    must, cannot = pairs
    S_B, S_W = scatter(X, cannot), scatter(X, must)
    W, values = bwdr(X, must, cannot, K, t0)
    largest = np.linalg.eigvalsh(S_B)[-1]
    close(W.T @ S_B @ W, largest * np.eye(K))
    close(W.T @ S_W @ W, np.diag(values))
    assert np.all(np.diff(values) >= 0)


def test_bwdr_no_orthonormal_u_does_better(data, pairs, rng):
    X, _ = data
    must, cannot = pairs
    S_B, S_W = scatter(X, cannot), scatter(X, must)
    W, values = bwdr(X, must, cannot, 2, 1.0)
    lam, e = np.linalg.eigh(S_B)
    V = e * np.sqrt(lam[-1] / lam)
    for _ in range(200):
        U = np.linalg.qr(rng.normal(size=(5, 2)))[0]
        assert np.trace(U.T @ V.T @ S_W @ V @ U) >= np.sum(values) * (1 - 1e-12)
    # nor does one near the solution
    U = np.linalg.solve(V, W)
    for _ in range(200):
        near = np.linalg.qr(U + 0.01 * rng.normal(size=(5, 2)))[0]
        assert np.trace(near.T @ V.T @ S_W @ V @ near) >= np.sum(values) * (1 - 1e-12)


def test_bwdr_number_of_directions():
    # S_B = diag(6, 3, 1): α = .6, .9, 1
    X = np.vstack([np.zeros(3), np.diag(np.sqrt([6.0, 3.0, 1.0])), [[3.0, 1.0, 0.5]]])
    cannot = [(0, 1), (0, 2), (0, 3)]
    must = [(0, 4)]

    def directions(K, t0):
        """How many of the axes W touches."""
        W, _ = bwdr(X, must, cannot, K, t0)
        return int(np.max(np.flatnonzero(np.abs(W).max(axis=1) > 1e-9))) + 1

    assert directions(1, 0.5) == 1  # i = 0, raised to K
    assert directions(1, 0.7) == 1
    assert directions(1, 0.95) == 2
    assert directions(1, 1.0) == 3
    assert directions(2, 0.5) == 2  # i < K
    assert directions(3, 0.5) == 3
    # not nested in K when that rule fires
    one, two = bwdr(X, must, cannot, 1, 0.5)[0], bwdr(X, must, cannot, 2, 0.5)[0]
    assert principal_angles(one, two[:, :1]) > 0.1


@pytest.mark.parametrize("K", [1, 3, 5])
@pytest.mark.parametrize("t0", [0.5, 0.8, 0.95, 1.0])
def test_wbdr_facts(data, pairs, rng, t0, K):
    X, _ = data
    must, cannot = pairs
    S_B, S_W = scatter(X, cannot), scatter(X, must)
    W, values = wbdr(X, must, cannot, K, t0)
    close(W.T @ S_B @ W, np.diag(values))
    assert np.all(np.diff(values) <= 0)
    # wᵀ Vᵀ S_W V w ≤ λ_i for unit w, equality if i = d. With K = d, W = V U and U is orthonormal.
    lam = np.linalg.eigvalsh(S_W)[::-1]
    below = np.cumsum(lam) / np.sum(lam) <= t0
    i = 5 if t0 == 1 else max(int(np.sum(below)), K)
    projected = np.linalg.eigvalsh(W.T @ S_W @ W)
    assert projected[-1] <= lam[i - 1] * (1 + 1e-11)
    if i == 5:
        close(W.T @ S_W @ W, lam[-1] * np.eye(K))
    if K == 5:
        close(projected[::-1], np.concatenate([np.full(i, lam[i - 1]), lam[i:]]))


def test_wbdr_projected_spectrum_for_each_i(data, pairs):
    """With K = 1 and S_B a full-rank stand-in, VᵀS_WV = diag(λ_i, …, λ_i, λ_{i+1}, …)."""
    X, _ = data
    must, cannot = pairs
    S_W = scatter(X, must)
    lam, e = np.linalg.eigh(S_W)
    lam, e = lam[::-1], e[:, ::-1]
    alphas = np.cumsum(lam) / np.sum(lam)
    for i in range(1, 5):
        t0 = (alphas[i - 1] + alphas[i]) / 2
        coefficients = np.where(np.arange(5) < i, np.sqrt(lam[i - 1] / lam), 1.0)
        V = e * coefficients
        close(V.T @ S_W @ V, np.diag(np.concatenate([np.full(i, lam[i - 1]), lam[i:]])))
        mu = np.linalg.eigvalsh(V.T @ scatter(X, cannot) @ V)[::-1]
        close(wbdr(X, must, cannot, 1, t0)[1], mu[:1])


def test_both_solve_the_generalised_problem_at_t0_1(data, pairs):
    X, _ = data
    must, cannot = pairs
    S_B, S_W = scatter(X, cannot), scatter(X, must)
    mu, vectors = scipy.linalg.eigh(S_B, S_W)
    mu, vectors = mu[::-1], vectors[:, ::-1]
    between, b_values = bwdr(X, must, cannot, 3, t0=1.0)
    within, w_values = wbdr(X, must, cannot, 3, t0=1.0)
    largest_b = np.linalg.eigvalsh(S_B)[-1]
    smallest_w = np.linalg.eigvalsh(S_W)[0]
    for j in range(3):
        assert principal_angles(between[:, [j]], vectors[:, [j]]) < 1e-10
        assert principal_angles(within[:, [j]], vectors[:, [j]]) < 1e-10
        assert between[:, j] @ S_B @ between[:, j] == pytest.approx(largest_b, rel=1e-10)
        assert within[:, j] @ S_W @ within[:, j] == pytest.approx(smallest_w, rel=1e-10)
    close(b_values, largest_b / mu[:3])
    close(w_values, smallest_w * mu[:3])


@pytest.mark.parametrize("method", [bwdr, wbdr])
def test_bwdr_wbdr_invariances(data, pairs, rng, method):
    X, _ = data
    must, cannot = pairs
    W, _ = method(X, must, cannot, 2, 0.8)
    same = [
        method(X - 100, must, cannot, 2, 0.8)[0],
        method(X, [(j, i) for i, j in must[::-1]], cannot[::-1], 2, 0.8)[0],
    ]
    for other in same:
        assert same_columns_up_to_sign(W, other, 1e-9)
    # dividing by |M| and |C|, repeating a whole set: directions and, for these, lengths stay
    m, c = len(must), len(cannot)
    scaled = method(X, must, cannot, 2, 0.8, must_weight=[1 / m] * m, cannot_weight=[1 / c] * c)[0]
    assert same_columns_up_to_sign(W, scaled, 1e-9)
    assert same_columns_up_to_sign(W, method(X, must * 2, cannot * 3, 2, 0.8)[0], 1e-9)
    # a weight of 2 is the pair given twice
    doubled = method(
        X,
        must,
        cannot,
        2,
        0.8,
        must_weight=[2.0] + [1.0] * (m - 1),
        cannot_weight=[1.0] * (c - 1) + [2.0],
    )[0]
    repeated = method(X, must[:1] + must, cannot + cannot[-1:], 2, 0.8)[0]
    assert same_columns_up_to_sign(doubled, repeated, 1e-9)
    assert not same_columns_up_to_sign(W, repeated, 1e-9)
    # rotation equivariant
    R = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    assert same_columns_up_to_sign(X @ W, X @ R @ method(X @ R, must, cannot, 2, 0.8)[0], 1e-9)


def test_affine_invariance_is_wbdrs_only(data, pairs, rng):
    X, _ = data
    must, cannot = pairs
    A = rng.normal(size=(5, 5)) + 3 * np.eye(5)
    Y = X @ A + 2
    W, V = wbdr(X, must, cannot, 2)[0], wbdr(Y, must, cannot, 2)[0]
    for j in range(2):
        assert principal_angles(W[:, [j]], A @ V[:, [j]]) < 1e-9
    W, V = bwdr(X, must, cannot, 2, 0.8)[0], bwdr(Y, must, cannot, 2, 0.8)[0]
    assert principal_angles(W, A @ V) > 1e-3


def test_bwdr_wbdr_edge_cases(data, pairs, rng):
    X, _ = data
    must, cannot = pairs
    for method in (bwdr, wbdr):
        with pytest.raises(ValueError, match="cannot-links"):
            method(X, must, [], 2)
        with pytest.raises(ValueError, match="cannot-links"):
            method(X, must, [(1, 1)], 2)
        with pytest.raises(ValueError, match=r"K = 3 .* rank 2"):
            method(X, must, cannot[:2], 3)
    top = np.linalg.eigh(scatter(X, cannot))[1][:, ::-1][:, :3]
    # without must-links: the leading eigenvectors of S_B
    W, values = wbdr(X, [], cannot, 3)
    assert same_columns_up_to_sign(W, top, 1e-9)
    W, values = bwdr(X, [], cannot, 3, 1.0)
    for j in range(3):
        assert principal_angles(W[:, [j]], top[:, [j]]) < 1e-9
    assert not values.any()
    # S_W singular: null directions keep coefficient 1
    W, _ = wbdr(X, must[:2], cannot, 5)
    lam, e = np.linalg.eigh(scatter(X, must[:2]))
    lam, e = lam[::-1], e[:, ::-1]
    # with K = d, W Wᵀ = V Vᵀ
    V = e * np.array([np.sqrt(lam[1] / lam[0]), 1, 1, 1, 1])
    close(W @ W.T, V @ V.T)
    # d > n and a constant column: the solution in the row space
    wide = np.column_stack([X[:12] @ rng.normal(size=(5, 30)), np.full(12, 3.0)])
    few_must = [(i, j) for i, j in pairs_of_labels(data[1][:12])[0]]
    few_cannot = [(i, j) for i, j in pairs_of_labels(data[1][:12])[1]]
    Q = np.linalg.svd(wide - wide.mean(axis=0))[2][:5].T
    for method in (bwdr, wbdr):
        W = method(wide, few_must, few_cannot, 2)[0]
        inside = method(wide @ Q, few_must, few_cannot, 2)[0]
        assert same_columns_up_to_sign(W, Q @ inside, 1e-7)
