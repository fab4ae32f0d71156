"""Sums of squares of sparse rows: their rounding grows with the number of rows."""

import numpy as np
import pytest
import scipy.sparse as sp

from pairspace import WMV
from pairspace._core.data import rows_of


@pytest.mark.parametrize("n", [65, 500, 5_000])
def test_rows_that_differ_by_rounding_have_no_spread(n):
    """Each term of a sum is rounded to the digits of the sum so far (seed 12002, 13256)."""
    random = np.random.default_rng(n)
    rows = np.tile(random.normal(size=6), (n, 1))
    rows *= 1 + np.finfo(float).eps * random.integers(-1, 2, size=rows.shape)
    assert not rows_of(sp.csr_array(rows)).gram.any()
    with pytest.raises(ValueError, match=r"equal|rank of X is 0"):
        WMV(1).fit(sp.csr_array(rows), np.arange(n) % 2)
