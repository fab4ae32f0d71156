"""Data that several files share."""

import pytest
from sklearn.datasets import load_digits, load_wine
from sklearn.preprocessing import StandardScaler


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)[::2]
    return X, y[::2]


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:600], y[:600]
