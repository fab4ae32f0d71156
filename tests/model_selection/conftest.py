"""One dataset and one set of answers for all tests of choosing."""

import pytest
from sklearn.datasets import load_wine

from pairspace import Constraints


@pytest.fixture(scope="session")
def wine():
    return load_wine(return_X_y=True)


@pytest.fixture(scope="session")
def answers(wine):
    return Constraints.from_labels(wine[1], n_pairs=60, random_state=0)
