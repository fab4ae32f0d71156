"""Rows of a table in memory, dense or sparse."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from pairspace._core.data._dense import DenseRows
from pairspace._core.data._sparse import SparseRows


def rows_in_memory(X: Any) -> DenseRows | SparseRows:
    return SparseRows(csr_array(X)) if issparse(X) else DenseRows(np.asarray(X))
