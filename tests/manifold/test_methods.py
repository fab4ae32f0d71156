"""The graph methods against literal transcriptions, and what must hold of every one of them."""

import numpy as np
import pytest
import scipy.linalg
from scipy.sparse import csr_array
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import load_digits, load_iris, load_wine, make_blobs, make_swiss_roll
from sklearn.manifold import spectral_embedding
from sklearn.metrics import euclidean_distances, silhouette_score
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from oracles import eigenmaps as oracle
from oracles.subspaces import principal_angles, same_columns_up_to_sign
from pairspace import (
    GGLE,
    LECAS,
    SCPLE,
    SLE,
    Constraints,
    ContradictionError,
    KernelKMeans,
    LaplacianEigenmaps,
)
from pairspace.manifold import _constrained_graph
from pairspace.manifold.lecas import mean_silhouette
from pairspace.metrics import pair_auc

UNSUPERVISED = [LaplacianEigenmaps, LECAS, GGLE]
ALL = [*UNSUPERVISED, SLE, SCPLE]


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)[::2]
    return X, y[::2]


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:600], y[:600]


def check_against(method, W, c, rtol=1e-7):
    Y, values = oracle.embed(W, c)
    np.testing.assert_allclose(method.affinity_matrix_.toarray(), W, atol=1e-12)
    np.testing.assert_allclose(method.eigenvalues_, values, atol=1e-10)
    assert same_columns_up_to_sign(method.embedding_, Y, rtol)


# ---- Against the papers ----------------------------------------------------------------------


@pytest.mark.parametrize("k", [3, 10, 88])
@pytest.mark.parametrize("sigma", ["mean", 2.5])
def test_laplacian_eigenmaps(wine, k, sigma):
    X, _ = wine
    method = LaplacianEigenmaps(3, n_neighbors=k, sigma=sigma).fit(X)
    check_against(method, oracle.le_weights(X, k, None if sigma == "mean" else 6.25), 3)


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


@pytest.mark.parametrize("power", [0.7, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("reach", [None, 15])
def test_ggle(wine, power, reach):
    X, _ = wine
    method = GGLE(3, n_neighbors=6, power=power, reach=reach).fit(X)
    check_against(method, oracle.ggle_weights(X, 6, power, reach), 3)


def test_ggle_on_its_neighbours_is_laplacian_eigenmaps(wine):
    X, _ = wine
    W = LaplacianEigenmaps(n_neighbors=6).fit(X).affinity_matrix_.toarray()
    geodesic = GGLE(n_neighbors=6).fit(X).affinity_matrix_.toarray()
    np.testing.assert_allclose(geodesic[W > 0], W[W > 0], rtol=1e-10)


@pytest.mark.parametrize("gamma", [0.01, 0.3, 0.8])
@pytest.mark.parametrize(
    ("make", "graphs"), [(SLE, oracle.sle_graphs), (SCPLE, oracle.scple_graphs)]
)
def test_sle_and_scple(wine, make, graphs, gamma):
    X, y = wine
    Ww, Wb = graphs(X, y)
    method = make(4, gamma=gamma).fit(X, y)
    np.testing.assert_allclose(method.affinity_matrix_.toarray(), Ww, atol=1e-12)
    Y, values = oracle.embed_classes(Ww, Wb, gamma, 4)
    np.testing.assert_allclose(method.eigenvalues_, values, rtol=1e-8)
    assert same_columns_up_to_sign(method.embedding_, Y, 1e-6)
    np.testing.assert_allclose(Ww.sum(axis=1) @ method.embedding_, 0, atol=1e-8)


@pytest.mark.parametrize("solver", ["arpack", "lobpcg"])
def test_scikit_learns_spectral_embedding(digits, solver):
    X, _ = digits
    method = LaplacianEigenmaps(4).fit(X)
    theirs = spectral_embedding(
        method.affinity_matrix_.toarray(),  # a copy, for it is changed there
        n_components=4,
        eigen_solver=solver,
        eigen_tol=1e-10,
        random_state=0,
    )
    rtol = 1e-6 if solver == "arpack" else 1e-3
    assert same_columns_up_to_sign(method.embedding_, theirs, rtol)


# ---- What must hold --------------------------------------------------------------------------


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
def test_moving_turning_and_scaling_the_data_changes_nothing(wine, make):
    X, y = wine
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(13, 13)))[0]
    method = make(3, random_state=0).fit(X, y if make in (SLE, SCPLE) else None)
    for other in (7 * X + 3, X @ turn, -0.01 * X):
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


# ---- New rows --------------------------------------------------------------------------------


def test_new_rows_by_the_formula(wine):
    X, _ = wine
    random = np.random.default_rng(0)
    new = X[:12] + 0.3 * random.normal(size=(12, 13))
    s2 = oracle.sigma_squared(X)
    method = LaplacianEigenmaps(3).fit(X)
    wanted = [oracle.nystrom(X, x, method.embedding_, method.eigenvalues_, 10, s2) for x in new]
    np.testing.assert_allclose(method.transform(new), wanted, rtol=1e-8)
    method = LECAS(3, n_clusters=3, random_state=0).fit(X)
    u, labels = method.cluster_centers_, method.labels_
    for x, found in zip(new, method.transform(new), strict=True):
        own = np.argmin(np.sum((u - x) ** 2, axis=1))
        share = np.exp(-np.sum((u[own] - u) ** 2, axis=1) / s2)[labels]
        wanted = oracle.nystrom(X, x, method.embedding_, method.eigenvalues_, 10, s2, share)
        np.testing.assert_allclose(found, wanted, rtol=1e-8)


def test_the_formula_holds_on_the_training_rows(wine):
    X, _ = wine
    method = LaplacianEigenmaps(3).fit(X)
    W, Y = method.affinity_matrix_, method.embedding_
    np.testing.assert_allclose(
        (W @ Y) / (W.sum(axis=1)[:, None] * (1 - method.eigenvalues_)), Y, atol=1e-9
    )


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


@pytest.mark.parametrize("make", [SLE, SCPLE])
def test_new_rows_of_the_supervised_vote(make):
    X, y = load_digits(return_X_y=True)
    method = make(9).fit(X[:600], y[:600])
    nearest = KNeighborsClassifier(5).fit(method.embedding_, y[:600])
    assert nearest.score(method.transform(X[600:900]), y[600:900]) > 0.9
    inside = method.transform(X[600:900])
    assert inside.max() <= method.embedding_.max()


def test_rows_far_away_have_a_place(wine):
    X, _ = wine
    for make in UNSUPERVISED:
        method = make(2, sigma=1.5, random_state=0).fit(X)
        assert np.isfinite(method.transform(X[:3] + 1e4)).all()


def test_duplicates_get_the_place_of_the_first(wine):
    X = np.vstack([wine[0], wine[0][:3]])
    method = LaplacianEigenmaps(2).fit(X)
    np.testing.assert_array_equal(method.transform(X), method.embedding_)
    np.testing.assert_array_equal(method.transform(X[-3:]), method.embedding_[:3])


# ---- Pairs -----------------------------------------------------------------------------------


def some_pairs(y, n_pairs=60, seed=0):
    return Constraints.from_labels(y, n_pairs=n_pairs, random_state=seed)


def test_direct_edges(wine):
    X, y = wine
    answers = some_pairs(y)
    W = oracle.constrain(oracle.le_weights(X, 10), answers.must_link, answers.cannot_link)
    for given in ({"y": answers}, {"constraints": answers}):
        check_against(LaplacianEigenmaps(3).fit(X, **given), W, 3)


def test_weights_of_must_links(wine):
    X, _ = wine
    answers = Constraints(len(X), [(0, 50), (3, 4)], must_weight=[0.25, 3.0])
    W = LaplacianEigenmaps().fit(X, answers).affinity_matrix_
    assert W[0, 50] == W[50, 0] == 0.25
    assert W[3, 4] == 3.0


def test_labels_are_all_their_pairs(wine):
    X, y = wine
    some = np.where(np.arange(len(y)) % 4 == 0, y, -1)
    by_labels = LaplacianEigenmaps(3).fit(X, some)
    by_pairs = LaplacianEigenmaps(3).fit(X, Constraints.from_labels(some, fraction=1.0))
    np.testing.assert_allclose(by_labels.embedding_, by_pairs.embedding_, atol=1e-10)


@pytest.mark.parametrize("alpha", [0.2, 0.6, 0.9])
def test_propagation(wine, alpha, monkeypatch):
    X, y = wine
    answers = some_pairs(y, 40)
    W = oracle.propagate(
        oracle.le_weights(X, 10), answers.must_link.tolist(), answers.cannot_link.tolist(), alpha
    )
    whole = LaplacianEigenmaps(3, propagation=alpha).fit(X, answers)
    np.testing.assert_allclose(whole.affinity_matrix_.toarray(), W, atol=2e-5)
    assert whole.affinity_matrix_.nnz > LaplacianEigenmaps().fit(X, answers).affinity_matrix_.nnz
    monkeypatch.setattr(_constrained_graph, "BLOCK", 200)
    parts = LaplacianEigenmaps(3, propagation=alpha).fit(X, answers)
    np.testing.assert_allclose(parts.affinity_matrix_.toarray(), W, atol=2e-5)


def test_propagation_of_nothing(wine):
    X, _ = wine
    np.testing.assert_array_equal(
        LaplacianEigenmaps(propagation=0.5).fit_transform(X), LaplacianEigenmaps().fit_transform(X)
    )


def test_propagation_of_labels(wine):
    X, y = wine
    some = np.where(np.arange(len(y)) % 4 == 0, y, -1)
    pairs = Constraints.from_labels(some, fraction=1.0)
    a, b = (LaplacianEigenmaps(propagation=0.5).fit(X, known) for known in (some, pairs))
    np.testing.assert_allclose(a.embedding_, b.embedding_, atol=1e-8)


@pytest.mark.parametrize("make", [SLE, SCPLE])
def test_pairs_beside_labels(wine, make):
    X, y = wine
    some = np.where(np.arange(len(y)) % 3 == 0, y, -1)
    answers = some_pairs(y, 50)
    method = make(2).fit(X, some, constraints=answers)
    W = method.affinity_matrix_.toarray()
    assert (W[tuple(answers.must_link.T)] == 1).all()
    assert (W[tuple(answers.cannot_link.T)] == 0).all()
    known = (some[:, None] >= 0) & (some >= 0) & (some[:, None] != some)
    assert (W[known] == 0).all()
    only_pairs = make(2).fit(X, answers)
    assert np.isfinite(only_pairs.embedding_).all()


def test_propagation_helps(digits):
    X, y = digits
    answers = some_pairs(y, 600)
    direct, wide = (
        silhouette_score(LaplacianEigenmaps(9, propagation=a).fit_transform(X, answers), y)
        for a in (None, 0.8)
    )
    assert wide > direct


def test_the_more_that_is_known_the_closer_the_classes(digits):
    X, y = digits
    scores = []
    for n_pairs in (0, 600, 3000):
        found = LaplacianEigenmaps(9, random_state=0).fit(X, some_pairs(y, n_pairs)).embedding_
        scores.append(silhouette_score(found, y))
    assert scores[0] < scores[1] < scores[2]


def test_pairs_survive_cross_validation(wine):
    X, y = wine
    answers = some_pairs(y)
    search = GridSearchCV(
        make_pipeline(StandardScaler(), LaplacianEigenmaps(bridge=True)),
        {"laplacianeigenmaps__n_neighbors": [5, 20]},
        cv=KFold(3, shuffle=True, random_state=0),
    ).fit(X, answers)
    assert search.best_score_ > 0.9


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


# ---- Clusters --------------------------------------------------------------------------------


@pytest.mark.parametrize("n_clusters", [3, 5])
def test_silhouette_finds_clear_clusters(n_clusters):
    X, truth = make_blobs(300, 8, centers=n_clusters, cluster_std=0.5, random_state=2)
    for clusterer in ("kernel-kmeans", "kmeans", AgglomerativeClustering()):
        method = LECAS(clusterer=clusterer, bridge=True, random_state=0).fit(X)
        assert len(method.cluster_centers_) == n_clusters
        assert len(set(zip(method.labels_, truth, strict=True))) == n_clusters


def test_mean_silhouette(wine):
    X, _ = wine
    distances = euclidean_distances(X)
    np.fill_diagonal(distances, 0)
    random = np.random.default_rng(0)
    for labels in (random.integers(0, 5, len(X)), np.r_[7, np.arange(len(X) - 1) % 2]):
        expected = silhouette_score(distances, labels, metric="precomputed")
        assert mean_silhouette(distances, labels) == pytest.approx(expected)
    for labels in (np.zeros(len(X)), np.arange(len(X))):
        assert mean_silhouette(distances, labels) == -np.inf


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


# ---- Edge cases ------------------------------------------------------------------------------


def two_moons_apart():
    random = np.random.default_rng(0)
    return np.vstack([random.normal(size=(30, 3)), random.normal(size=(50, 3)) + 40])


def test_components_are_told_apart():
    X = two_moons_apart()
    with pytest.warns(UserWarning, match="falls into 2 components"):
        method = LaplacianEigenmaps(3).fit(X)
    assert method.n_connected_components_ == 2
    first = method.embedding_[:, 0]
    assert method.eigenvalues_[0] == 0 < method.eigenvalues_[1]
    assert np.ptp(first[:30]) < 1e-12
    assert np.ptp(first[30:]) < 1e-12
    assert first[0] * first[-1] < 0
    D = method.affinity_matrix_.sum(axis=1)
    np.testing.assert_allclose(D @ method.embedding_, 0, atol=1e-10)


@pytest.mark.parametrize("make", UNSUPERVISED)
def test_bridges_join_components(make):
    X = two_moons_apart()
    method = make(3, bridge=True, random_state=0).fit(X)
    assert method.n_connected_components_ == 1
    assert method.eigenvalues_[0] > 0


def test_bridges_are_the_shortest_spanning_tree():
    random = np.random.default_rng(1)
    centres = 100 * random.normal(size=(9, 3))
    X = np.vstack([c + random.normal(size=(6, 3)) for c in centres])
    part = np.repeat(np.arange(9), 6)
    with pytest.warns(UserWarning, match="falls into 9 components"):
        apart = LaplacianEigenmaps(n_neighbors=3).fit(X).affinity_matrix_
    joined = LaplacianEigenmaps(n_neighbors=3, bridge=True).fit(X).affinity_matrix_
    added = {tuple(sorted(pair)) for pair in np.argwhere(((joined > 0) != (apart > 0)).toarray())}
    edges = sorted(
        (np.linalg.norm(X[i] - X[j]), i, j)
        for i in range(54)
        for j in range(i)
        if part[i] != part[j]
    )
    tree, label = set(), part.copy()
    for _, i, j in edges:  # Kruskal
        if label[i] != label[j]:
            tree.add((j, i))
            label[label == label[i]] = label[j]
    assert added == tree


def test_sigma_too_small(wine):
    X, _ = wine
    for make in UNSUPERVISED:
        with pytest.raises(ValueError, match=r"sigma=0.01 is too small .*: 100% of the edges"):
            make(sigma=0.01).fit(X)
    with pytest.raises(ValueError, match="positive and finite"):
        LaplacianEigenmaps(sigma=1e-200).fit(X)


def test_sigma_huge(wine):
    X, _ = wine
    method = LaplacianEigenmaps(sigma=1e8).fit(X)
    np.testing.assert_allclose(method.affinity_matrix_.data, 1)


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("sigma", ["mean", 1.0])
def test_identical_rows(make, sigma):
    with pytest.raises(ValueError, match="all rows are identical"):
        make(sigma=sigma).fit(np.full((30, 4), 0.1), np.arange(30) % 3)


@pytest.mark.parametrize("make", ALL)
def test_sizes_that_cannot_be(make):
    X, y = np.random.default_rng(0).normal(size=(20, 3)), np.arange(20) % 2
    with pytest.raises(ValueError, match="n_neighbors=20, but each of n_samples=20 rows has 19"):
        make(n_neighbors=20).fit(X, y)
    with pytest.raises(ValueError, match="n_components=20, but n_samples=20 rows have at most 19"):
        make(n_components=20).fit(X, y)
    known = y if make in (SLE, SCPLE) else None
    assert make(19, n_neighbors=19, random_state=0).fit(X, known).embedding_.shape == (20, 19)
    for wrong in (0, 1.5):
        with pytest.raises(ValueError, match="'n_neighbors' parameter"):
            make(n_neighbors=wrong).fit(X, y)


def test_duplicates_are_no_obstacle():
    X = np.repeat(load_iris().data, 3, axis=0)
    for make in UNSUPERVISED:
        method = make(2, n_neighbors=12, bridge=True, random_state=0).fit(X)
        assert np.isfinite(method.embedding_).all()


def test_a_row_cut_off(wine):
    X, _ = wine
    near = np.flatnonzero(LaplacianEigenmaps(n_neighbors=3).fit(X).affinity_matrix_[[7]].toarray())
    answers = Constraints(len(X), (), [(7, j) for j in near])
    with pytest.raises(ValueError, match="nothing joins row 7 to another"):
        LaplacianEigenmaps(n_neighbors=3).fit(X, answers)


def test_overflow():
    X = np.random.default_rng(0).normal(size=(30, 3)) * 1e200
    with np.errstate(over="ignore", invalid="ignore"), pytest.raises(ValueError, match="scale the"):
        LaplacianEigenmaps().fit(X)


@pytest.mark.parametrize("make", [SLE, SCPLE])
def test_the_supervised_need_something(wine, make):
    X, y = wine
    for nothing in (None, np.full(len(y), -1), Constraints(len(y))):
        with pytest.raises(ValueError, match=r"fit\(X, Constraints\(len\(X\), must_link="):
            make().fit(X, nothing)


def test_too_many_pairs(wine, monkeypatch):
    X, y = wine
    monkeypatch.setattr("pairspace.manifold._classes.MAX_PAIRS", 100)
    monkeypatch.setattr("pairspace.manifold.ggle.MAX_PAIRS", 100)
    monkeypatch.setattr(_constrained_graph, "MAX_PAIRS", 100)
    with pytest.raises(ValueError, match="give n_neighbors"):
        SLE().fit(X, y)
    with pytest.raises(ValueError, match=r"give reach, e\.g\. 100"):
        GGLE().fit(X)
    with pytest.raises(ValueError, match="too many to join each"):
        LaplacianEigenmaps().fit(X, y)
    with pytest.raises(ValueError, match="too many to propagate each"):
        LaplacianEigenmaps(propagation=0.5).fit(X, y)
    with pytest.raises(ValueError, match="around 3 must-links, too many to propagate to each"):
        LaplacianEigenmaps(propagation=0.5).fit(X, Constraints(len(X), [(0, 1), (1, 2), (2, 3)]))


def test_fewer_neighbours_for_many_rows(wine):
    X, y = wine
    few, all_of_them = SLE(n_neighbors=5).fit(X, y), SLE().fit(X, y)
    assert few.affinity_matrix_.nnz < all_of_them.affinity_matrix_.nnz / 2
    assert few.affinity_matrix_.sum(axis=1).min() > 0


def test_a_gamma_of_zero_tells_the_classes_apart(wine):
    X, y = wine
    with pytest.warns(UserWarning, match="falls into 3 components"):
        embedded = SLE(2, gamma=0.0).fit_transform(X, y)
    assert len(np.unique(embedded.round(9), axis=0)) == 3


def test_progress(capsys):
    X = make_swiss_roll(300, random_state=0)[0]
    LaplacianEigenmaps().fit(X)
    assert capsys.readouterr().out == ""
    LECAS(verbose=True, bridge=True, random_state=0).fit(X)
    lines = capsys.readouterr().out.splitlines()
    stages = [line.split("] ")[1].split(" …")[0] for line in lines]
    assert stages == ["clusters", "neighbours", "bridges", "eigenvectors"]
    assert all(line.startswith("[LECAS]") and line.endswith(" s") for line in lines)
