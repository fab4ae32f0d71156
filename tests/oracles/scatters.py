"""Scatters and comparisons for the tests of the oracles."""

import numpy as np
from numpy.testing import assert_allclose


def close(actual, expected, rtol=1e-11):
    """Equal to rtol times the largest entry."""
    expected = np.asarray(expected, dtype=np.float64)
    scale = np.max(np.abs(expected), initial=0.0)
    assert_allclose(actual, expected, rtol=0, atol=rtol * (scale if scale else 1.0))


def total_scatter(X):
    centred = X - X.mean(axis=0)
    return centred.T @ centred


def means_of_classes(X, y):
    return {c: X[y == c].mean(axis=0) for c in np.unique(y) if c != -1}


def within_scatter(X, y):
    S = np.zeros((X.shape[1], X.shape[1]))
    for c in means_of_classes(X, y):
        S += total_scatter(X[y == c])
    return S
