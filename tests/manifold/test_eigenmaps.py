"""Laplacian eigenmaps against literal transcriptions and scikit-learn, and at the edges."""

import numpy as np
import pytest
from sklearn.datasets import make_swiss_roll
from sklearn.manifold import spectral_embedding

from oracles import eigenmaps as oracle
from oracles.subspaces import same_columns_up_to_sign
from pairspace import (
    LECAS,
    LaplacianEigenmaps,
)

pytestmark = pytest.mark.iterative


def check_against(method, W, c, rtol=1e-7):
    Y, values = oracle.embed(W, c)
    np.testing.assert_allclose(method.affinity_matrix_.toarray(), W, atol=1e-12)
    np.testing.assert_allclose(method.eigenvalues_, values, atol=1e-10)
    assert same_columns_up_to_sign(method.embedding_, Y, rtol)


def two_clusters():
    random = np.random.default_rng(0)
    return np.vstack([random.normal(size=(30, 3)), random.normal(size=(50, 3)) + 40])


@pytest.mark.parametrize("k", [3, 10, 88])
@pytest.mark.parametrize("sigma", ["mean", 2.5])
def test_laplacian_eigenmaps(wine, k, sigma):
    X, _ = wine
    method = LaplacianEigenmaps(3, n_neighbors=k, sigma=sigma).fit(X)
    check_against(method, oracle.le_weights(X, k, None if sigma == "mean" else 6.25), 3)


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


def test_new_rows_by_the_formula(wine):
    X, _ = wine
    new = X[:12] + 0.3 * np.random.default_rng(0).normal(size=(12, 13))
    s2 = oracle.sigma_squared(X)
    method = LaplacianEigenmaps(3).fit(X)
    wanted = [oracle.nystrom(X, x, method.embedding_, method.eigenvalues_, 10, s2) for x in new]
    np.testing.assert_allclose(method.transform(new), wanted, rtol=1e-8)


def test_duplicates(wine):
    X = np.repeat(wine[0][::3], 3, axis=0)
    check_against(LaplacianEigenmaps(2, n_neighbors=12).fit(X), oracle.le_weights(X, 12), 2, 1e-6)


def test_duplicates_get_the_place_of_the_first(wine):
    X = np.vstack([wine[0], wine[0][:3]])
    method = LaplacianEigenmaps(2).fit(X)
    np.testing.assert_array_equal(method.transform(X), method.embedding_)
    np.testing.assert_array_equal(method.transform(X[-3:]), method.embedding_[:3])


def test_the_first_columns_separate_the_components():
    X = two_clusters()
    with pytest.warns(UserWarning, match="has 2 connected components"):
        method = LaplacianEigenmaps(3).fit(X)
    assert method.n_connected_components_ == 2
    first = method.embedding_[:, 0]
    assert method.eigenvalues_[0] == 0 < method.eigenvalues_[1]
    assert np.ptp(first[:30]) < 1e-12
    assert np.ptp(first[30:]) < 1e-12
    assert first[0] * first[-1] < 0
    D = method.affinity_matrix_.sum(axis=1)
    np.testing.assert_allclose(D @ method.embedding_, 0, atol=1e-10)


def test_bridges_are_the_shortest_spanning_tree():
    random = np.random.default_rng(1)
    centres = 100 * random.normal(size=(9, 3))
    X = np.vstack([c + random.normal(size=(6, 3)) for c in centres])
    part = np.repeat(np.arange(9), 6)
    with pytest.warns(UserWarning, match="has 9 connected components"):
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


def test_sigma_huge(wine):
    X, _ = wine
    method = LaplacianEigenmaps(sigma=1e8).fit(X)
    np.testing.assert_allclose(method.affinity_matrix_.data, 1)


def test_overflow():
    X = np.random.default_rng(0).normal(size=(30, 3)) * 1e200
    with np.errstate(over="ignore", invalid="ignore"), pytest.raises(ValueError, match="scale the"):
        LaplacianEigenmaps().fit(X)


def test_progress(capsys):
    X = make_swiss_roll(300, random_state=0)[0]
    LaplacianEigenmaps().fit(X)
    assert capsys.readouterr().out == ""
    LECAS(verbose=True, bridge=True, random_state=0).fit(X)
    lines = capsys.readouterr().out.splitlines()
    stages = [line.split("] ")[1].split(" …")[0] for line in lines]
    assert stages == ["clusters", "neighbours", "bridges", "eigenvectors"]
    assert all(line.startswith("[LECAS]") and line.endswith(" s") for line in lines)
