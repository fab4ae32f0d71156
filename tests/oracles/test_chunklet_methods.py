"""The oracles of SSDR, cFLD, RCA and DCA, by the identities of the papers."""

import itertools

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse.csgraph
from numpy.testing import assert_allclose
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from oracles.chunklet_methods import (
    cfld,
    dca,
    dca_covariances,
    rca,
    ssdr,
    ssdr_weights,
    within_chunklets,
)
from oracles.pairs import scatter
from oracles.scatters import close, total_scatter
from oracles.subspaces import principal_angles, same_columns_up_to_sign


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
