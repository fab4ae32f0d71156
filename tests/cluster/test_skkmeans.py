"""SKK-means against kernel k-means on the projected n×n kernel; must-links are never broken."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, minmax_scale
from sklearn.utils.estimator_checks import parametrize_with_checks

from oracles import dsp, kernel_kmeans
from pairspace import Constraints, ContradictionError, KernelKMeans, SKKMeans
from pairspace.metrics import pair_f_score

pytestmark = pytest.mark.iterative


# Most checks give labels of all rows, fewer classes than clusters.
@pytest.mark.filterwarnings("ignore:only .* of n_clusters")
@parametrize_with_checks([SKKMeans(), SKKMeans(n_landmarks=20)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    X, y = minmax_scale(X)[::2], y[::2]
    return X, y, Constraints.from_labels(y, per_class=6, random_state=0)


@pytest.mark.parametrize("gamma", [0.5, 5.0])
def test_the_result_is_where_the_formula_stays(iris, gamma):
    X, _, c = iris
    K_hat = dsp.null_kernel(rbf_kernel(X, gamma=gamma), c.must_link)
    found = SKKMeans(4, gamma=gamma, random_state=0).fit(X, c)
    np.testing.assert_array_equal(kernel_kmeans.refined(K_hat, found.labels_, 4), found.labels_)
    np.testing.assert_allclose(
        found.inertia_, kernel_kmeans.objective(K_hat, found.labels_, 4), rtol=1e-8
    )
    np.testing.assert_array_equal(found.predict(X), found.labels_)


def test_new_rows_go_to_the_nearest_mean_of_the_projected_space(iris):
    X, _, c = iris
    new = load_iris().data[1::2]
    new = (new - new.min(axis=0)) / np.ptp(new, axis=0)
    found = SKKMeans(3, gamma=3.0, random_state=0).fit(X, c)
    # The kernel of all rows, projected by the must-links of the first of them.
    K_hat = dsp.null_kernel(rbf_kernel(np.vstack([X, new]), gamma=3.0), c.must_link)
    means = np.eye(3)[found.labels_] / np.bincount(found.labels_)
    among = np.diag(means.T @ K_hat[: len(X), : len(X)] @ means)
    wanted = np.argmin(among - 2 * K_hat[len(X) :, : len(X)] @ means, axis=1)
    np.testing.assert_array_equal(found.predict(new), wanted)


@settings(max_examples=40, deadline=None)
@given(
    links=st.lists(st.tuples(st.integers(0, 29), st.integers(0, 29)), max_size=40),
    n_clusters=st.integers(2, 6),
    n_landmarks=st.sampled_from([None, 5]),
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_no_component_is_ever_split(links, n_clusters, n_landmarks):
    X = np.random.default_rng(0).normal(size=(30, 3))
    c = Constraints(30, [(i, j) for i, j in links if i != j])
    method = SKKMeans(n_clusters, n_landmarks=n_landmarks, n_init=2, random_state=0).fit(X, c)
    i, j = c.must_link.T
    np.testing.assert_array_equal(method.labels_[i], method.labels_[j])
    group = dsp.components(30, c.must_link)
    n_points = len(set(group))
    assert len(np.unique(method.labels_)) == min(n_clusters, n_points)


def test_landmarks_in_all_rows_are_exact(iris):
    X, _, c = iris
    exact = SKKMeans(3, gamma=2.0, random_state=0).fit(X, c)
    full = SKKMeans(3, gamma=2.0, n_landmarks=75, random_state=0).fit(X, c)
    assert adjusted_rand_score(exact.labels_, full.labels_) == 1
    np.testing.assert_allclose(full.inertia_, exact.inertia_, rtol=1e-5)
    np.testing.assert_array_equal(full.predict(X), full.labels_)


def test_without_links_it_is_kernel_k_means(iris):
    X, _, c = iris
    plain = KernelKMeans(3, random_state=0).fit(X)
    for nothing in (None, Constraints(75), Constraints(75, (), c.cannot_link), np.full(75, -1)):
        found = SKKMeans(3, random_state=0).fit(X, nothing)
        np.testing.assert_array_equal(found.labels_, plain.labels_)
        assert found.inertia_ == pytest.approx(plain.inertia_)


def test_pairs_labels_and_both_ways_to_give_them(iris):
    X, y, c = iris
    wanted = SKKMeans(3, random_state=0).fit_predict(X, c)
    np.testing.assert_array_equal(SKKMeans(3, random_state=0).fit_predict(X, constraints=c), wanted)
    partial = np.where(np.arange(75) % 4 == 0, y, -1)
    chain = [
        (a, b)
        for k in range(3)
        for rows in [np.flatnonzero(partial == k)]
        for a, b in pairwise(rows)
    ]
    np.testing.assert_array_equal(
        SKKMeans(3, random_state=0).fit_predict(X, partial),
        SKKMeans(3, random_state=0).fit_predict(X, Constraints(75, chain)),
    )
    np.testing.assert_array_equal(SKKMeans(3, random_state=0).fit_predict(csr_array(X), c), wanted)


def test_must_links_help():
    X, y = load_wine(return_X_y=True)
    scores = {}
    for seed in range(5):
        c = Constraints.from_labels(y, per_class=20, random_state=seed)
        for method in (KernelKMeans, SKKMeans):
            steps = make_pipeline(MinMaxScaler(), method(3, gamma=2.0, random_state=seed))
            scores.setdefault(method, []).append(pair_f_score(y, steps.fit_predict(X, c)))
    assert np.mean(scores[SKKMeans]) > np.mean(scores[KernelKMeans]) + 0.005


@pytest.mark.parametrize("estimator", [KernelKMeans, SKKMeans])
def test_rounding_does_not_decide_between_clusters_that_are_equally_near(estimator):
    X = np.random.default_rng(3).integers(2, size=(26, 4)).astype(float)
    random = np.random.default_rng(0)
    plain = estimator(8, n_init=2, random_state=41).fit(X).labels_
    for _ in range(20):
        disturbed = X + 1e-15 * random.uniform(-1, 1, size=X.shape)
        found = estimator(8, n_init=2, random_state=41).fit(disturbed).labels_
        np.testing.assert_array_equal(found, plain)


def test_contradictions_show_the_chain(iris):
    X, y, _ = iris
    c = Constraints(75, [(0, 1), (1, 2)], [(0, 2)])
    with pytest.raises(ContradictionError, match="0 and 2 are different, but 0 = 1 = 2"):
        SKKMeans(3).fit(X, c)
    with pytest.raises(ValueError, match="contradicts the labels"):
        SKKMeans(3).fit(X, y, constraints=Constraints(75, [(0, 74)]))


def test_fewer_points_than_clusters(iris):
    X, y, _ = iris
    with pytest.warns(ConvergenceWarning, match="only 3 of n_clusters=5 clusters differ"):
        found = SKKMeans(5, gamma=20.0, random_state=0).fit(X, y)
    assert adjusted_rand_score(y, found.labels_) == 1
    with pytest.raises(ValueError, match="n_clusters=76 must be at most n_samples=75"):
        SKKMeans(76).fit(X)
    with pytest.raises(ValueError, match="'kernel' parameter of SKKMeans"):
        SKKMeans(kernel="precomputed").fit(X)
