"""Eigenproblems of mixtures, against each solved alone."""

import numpy as np
import pytest
import scipy.linalg

from pairspace._core.linalg import MixtureProblems


def covariance(random, d, n):
    X = random.normal(size=(n, d)) * np.linspace(0.3, 2, d)
    return X.T @ X / n


def mixtures(d, seed=0):
    random = np.random.default_rng(seed)
    A = covariance(random, d, 3 * d)
    parts = [covariance(random, d, 15), 0.3 * A + 0.1 * covariance(random, d, 2 * d), np.eye(d)]
    ridges, shrinkages = np.meshgrid([0.5, 0.02, 0.1, 0.3, 0.7, 0.9], [0.2, 0.4, 0.7, 1.0])
    r, alpha = ridges.ravel(), shrinkages.ravel()
    near = (1 - r) ** 2 * alpha
    must = (1 - r) * (1 - alpha)
    return A, parts, np.column_stack([must, near, 1 - must - near])


def solved(A, parts, shares, k, **options):
    problems = MixtureProblems(A)
    return problems.solve([problems.reduced(part) for part in parts], shares, k, **options)


@pytest.mark.parametrize("k", [2, 5, 30])
def test_exact_solutions(k):
    A, parts, shares = mixtures(30)
    for W, share in zip(solved(A, parts, shares, k, exact=True), shares, strict=True):
        B = sum(s * part for s, part in zip(share, parts, strict=True))
        np.testing.assert_allclose(W.T @ B @ W, np.eye(k), atol=1e-8)
        expected = scipy.linalg.eigh(A, B, eigvals_only=True)[::-1][:k]
        np.testing.assert_allclose(np.diag(W.T @ A @ W), expected, rtol=1e-8)


def test_directions_of_a_few_mixtures_hold_those_of_the_others():
    for seed in range(5):
        A, parts, shares = mixtures(120, seed)
        exact = solved(A, parts, shares, 6, exact=True)
        found = solved(A, parts, shares, 6)
        for W, V, share in zip(found, exact, shares, strict=True):
            B = sum(s * part for s, part in zip(share, parts, strict=True))
            np.testing.assert_allclose(W.T @ B @ W, np.eye(6), atol=1e-8)
            # What is maximised is at most the exact maximum, and hardly less.
            share_found = np.trace(W.T @ A @ W) / np.trace(V.T @ A @ V)
            assert 0.98 < share_found <= 1 + 1e-9


def test_a_singular_matrix_is_solved_in_its_range():
    random = np.random.default_rng(0)
    X = random.normal(size=(40, 5)) @ random.normal(size=(5, 9))
    A = X.T @ X / 40
    difference = X[:20] - X[20:]
    B = difference.T @ difference / 20
    (W,) = solved(A, [B, np.eye(9)], np.array([[0.6, 0.4]]), 7)
    assert W.shape == (9, 5)
    expected = scipy.linalg.eigh(A, 0.6 * B + 0.4 * np.eye(9), eigvals_only=True)[::-1][:5]
    np.testing.assert_allclose(np.diag(W.T @ A @ W), expected, rtol=1e-8)
