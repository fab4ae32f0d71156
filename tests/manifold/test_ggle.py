"""GGLE against a literal transcription."""

import numpy as np
import pytest

from oracles import eigenmaps as oracle
from oracles.subspaces import same_columns_up_to_sign
from pairspace import (
    GGLE,
    LaplacianEigenmaps,
)


def check_against(method, W, c, rtol=1e-7):
    Y, values = oracle.embed(W, c)
    np.testing.assert_allclose(method.affinity_matrix_.toarray(), W, atol=1e-12)
    np.testing.assert_allclose(method.eigenvalues_, values, atol=1e-10)
    assert same_columns_up_to_sign(method.embedding_, Y, rtol)


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


@pytest.mark.parametrize("reach", [None, 15])
def test_new_rows_by_the_formula(wine, reach):
    X, _ = wine
    new = X[:12] + 0.3 * np.random.default_rng(0).normal(size=(12, 13))
    method = GGLE(3, n_neighbors=6, power=1.5, reach=reach).fit(X)
    along_graph = oracle.geodesics(X, 6)
    sigma = np.sqrt(oracle.sigma_squared(X))
    for x, found in zip(new, method.transform(new), strict=True):
        to_rows = np.sqrt(np.sum((X - x) ** 2, axis=1))
        near = np.argsort(to_rows)[:6]
        distance = (to_rows[near, None] + along_graph[near]).min(axis=0)
        joined = np.argsort(distance)[:reach]
        weight = np.exp(-((distance[joined] / sigma) ** 1.5))
        mean = weight @ method.embedding_[joined] / weight.sum()
        np.testing.assert_allclose(found, mean / (1 - method.eigenvalues_), rtol=1e-8)


def test_duplicates(wine):
    """Geodesics of length 0 are edges, not missing entries of a sparse matrix."""
    X = np.repeat(wine[0][::3], 3, axis=0)
    method = GGLE(2, n_neighbors=6, reach=15).fit(X)
    W = oracle.ggle_weights(X, 6, 2.0, 15)
    np.testing.assert_allclose(method.affinity_matrix_.toarray(), W, atol=1e-12)


def test_too_many_pairs(wine, monkeypatch):
    monkeypatch.setattr("pairspace.manifold.ggle.MAX_PAIRS", 100)
    with pytest.raises(ValueError, match=r"89 rows have 3,916 pairs.*at most 100: set reach"):
        GGLE().fit(wine[0])
