"""Rows that are exactly equal."""

import numpy as np
from scipy.sparse import csr_array

from pairspace.active import PairQuestions


def test_the_caller_s_sparse_matrix_stays_as_it_is():
    """Explicit zeros, too, which are left out where rows are compared."""
    random = np.random.default_rng(0)
    X = csr_array(random.normal(size=(30, 4)))
    X.data[::5] = 0
    before = X.data.copy(), X.indices.copy()
    PairQuestions(X, random_state=0)
    assert np.array_equal(X.data, before[0])
    assert np.array_equal(X.indices, before[1])
