"""One suite for all eigenproblems: order, sign, rank, and matrices that are not kind."""

import numpy as np
import pytest
import scipy.linalg
from scipy.sparse.linalg import aslinearoperator

from pairspace._core import linalg


def scatter(kind: str, d: int = 8) -> np.ndarray:
    random = np.random.default_rng(0)
    X = random.normal(size=(40, d))
    if kind == "duplicated feature":
        X[:, -1] = X[:, 0]
    elif kind == "constant feature":
        X[:, 2] = 0
    elif kind == "more features than rows":
        X = X[:5]
    elif kind == "zero":
        X = X * 0
    elif kind == "repeated eigenvalues":
        Q = np.linalg.qr(random.normal(size=(d, d)))[0]
        return Q @ np.diag([3, 3, 3, 2, 2, 1, 1, 1.0]) @ Q.T
    elif kind == "tiny":
        X = X * 1e-120
    elif kind == "huge":
        X = X * 1e120
    return X.T @ X


KINDS = {
    "plain": 8,
    "duplicated feature": 7,
    "constant feature": 7,
    "more features than rows": 5,
    "zero": 0,
    "repeated eigenvalues": 8,
    "tiny": 8,
    "huge": 8,
}


@pytest.fixture(params=KINDS)
def kind(request) -> str:
    return request.param


def check_eigen(A, found, values):
    scale = max(np.abs(A).max(), 1e-300)
    k = len(values)
    np.testing.assert_allclose(found.values / scale, values / scale, atol=1e-12)
    np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(k), atol=1e-12)
    np.testing.assert_allclose(
        A @ found.vectors / scale, found.vectors * found.values / scale, atol=1e-12
    )


@pytest.mark.parametrize("k", [1, 3, 8])
def test_top_is_descending_and_bottom_ascending(kind, k):
    A = scatter(kind)
    values = np.linalg.eigvalsh(A)
    check_eigen(A, linalg.top(A, k), values[::-1][:k])
    check_eigen(A, linalg.bottom(A, k), values[:k])
    check_eigen(A, linalg.spectrum(A), values[::-1])


@pytest.mark.parametrize(
    ("kind", "unique"),
    [
        ("separate", True),
        ("spread", True),
        ("negative", True),
        ("repeated", False),
        ("repeated last", False),
        ("zero", False),
        ("flat", False),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_few_of_many_by_iteration_are_right_or_none(kind, unique, seed):
    d, k = 300, 10
    values = {
        "separate": np.r_[np.arange(10) + 2.0, np.linspace(-1, 1, d - 10)],
        "spread": np.linspace(0, 1, d) ** 4,
        "negative": -(np.linspace(0, 1, d) ** 0.5) - 1,
        "repeated": np.r_[5.0, 5.0, np.arange(8) + 6.0, np.linspace(0, 1, d - 10)],
        "repeated last": np.r_[5.0, 5.0, np.arange(9) + 6.0, np.linspace(0, 1, d - 11)],
        "zero": np.zeros(d),
        "flat": np.ones(d),
    }[kind]
    Q = np.linalg.qr(np.random.default_rng(seed).normal(size=(d, d)))[0]
    A = (Q * values) @ Q.T
    found = linalg.leading(aslinearoperator(A), k)
    assert (found is not None) == unique
    if found is not None:
        np.testing.assert_allclose(found.values, np.sort(values)[::-1][:k], atol=1e-9)
        np.testing.assert_allclose(A @ found.vectors, found.vectors * found.values, atol=1e-9)
        np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(k), atol=1e-9)
        again = linalg.leading(aslinearoperator(A), k)
        np.testing.assert_array_equal(found.vectors, again.vectors)


def test_order_is_by_value_and_not_by_size():
    values = linalg.top(np.diag([-5.0, 1.0, 3.0]), 2).values
    np.testing.assert_allclose(values, [3, 1])


def test_rank(kind):
    A = scatter(kind)
    assert linalg.rank_of(A) == KINDS[kind]
    assert linalg.rank(linalg.spectrum(A).values) == KINDS[kind]


def test_rank_is_relative():
    assert linalg.rank(np.array([1e-200, 1e-205, 1e-211])) == 2
    assert linalg.rank(np.array([1e200, 1e195, 1e189])) == 2
    assert linalg.rank(np.array([0.0, -1e-30])) == 0


def test_whiten(kind):
    B = scatter(kind)
    V = linalg.whiten(B)
    assert V.shape == (8, KINDS[kind])
    np.testing.assert_allclose(V.T @ B @ V, np.eye(KINDS[kind]), atol=1e-6)


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("k", [1, 5])
def test_generalized_problem(kind, largest, k):
    B = scatter(kind)
    random = np.random.default_rng(7)
    A = random.normal(size=(8, 8))
    A = A @ A.T
    if KINDS[kind] < k:
        with pytest.raises(ValueError, match=f"{k} eigenvectors of a matrix of order"):
            linalg.within(linalg.whiten(B), A, k, largest=largest)
        return
    values, W = linalg.within(linalg.whiten(B), A, k, largest=largest)
    np.testing.assert_allclose(W.T @ B @ W, np.eye(k), atol=1e-6)
    reduced = W.T @ A @ W
    np.testing.assert_allclose(
        reduced / np.abs(values).max(), np.diag(values) / np.abs(values).max(), atol=1e-9
    )
    assert np.all(np.diff(values) <= 0 if largest else np.diff(values) >= 0)
    if KINDS[kind] == 8:
        wanted = scipy.linalg.eigh(A / np.abs(B).max(), B / np.abs(B).max(), eigvals_only=True)
        np.testing.assert_allclose(values, wanted[::-1][:k] if largest else wanted[:k], rtol=1e-6)


def test_ties_decide_inside_the_null_space_only():
    Q = np.linalg.qr(np.random.default_rng(1).normal(size=(6, 6)))[0]
    A = Q @ np.diag([0, 0, 0, 1.0, 2.0, 3.0]) @ Q.T
    ties = Q @ np.diag([5.0, 1.0, 3.0, 0, 0, 0]) @ Q.T
    values, vectors = linalg.bottom(A, 5, ties=ties)
    np.testing.assert_allclose(values, [0, 0, 0, 1, 2], atol=1e-12)
    np.testing.assert_allclose(np.abs(vectors.T @ Q[:, [1, 2, 0, 3, 4]]), np.eye(5), atol=1e-10)
    regular = A + np.eye(6)
    np.testing.assert_allclose(
        linalg.bottom(regular, 2, ties=ties).values, linalg.bottom(regular, 2).values
    )


def test_the_largest_entry_is_positive_and_rounding_cannot_flip_it():
    vectors = np.array([[0.5, -0.5], [-0.9, 0.5 + 1e-12], [0.1, 0.0]])
    np.testing.assert_array_equal(
        linalg.oriented(vectors), [[-0.5, 0.5], [0.9, -0.5 - 1e-12], [-0.1, 0.0]]
    )


def test_overflow_of_a_matrix_that_is_finite_is_named():
    """WMV(alpha=1e308) in batches had such a scatter (seed 12001, 85777)."""
    A = np.array([[-1.5e308, 1e307], [1e307, -1.5e308]])
    for solve in (linalg.spectrum, lambda A: linalg.top(A, 1)):
        with pytest.raises(ValueError, match="the scatter matrix overflows"):
            solve(A)


def test_overflow_is_named():
    with pytest.raises(ValueError, match="too large to square; scale the columns"):
        linalg.top(np.array([[np.inf, 0], [0, 1]]), 1)
