"""Which pairs a space keeps, against trying every limit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairspace import Constraints
from pairspace.metrics import lengths_of


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 6), min_size=4, max_size=12),
    st.integers(0, 2**16),
)
def test_no_limit_does_better(places, seed):
    Z = np.array(places, dtype=float)[:, None]
    random = np.random.default_rng(seed)
    pairs = np.array([(i, j) for i in range(len(Z)) for j in range(i)])
    same = random.random(len(pairs)) < 0.5
    if same.all() or not same.any():
        same[0] = not same[0]
    weight = random.integers(1, 4, size=len(pairs))
    known = Constraints(
        len(Z),
        pairs[same],
        pairs[~same],
        must_weight=weight[same],
        cannot_weight=weight[~same],
    )
    found = lengths_of(Z, known)
    np.testing.assert_array_equal(
        found.must, np.abs(Z[known.must_link[:, 0], 0] - Z[known.must_link[:, 1], 0])
    )

    def cost(limit: float) -> float:
        apart = known.must_weight[found.must > limit].sum() / known.must_weight.sum()
        together = known.cannot_weight[found.cannot <= limit].sum() / known.cannot_weight.sum()
        return apart + together

    every = min(cost(limit) for limit in (-1.0, *np.arange(0, 7) + 0.5, 99.0))
    assert cost(found.limit) == pytest.approx(every)
    assert found.n_broken == found.must_broken.sum() + found.cannot_broken.sum()


def test_with_one_kind_of_pair_the_limit_is_the_median_distance():
    Z = np.arange(11.0)[:, None]
    found = lengths_of(Z, Constraints(11, must_link=[(0, 1), (0, 10)]))
    assert found.must_broken.tolist() == [False, True]
    found = lengths_of(Z, Constraints(11, (), [(0, 1), (0, 10)]))
    assert found.cannot_broken.tolist() == [True, False]


def test_lengths_need_the_same_rows():
    with pytest.raises(ValueError, match="3 rows, but the constraints are about 4"):
        lengths_of(np.zeros((3, 1)), Constraints(4))
