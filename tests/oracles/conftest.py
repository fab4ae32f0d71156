"""The data of the tests of the oracles."""

import numpy as np
import pytest

from oracles.pairs import pairs_of_labels


@pytest.fixture
def rng():
    return np.random.default_rng(3)


@pytest.fixture
def data(rng):
    """X (40×5, correlated, far from the origin), y: three classes of unequal size."""
    y = np.repeat([0, 1, 2], [18, 13, 9])
    rng.shuffle(y)
    centres = rng.normal(size=(3, 5)) * 2
    X = (rng.normal(size=(40, 5)) + centres[y]) @ rng.normal(size=(5, 5)) + 7
    return X, y


@pytest.fixture
def pairs(rng, data):
    """Some pairs of the labels: 40 must-links, 50 cannot-links."""
    must, cannot = pairs_of_labels(data[1])
    must = [must[i] for i in rng.choice(len(must), 40, replace=False)]
    cannot = [cannot[i] for i in rng.choice(len(cannot), 50, replace=False)]
    return must, cannot


@pytest.fixture
def partly(data, rng):
    """The data with 15 of the 40 labels hidden."""
    X, y = data
    y = y.copy()
    y[rng.choice(40, 15, replace=False)] = -1
    return X, y
