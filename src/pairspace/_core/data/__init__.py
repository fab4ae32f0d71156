"""Reading X by rows: the sums of products that every scatter matrix is made of.

This is the one place that knows what kind of table X is. Dense rows of any float type, sparse rows,
and rows that are read a block at a time answer the same few questions, so that no copy of X is ever
made; all sums are float64. Centring happens here and nowhere else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pairspace._core.data._base import Rows, class_indicator, slices, working_bytes
from pairspace._core.data._classes import Classes, ClassReading
from pairspace._core.data._dask import DaskRows, dask_array, is_dask, require_in_memory
from pairspace._core.data._dense import DenseRows
from pairspace._core.data._lazy import LazyRows
from pairspace._core.data._links import LinkedRows, differences
from pairspace._core.data._memory import rows_in_memory
from pairspace._core.data._moments import ClassMoments
from pairspace._core.data._sparse import SparseRows
from pairspace._core.data._stored import StoredRows, is_stored

__all__ = [
    "ClassMoments",
    "ClassReading",
    "Classes",
    "DaskRows",
    "DenseRows",
    "LazyRows",
    "LinkedRows",
    "Rows",
    "SparseRows",
    "StoredRows",
    "class_indicator",
    "dask_array",
    "differences",
    "is_dask",
    "is_lazy",
    "opened",
    "require_in_memory",
    "rows_in_memory",
    "rows_of",
    "slices",
    "working_bytes",
]


def is_lazy(X: Any) -> bool:
    """Whether X is a table that is read a block at a time."""
    return isinstance(X, LazyRows) or is_dask(X) or (is_stored(X) and not _fits_memory(X))


def opened(X: Any) -> Any:
    """A table on a disk that is within the working memory as an array; any other as it is."""
    return np.asarray(X[:]) if is_stored(X) and not is_lazy(X) else X


def rows_of(X: Any) -> Rows:
    """The rows of a table: an array, a sparse matrix or one that is larger than memory."""
    if isinstance(X, Rows):
        return X
    if is_lazy(X):
        return DaskRows(X) if is_dask(X) else StoredRows(X)
    return rows_in_memory(opened(X))


def _fits_memory(X: Any) -> bool:
    n_bytes = 4 if X.dtype == np.float32 else 8  # as floats
    return X.shape[0] * X.shape[1] * n_bytes <= working_bytes()
