"""Distances keep their digits far from the origin, and weights that vanish are no division by 0."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.cluster import DBSCAN
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale

from estimators import MANIFOLD
from pairspace import GGLE, LECAS, SCPLE, SLE, LaplacianEigenmaps

X, Y = load_wine(return_X_y=True)
X = np.round(scale(X), 6)
Y = np.where(np.arange(len(Y)) % 3 == 0, -1, Y)


def seeded(estimator):
    return clone(estimator).set_params(random_state=0)


@pytest.mark.filterwarnings("ignore:the graph has")
@pytest.mark.parametrize("estimator", MANIFOLD, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("offset", [1e6, 1e8])
def test_an_offset_changes_nothing(estimator, offset):
    moved = X + offset
    plain, found = seeded(estimator).fit(moved - offset, Y), seeded(estimator).fit(moved, Y)
    one, other = plain.embedding_, found.embedding_
    np.testing.assert_allclose(other @ other.T, one @ one.T, atol=1e-5 * np.abs(one @ one.T).max())
    new = plain.transform(moved[:5] - offset + 0.25)
    np.testing.assert_allclose(
        np.abs(found.transform(moved[:5] + 0.25)), np.abs(new), atol=1e-5 * np.abs(new).max()
    )


@pytest.mark.filterwarnings("ignore:the graph has")
@pytest.mark.parametrize("method", [SLE, SCPLE])
@pytest.mark.parametrize("seed", range(5))
def test_whole_numbers_that_are_equally_near_stay_so_with_an_offset(method, seed):
    random = np.random.RandomState(seed)
    numbers, classes = random.randint(0, 4, (21, 5)).astype(float), random.randint(0, 2, 21)
    plain, moved = (
        method(1, n_neighbors=2).fit(rows, classes) for rows in (numbers, numbers + 1e3 / 3)
    )
    assert not ((plain.affinity_matrix_ != 0) != (moved.affinity_matrix_ != 0)).nnz


@pytest.mark.parametrize("estimator", MANIFOLD, ids=lambda e: type(e).__name__)
def test_rows_that_differ_by_rounding_alone_are_an_error(estimator):
    rows = np.full((20, 3), 1e8 / 3)
    rows *= 1 + np.finfo(float).eps * np.random.default_rng(0).integers(-1, 2, size=rows.shape)
    with pytest.raises(ValueError, match="identical, up to rounding"):
        clone(estimator).fit(rows, np.arange(20) % 2)


def test_centres_of_clusters_are_in_the_units_of_the_data():
    method = LECAS(n_clusters=3, random_state=0).fit(X + 50)
    for cluster, centre in enumerate(method.cluster_centers_):
        np.testing.assert_allclose(centre, (X + 50)[method.labels_ == cluster].mean(axis=0))


def test_new_rows_between_distant_clusters_are_finite():
    """The nearest centre is that of another cluster, with a similarity that underflows to 0."""
    rows = np.concatenate([np.linspace(0, 1, 12), np.linspace(20, 100, 81)])[:, None]
    method = LECAS(clusterer=DBSCAN(eps=3), n_components=1, n_neighbors=3, sigma=2.0)
    with pytest.warns(UserWarning, match="connected components"):
        method.fit(rows)
    assert len(method.cluster_centers_) == 2
    assert np.isfinite(method.transform([[25.5], [0.3], [10.4]])).all()


@pytest.mark.filterwarnings("ignore:the graph has")
def test_an_embedding_that_single_precision_can_not_hold_is_an_error():
    """Weights of 1e-170 make coordinates of 1e85."""
    rows = np.concatenate([np.linspace(0, 1, 12), [20.0]])[:, None].astype(np.float32)
    method = LaplacianEigenmaps(n_components=12, n_neighbors=3, sigma=1.0)
    assert np.isfinite(method.fit(rows.astype(np.float64)).embedding_).all()
    with pytest.raises(ValueError, match=r"sigma=1.0 is too small: .* overflows as float32"):
        method.fit(rows)


@pytest.mark.filterwarnings("ignore:the graph has")
def test_a_count_may_be_a_boolean():
    """scikit-learn's checks take True for 1."""
    one, other = (GGLE(n_neighbors=5, reach=reach, bridge=True) for reach in (True, 1))
    np.testing.assert_array_equal(one.fit(X).eigenvalues_, other.fit(X).eigenvalues_)


def test_one_label_alone_has_nothing_to_propagate():
    y = np.full(len(X), -1)
    y[7] = 1
    with pytest.warns(UserWarning, match="-1 means unknown"):
        found = LaplacianEigenmaps(propagation=0.6, random_state=0).fit(X, y).embedding_
    np.testing.assert_array_equal(found, LaplacianEigenmaps(random_state=0).fit(X).embedding_)


@pytest.mark.parametrize("sigma", [1e-320, 1e-200, 1e200, 1e308])
@pytest.mark.parametrize("estimator", MANIFOLD, ids=lambda e: type(e).__name__)
def test_widths_that_can_not_be_squared_are_refused(estimator, sigma):
    with pytest.raises(ValueError, match=r"'sigma' parameter of .* in the range \[1e-75, 1e\+75\]"):
        clone(estimator).set_params(sigma=sigma).fit(X, Y)
