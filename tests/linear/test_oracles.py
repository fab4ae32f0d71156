"""The oracles themselves, by the identities that the specifications list."""

import itertools

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse.csgraph
from numpy.testing import assert_allclose
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA, KernelPCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import NearestNeighbors

from oracles.bwdr_wbdr import bwdr, wbdr
from oracles.chunklet_methods import (
    cfld,
    dca,
    dca_covariances,
    rca,
    ssdr,
    ssdr_weights,
    within_chunklets,
)
from oracles.kernel import centred_kernel, coordinates, kernel_bwdr, kernel_lppsi, kernel_wbdr
from oracles.lpp import knn_graph, lpp, lppsi, lppsi_weights, sigma_squared, slpp
from oracles.pairs import chunklets, pairs_of_labels, scatter
from oracles.subspaces import principal_angles, same_columns_up_to_sign
from oracles.wmv import (
    kmeans_clusters,
    label_matrix,
    majority_labels,
    mmc,
    silhouette_clusters,
    sswmv,
    wmmc,
    wmv,
    wmv_pairs,
)


def close(actual, expected, rtol=1e-11):
    """Equal to rtol times the largest entry."""
    expected = np.asarray(expected, dtype=np.float64)
    scale = np.max(np.abs(expected), initial=0.0)
    assert_allclose(actual, expected, rtol=0, atol=rtol * (scale if scale else 1.0))


def total_scatter(X):
    centred = X - X.mean(axis=0)
    return centred.T @ centred


def means_of_classes(X, y):
    return {c: X[y == c].mean(axis=0) for c in np.unique(y) if c != -1}


def within_scatter(X, y):
    S = np.zeros((X.shape[1], X.shape[1]))
    for c in means_of_classes(X, y):
        S += total_scatter(X[y == c])
    return S


@pytest.fixture
def rng():
    return np.random.default_rng(3)


@pytest.fixture
def data(rng):
    """X (40×5, correlated, far from the origin), y: three classes of unequal size."""
    y = np.repeat([0, 1, 2], [18, 13, 9])
    rng.shuffle(y)
    centres = rng.normal(size=(3, 5)) * 2
    X = (rng.normal(size=(40, 5)) + centres[y]) @ rng.normal(size=(5, 5)) + 7
    return X, y


@pytest.fixture
def pairs(rng, data):
    """Some pairs of the labels: 40 must-links, 50 cannot-links."""
    must, cannot = pairs_of_labels(data[1])
    must = [must[i] for i in rng.choice(len(must), 40, replace=False)]
    cannot = [cannot[i] for i in rng.choice(len(cannot), 50, replace=False)]
    return must, cannot


# pairs and subspaces


def test_scatter_of_all_pairs_of_labels(data):
    X, y = data
    must, cannot = pairs_of_labels(y)
    assert len(must) + len(cannot) == 40 * 39 // 2
    # S_W = Σ_c n_c²·Cov_c, S_B = n²·Cov − S_W
    S_W = sum(np.sum(y == c) * total_scatter(X[y == c]) for c in range(3))
    close(scatter(X, must), S_W)
    close(scatter(X, cannot), 40 * total_scatter(X) - S_W)


def test_scatter_weights_and_self_pairs(data):
    X, _ = data
    difference = X[0] - X[3]
    close(scatter(X, [(0, 3)], [2.5]), 2.5 * np.outer(difference, difference))
    close(scatter(X, [(0, 3), (2, 2)], [2.0, 9.0]), scatter(X, [(3, 0), (0, 3)]))
    assert not scatter(X, []).any()
    assert not scatter(X, [(1, 1)]).any()


def test_pairs_of_labels_skips_unknown():
    must, cannot = pairs_of_labels([1, -1, 0, 1, -1])
    assert must == [(0, 3)]
    assert cannot == [(0, 2), (2, 3)]


def test_chunklets_are_components(rng):
    assert chunklets(7, [(5, 2), (2, 0), (4, 6), (3, 3)]) == [[0, 2, 5], [4, 6]]
    assert chunklets(3, []) == []
    must = [tuple(pair) for pair in rng.integers(0, 40, size=(25, 2))]
    graph = np.zeros((40, 40))
    for i, j in must:
        graph[i, j] = 1
    count, labels = scipy.sparse.csgraph.connected_components(graph, directed=False)
    components = [np.flatnonzero(labels == c).tolist() for c in range(count)]
    assert chunklets(40, must) == sorted(c for c in components if len(c) >= 2)


def test_principal_angles():
    A = np.eye(4)[:, :2]
    mixed = A @ np.array([[1.0, 2.0], [3.0, -1.0]])
    assert principal_angles(A, mixed * [1e-9, 1e9]) < 1e-15
    assert principal_angles(A, np.eye(4)[:, 1:3]) == pytest.approx(1)
    assert principal_angles(A, np.eye(4)[:, :3]) == 1
    angle = 1e-9  # a cosine could not see this
    tilted = A.copy()
    tilted[[1, 2], 1] = [np.cos(angle), np.sin(angle)]
    assert principal_angles(A, tilted) == pytest.approx(angle, rel=1e-5)


def test_same_columns_up_to_sign():
    A = np.arange(1.0, 7.0).reshape(3, 2)
    assert same_columns_up_to_sign(A, A * [1, -1], 1e-15)
    assert not same_columns_up_to_sign(A, A * [1, -1.001], 1e-4)
    assert not same_columns_up_to_sign(A, A[:, ::-1], 1e-4)
    assert not same_columns_up_to_sign(A, A[:, :1], 1e-4)
    assert not same_columns_up_to_sign(A, A * np.nan, 1e-4)


# BWDR and WBDR


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
        assert np.isfinite(W).all()
        inside = method(wide @ Q, few_must, few_cannot, 2)[0]
        assert same_columns_up_to_sign(W, Q @ inside, 1e-7)


# SSDR, cFLD, RCA, DCA


def test_ssdr_is_its_three_terms(data, pairs):
    X, _ = data
    must, cannot = pairs
    for alpha, beta in [(1, 20), (2, 0.5), (0, 0)]:
        M = total_scatter(X) / 40
        M = M + alpha * scatter(X, cannot) / len(cannot) - beta * scatter(X, must) / len(must)
        values, vectors = np.linalg.eigh(M)
        W, eigenvalues = ssdr(X, must, cannot, 3, alpha, beta)
        close(eigenvalues, values[::-1][:3], 1e-10)
        assert same_columns_up_to_sign(W, vectors[:, ::-1][:, :3], 1e-9)
        close(W.T @ W, np.eye(3))
    W = ssdr(X, [], [], 3)[0]
    assert same_columns_up_to_sign(W, PCA(3).fit(X).components_.T, 1e-9)
    default = ssdr(X, must, cannot, 3)[0]
    assert same_columns_up_to_sign(default, ssdr(X, must, cannot, 3, 1, 20)[0], 0)


def test_ssdr_weights(data, pairs):
    X, _ = data
    must, cannot = [(0, 1), (2, 1)], [(0, 3)]
    S = ssdr_weights(5, must, cannot, alpha=3, beta=8)
    assert_allclose(S, S.T)
    assert S[0, 3] == pytest.approx(1 / 25 + 3)
    assert S[1, 2] == S[0, 1] == pytest.approx(1 / 25 - 4)
    assert S[2, 3] == pytest.approx(1 / 25)
    must, cannot = pairs
    twice = ssdr(X, must[:1] + must, cannot, 2)
    weighted = ssdr(X, must, cannot, 2, must_weight=[2.0] + [1.0] * (len(must) - 1))
    close(twice[1], weighted[1])
    # self-pairs are no pairs; columns outside the row space do not outrank negative eigenvalues
    close(ssdr(X, [*must, (3, 3)], cannot, 2)[1], ssdr(X, must, cannot, 2)[1])
    padded = np.column_stack([np.ones(40), X])
    close(ssdr(padded, must, cannot, 5)[1], ssdr(X, must, cannot, 5)[1], 1e-10)
    assert ssdr(X, must, cannot, 5)[1][-1] < 0
    with pytest.raises(ValueError, match=r"K = 6 .* rank 5"):
        ssdr(padded, must, cannot, 6)


def chain(y):
    """Must-links that join each class into one chunklet, by a chain."""
    links = []
    for c in np.unique(y):
        members = np.flatnonzero(y == c)
        links += list(itertools.pairwise(members))
    return links


def test_cfld_is_the_generalised_problem(data):
    X, _ = data
    must = [(0, 1), (1, 2), (4, 5), (6, 7), (7, 8), (8, 9), (10, 20), (11, 21)]
    groups = [[0, 1, 2], [4, 5], [6, 7, 8, 9], [10, 20], [11, 21]]
    S_w = sum(total_scatter(X[group]) for group in groups)
    close(within_chunklets(X, must)[0], S_w)
    assert within_chunklets(X, must)[1] == 13
    mu, vectors = scipy.linalg.eigh(total_scatter(X), S_w)
    W, values = cfld(X, must, 3)
    close(values, mu[::-1][:3], 1e-10)
    assert same_columns_up_to_sign(W, vectors[:, ::-1][:, :3], 1e-8)
    close(W.T @ S_w @ W, np.eye(3), 1e-10)


def test_cfld_of_whole_classes_is_lda(data):
    X, y = data
    W, _ = cfld(X, chain(y), 2)
    lda = LinearDiscriminantAnalysis(solver="eigen").fit(X, y).scalings_[:, :2]
    for j in range(2):
        assert principal_angles(W[:, [j]], lda[:, [j]]) < 1e-9
    # which is affine invariant
    A = np.triu(np.ones((5, 5)))
    V, _ = cfld(X @ A, chain(y), 2)
    assert same_columns_up_to_sign(W, A @ V, 1e-8)


def test_cfld_singular_within(data):
    X, _ = data
    must = [(0, 1), (2, 3), (4, 5)]  # S_w of rank 3
    W, values = cfld(X, must, 3)
    S_w = within_chunklets(X, must)[0]
    close(W.T @ S_w @ W, np.eye(3), 1e-9)
    close(W.T @ total_scatter(X) @ W, np.diag(values), 1e-9)
    Q = scipy.linalg.orth(S_w, rcond=1e-10)
    assert principal_angles(Q, W) < 1e-9
    with pytest.raises(ValueError, match=r"K = 4 .* rank 3"):
        cfld(X, must, 4)


def test_rca_whitens_the_average_chunklet_covariance(data):
    X, y = data
    must = chain(y)[::2] + chain(y)[1:9:2]
    S_w, N = within_chunklets(X, must)
    W, values = rca(X, must)
    close(W.T @ (S_w / N) @ W, np.eye(5), 1e-10)
    close(W, W.T)
    close(values, np.linalg.eigvalsh(S_w / N)[::-1], 1e-10)
    close(W @ W, np.linalg.inv(S_w / N), 1e-9)
    whitened, count = within_chunklets(X @ W, must)
    assert count == N
    close(whitened / N, np.eye(5), 1e-10)
    # reduced: still white, and spanned by cFLD
    W, _ = rca(X, must, 2)
    close(W.T @ (S_w / N) @ W, np.eye(2), 1e-10)
    assert principal_angles(W, cfld(X, must, 2)[0]) < 1e-9
    close(W, cfld(X, must, 2)[0] * np.sqrt(N), 1e-9)
    # singular: white on the range, zero elsewhere
    few = [(0, 1), (2, 3), (4, 5)]
    S_w, N = within_chunklets(X, few)
    assert N == 6
    W, values = rca(X, few)
    assert len(values) == 3
    Q = scipy.linalg.orth(S_w, rcond=1e-10)
    close(W @ (S_w / N) @ W, Q @ Q.T, 1e-9)
    with pytest.raises(ValueError, match="must-links"):
        rca(X, [])


def test_dca(data):
    X, _ = data
    # chunklets {0,1,2}, {3,4}, {5,6}, {7}, {8}, {9}, {10,11,12,13}, and 14, 15 untouched
    must = [(0, 1), (1, 2), (3, 4), (5, 6), (10, 11), (11, 12), (12, 13)]
    cannot = [(0, 3), (2, 4), (4, 5), (7, 1), (8, 9), (9, 8), (6, 10), (13, 0), (7, 7)]
    C_b, C_w = dca_covariances(X, must, cannot)
    groups = [[0, 1, 2], [3, 4], [5, 6], [10, 11, 12, 13], [7], [8], [9]]
    m = [X[group].mean(axis=0) for group in groups]
    # (0, 3) and (2, 4) join the same two chunklets
    joined = [(0, 1), (1, 2), (0, 4), (5, 6), (2, 3), (0, 3)]
    close(C_b, sum(np.outer(m[a] - m[b], m[a] - m[b]) for a, b in joined) / 6)
    close(C_w, sum(np.cov(X[group].T, bias=True) for group in groups) / 7)

    W, values = dca(X, must, cannot, 2)
    assert np.linalg.matrix_rank(C_b) == np.linalg.matrix_rank(C_w) == 5
    close(W.T @ C_w @ W, np.eye(2), 1e-10)
    close(W.T @ C_b @ W, np.diag(1 / values), 1e-10)
    mu, vectors = scipy.linalg.eigh(C_b, C_w)
    close(1 / values, mu[::-1][:2], 1e-10)
    assert same_columns_up_to_sign(W, vectors[:, ::-1][:, :2], 1e-8)
    with pytest.raises(ValueError, match="inside a chunklet"):
        dca(X, must, [*cannot, (0, 2)], 2)
    with pytest.raises(ValueError, match="cannot-links"):
        dca(X, must, [], 2)


def test_dca_null_spaces(data):
    X, _ = data
    must = [(0, 1), (2, 3), (4, 5), (6, 7)]
    W, values = dca(X, must, [(0, 2), (4, 6), (0, 4)], 2)  # C_b of rank 3 at most, in 5 dimensions
    C_b, C_w = dca_covariances(X, must, [(0, 2), (4, 6), (0, 4)])
    close(W.T @ C_w @ W, np.eye(2), 1e-9)
    Q = scipy.linalg.orth(C_b, rcond=1e-10)
    assert Q.shape[1] == 3
    close(Q @ Q.T @ W, W, 1e-9)
    mu, vectors = scipy.linalg.eigh(Q.T @ C_b @ Q, Q.T @ C_w @ Q)
    close(1 / values, mu[::-1][:2], 1e-9)
    assert same_columns_up_to_sign(W, Q @ vectors[:, ::-1][:, :2], 1e-8)


# 2P-WMV, SSWMV, MMC, WMMC


def parts(X, y):
    """(S_t, S'w, S'b) by their definitions (the last with 1/n)."""
    n = len(X)
    d = X.shape[1]
    S_w = np.zeros((d, d))
    for c, mean in means_of_classes(X, y).items():
        members = X[y == c]
        S_w += len(members) * (members - mean).T @ (members - mean) / n
    S_b = np.zeros((d, d))
    for i, j in pairs_of_labels(y)[1]:
        S_b += np.outer(X[i] - X[j], X[i] - X[j]) / n
    return total_scatter(X) / n, S_w, S_b


@pytest.fixture
def partly(data, rng):
    """The data with 15 of the 40 labels hidden."""
    X, y = data
    y = y.copy()
    y[rng.choice(40, 15, replace=False)] = -1
    return X, y


def test_wmv_is_its_parts(partly):
    X, y = partly
    S_t, S_w, S_b = parts(X, y)
    labelled = X[y != -1]
    close(S_w + S_b, len(labelled) / 40 * total_scatter(labelled), 1e-12)
    for alpha, beta in [(1, -1), (2, -0.3), (0.5, 0)]:
        W, values, M = wmv(X, y, 3, alpha, beta)
        close(M, S_t - 2 * (alpha * S_w + beta * S_b), 1e-12)
        eigenvalues, vectors = np.linalg.eigh(M)
        close(values, eigenvalues[::-1][:3])
        assert same_columns_up_to_sign(W, vectors[:, ::-1][:, :3], 1e-9)
    # affine in (α, β)
    base = wmv(X, y, 2, 0, 0)[2]
    close(base, S_t, 1e-12)
    unit_a, unit_b = wmv(X, y, 2, 1, 0)[2] - base, wmv(X, y, 2, 0, 1)[2] - base
    close(wmv(X, y, 2, 0.7, -1.9)[2], base + 0.7 * unit_a - 1.9 * unit_b, 1e-12)


def test_wmv_fully_labelled(data):
    X, y = data
    S_t, S_w, _ = parts(X, y)
    for b in (0.01, 0.4, 2):
        M = wmv(X, y, 2, 1, -b)[2]
        close(M, (1 + 2 * b * 40) * S_t - 2 * (1 + b) * S_w, 1e-12)


def test_wmv_of_balanced_classes_is_a_wmmc(rng):
    y = np.repeat([0, 1, 2], 8)
    X = rng.normal(size=(24, 4)) + 2 * rng.normal(size=(3, 4))[y]
    b = 0.6
    a = 2 * (1 + b) * 8 / (1 + 2 * b * 24) - 1
    W, _, M = wmv(X, y, 4, 1, -b)
    V, _, N = wmmc(X, y, 4, a)
    close(M, N * (1 + 2 * b * 24), 1e-12)
    assert same_columns_up_to_sign(W, V, 1e-9)


def test_wmv_invariances(partly, rng):
    X, y = partly
    W, _, M = wmv(X, y, 3)
    close(wmv(X + 50, y, 3)[2], M, 1e-12)
    order = rng.permutation(40)
    close(wmv(X[order], y[order], 3)[2], M, 1e-12)
    renamed = np.array([5, 0, 9, -1])[y]
    close(wmv(X, renamed, 3)[2], M, 1e-12)
    close(W.T @ W, np.eye(3), 1e-12)


def test_unlabelled_wmv_is_pca(data):
    X, _ = data
    W, values, M = wmv(X, np.full(40, -1), 3)
    pca = PCA(3).fit(X)
    close(M, np.cov(X.T, bias=True), 1e-12)
    close(values, pca.explained_variance_ * 39 / 40)
    assert same_columns_up_to_sign(W, pca.components_.T, 1e-9)


def test_mmc_and_wmmc(data):
    X, y = data
    S_w = within_scatter(X, y) / 40
    S_b = total_scatter(X) / 40 - S_w
    mean = X.mean(axis=0)
    explicit = sum(
        np.sum(y == c) / 40 * np.outer(m - mean, m - mean)
        for c, m in means_of_classes(X, y).items()
    )
    close(S_b, explicit)
    W, values, M = mmc(X, y, 5)
    close(M, S_b - S_w, 1e-12)
    close(W @ np.diag(values) @ W.T, M)
    assert np.all(np.diff(values) <= 0)
    assert values[-1] < 0
    for a in (0, 0.3, 4):
        close(wmmc(X, y, 2, a)[2], S_b - a * S_w, 1e-12)


def test_wmv_pairs(partly):
    X, y = partly
    must, cannot = pairs_of_labels(y)
    for pair_result, label_result in zip(
        wmv_pairs(X, must, cannot, 3, 1.5, -0.7), wmv(X, y, 3, 1.5, -0.7), strict=True
    ):
        close(pair_result, label_result, 1e-12)
    must, cannot = must[:9], cannot[:6]
    M = wmv_pairs(X, must, cannot, 2, 2, -0.5, must_weight=[3.0] * 9)[2]
    expected = total_scatter(X) - 2 * (2 * 3 * scatter(X, must) - 0.5 * scatter(X, cannot))
    close(M, expected / 40, 1e-12)
    again = wmv_pairs(X, must * 3 + [(4, 4)], cannot, 2, 2, -0.5)[2]
    close(again, M, 1e-12)


def test_zero_eigenvalues_do_not_outrank(data):
    X, y = data
    W, values, _ = mmc(X, y, 5)
    padded = np.column_stack([X, np.full(40, 2.0)])
    V, padded_values, _ = mmc(padded, y, 5)
    close(padded_values, values)
    assert same_columns_up_to_sign(V[:5], W, 1e-9)
    assert not np.abs(V[5]).max() > 1e-12
    with pytest.raises(ValueError, match=r"K = 6 .* rank 5"):
        mmc(padded, y, 6)


def test_sswmv_neighbors(partly):
    X, y = partly
    close(sswmv(X, y, 2, 1, -0.5, "neighbors", n_neighbors=0)[2], wmv(X, y, 2, 1, -0.5)[2], 1e-15)
    # against scikit-learn's neighbours (no ties here): M = 2P-WMV's − (2α/n)·scatter of the edges
    edges = set()
    for k in (5, 2):
        near = NearestNeighbors(n_neighbors=k).fit(X).kneighbors(return_distance=False)
        edges = {tuple(sorted((i, int(j)))) for i in range(40) for j in near[i]}
        edges = [(i, j) for i, j in sorted(edges) if y[i] == -1 or y[j] == -1]
        M = wmv(X, y, 2, 0.8, -0.5)[2] - 2 * 0.8 / 40 * scatter(X, edges)
        close(sswmv(X, y, 2, 0.8, -0.5, "neighbors", n_neighbors=k)[2], M, 1e-12)
    default = sswmv(X, y, 2, 0.8, -0.5)[2]
    close(default, sswmv(X, y, 2, 0.8, -0.5, "neighbors", n_neighbors=5)[2], 0)
    # k ≥ n is all the others
    close(
        sswmv(X, y, 2, propagation="neighbors", n_neighbors=99)[2],
        sswmv(X, y, 2, propagation="neighbors", n_neighbors=39)[2],
        0,
    )


def test_sswmv_neighbors_ties_go_to_the_lower_index():
    X = np.array([[0.0], [1.0], [-1.0], [5.0]])
    y = np.full(4, -1)
    # 0's nearest: 1 (tie with 2); 1's and 2's: 0; 3's: 1
    M = sswmv(X, y, 1, 1, -1, "neighbors", n_neighbors=1)[2]
    expected = total_scatter(X) / 4 - 2 / 4 * scatter(X, [(0, 1), (0, 2), (1, 3)])
    close(M, expected, 1e-12)
    X = np.array([[0.0], [1.0], [-1.0], [-1.5], [1.5]])
    M = sswmv(X, np.full(5, -1), 1, 1, -1, "neighbors", n_neighbors=1)[2]
    expected = total_scatter(X) / 5 - 2 / 5 * scatter(X, [(0, 1), (1, 4), (2, 3)])
    close(M, expected, 1e-12)


def test_sswmv_majority():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [10.0], [11.0], [0.4], [6.0], [6.4]])
    y = np.array([0, 0, 1, 1, 2, 2, -1, -1, -1])
    # unlabelled rows never vote; k is clipped to the labelled
    assert majority_labels(X, y, 3)[6:] == [0, 1, 1]
    assert majority_labels(X, y, 1)[6:] == [0, 1, 1]
    # 6.4: 3 is 3.4 away, 10 is 3.6, 2 is 4.4, 11 is 4.6
    assert majority_labels(X, y, 4)[6:] == [0, 1, 1]
    # all six vote, two each: the class with the nearest member
    assert majority_labels(X, y, 15)[6:] == [0, 1, 1]
    assert majority_labels(np.vstack([X, [[7.0]]]), np.append(y, -1), 15)[9] == 2
    # majority beats the nearest
    assert majority_labels(np.array([[0.0], [2.0], [2.1], [0.5]]), [0, 1, 1, -1], 3)[3] == 1
    filled = np.array(majority_labels(X, y, 3))
    M = sswmv(X, y, 1, 1, -0.5, "majority", n_neighbors=3)[2]
    close(M, wmv(X, filled, 1, 1, -0.5)[2], 1e-15)
    with pytest.raises(ValueError, match="labels"):
        sswmv(X, np.full(9, -1), 1, propagation="majority")


def test_sswmv_majority_default_is_15(partly):
    X, y = partly
    close(
        sswmv(X, y, 2, propagation="majority")[2],
        sswmv(X, y, 2, propagation="majority", n_neighbors=15)[2],
        0,
    )


@pytest.mark.parametrize("propagation", ["clusters", "silhouette"])
def test_sswmv_clusters(partly, propagation):
    X, y = partly
    clusters = kmeans_clusters(X, 3, 0)
    M = sswmv(X, y, 2, 0.9, -0.4, propagation, clusters=clusters)[2]
    # labels + clusters(all) − clusters(labelled)
    inside = np.where(y == -1, -1, clusters)
    S_t = total_scatter(X) / 40
    by_labels, by_clusters, among_labelled = (
        wmv(X, labels, 2, 0.9, -0.4)[2] - S_t for labels in (y, clusters, inside)
    )
    close(M, S_t + by_labels + by_clusters - among_labelled, 1e-12)
    # names of the clusters do not matter, nor their agreement with those of the classes
    renamed = np.array([7, 2, 0])[clusters]
    close(sswmv(X, y, 2, 0.9, -0.4, propagation, clusters=renamed)[2], M, 1e-12)
    # nothing labelled: 2P-WMV of the clusters
    unknown = np.full(40, -1)
    close(
        sswmv(X, unknown, 2, 0.9, -0.4, propagation, clusters=clusters)[2],
        wmv(X, clusters, 2, 0.9, -0.4)[2],
        1e-15,
    )


@pytest.mark.parametrize("propagation", ["neighbors", "majority", "clusters", "silhouette"])
def test_fully_labelled_sswmv_is_wmv(data, propagation):
    X, y = data
    ours = sswmv(X, y, 3, 0.9, -0.4, propagation, clusters=np.arange(40) % 4)
    for a, b in zip(ours, wmv(X, y, 3, 0.9, -0.4), strict=True):
        close(a, b, 0)


def test_label_matrix():
    L = label_matrix([0, 0, 1, -1], 2, -3)
    expected = [[0, 2, -3, 0], [2, 0, -3, 0], [-3, -3, 0, 0], [0, 0, 0, 0]]
    assert L.tolist() == expected


def test_silhouette_clusters(rng):
    centres = np.array([[0, 0], [20, 0], [0, 20], [20, 20.0]])
    truth = np.repeat(np.arange(4), 10)
    X = centres[truth] + rng.normal(size=(40, 2))
    found = silhouette_clusters(X, 0)
    assert len(set(found)) == 4
    assert len(set(zip(found.tolist(), truth.tolist(), strict=True))) == 4
    inertia = KMeans(4, n_init=10, random_state=0).fit(X).inertia_
    ours = sum(np.sum((X[found == c] - X[found == c].mean(axis=0)) ** 2) for c in range(4))
    assert ours == pytest.approx(inertia)


# LPP, SLPP, LPPSI


def test_knn_graph(data):
    X, _ = data
    near = NearestNeighbors(n_neighbors=4).fit(X).kneighbors_graph().toarray() > 0
    graph = knn_graph(X, 4)
    assert (graph == (near | near.T)).all()
    assert not graph.diagonal().any()
    # ties, duplicates: 0's nearest is 1, not 2 nor itself
    line = np.array([[0.0], [1.0], [-1.0], [-1.5], [1.5]])
    assert np.argwhere(np.triu(knn_graph(line, 1))).tolist() == [[0, 1], [1, 4], [2, 3]]
    same = np.zeros((4, 2))
    assert np.argwhere(np.triu(knn_graph(same, 1))).tolist() == [[0, 1], [0, 2], [0, 3]]
    assert (knn_graph(X, 99) == ~np.eye(40, dtype=bool)).all()


def test_sigma(data):
    X, _ = data
    assert sigma_squared(X, "mean") == pytest.approx(2 * np.var(X, axis=0, ddof=1).sum())
    assert sigma_squared(X, 3) == 9


def check_generalised(X, A, W, values):
    """W and values against `scipy.linalg.eigh` of the two matrices (X of full rank)."""
    centred = X - X.mean(axis=0)
    D = np.diag(A.sum(axis=1))
    left, right = centred.T @ (D - A) @ centred, centred.T @ D @ centred
    expected, vectors = scipy.linalg.eigh(left, right)
    K = W.shape[1]
    close(values, expected[:K], 1e-10)
    assert same_columns_up_to_sign(W, vectors[:, :K], 1e-8)
    close(W.T @ right @ W, np.eye(K), 1e-10)
    close(W.T @ left @ W, np.diag(values), 1e-9)
    # XᵀLX = ½ Σ_ij A_ij (x_i−x_j)(x_i−x_j)ᵀ
    edges = np.argwhere(np.triu(A)).tolist()
    close(left, scatter(X, edges, [A[i, j] for i, j in edges]))


def test_lpp(data):
    X, _ = data
    graph = knn_graph(X, 5)
    distances = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    mean = distances.sum() / (40 * 39)
    check_generalised(X, graph * np.exp(-distances / mean), *lpp(X, 3))
    check_generalised(X, graph * np.exp(-distances / 16), *lpp(X, 3, sigma=4))
    check_generalised(X, graph * 1.0, *lpp(X, 3, weights="binary"))
    check_generalised(X, knn_graph(X, 9) * 1.0, *lpp(X, 2, k=9, weights="binary"))


def test_lpp_invariances(data, rng):
    X, _ = data
    W, values = lpp(X, 3)
    R = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    V, moved = lpp(3 * X @ R + 100, 3)
    close(moved, values, 1e-9)
    assert same_columns_up_to_sign(W, 3 * R @ V, 1e-8)
    # a constant and a doubled column: the null space of XᵀDX is dropped
    V, _ = lpp(np.column_stack([X[:, :4], np.ones(40), X[:, :1]]), 4)
    assert np.isfinite(V).all()
    with pytest.raises(ValueError, match=r"K = 5 .* rank 4"):
        lpp(np.column_stack([X[:, :4], np.ones(40), X[:, :1]]), 5)
    # binary weights on equal graphs do not see the column scaled by the doubling
    everything = np.column_stack([X, X[:, :1], np.ones(40)])
    close(lpp(everything, 5, k=39, weights="binary")[1], lpp(X, 5, k=39, weights="binary")[1], 1e-9)


def test_lpp_of_the_complete_graph_is_constant(data):
    """All joined with weight 1: XᵀLX = n·S, XᵀDX = (n−1)·S, every λ is n/(n−1)."""
    X, _ = data
    close(lpp(X, 5, k=39, weights="binary")[1], np.full(5, 40 / 39), 1e-10)


def test_slpp(partly):
    X, y = partly
    same = (y[:, None] == y[None]) & (y[:, None] != -1)
    np.fill_diagonal(same, False)
    distances = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    mean = distances.sum() / (40 * 39)
    check_generalised(X, same * np.exp(-distances / mean), *slpp(X, y, 2))
    check_generalised(X, same * 1.0, *slpp(X, y, 2, weights="binary"))


def test_slpp_of_balanced_classes_is_lda(rng):
    """Binary, m per class: XᵀLX = m·S_w and XᵀDX = (m−1)·S_t, so λ = m/(m−1)·S_w/S_t."""
    y = np.repeat([0, 1, 2], 9)
    X = rng.normal(size=(27, 4)) + 2 * rng.normal(size=(3, 4))[y]
    W, values = slpp(X, y, 4, weights="binary")
    ratios = scipy.linalg.eigh(within_scatter(X, y), total_scatter(X), eigvals_only=True)
    close(values, 9 / 8 * ratios, 1e-10)
    lda = LinearDiscriminantAnalysis(solver="eigen").fit(X, y).scalings_[:, :2]
    for j in range(2):
        assert principal_angles(W[:, [j]], lda[:, [j]]) < 1e-9


def test_lppsi(data, pairs):
    X, _ = data
    must, cannot = pairs
    # two edges of the graph to cut, for the cannot-links are between classes far apart
    edges = [tuple(edge) for edge in np.argwhere(np.triu(knn_graph(X, 5))).tolist()]
    cannot = cannot + [edge for edge in edges if edge not in must][:2]
    nothing = lppsi(X, [], [], 3)
    for a, b in zip(nothing, lpp(X, 3), strict=True):
        close(a, b, 0)
    for weights in ("heat", "binary"):
        A = lppsi_weights(X, must, cannot, weights=weights)
        plain = lppsi_weights(X, [], [], weights=weights)
        assert (A == A.T).all()
        assert all(A[i, j] == 1 for i, j in must)
        assert all(A[i, j] == 0 for i, j in cannot)
        constrained = np.zeros((40, 40), dtype=bool)
        for i, j in must + cannot:
            constrained[i, j] = constrained[j, i] = True
        assert (A[~constrained] == plain[~constrained]).all()
        assert (A.astype(bool) & ~plain.astype(bool)).any()
        assert (plain.astype(bool) & ~A.astype(bool)).any()
        check_generalised(X, A, *lppsi(X, must, cannot, 3, weights=weights))
    # order, direction and repetition of the pairs change nothing
    again = lppsi(X, [(j, i) for i, j in must[::-1] * 2], cannot[::-1] * 2, 3)
    for a, b in zip(again, lppsi(X, must, cannot, 3), strict=True):
        close(a, b, 0)
    # not even a self-pair
    close(lppsi(X, [*must, (2, 2)], cannot, 3)[1], lppsi(X, must, cannot, 3)[1], 0)
    assert lppsi_weights(X, [(0, 39)], [], must_weight=[0.3])[39, 0] == 0.3


# kernels


def test_centred_kernel_and_coordinates(data):
    X, _ = data
    centred = X - X.mean(axis=0)
    close(centred_kernel(X @ X.T), centred @ centred.T, 1e-12)
    K = rbf_kernel(X, gamma=0.05)
    H = np.eye(40) - 1 / 40
    close(centred_kernel(K), H @ K @ H, 1e-12)
    Z = coordinates(K)
    assert Z.shape == (40, 39)
    close(Z @ Z.T, H @ K @ H, 1e-12)
    close(Z.sum(axis=0), np.zeros(39), 1e-10)
    distances = ((Z[:, None] - Z[None]) ** 2).sum(axis=2)
    close(distances, 2 - 2 * K, 1e-11)
    assert coordinates(X @ X.T).shape == (40, 5)


def test_linear_kernel_is_the_linear_method(data, pairs):
    X, _ = data
    must, cannot = pairs
    centred = X - X.mean(axis=0)
    K = X @ X.T
    W = bwdr(X, must, cannot, 2, 0.8)[0]
    assert same_columns_up_to_sign(kernel_bwdr(K, must, cannot, 2, 0.8), centred @ W, 1e-8)
    W = wbdr(X, must, cannot, 2)[0]
    assert same_columns_up_to_sign(kernel_wbdr(K, must, cannot, 2), centred @ W, 1e-8)
    W = lppsi(X, must, cannot, 2)[0]
    assert same_columns_up_to_sign(kernel_lppsi(K, must, cannot, 2), centred @ W, 1e-8)
    W = lppsi(X, must, cannot, 2, 7, "binary")[0]
    embedding = kernel_lppsi(K, must, cannot, 2, 7, "binary")
    assert same_columns_up_to_sign(embedding, centred @ W, 1e-8)


def laplacian_of(n, pairs):
    L = np.zeros((n, n))
    for i, j in pairs:
        L[i, i] += 1
        L[j, j] += 1
        L[i, j] -= 1
        L[j, i] -= 1
    return L


def test_kernel_bwdr_in_dual_form(data, pairs):
    """The embedding F itself: FᵀL_CF = λ_1·I, FᵀL_MF diagonal, F = centred K times something.

    λ_1 is that of L_C^½ K̃ L_C^½, whose nonzero eigenvalues are S_B's in feature space.
    """
    X, _ = data
    must, cannot = pairs
    K = rbf_kernel(X, gamma=0.02)
    C = centred_kernel(K)
    L_C, L_M = laplacian_of(40, cannot), laplacian_of(40, must)
    largest = np.max(np.linalg.eigvals(C @ L_C).real)
    F = kernel_bwdr(K, must, cannot, 2, 0.8)
    close(F.T @ L_C @ F, largest * np.eye(2), 1e-9)
    within = F.T @ L_M @ F
    close(within, np.diag(np.diag(within)), 1e-9)
    assert within[0, 0] <= within[1, 1]
    close(F.sum(axis=0), np.zeros(2), 1e-10)


def test_kernel_wbdr_in_dual_form(data, pairs):
    """Few must-links, so that S_W is singular, as in feature space it is."""
    X, _ = data
    must, cannot = pairs
    K = rbf_kernel(X, gamma=0.02)
    L_C = laplacian_of(40, cannot)
    F = kernel_wbdr(K, must[:6], cannot, 3)
    between = F.T @ L_C @ F
    close(between, np.diag(np.diag(between)), 1e-8)
    assert np.all(np.diff(np.diag(between)) <= 0)
    # without must-links: kernel PCA of the cannot-links' differences, unit columns in feature space
    F = kernel_wbdr(K, [], cannot, 2)
    top = np.sort(np.linalg.eigvals(centred_kernel(K) @ L_C).real)[::-1][:2]
    close(F.T @ L_C @ F, np.diag(top), 1e-9)


def test_kernel_lppsi_in_dual_form(data, pairs):
    """K̃LK̃ a = λ K̃DK̃ a with F = K̃ a, so K̃(LF − DFΛ) = 0."""
    X, _ = data
    must, cannot = pairs
    K = X @ X.T + (X @ X.T) ** 2 / 1000  # of finite rank 20
    C = centred_kernel(K)
    distances = np.diag(C)[:, None] + np.diag(C)[None] - 2 * C
    mean = distances[~np.eye(40, dtype=bool)].mean()
    A = knn_graph(coordinates(K), 5) * np.exp(-distances / mean)
    near = np.argsort(distances + np.diag(np.full(40, np.inf)), axis=1)[:, :5]
    direct = np.zeros((40, 40), dtype=bool)
    np.put_along_axis(direct, near, True, axis=1)
    assert ((A > 0) == (direct | direct.T)).all()
    for i, j in must:
        A[i, j] = A[j, i] = 1
    for i, j in cannot:
        A[i, j] = A[j, i] = 0
    D = np.diag(A.sum(axis=1))
    F = kernel_lppsi(K, must, cannot, 3)
    close(F.T @ D @ F, np.eye(3), 1e-8)
    values = np.diag(F.T @ (D - A) @ F)
    assert np.all(np.diff(values) >= 0)
    residual = C @ ((D - A) @ F - D @ F @ np.diag(values))
    assert np.abs(residual).max() < 1e-7 * np.abs(C @ D @ F).max()


def test_coordinates_are_kernel_pcas(data):
    X, _ = data
    Z = coordinates(rbf_kernel(X, gamma=0.05))
    pca = KernelPCA(n_components=None, kernel="rbf", gamma=0.05).fit_transform(X)
    assert same_columns_up_to_sign(Z, pca, 1e-7)
