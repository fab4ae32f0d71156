"""Rows in the span of the differences of linked rows.

For sparse rows the basis, of as many vectors as links, is never formed: only inner products with
the differences are computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from pairspace._core.data._base import Rows, slices
from pairspace._core.data._blocks import BlockRows
from pairspace._core.data._dense import DenseRows
from pairspace._core.pairs import component_of_rows
from pairspace._core.typing import Floats, Ints

ROWS_AT_A_TIME = 2_000  # whose inner products with all differences are in memory


class LinkedRows(BlockRows):
    """The centred rows in the orthonormal basis Dᵀ·A, where D are differences of rows.

    Parameters
    ----------
    rows : DenseRows or SparseRows
        The rows.
    D : array or CSR matrix of shape (links, d)
        The differences of linked rows.
    A : array of shape (links, r)
        The coefficients of the basis.
    """

    def __init__(self, rows: Rows, D: Any, A: Floats) -> None:
        super().__init__(rows.values)
        self._rows, self._D, self._A = rows, D, A
        self.shape = len(rows), A.shape[1]
        self.dtype = np.dtype(np.float64)
        self.mean = np.zeros(A.shape[1])
        # Dense rows are centred before the product, which keeps digits; sparse ones after it.
        self._offset = 0.0 if isinstance(rows, DenseRows) else D @ rows.mean

    def fetch(self, rows: Ints) -> Floats:
        found = np.empty((len(rows), self.shape[1]))
        for block in slices(len(rows), ROWS_AT_A_TIME):
            found[block] = (self._with_differences(rows[block]) - self._offset) @ self._A
        return found

    def products(self) -> Floats:
        raise NotImplementedError("there are fewer links than rows")

    def _blocks(self) -> Iterator[tuple[slice, Floats]]:
        for rows in slices(len(self), ROWS_AT_A_TIME):
            yield rows, self.fetch(np.arange(rows.start, rows.stop))

    def _with_differences(self, some: Ints) -> Floats:
        if isinstance(self._rows, DenseRows):
            return self._rows.centred(some) @ self._D.T
        return (self._X[some] @ self._D.T).toarray()


def differences(rows: Rows, links: Ints) -> Any:
    """Each linked row minus the first of its component, in float64; sparse if the rows are."""
    n = len(rows)
    component = component_of_rows(n, links)
    first = np.unique(component, return_index=True)[1][component]
    others = np.flatnonzero(first != np.arange(n))
    X = rows.values
    if issparse(X):
        return csr_array(X[others] - X[first[others]], dtype=np.float64)
    return np.subtract(X[others], X[first[others]], dtype=np.float64)
