"""Labels as people have them, some unknown, become codes."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import DataConversionWarning

from pairspace.constraints import UNKNOWN, encode_labels

NAN = float("nan")


@pytest.mark.parametrize(
    ("y", "codes"),
    [
        # Whole numbers
        ([3, 7, -1, 3], [0, 1, -1, 0]),
        ((3, 7, -1, 3), [0, 1, -1, 0]),
        (np.array([3, 7, -1, 3], dtype=np.int8), [0, 1, -1, 0]),
        (np.array([3, 255, 3], dtype=np.uint8), [0, 1, 0]),
        ([0, None, 2], [0, -1, 1]),
        ([0, NAN, 2], [0, -1, 1]),
        ([0, pd.NA, 2], [0, -1, 1]),
        (np.array([0, None, 2], dtype=object), [0, -1, 1]),
        (np.array([0, pd.NA, 2], dtype=object), [0, -1, 1]),
        (np.array([np.int64(5), np.int8(4)], dtype=object), [1, 0]),
        (range(3), [0, 1, 2]),
        # Floats that are whole
        ([2.0, 0.0, -1.0, NAN], [1, 0, -1, -1]),
        (np.array([2, 0, -1, NAN], dtype=np.float32), [1, 0, -1, -1]),
        ([2.0, 0, None], [1, 0, -1]),
        # Truth
        ([True, False, True], [1, 0, 1]),
        (np.array([True, False]), [1, 0]),
        ([True, None, False], [1, -1, 0]),
        ([True, -1, False], [1, -1, 0]),
        # Text
        (["b", "a", "b"], [1, 0, 1]),
        (["b", None, "a"], [1, -1, 0]),
        (["b", NAN, "a"], [1, -1, 0]),
        (["b", -1, "a"], [1, -1, 0]),
        (["b", -1.0, "a"], [1, -1, 0]),
        (["b", "-1", "a"], [1, -1, 0]),
        (np.array(["b", "a", "-1"]), [1, 0, -1]),
        (np.array(["b", None, "a"], dtype=object), [1, -1, 0]),
        (["ü", "日本", "a,b"], [1, 2, 0]),
        (["b", "", "a", " "], [1, -1, 0, -1]),
        (np.array(["b", "", "a"]), [1, -1, 0]),
        (pd.Series(["b", "", None]), [0, -1, -1]),
        (["0", "007", "7"], [0, 1, 2]),
        # A class may be called so; only in a NumPy array of text is it suspect.
        (["None", "nan", "mild"], [0, 2, 1]),
        # Nothing
        ([], []),
        (np.array([], dtype=float), []),
        ([None, NAN, -1], [-1, -1, -1]),
        ([-1, -1], [-1, -1]),
    ],
    ids=repr,
)
def test_lists_and_arrays(y, codes):
    encoded = encode_labels(y)
    assert encoded.dtype == np.int64
    assert encoded.tolist() == codes


@pytest.mark.parametrize(
    "y",
    [
        pd.Series([20, None, 10, -1], dtype="Int64"),
        pd.Series([20, None, 10, -1]),  # floats with NaN
        pd.Series([20, None, 10, -1], dtype=object),
        pd.Series([20, None, 10, -1], dtype="Float64"),
        pd.Series([20, None, 10, -1], dtype="category"),
        pd.Series(["y", None, "x", "-1"]),
        pd.Series(["y", None, "x", "-1"], dtype="string"),
        pd.Series(["y", None, "x", None], dtype=object),
        pd.Series(["y", None, "x", None], dtype="category"),
        pd.Series([True, None, False, None], dtype="boolean"),
        pd.Series(["y", None, "x", "-1"], index=[3, 3, 0, 9]),
        pd.Categorical(["y", None, "x", None], categories=["z", "y", "x"], ordered=True),
        pd.Index(["y", None, "x", None]),
        pl.Series([20, None, 10, -1]),
        pl.Series([20.0, NAN, 10.0, None]),
        pl.Series(["y", None, "x", "-1"]),
        pl.Series(["y", None, "x", None], dtype=pl.Categorical),
        pl.Series(["y", None, "x", None], dtype=pl.Enum(["y", "x"])),
        pl.Series([True, None, False, None]),
        pa.array(["y", None, "x", None]),
        pa.chunked_array([["y", None], ["x", None]]),
    ],
    ids=lambda y: f"{type(y).__module__.split('.')[0]}-{getattr(y, 'dtype', '')}",
)
def test_columns(y):
    assert encode_labels(y).tolist() == [1, -1, 0, -1]


def test_numpy_strings_of_any_length():
    string = getattr(np.dtypes, "StringDType", None)  # since NumPy 2
    dtype = object if string is None else string(na_object=None)
    assert encode_labels(np.array(["b", None, "a"], dtype=dtype)).tolist() == [1, -1, 0]


@given(st.lists(st.one_of(st.none(), st.integers(-1, 5), st.just(NAN)), max_size=20))
def test_numbers_against_a_dictionary(y):
    known = sorted({v for v in y if v is not None and v == v and v != -1})
    expected = [known.index(v) if v in known else UNKNOWN for v in y]
    if known == [1] and -1 in y:
        with pytest.warns(UserWarning, match="-1 means unknown"):
            assert encode_labels(y).tolist() == expected
    else:
        assert encode_labels(y).tolist() == expected


@given(st.lists(st.one_of(st.none(), st.text(max_size=3)), max_size=20))
def test_text_against_a_dictionary(y):
    # NumPy pads text with NUL, so that it can't tell "a" from "a\0".
    y = [v.replace("\0", "") if v else v for v in y]
    known = sorted({v for v in y if v is not None and v.strip() not in ("", "-1")})
    expected = [known.index(v) if v in known else UNKNOWN for v in y]
    assert encode_labels(y).tolist() == expected


def test_the_callers_labels_are_not_changed():
    y = np.array(["b", None, "a"], dtype=object)
    y.flags.writeable = False
    encode_labels(y)
    assert y.tolist() == ["b", None, "a"]


# ---- −1 beside 1 -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "y", [[-1, 1, 1, -1], [-1.0, 1.0], [1, -1, None], pd.Series([1, -1], dtype="Int64")], ids=repr
)
def test_minus_one_and_one_get_a_warning(y):
    with pytest.warns(UserWarning, match=r"-1 means unknown.*recode it: y = \(y == 1\)"):
        codes = encode_labels(y)
    assert set(codes.tolist()) == {-1, 0}


@pytest.mark.parametrize("y", [[1, 1], [-1, -1], [-1, 0, 1], [-1, 2], [0, 1], [True, -1, False]])
def test_other_labels_get_none(y):
    encode_labels(y)  # warnings are errors here


# ---- Errors ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("y", "error", "message"),
    [
        ([0, 1.5, 2], ValueError, "labels must be integers or strings; got 1.5"),
        (np.array([0.25]), ValueError, "labels must be integers or strings; got 0.25"),
        ([0, np.inf], ValueError, "infinity"),
        ([1.0, 1e300], ValueError, "got 1e+300"),
        ([2.0**53, 2.0], ValueError, "got 9007199254740992.0"),
        ([0, -2, 1], ValueError, "must be 0 or more, or -1 for unknown; got -2"),
        ([0.0, -3.0], ValueError, "got -3"),
        (["a", 1], TypeError, "labels must be all strings or all integers; got strings and 1"),
        (["a", 2.5], TypeError, "got strings and 2.5"),
        (["a", True], TypeError, "got strings and True"),
        (np.array(["a", np.nan]), ValueError, "label 'nan' looks like a missing value"),
        (np.array(["a", "None"]), ValueError, "label 'None' looks like a missing value"),
        ([b"a"], TypeError, "labels must be integers or strings; got b'a'"),
        (np.array([b"a"]), TypeError, "got the type |S1"),
        ([{}, {}], TypeError, "labels must be integers or strings; got {}"),
        ([2**70], TypeError, f"labels must be integers or strings; got {2**70}"),
        (np.array(["2026-01-01"], dtype="M8[D]"), TypeError, "got the type datetime64[D]"),
        (np.array([1j]), ValueError, "Complex data not supported"),
        ([(0, 1), (1, 0)], ValueError, "1d array, got an array of shape (2, 2)"),
        (3, ValueError, "shape ()"),
        ("abc", ValueError, "shape ()"),
    ],
    ids=repr,
)
def test_errors(y, error, message):
    with pytest.raises(error, match=re.escape(message)):
        encode_labels(y)


@pytest.mark.parametrize("y", [np.array([[0], [1], [-1]]), pd.DataFrame({"y": [0, 1, None]})])
def test_a_column_works_with_scikit_learns_warning(y):
    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert encode_labels(y).tolist() == [0, 1, -1]


@pytest.mark.parametrize("pairs", [[[0, 1], [5, 6]], ((0, 1), (5, 6)), np.array([[0, 1], [5, 6]])])
def test_pairs_given_as_labels_are_refused_with_the_remedy(pairs):
    with pytest.raises(ValueError, match=r"if these are pairs of rows, pass pairspace.Constraints"):
        encode_labels(pairs)


@pytest.mark.parametrize(
    "labels", [[[1], [2, 3]], [[1, 2], 3], [object(), object()], [(0,), (1, 2)], [b"a", b"b"], [1j]]
)
def test_labels_that_are_no_labels(labels):
    with pytest.raises((ValueError, TypeError), match=r"integers or strings|1d array"):
        encode_labels(labels)
