"""What holds for every graph method."""

import numpy as np
import pytest
import scipy.linalg
from scipy.sparse import csr_array
from sklearn.datasets import load_digits
from sklearn.metrics import pairwise_distances_argmin
from sklearn.neighbors import KNeighborsClassifier

from oracles.subspaces import principal_angles
from pairspace import (
    GGLE,
    LECAS,
    SCPLE,
    SLE,
    Constraints,
    ContradictionError,
    LaplacianEigenmaps,
)
from pairspace.metrics import pair_auc

UNSUPERVISED = [LaplacianEigenmaps, LECAS, GGLE]
ALL = [*UNSUPERVISED, SLE, SCPLE]


def two_clusters():
    random = np.random.default_rng(0)
    return np.vstack([random.normal(size=(30, 3)), random.normal(size=(50, 3)) + 40])


@pytest.mark.parametrize("make", UNSUPERVISED)
@pytest.mark.parametrize("solver", ["auto", "dense", "lanczos", "shift-invert", "amg"])
def test_the_problem_is_solved(digits, make, solver):
    X, _ = digits
    method = make(5, eigen_solver=solver, random_state=0).fit(X)
    W, Y = method.affinity_matrix_, method.embedding_
    assert abs(W - W.T).max() == 0
    assert W.diagonal().max() == 0
    D = W.sum(axis=1)
    L = np.diag(D) - W.toarray()
    np.testing.assert_allclose(Y.T @ (D[:, None] * Y), np.eye(5), atol=1e-9)
    np.testing.assert_allclose(D @ Y, 0, atol=1e-8)
    assert np.linalg.norm(L @ Y - D[:, None] * Y * method.eigenvalues_, axis=0).max() < 1e-8
    wanted = scipy.linalg.eigh(L, np.diag(D), eigvals_only=True, subset_by_index=(1, 5))
    np.testing.assert_allclose(method.eigenvalues_, wanted, atol=1e-10)
    assert method.residual_ < 1e-8


@pytest.mark.parametrize("make", ALL)
def test_moving_rotating_and_scaling_the_data_changes_nothing(wine, make):
    X, y = wine
    rotation = np.linalg.qr(np.random.default_rng(0).normal(size=(13, 13)))[0]
    method = make(3, random_state=0).fit(X, y if make in (SLE, SCPLE) else None)
    for other in (7 * X + 3, X @ rotation, -0.01 * X):
        again = make(3, random_state=0).fit(other, y if make in (SLE, SCPLE) else None)
        np.testing.assert_allclose(again.eigenvalues_, method.eigenvalues_, atol=1e-8)
        assert principal_angles(again.embedding_, method.embedding_) < 1e-5


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sparse_data(make, dtype):
    random = np.random.default_rng(0)
    X = random.poisson(0.6, size=(90, 12)).astype(dtype)
    y = np.arange(90) % 3
    X += 3 * (y[:, None] == np.arange(12) % 3)
    known = y if make in (SLE, SCPLE) else None
    dense = make(2, random_state=0, n_neighbors=45).fit(X, known)
    sparse = make(2, random_state=0, n_neighbors=45).fit(csr_array(X), known)
    assert sparse.embedding_.dtype == dtype
    np.testing.assert_allclose(sparse.embedding_, dense.embedding_, atol=1e-4)
    new = X[:9] + 0.5
    np.testing.assert_allclose(sparse.transform(csr_array(new)), dense.transform(new), atol=1e-4)
    np.testing.assert_array_equal(sparse.transform(csr_array(X)), sparse.embedding_)


@pytest.mark.parametrize("make", ALL)
def test_the_same_every_time(digits, make):
    X, y = digits
    first, second = (
        make(3, random_state=1).fit(X, y if make in (SLE, SCPLE) else None) for _ in range(2)
    )
    np.testing.assert_array_equal(first.embedding_, second.embedding_)


@pytest.mark.parametrize("make", ALL)
def test_rows_that_were_fitted_stay(digits, make):
    X, y = digits
    method = make(3, random_state=0).fit(X, y if make in (SLE, SCPLE) else None)
    np.testing.assert_array_equal(method.transform(X), method.embedding_)
    np.testing.assert_array_equal(method.transform(X[40:70]), method.embedding_[40:70])
    mixed = method.transform(np.vstack([X[:5], X[:5] + 0.1]))
    np.testing.assert_array_equal(mixed[:5], method.embedding_[:5])
    assert np.abs(mixed[5:] - mixed[:5]).max() > 0
    method.transform(X)[:] = 0  # the caller's to change
    assert method.embedding_.any()


@pytest.mark.parametrize("make", [*UNSUPERVISED, lambda *a, **k: GGLE(*a, reach=40, **k)])
def test_new_rows_land_among_their_class(make):
    X, y = load_digits(return_X_y=True)
    method = make(9, random_state=0).fit(X[:600])
    nearest = KNeighborsClassifier(5).fit(method.embedding_, y[:600])
    assert nearest.score(method.transform(X[600:900]), y[600:900]) > 0.85


@pytest.mark.parametrize("make", UNSUPERVISED)
def test_rows_far_away_follow_their_nearest_row(wine, make):
    """All weights exp(−d²/σ²) of such a row underflow, but their ratios do not."""
    X, _ = wine
    method = make(2, sigma=1.5, random_state=0).fit(X)
    far = X[:3] + 1e4
    nearest = pairwise_distances_argmin(far, X)
    wanted = method.embedding_[nearest] / (1 - method.eigenvalues_)
    np.testing.assert_allclose(method.transform(far), wanted, rtol=1e-6)


@pytest.mark.parametrize("make", ALL)
def test_score_is_the_pair_auc(wine, make):
    X, y = wine
    method = make(random_state=0).fit(X[::2], y[::2] if make in (SLE, SCPLE) else None)
    assert method.score(X, y) == pair_auc(method.transform(X), y) > 0.7


@pytest.mark.parametrize("make", ALL)
def test_a_failed_fit_leaves_a_fitted_estimator_as_it_was(wine, make):
    X, y = wine
    method = make(random_state=0).fit(X, y if make in (SLE, SCPLE) else None)
    before = method.transform(X[:5] + 0.1)
    names = set(vars(method))
    with pytest.raises(ValueError, match="too small"):
        method.set_params(sigma=1e-3).fit(2 * X[:50, :4], y[:50])
    assert set(vars(method)) == names
    np.testing.assert_array_equal(method.transform(X[:5] + 0.1), before)


@pytest.mark.parametrize("make", ALL)
def test_contradictions(wine, make):
    X, _ = wine
    answers = Constraints(len(X), [(0, 1), (1, 2)], [(0, 2)])
    with pytest.raises(ContradictionError, match="0 = 1 = 2"):
        make().fit(X, answers)


@pytest.mark.parametrize("make", UNSUPERVISED)
def test_bridges_join_components(make):
    X = two_clusters()
    method = make(3, bridge=True, random_state=0).fit(X)
    assert method.n_connected_components_ == 1
    assert method.eigenvalues_[0] > 0


def test_sigma_too_small(wine):
    X, _ = wine
    for make in UNSUPERVISED:
        with pytest.raises(ValueError, match=r"sigma=0.01 is too small: 100% of the edges"):
            make(sigma=0.01).fit(X)
    with pytest.raises(ValueError, match=r"range \[1e-75, 1e\+75\]"):
        LaplacianEigenmaps(sigma=1e-200).fit(X)


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("sigma", ["mean", 1.0])
def test_identical_rows(make, sigma):
    with pytest.raises(ValueError, match="all rows are identical"):
        make(sigma=sigma).fit(np.full((30, 4), 0.1), np.arange(30) % 3)


@pytest.mark.parametrize("make", ALL)
def test_sizes_that_cannot_be(make):
    X, y = np.random.default_rng(0).normal(size=(20, 3)), np.arange(20) % 2
    with pytest.raises(ValueError, match="n_neighbors=20 must be at most 19, one less"):
        make(n_neighbors=20).fit(X, y)
    with pytest.raises(ValueError, match="n_components=20 must be at most 19, one less"):
        make(n_components=20).fit(X, y)
    known = y if make in (SLE, SCPLE) else None
    assert make(19, n_neighbors=19, random_state=0).fit(X, known).embedding_.shape == (20, 19)
    for wrong in (0, 1.5):
        with pytest.raises(ValueError, match="'n_neighbors' parameter"):
            make(n_neighbors=wrong).fit(X, y)
