"""Leading singular values by iteration, against all of them."""

import numpy as np
import pytest
from scipy.sparse.linalg import aslinearoperator

from oracles.subspaces import principal_angles
from pairspace._core.linalg import leading_singular


def table(shape, values, seed=0):
    """A matrix with these singular values."""
    random = np.random.default_rng(seed)
    left, right = (np.linalg.qr(random.normal(size=(n, len(values))))[0] for n in shape)
    return left * values @ right.T


@pytest.mark.parametrize("shape", [(400, 900), (900, 400)])
def test_values_that_fall_are_found_to_many_digits(shape):
    A = table(shape, 0.97 ** np.arange(300))
    found = leading_singular(aslinearoperator(A), 60)
    _, values, right = np.linalg.svd(A, full_matrices=False)
    np.testing.assert_allclose(found.values[:40], values[:40], rtol=1e-6)
    vectors = found.lift(np.eye(60))
    assert principal_angles(vectors[:, :40], right[:40].T) < 1e-3
    assert np.sum(found.values**2) > 0.99 * np.sum(values[:60] ** 2)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(60), atol=1e-10)
    np.testing.assert_allclose(A @ vectors, found.products, atol=1e-10)
    np.testing.assert_allclose(np.linalg.norm(found.products, axis=0), found.values, rtol=1e-8)
    np.testing.assert_array_equal(found.lift(np.eye(3, 2)), found.lift(np.eye(60, 2)))


def test_most_of_a_flat_spectrum_is_found():
    """Where all directions are alike, the last ones are of no meaning, but their share is."""
    A = np.random.default_rng(0).normal(size=(1_500, 1_200))
    values = np.linalg.svd(A, compute_uv=False)
    found = leading_singular(aslinearoperator(A), 150).values
    assert np.sum(found**2) > 0.75 * np.sum(values[:150] ** 2)
    np.testing.assert_allclose(found[:5], values[:5], rtol=1e-2)


def test_repeated_values_are_found_as_often_as_they_are():
    A = table((300, 250), np.r_[np.full(60, 2.0), np.full(100, 1.0)])
    found = leading_singular(aslinearoperator(A), 70).values
    np.testing.assert_allclose(found[:60], 2.0, rtol=1e-8)
    np.testing.assert_allclose(found[60:], 1.0, rtol=1e-8)


@pytest.mark.parametrize(("shape", "k"), [((30, 400), 25), ((400, 30), 30), ((20, 9), 3)])
def test_small_tables_are_exact(shape, k):
    A = np.random.default_rng(0).normal(size=shape)
    found = leading_singular(aslinearoperator(A), k)
    np.testing.assert_allclose(found.values, np.linalg.svd(A, compute_uv=False)[:k], rtol=1e-8)


def test_directions_of_zero_are_left_out():
    A = table((200, 150), np.arange(5.0, 0, -1))
    found = leading_singular(aslinearoperator(A), 20)
    np.testing.assert_allclose(found.values, [5, 4, 3, 2, 1], rtol=1e-8)
    assert len(leading_singular(aslinearoperator(np.zeros((20, 15))), 4).values) == 1
