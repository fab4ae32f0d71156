"""Reading pairs and their weights: either well-formed, or an error that names what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def read_pairs(name: str, pairs: Any, weight: Any, n_samples: int) -> tuple[Ints, Floats]:
    """Pairs with i < j, sorted, each once; the weights of a repeated pair are added."""
    pairs = _read_indices(name, pairs, n_samples)
    weight = _read_weights(name, weight, len(pairs))
    pairs = np.sort(pairs, axis=1)
    keys, position = np.unique(pair_keys(pairs, n_samples), return_inverse=True)
    weight = np.bincount(position, weights=weight, minlength=len(keys))
    pairs = np.column_stack(np.divmod(keys, max(n_samples, 1)))
    for array in (pairs, weight):
        array.flags.writeable = False
    return pairs, weight


def pair_keys(pairs: Ints, n_samples: int) -> Ints:
    """One integer a pair, in the order of the pairs."""
    return pairs[:, 0] * n_samples + pairs[:, 1]


def _read_indices(name: str, pairs: Any, n_samples: int) -> Ints:
    try:
        array = np.asarray(pairs if hasattr(pairs, "__array__") else list(pairs))
    except (TypeError, ValueError):
        array = np.empty(0, dtype=object)
        if not hasattr(pairs, "__len__") or len(pairs):
            raise ValueError(f"{name} must be pairs (i, j) of row numbers; got {pairs!r}") from None
    if array.size == 0 and array.shape in ((0,), (0, 2)):
        return np.empty((0, 2), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(
            f"{name} must have the shape (n_pairs, 2), a row (i, j) for each pair; "
            f"got the shape {array.shape}"
        )
    if array.dtype.kind not in "iu":
        wrong = next((v for v in array.ravel().tolist() if type(v) is not int), array[0, 0])
        raise ValueError(
            f"{name} must hold integers, the row numbers of the data; got {wrong!r} "
            "(to use names of rows, see Constraints.from_frame with ids=)"
        )
    outside = np.flatnonzero(((array < 0) | (array >= n_samples)).any(axis=1))
    if outside.size:
        i, j = array[outside[0]].tolist()
        raise ValueError(f"{name} pair ({i}, {j}) is outside the rows 0 … {n_samples - 1}")
    selves = np.flatnonzero(array[:, 0] == array[:, 1])
    if selves.size:
        i = int(array[selves[0], 0])
        raise ValueError(f"{name} pair ({i}, {i}) joins a row with itself")
    return array.astype(np.int64)


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
    wrong = array[~((array > 0) & np.isfinite(array))]
    if wrong.size:
        raise ValueError(
            f"{name} must be positive and finite; got {wrong[0]} "
            "(leave out a pair that should not count)"
        )
    return array
