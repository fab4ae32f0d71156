"""Data in npy and npz files."""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pairspace.tool.files._cells import PLAIN

if TYPE_CHECKING:
    import pandas as pd


class NpySource:
    """One array with a row for each sample; its columns are called x0, x1, …"""

    notes: tuple[str, ...] = ()
    convention = PLAIN

    def __init__(self, path: Path) -> None:
        try:
            # Memory-mapped: blocks read what they need.
            with np.errstate(over="ignore"):  # in the product of a shape that is too large
                X = np.load(path, mmap_mode="r", allow_pickle=False)
        except (ValueError, TypeError, EOFError, OverflowError) as error:
            raise ValueError(f"{path} can't be read as an array: {_why(error)}") from None
        self._X = _check_matrix(X, f"{path}: the array")
        self._extra: dict[str, NDArray[Any]] = {}
        self._names = [f"x{column}" for column in range(X.shape[1])]

    @property
    def columns(self) -> list[str]:
        return [*self._names, *self._extra]

    @property
    def n_rows(self) -> int:
        return len(self._X)

    def blocks(
        self,
        size: int | None = None,
        columns: Collection[str] | None = None,
        as_text: Collection[str] = (),
    ) -> Iterator[pd.DataFrame]:
        import pandas as pd

        wanted = self.columns if columns is None else list(columns)
        at = {name: column for column, name in enumerate(self._names)}
        chosen = [at[name] for name in wanted if name in at]
        everything = chosen == list(range(len(self._names)))
        for start in range(0, len(self._X), size or max(len(self._X), 1)):
            rows = slice(start, start + size) if size else slice(None)
            part = self._X[rows] if everything else self._X[rows][:, chosen]
            frame = pd.DataFrame(np.array(part), columns=[self._names[c] for c in chosen])
            extra = {name: self._extra[name][rows] for name in wanted if name in self._extra}
            yield frame.assign(**extra)[wanted] if extra else frame


class NpzSource(NpySource):
    """Several arrays: X, or the only 2-D one, with the names of its columns in ``features``.

    Arrays with one value for each row, for example labels, are further columns.
    """

    def __init__(self, path: Path) -> None:
        try:
            with np.errstate(over="ignore"), np.load(path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
        except (
            ValueError,
            TypeError,
            EOFError,
            OverflowError,
            MemoryError,
            zipfile.BadZipFile,
        ) as error:
            raise ValueError(f"{path} can't be read as arrays: {_why(error)}") from None
        if {"indptr", "shape"} <= set(arrays):
            raise ValueError(
                f"{path} is a sparse matrix, which only Python can fit: save a dense array instead"
            )
        matrices = [name for name, array in arrays.items() if array.ndim == 2]
        if "X" not in arrays and len(matrices) != 1:
            raise ValueError(
                f"{path} must contain a 2-D array X; its arrays are {', '.join(arrays) or 'none'}"
            )
        name = "X" if "X" in arrays else matrices[0]
        self._X = _check_matrix(arrays.pop(name), f"{path}: {name}")
        features = arrays.pop("features", np.empty(0))
        if features.shape == self._X.shape[1:]:
            self._names = [str(feature) for feature in features]
        else:
            self._names = [f"x{column}" for column in range(self._X.shape[1])]
        self._extra = {
            name: array for name, array in arrays.items() if array.shape == self._X.shape[:1]
        }


def _why(error: Exception) -> str:
    """NumPy takes whatever it does not know for a pickle, and tells how to load it."""
    text = str(error)
    return "it is no file of NumPy, or holds Python objects" if "pickle" in text else text


def _check_matrix(X: NDArray[Any], what: str) -> NDArray[Any]:
    if X.ndim != 2 or X.dtype.kind not in "fiub":
        raise ValueError(f"{what} must be a 2-D array of numbers; got {X.dtype} of shape {X.shape}")
    if not len(X):
        raise ValueError(f"{what} has no rows")
    return X
