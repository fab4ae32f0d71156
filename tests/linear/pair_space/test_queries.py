"""The covariance of neighbours, from a sample of rows."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from oracles import pair_space as oracle
from pairspace import PairSpace
from pairspace._core.data import rows_of
from pairspace._within import _near
from pairspace._within._near import near_covariance


def clusters(n, d, seed=0):
    random = np.random.default_rng(seed)
    scales = 0.3 + random.random(d)
    centres = 3 * random.normal(size=(6, d))
    return centres[random.integers(6, size=n)] + scales * random.normal(size=(n, d))


def distance(A, B):
    """Of two covariances of the same trace, as a share of the second."""
    A, B = A / np.trace(A), B / np.trace(B)
    return np.linalg.norm(A - B) / np.linalg.norm(B)


def test_all_rows_are_the_graph_of_neighbours():
    X = clusters(80, 3)
    Z = X - X.mean(axis=0)
    for n_queries in ("auto", None, 80, 100):
        found = near_covariance(rows_of(Z), 5, n_queries, np.random.RandomState(0))
        assert found.n_queries is None
        assert found.error == 0
        np.testing.assert_allclose(found.covariance, oracle.neighbor_covariance(Z, 5))


@pytest.mark.parametrize("sparse", [False, True])
def test_a_sample_is_within_its_error_of_all_rows(sparse):
    X = clusters(3_000, 8)
    if sparse:
        X = np.maximum(X, 0)
    rows = rows_of(csr_array(X) if sparse else X)
    whole = near_covariance(rows, 5, None, np.random.RandomState(0)).covariance
    for seed in range(5):
        found = near_covariance(rows, 5, 600, np.random.RandomState(seed))
        assert found.n_queries == 600
        assert 0.01 < found.error < 0.2
        # Edges in both directions count as two, which is no error of sampling.
        assert distance(found.covariance, whole) < 3 * found.error


def test_the_error_falls_with_the_root_of_the_queries():
    rows = rows_of(clusters(4_000, 6))
    few, many = (
        near_covariance(rows, 5, n, np.random.RandomState(0)).error for n in (250, 4_000 - 1)
    )
    assert few / many == pytest.approx(4, rel=0.4)


def test_auto_takes_more_rows_while_the_error_is_large(monkeypatch):
    monkeypatch.setattr(_near, "ALL_TO", 1_000)
    monkeypatch.setattr(_near, "FIRST", 80)
    random = np.random.default_rng(0)
    rows = rows_of(clusters(2_500, 6))
    assert near_covariance(rows, 5, "auto", np.random.RandomState(0)).n_queries == 80
    heavy = rows_of(random.standard_t(1.2, size=(2_500, 6)))
    found = near_covariance(heavy, 5, "auto", np.random.RandomState(0))
    assert found.n_queries == 2_500 or found.error <= _near.TOLERANCE
    assert found.n_queries > 160


@pytest.mark.parametrize("seed", [0, 1])
def test_the_space_of_a_sample_is_that_of_all_rows(seed):
    X = clusters(3_000, 10, seed)
    kinds = {n: PairSpace(4, n_queries=n, ridge=0.3, random_state=0).fit(X) for n in (None, 800)}
    assert kinds[None].n_queries_ is None
    assert kinds[800].n_queries_ == 800
    bases = [np.linalg.qr(each.components_.T)[0] for each in kinds.values()]
    cosines = np.linalg.svd(bases[0].T @ bases[1], compute_uv=False)
    assert cosines.min() > 0.98
    same = PairSpace(4, n_queries=800, ridge=0.3, random_state=0).fit(X)
    np.testing.assert_array_equal(same.components_, kinds[800].components_)
