"""Labels, some of them unknown, encoded as 0, 1, … and −1."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d

from pairspace._core.warn import warn_caller

UNKNOWN = -1


def encode_labels(y: Any) -> NDArray[np.int64]:
    """Encode labels as 0, 1, … in the sorted order of the classes, unknown labels as −1.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Integers, booleans, strings, or floats that are whole numbers; a list, an array, or a
        pandas, polars or Dask column. −1, None, NaN and text without a letter ("" or " ") are
        unknown.

    Returns
    -------
    ndarray of shape (n_samples,)
        The codes.

    Examples
    --------
    >>> encode_labels(["cat", None, "dog", "cat"])
    array([ 0, -1,  1,  0])
    """
    return classes_and_codes(y)[1]


def classes_and_codes(y: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the sorted classes of ``y``, and the labels as :func:`encode_labels` encodes them.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels; −1, None, NaN or "" is unknown.

    Returns
    -------
    classes : ndarray of shape (n_classes,)
        The classes in sorted order.
    codes : ndarray of shape (n_samples,)
        For each label its place in ``classes``, or −1.
    """
    known, unknown = _read(y)
    left_out = _is_unknown(known)
    known = known[~left_out]
    if known.dtype.kind == "i":
        _check_integers(known, left_out.any())
    unknown[~unknown] = left_out

    codes = np.full(len(unknown), UNKNOWN, dtype=np.int64)
    classes, codes[~unknown] = np.unique(known, return_inverse=True)
    return classes, codes


def cluster_codes(labels: Any, name: str) -> NDArray[np.int64]:
    """Encode a clustering as 0, 1, …; any integer is a cluster of its own, −1, too.

    Parameters
    ----------
    labels : array-like of shape (n_samples,)
        Integers, booleans, strings, or floats that are whole numbers; none of them missing.
    name : str
        The name of the argument, for errors.

    Returns
    -------
    ndarray of shape (n_samples,)
        The codes.
    """
    known, unknown = _read(labels)
    if unknown.any():
        raise ValueError(
            f"{name} must have a label for every row, but row {np.argmax(unknown)} has none: "
            "leave out such rows"
        )
    return np.unique(known, return_inverse=True)[1].astype(np.int64)


def _read(y: Any) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """The known labels, as integers, booleans or strings, and which rows have none."""
    if hasattr(y, "__dask_graph__"):
        y = y.compute()
    _refuse_pairs(y)
    if isinstance(y, (list, tuple)):
        y = _as_objects(y)
    values = column_or_1d(np.asarray(y), warn=True)
    unknown = _missing(y, values)
    known = values[~unknown]
    if values.dtype.kind == "U":
        _refuse_missing_as_text(values)
    if known.dtype.kind in "OT":
        known = _typed(known.tolist())
    if known.dtype.kind == "f":
        known = _whole(known)
    if known.dtype.kind not in "iubU":
        raise TypeError(f"labels must be integers or strings; got the type {known.dtype}")
    return known, unknown


def _as_objects(y: list[Any] | tuple[Any, ...]) -> NDArray[Any]:
    """A list as it is: NumPy turns a None or NaN beside strings into the text "None" or "nan"."""
    try:
        return np.array(y, dtype=object)
    except ValueError:  # lists of different shapes
        raise ValueError(f"labels must be a list of integers or strings; got {y!r:.100}") from None


def _refuse_pairs(y: Any) -> None:
    """Name ``Constraints`` where pairs are passed as labels."""
    shape = getattr(y, "shape", None)
    if shape is None and isinstance(y, (list, tuple)) and y:
        first = y[0]
        shape = (len(y), len(first)) if isinstance(first, (list, tuple, np.ndarray)) else None
    if shape is not None and len(shape) == 2 and shape[1] >= 2:
        raise ValueError(
            f"y should be a 1d array, got an array of shape {tuple(shape)} instead; "
            "if these are pairs of rows, pass pairspace.Constraints(len(X), must_link=pairs)"
        )


def _missing(y: Any, values: NDArray[Any]) -> NDArray[np.bool_]:
    if hasattr(y, "isna"):  # pandas, whose missing values take many forms
        return np.array(y.isna(), dtype=bool).ravel()
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind in "OT":
        return np.array([is_missing(value) for value in values], dtype=bool)
    return np.zeros(len(values), dtype=bool)


def is_missing(value: Any) -> bool:
    """Tell whether a value is None, NaN, or another missing value of pandas.

    Parameters
    ----------
    value : object
        A cell of a table.

    Returns
    -------
    bool
        True if it is missing.
    """
    if isinstance(value, np.ndarray | list | tuple | dict):  # a cell of a nested column
        return False
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas.NA is neither true nor false
        return True


def _typed(known: list[Any]) -> NDArray[Any]:
    """Give an array of Python objects its real type; a −1 may stand among strings."""
    if any(isinstance(value, str) for value in known):
        for value in known:
            if not isinstance(value, str) and value != UNKNOWN:
                raise TypeError(
                    f"labels must be all strings or all integers; got strings and {value!r}"
                )
        known = [value if isinstance(value, str) else str(UNKNOWN) for value in known]
    odd = [value for value in known if not isinstance(value, (str, Real, np.bool_))]
    typed = np.array(known) if known and not odd else np.empty(0, dtype=np.int64)
    if odd or typed.dtype.kind not in "iubfU":
        raise TypeError(f"labels must be integers or strings; got {(odd or known)[0]!r}")
    return typed


def _whole(known: NDArray[Any]) -> NDArray[np.int64]:
    if np.isinf(known).any():
        raise ValueError("Input y contains infinity: use -1 or NaN for unknown labels")
    # From 2**53 on, floats skip integers: different labels may have become one.
    wrong = known[(known != np.floor(known)) | (np.abs(known) >= 2**53)]
    if wrong.size:
        raise ValueError(
            f"labels must be integers or strings; got {wrong[0]} "
            "(bin a continuous target into classes first)"
        )
    return known.astype(np.int64)


def _is_unknown(known: NDArray[Any]) -> NDArray[np.bool_]:
    if known.dtype.kind == "i":
        return np.asarray(known == UNKNOWN)
    if known.dtype.kind in "ub":
        return np.zeros(len(known), dtype=bool)
    return np.isin(np.char.strip(known), ["", str(UNKNOWN)])


def _refuse_missing_as_text(values: NDArray[Any]) -> None:
    for text in ("nan", "None"):
        if np.any(values == text):
            raise ValueError(
                f"label {text!r} looks like a missing value that NumPy turned into text: "
                "pass a list, an object array or a pandas column, or -1 for unknown"
            )


def _check_integers(known: NDArray[Any], some_minus_one: np.bool_) -> None:
    if known.size and known.min() < UNKNOWN:
        raise ValueError(f"integer labels must be 0 or more, or -1 for unknown; got {known.min()}")
    if some_minus_one and known.size and np.all(known == 1):
        warn_caller(
            "the labels are -1 and 1; -1 means unknown, so there is only one class; "
            "if -1 is a class, recode it: y = (y == 1)",
            UserWarning,
        )
