"""Pairs that a space violates, against trying every threshold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairspace import Constraints
from pairspace.metrics import pair_distances


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 6), min_size=4, max_size=12),
    st.integers(0, 2**16),
)
def test_no_threshold_does_better(places, seed):
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
    found = pair_distances(Z, known)
    np.testing.assert_array_equal(
        found.must, np.abs(Z[known.must_link[:, 0], 0] - Z[known.must_link[:, 1], 0])
    )

    def cost(threshold: float) -> float:
        apart = known.must_weight[found.must > threshold].sum() / known.must_weight.sum()
        together = known.cannot_weight[found.cannot <= threshold].sum() / known.cannot_weight.sum()
        return apart + together

    every = min(cost(threshold) for threshold in (-1.0, *np.arange(0, 7) + 0.5, 99.0))
    assert cost(found.threshold) == pytest.approx(every)
    assert found.n_violations == found.must_violated.sum() + found.cannot_violated.sum()


def test_with_one_kind_of_pair_the_threshold_is_the_median_distance():
    Z = np.arange(11.0)[:, None]
    found = pair_distances(Z, Constraints(11, must_link=[(0, 1), (0, 10)]))
    assert found.must_violated.tolist() == [False, True]
    found = pair_distances(Z, Constraints(11, (), [(0, 1), (0, 10)]))
    assert found.cannot_violated.tolist() == [True, False]


def test_distances_need_the_same_rows():
    with pytest.raises(ValueError, match="3 rows, but the constraints are on 4"):
        pair_distances(np.zeros((3, 1)), Constraints(4))
