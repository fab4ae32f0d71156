"""Validation of pairs, weights and row indices."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairspace._core.limits import LARGEST, SMALLEST
from pairspace._core.pairs import pair_keys, pairs_of_keys, row_range
from pairspace._core.typing import Floats, Ints


def read_pairs(name: str, pairs: Any, weight: Any, n_samples: int) -> tuple[Ints, Floats]:
    """Pairs with i < j, sorted, each once; the weights of a repeated pair are added."""
    pairs = _read_indices(name, pairs, n_samples)
    weight = _read_weights(name, weight, len(pairs))
    pairs = np.sort(pairs, axis=1)
    keys, position = np.unique(pair_keys(pairs, n_samples), return_inverse=True)
    weight = np.bincount(position, weights=weight, minlength=len(keys))
    pairs = pairs_of_keys(keys, n_samples)
    freeze(pairs, weight)
    return pairs, weight


def freeze(*arrays: NDArray[Any]) -> None:
    for array in arrays:
        array.flags.writeable = False


def read_index(index: Any, n_samples: int) -> Ints:
    """The rows that an integer array, a slice or a mask selects, each once."""
    if isinstance(index, slice):
        return np.arange(n_samples)[index]
    # A tuple is refused: c[i, j] looks like a question about a pair.
    try:
        array = np.asarray(None if isinstance(index, tuple) else index)
    except ValueError:  # lists of different lengths
        array = np.asarray(None)
    if array.ndim != 1 or (array.dtype.kind not in "iub" and array.size):
        raise TypeError(
            "the index of Constraints must be an integer array, a slice or a boolean mask; "
            f"got {index!r}"
        )
    if array.dtype.kind == "b":
        if len(array) != n_samples:
            raise IndexError(
                f"the mask has {len(array)} rows, but the constraints have {n_samples}"
            )
        return np.flatnonzero(array)
    outside = array[(array < -n_samples) | (array >= n_samples)]
    if outside.size:
        raise IndexError(f"row {outside[0]} is outside {row_range(n_samples)}")
    rows = array.astype(np.int64)
    rows = np.where(rows < 0, rows + n_samples, rows)
    times = np.bincount(rows, minlength=n_samples)
    if times.size and times.max() > 1:
        row = int(times.argmax())
        raise ValueError(
            f"row {row} occurs {times[row]} times in the index: constraints can't be "
            "bootstrapped; draw rows without replacement"
        )
    return rows


def _read_indices(name: str, pairs: Any, n_samples: int) -> Ints:
    try:
        array = np.asarray(pairs if hasattr(pairs, "__array__") else list(pairs))
    except (TypeError, ValueError):
        wrong = _first_not_a_pair(pairs)
        raise ValueError(f"{name} must be pairs (i, j) of row numbers; got {wrong!r}") from None
    if array.size == 0 and array.shape in ((0,), (0, 2)):
        return np.empty((0, 2), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"{name} must have the shape (n_pairs, 2); got the shape {array.shape}")
    if array.dtype.kind not in "iu":
        cells = array.ravel().tolist()
        wrong = [v for v in cells if not isinstance(v, Integral) or isinstance(v, bool)]
        if wrong:  # else they are integers in a column of objects
            raise ValueError(
                f"{name} must be integer row numbers; got {wrong[0]!r} "
                "(to use ids of rows, see Constraints.from_frame with ids=)"
            )
    outside = np.flatnonzero(((array < 0) | (array >= n_samples)).any(axis=1))
    if outside.size:
        i, j = array[outside[0]].tolist()
        raise ValueError(f"{name} pair ({i}, {j}) is outside {row_range(n_samples)}")
    selves = np.flatnonzero(array[:, 0] == array[:, 1])
    if selves.size:
        i = int(array[selves[0], 0])
        raise ValueError(f"{name} pair ({i}, {i}) joins a row with itself")
    return array.astype(np.int64)


def _first_not_a_pair(pairs: Any) -> Any:
    if isinstance(pairs, Sequence) and not isinstance(pairs, str):
        for pair in pairs:
            if not hasattr(pair, "__len__") or len(pair) != 2:
                return pair
    return pairs


def _read_weights(name: str, weight: Any, n_pairs: int) -> Floats:
    if weight is None:
        return np.ones(n_pairs)
    name = name.replace("link", "weight")
    try:
        array = np.asarray(weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers; got {weight!r}") from None
    if array.shape != (n_pairs,):
        raise ValueError(f"{name} has the shape {array.shape}, but there are {n_pairs} pairs")
    wrong = array[~((array >= SMALLEST) & (array <= LARGEST))]
    if wrong.size:
        raise ValueError(
            f"{name} must be positive and finite; got {wrong[0]} (between {SMALLEST:.0e} and "
            f"{LARGEST:.0e}; remove pairs that should not count)"
        )
    return array
