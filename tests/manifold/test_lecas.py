"""LE-CAS against a literal transcription, and its clusters."""

import numpy as np
import pytest
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import make_blobs

from oracles import eigenmaps as oracle
from oracles.subspaces import same_columns_up_to_sign
from pairspace import (
    LECAS,
    KernelKMeans,
    LaplacianEigenmaps,
)


def check_against(method, W, c, rtol=1e-7):
    Y, values = oracle.embed(W, c)
    np.testing.assert_allclose(method.affinity_matrix_.toarray(), W, atol=1e-12)
    np.testing.assert_allclose(method.eigenvalues_, values, atol=1e-10)
    assert same_columns_up_to_sign(method.embedding_, Y, rtol)


@pytest.mark.parametrize("n_clusters", [1, 3, 6])
def test_lecas(wine, n_clusters):
    X, _ = wine
    method = LECAS(3, n_clusters=n_clusters, random_state=0).fit(X)
    assert len(np.unique(method.labels_)) == n_clusters
    check_against(method, oracle.lecas_weights(X, 10, method.labels_.tolist()), 3)
    plain = LaplacianEigenmaps(3).fit(X)
    same = method.labels_[:, None] == method.labels_
    before, after = plain.affinity_matrix_.toarray(), method.affinity_matrix_.toarray()
    np.testing.assert_array_equal(after[same], before[same])
    assert np.all(after <= before)
    assert n_clusters == 1 or np.all(after[~same & (before > 0)] < before[~same & (before > 0)])
    if n_clusters == 1:
        np.testing.assert_array_equal(method.embedding_, plain.embedding_)


def test_new_rows_by_the_formula(wine):
    X, _ = wine
    new = X[:12] + 0.3 * np.random.default_rng(0).normal(size=(12, 13))
    s2 = oracle.sigma_squared(X)
    method = LECAS(3, n_clusters=3, random_state=0).fit(X)
    u, labels = method.cluster_centers_, method.labels_
    for x, found in zip(new, method.transform(new), strict=True):
        own = np.argmin(np.sum((u - x) ** 2, axis=1))
        factor = np.exp(-np.sum((u[own] - u) ** 2, axis=1) / s2)[labels]
        wanted = oracle.nystrom(X, x, method.embedding_, method.eigenvalues_, 10, s2, factor)
        np.testing.assert_allclose(found, wanted, rtol=1e-8)


@pytest.mark.parametrize("n_clusters", [3, 5])
def test_silhouette_finds_clear_clusters(n_clusters):
    X, truth = make_blobs(300, 8, centers=n_clusters, cluster_std=0.5, random_state=2)
    for clusterer in ("kernel-kmeans", "kmeans", AgglomerativeClustering()):
        method = LECAS(clusterer=clusterer, bridge=True, random_state=0).fit(X)
        assert len(method.cluster_centers_) == n_clusters
        assert len(set(zip(method.labels_, truth, strict=True))) == n_clusters


@pytest.mark.parametrize(("fails_for", "n_clusters"), [((2,), 3), (range(11), 1)])
def test_clusterings_without_a_silhouette_are_not_chosen(fails_for, n_clusters):
    class Failing(KMeans):
        def fit_predict(self, X, y=None, sample_weight=None):
            found = super().fit_predict(X)
            return np.zeros_like(found) if self.n_clusters in fails_for else found

    X = make_blobs(60, 3, centers=3, cluster_std=0.5, random_state=2)[0]
    method = LECAS(clusterer=Failing(random_state=0), bridge=True).fit(X)
    assert len(method.cluster_centers_) == n_clusters


def test_many_rows_are_judged_by_a_sample():
    X, truth = make_blobs(2500, 8, centers=4, cluster_std=2.0, random_state=2)
    method = LECAS(bridge=True, random_state=0).fit(X)
    assert len(set(zip(method.labels_, truth, strict=True))) == 4


def test_any_clusterer(wine):
    X, _ = wine
    method = LECAS(clusterer=KMeans(4, n_init=1, random_state=3), n_clusters=2).fit(X)
    assert len(method.cluster_centers_) == 2
    own = LECAS(clusterer=DBSCAN(eps=2.0)).fit(X)
    wanted = DBSCAN(eps=2.0).fit_predict(X)
    np.testing.assert_array_equal(own.labels_, np.unique(wanted, return_inverse=True)[1])
    kernel = LECAS(n_clusters=3, random_state=0).fit(X)
    gamma = 1 / oracle.sigma_squared(X)
    same = KernelKMeans(3, gamma=gamma, random_state=0).fit_predict(X)
    np.testing.assert_array_equal(kernel.labels_, same)
    for h in range(3):
        np.testing.assert_allclose(kernel.cluster_centers_[h], X[kernel.labels_ == h].mean(axis=0))
