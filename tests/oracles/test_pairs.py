"""The oracles' pairs, scatters and principal angles, by hand."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse.csgraph

from oracles.pairs import chunklets, pairs_of_labels, scatter
from oracles.scatters import close, total_scatter
from oracles.subspaces import principal_angles, same_columns_up_to_sign


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
