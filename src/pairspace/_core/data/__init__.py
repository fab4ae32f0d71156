"""Tables of every kind behind one interface, ``Rows``: means, scatters, products.

This is the only place that knows what kind of table X is: dense, sparse, or read in blocks from a
disk or from Dask. No copy of X is made, and all sums are float64. Centring happens only here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pairspace._core.data._base import Rows, class_indicator, slices, squared_norms, working_bytes
from pairspace._core.data._classes import Classes, ClassReading
from pairspace._core.data._dask import DaskRows, dask_array, is_dask, require_in_memory
from pairspace._core.data._dense import DenseRows
from pairspace._core.data._lazy import LazyRows
from pairspace._core.data._links import LinkedRows, differences
from pairspace._core.data._memory import rows_in_memory
from pairspace._core.data._moments import ClassMoments
from pairspace._core.data._reading import read_table, require_range, shows_range
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
    "loaded_if_small",
    "read_table",
    "require_in_memory",
    "require_range",
    "rows_in_memory",
    "rows_of",
    "shows_range",
    "slices",
    "squared_norms",
    "working_bytes",
]


def is_lazy(X: Any) -> bool:
    """Whether X is a table that is read in blocks."""
    return isinstance(X, LazyRows) or is_dask(X) or (is_stored(X) and not _fits_memory(X))


def loaded_if_small(X: Any) -> Any:
    """A table on a disk as an array if it fits the working memory; any other table as it is."""
    return np.asarray(X[:]) if is_stored(X) and not is_lazy(X) else X


def rows_of(X: Any) -> Rows:
    """The rows of a table of any kind."""
    if isinstance(X, Rows):
        return X
    if is_lazy(X):
        return DaskRows(X) if is_dask(X) else StoredRows(X)
    return rows_in_memory(loaded_if_small(X))


def _fits_memory(X: Any) -> bool:
    n_bytes = 4 if X.dtype == np.float32 else 8  # as floats
    return X.shape[0] * X.shape[1] * n_bytes <= working_bytes()
