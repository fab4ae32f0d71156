"""Frames of plain numbers are read as arrays; what others need stays with scikit-learn."""

import numpy as np
import pandas as pd
import pytest

from pairspace._core.data import read_table


def test_a_frame_of_numbers_is_its_array():
    frame = pd.DataFrame({"a": [1, 2, 3], "b": np.array([0.5, 1.5, 2.5])})
    found = read_table(frame)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, frame.to_numpy())
    narrow = read_table(frame.astype(np.float32))
    assert narrow.dtype == np.float32


@pytest.mark.parametrize(
    "column",
    [
        pd.array([1, 2, 4], dtype="Int64"),
        np.array([True, False, True]),
        ["1", "2", "4"],
    ],
)
def test_other_columns_are_read_by_scikit_learn(column):
    found = read_table(pd.DataFrame({"a": column, "b": [0.5, 1.5, 2.5]}))
    np.testing.assert_array_equal(found[:, 0], np.asarray(column).astype(float))


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e80])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_single_value_out_of_range_is_found(value, order):
    X = np.asarray(np.random.default_rng(0).normal(size=(50, 7)), order=order)
    assert read_table(X) is X
    X[31, 4] = value
    with pytest.raises(ValueError, match=r"NaN|infinity|too large"):
        read_table(X)
    with pytest.raises(ValueError, match="too small"):
        read_table(np.full((5, 2), 1e-80))
    with pytest.raises(ValueError, match=r"NaN|infinity|too large"):
        read_table(X[:, ::2])  # not in one piece


def test_missing_values_are_refused():
    with pytest.raises(ValueError, match="NaN"):
        read_table(pd.DataFrame({"a": [1.0, np.nan]}))
