"""The oracles of LPP, SLPP and LPPSI, by the identities of the papers."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse.csgraph
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import NearestNeighbors

from oracles.lpp import knn_graph, lpp, lppsi, lppsi_weights, sigma_squared, slpp
from oracles.pairs import scatter
from oracles.scatters import close, total_scatter, within_scatter
from oracles.subspaces import principal_angles, same_columns_up_to_sign


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
    doubled = X[:, :4] * np.sqrt([2, 1, 1, 1])
    found = lpp(np.column_stack([X[:, :4], np.ones(40), X[:, :1]]), 4)[1]
    close(found, lpp(doubled, 4)[1], 1e-9)
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
