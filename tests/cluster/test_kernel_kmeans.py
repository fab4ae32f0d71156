"""Kernel k-means against its formula, Lloyd's k-means, and what users of clusterers rely on."""

import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, load_iris, make_circles
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import pairwise_kernels, polynomial_kernel, rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from oracles import kernel_kmeans as oracle
from pairspace import KernelKMeans, SKKMeans
from pairspace._core.kernels import GramPoints, Kernel, LandmarkMap
from pairspace.cluster import _lloyd
from pairspace.cluster import kernel_kmeans as module

pytestmark = pytest.mark.iterative

RANDOM = np.random.default_rng(0)
X = np.vstack([RANDOM.normal(c, 0.6, size=(15, 4)) for c in (-1.5, 0.0, 1.5)])
KERNELS = ["rbf", "linear", "poly", "laplacian", "cosine"]


@parametrize_with_checks([KernelKMeans(), KernelKMeans(n_landmarks=20)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kernel", KERNELS)
def test_distances_are_the_formula(kernel):
    K = pairwise_kernels(X, metric=kernel, filter_params=True, gamma=0.3)
    labels = RANDOM.integers(0, 4, len(X))
    points = GramPoints(Kernel(kernel, 0.3, X).gram(X), X)
    found = _lloyd.squared_distances(points, np.ones(len(X)), labels, 4)
    np.testing.assert_allclose(found, oracle.squared_distances(K, labels, 4), atol=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_result_is_where_the_formula_stays(kernel):
    K = pairwise_kernels(X, metric=kernel, filter_params=True, gamma=0.3)
    found = KernelKMeans(4, kernel=kernel, gamma=0.3, random_state=0).fit(X)
    np.testing.assert_array_equal(oracle.refined(K, found.labels_, 4), found.labels_)
    np.testing.assert_allclose(found.inertia_, oracle.objective(K, found.labels_, 4))
    np.testing.assert_array_equal(found.predict(X), found.labels_)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("init", _lloyd.STARTS)
def test_every_start_ends_as_the_literal_iteration(init, seed):
    K = rbf_kernel(X, gamma=0.3)
    points, weight, start = GramPoints(K, X), np.ones(len(X)), _lloyd.STARTS[init]
    ran = _lloyd.k_means(points, weight, 4, 300, np.random.RandomState(seed), start)
    began = start(points, weight, 4, np.random.RandomState(seed))
    np.testing.assert_array_equal(ran.labels, oracle.refined(K, began, 4))
    whole = KernelKMeans(4, gamma=0.3, init=init, n_init=1, random_state=seed).fit(X)
    np.testing.assert_array_equal(whole.labels_, ran.labels)


def test_random_starts_leave_no_cluster_empty():
    points = GramPoints(rbf_kernel(X[:7]), X[:7])
    for seed in range(20):
        labels = _lloyd.random_partition(points, np.ones(7), 6, np.random.RandomState(seed))
        assert np.bincount(labels, minlength=6).all()


def test_weights_count_as_copies():
    copies = RANDOM.integers(1, 4, len(X))
    repeated = np.repeat(np.arange(len(X)), copies)
    K = rbf_kernel(X, gamma=0.3)
    labels = RANDOM.integers(0, 3, len(X))
    weighted = _lloyd.squared_distances(GramPoints(K, X), copies.astype(float), labels, 3)
    copied = oracle.squared_distances(K[np.ix_(repeated, repeated)], labels[repeated], 3)
    np.testing.assert_allclose(weighted[repeated], copied, atol=1e-12)


@pytest.mark.parametrize("n_landmarks", [None, 1797])
def test_the_linear_kernel_is_k_means(n_landmarks):
    digits = load_digits().data
    found = KernelKMeans(10, kernel="linear", n_landmarks=n_landmarks, random_state=0).fit(digits)
    means = np.array([digits[found.labels_ == h].mean(axis=0) for h in range(10)])
    inertia = np.square(digits - means[found.labels_]).sum()
    np.testing.assert_allclose(found.inertia_, inertia)
    np.testing.assert_allclose(
        inertia, KMeans(10, n_init=10, random_state=0).fit(digits).inertia_, 0.01
    )
    again = KMeans(10, init=means, n_init=1).fit(digits)
    np.testing.assert_allclose(again.inertia_, inertia, rtol=1e-6)


def test_the_objective_never_grows():
    points, weight = GramPoints(rbf_kernel(X, gamma=0.3), X), np.ones(len(X))
    for seed in range(10):
        labels = np.random.RandomState(seed).permutation(np.arange(len(X)) % 6)
        inertia = np.inf
        while True:
            distances = _lloyd.squared_distances(points, weight, labels, 6)
            now = distances[np.arange(len(X)), labels].sum()
            assert now <= inertia
            if now == inertia:
                break
            inertia, labels = now, _lloyd.reassigned(distances, labels)


def test_more_starts_are_never_worse():
    inertias = [KernelKMeans(7, n_init=n, random_state=3).fit(X).inertia_ for n in (1, 3, 10, 30)]
    assert inertias == sorted(inertias, reverse=True)


def test_an_empty_cluster_gets_the_farthest_that_is_not_alone():
    distances = np.array([[0.0, 3, 9], [0.2, 4, 9], [20, 8, 9], [0.3, 0.5, 9]])
    labels = np.array([0, 0, 1, 0])  # row 2 is the farthest from its mean, but alone
    np.testing.assert_array_equal(_lloyd.reassigned(distances, labels), [0, 0, 1, 2])
    distances[2, 0] = 5  # it moves and leaves an empty cluster, too
    np.testing.assert_array_equal(_lloyd.reassigned(distances, labels), [0, 0, 1, 2])
    distances[0, 0] = 6
    np.testing.assert_array_equal(_lloyd.reassigned(distances, labels), [1, 0, 2, 0])


@settings(max_examples=60, deadline=None)
@given(
    values=st.lists(st.integers(0, 3), min_size=3, max_size=25),
    n_clusters=st.integers(1, 8),
    n_landmarks=st.sampled_from([None, 2, 100]),
)
def test_no_cluster_is_empty_also_among_duplicates(values, n_clusters, n_landmarks):
    data = np.array(values, dtype=float)[:, None]
    method = KernelKMeans(n_clusters, gamma=0.5, n_landmarks=n_landmarks, random_state=0)
    if n_clusters > len(data):
        with pytest.raises(ValueError, match=f"n_clusters={n_clusters} must be at most n_samples="):
            method.fit(data)
        return
    n_distinct = len(set(values))
    if n_clusters > n_distinct:
        with pytest.warns(ConvergenceWarning, match=rf"of n_clusters={n_clusters} clusters differ"):
            method.fit(data)
    elif n_landmarks == 2:  # whose span may not tell the distinct rows apart
        return
    else:
        method.fit(data)
    assert len(np.unique(method.labels_)) == n_clusters
    if n_clusters >= n_distinct:
        assert method.inertia_ == pytest.approx(0, abs=1e-9)


class TestLandmarks:
    def test_all_rows_as_landmarks_are_exact(self):
        exact = KernelKMeans(3, gamma=0.3, random_state=0).fit(X)
        full = KernelKMeans(3, gamma=0.3, n_landmarks=1000, random_state=0).fit(X)
        assert adjusted_rand_score(exact.labels_, full.labels_) == 1
        np.testing.assert_allclose(full.inertia_, exact.inertia_, rtol=1e-8)

    def test_distances_between_landmarks_are_exact(self):
        some = RANDOM.choice(len(X), 12, replace=False)
        points = LandmarkMap(Kernel("rbf", 0.3, X), X[some])(X[some])
        found = np.square(points[:, None] - points).sum(axis=-1)
        np.testing.assert_allclose(found, 2 - 2 * rbf_kernel(X[some], gamma=0.3), atol=1e-9)

    def test_few_landmarks_cost_little(self):
        digits = load_digits().data / 16
        gamma = 1 / (2 * digits.var(axis=0).sum())
        K = rbf_kernel(digits, gamma=gamma)
        inertia = []
        for n_landmarks in (None, 100):
            labels = KernelKMeans(
                10, gamma=gamma, n_landmarks=n_landmarks, random_state=0
            ).fit_predict(digits)
            means = np.eye(10)[labels] / np.bincount(labels)
            squared = 1 - 2 * K @ means + np.diag(means.T @ K @ means)
            inertia.append(squared[np.arange(len(labels)), labels].sum())
        assert inertia[1] < 1.01 * inertia[0]

    def test_many_rows_need_no_matrix_of_them(self, monkeypatch):
        monkeypatch.setattr(module, "EXACT_UP_TO", 44)
        monkeypatch.setattr(module, "N_LANDMARKS", 20)
        monkeypatch.setattr(module, "GramPoints", None)
        found = KernelKMeans(3, gamma=0.3, random_state=0).fit(X)
        assert adjusted_rand_score(found.labels_, np.repeat(range(3), 15)) > 0.8
        np.testing.assert_array_equal(found.predict(X), found.labels_)

    def test_blocks_change_nothing(self, monkeypatch):
        expected = KernelKMeans(3, n_landmarks=20, random_state=0).fit(X)
        monkeypatch.setattr("pairspace._core.kernels._kernel.BLOCK", 50)
        found = KernelKMeans(3, n_landmarks=20, random_state=0).fit(X)
        np.testing.assert_array_equal(found.labels_, expected.labels_)
        np.testing.assert_array_equal(found.predict(X), expected.predict(X))


@pytest.mark.parametrize("n_landmarks", [None, 25])
@pytest.mark.parametrize("make", [csr_array, csr_matrix, lambda data: data.astype(np.float32)])
def test_tables_of_other_kinds(make, n_landmarks):
    counts = RANDOM.poisson(np.where(np.arange(60)[:, None] % 2 == np.arange(8) % 2, 2.0, 0.2))
    method = KernelKMeans(2, gamma=0.1, n_landmarks=n_landmarks, random_state=0)
    wanted = clone(method).fit(counts.astype(float))
    found = method.fit(make(counts.astype(float)))
    np.testing.assert_array_equal(found.labels_, wanted.labels_)
    np.testing.assert_allclose(found.inertia_, wanted.inertia_, rtol=1e-6)
    np.testing.assert_array_equal(found.predict(make(counts.astype(float))), wanted.labels_)


def test_precomputed_and_functions_are_the_named_kernel():
    train, new = X[::2], X[1::2]
    named = KernelKMeans(3, kernel="poly", gamma=0.5, random_state=0).fit(train)
    poly = partial(polynomial_kernel, gamma=0.5)
    by_function = KernelKMeans(3, kernel=poly, random_state=0).fit(train)
    given = KernelKMeans(3, kernel="precomputed", random_state=0).fit(poly(train))
    for found, data in ((by_function, new), (given, poly(new, train))):
        np.testing.assert_array_equal(found.labels_, named.labels_)
        np.testing.assert_array_equal(found.predict(data), named.predict(new))


def test_gamma_is_that_of_svc_by_default():
    scale = 1 / (4 * X.var())
    for kind in (KernelKMeans, SKKMeans):
        default, named = (kind(3, random_state=0, **gamma) for gamma in ({}, {"gamma": scale}))
        for table in (X, csr_array(np.where(np.abs(X) < 0.5, 0, X))):
            width = scale if table is X else 1 / (4 * table.toarray().var())
            named.set_params(gamma=width).fit(table)
            np.testing.assert_allclose(default.fit(table).inertia_, named.inertia_)
    plain = KernelKMeans(3, gamma=None, random_state=0).fit(X)
    assert plain.inertia_ == KernelKMeans(3, gamma=1 / 4, random_state=0).fit(X).inertia_
    with pytest.warns(ConvergenceWarning, match="clusters differ"):
        KernelKMeans(2, random_state=0).fit(np.ones((5, 2)))


def test_units_do_not_matter_by_default():
    pixels, digit = load_digits(return_X_y=True)
    for kind in (KernelKMeans, SKKMeans):
        found = [
            kind(10, n_init=2, random_state=0).fit(factor * pixels[:500]).labels_
            for factor in (1, 1000)
        ]
        assert adjusted_rand_score(*found) == 1
        assert adjusted_rand_score(found[0], digit[:500]) > 0.5


def test_digits_survive_a_wide_kernel_and_an_offset():
    iris = load_iris().data
    wide = KernelKMeans(3, gamma=1e-13, random_state=0).fit(iris)
    plain = KernelKMeans(3, kernel="linear", random_state=0).fit(iris)
    assert adjusted_rand_score(wide.labels_, plain.labels_) == 1
    np.testing.assert_allclose(wide.inertia_, 2e-13 * plain.inertia_, rtol=1e-6)
    moved = KernelKMeans(3, random_state=0).fit(iris.round() + 2.0**40)
    np.testing.assert_allclose(
        moved.inertia_, KernelKMeans(3, random_state=0).fit(iris.round()).inertia_
    )


def test_what_k_means_cannot_do():
    rings, y = make_circles(300, factor=0.2, noise=0.05, random_state=0)
    found = KernelKMeans(2, gamma=5, random_state=0).fit_predict(rings)
    assert adjusted_rand_score(found, y) == 1
    assert adjusted_rand_score(KMeans(2, n_init=10, random_state=0).fit_predict(rings), y) < 0.1


def test_in_a_pipeline_and_a_pickle():
    data, y = load_iris(return_X_y=True)
    method = make_pipeline(StandardScaler(), KernelKMeans(3, random_state=0)).fit(data)
    assert adjusted_rand_score(method[-1].labels_, y) > 0.5
    again = pickle.loads(pickle.dumps(method))
    np.testing.assert_array_equal(again.predict(data), method[-1].labels_)


def test_max_iter():
    short = KernelKMeans(5, max_iter=1, n_init=1, random_state=0).fit(X)
    assert short.n_iter_ == 1
    np.testing.assert_allclose(
        short.inertia_, oracle.objective(rbf_kernel(X, gamma=1 / (4 * X.var())), short.labels_, 5)
    )


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 46}, "n_clusters=46 must be at most n_samples=45"),
        ({"kernel": "precomputed"}, r"a precomputed kernel must be square; got shape=\(45, 4\)"),
        ({"kernel": "rfb"}, "'kernel' parameter of KernelKMeans"),
        ({"gamma": 0}, "'gamma' parameter"),
        ({"n_init": 0}, "'n_init' parameter"),
        ({"max_iter": 0}, "'max_iter' parameter"),
        ({"n_landmarks": 0}, "'n_landmarks' parameter"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        KernelKMeans(**parameters).fit(X)
