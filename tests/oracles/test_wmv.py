"""The oracles of 2P-WMV, SSWMV, MMC and WMMC, by the identities of the papers."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

from oracles.pairs import pairs_of_labels, scatter
from oracles.scatters import close, means_of_classes, total_scatter, within_scatter
from oracles.subspaces import same_columns_up_to_sign
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
