"""Coordinates of Dask tables with more features than a scatter matrix can have.

They are again a Dask table, of few columns, whose blocks are products of the blocks.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse

from pairspace._core.data import DaskRows, differences, rows_in_memory
from pairspace._core.linalg import _eigen as eigen
from pairspace._core.linalg._singular import leading_of_scatter
from pairspace._core.linalg._span import LEADING, Span
from pairspace._core.typing import Floats, Ints

MOST_LINKS = 1_000  # beyond, their differences span more than the leading directions


class WideSpan(Span):
    """Coordinates of the rows of a Dask table along some directions, which are orthonormal."""

    def __init__(self, rows: DaskRows, directions: Floats) -> None:
        super().__init__(rows)
        self._directions = directions
        self.rows = rows.along(directions)
        self.rows.rounding = np.full(directions.shape[1], float(rows.rounding.sum()))

    def lift(self, directions: Floats) -> Floats:
        return self._directions @ directions


def leading_wide_span(rows: DaskRows) -> WideSpan:
    """The leading directions of the rows, found by products: the rows are read 18 times."""
    values, directions = leading_of_scatter(rows.gram_times, rows.shape[1], LEADING)
    r = max(eigen.rank(values, floor=len(rows) * float(rows.rounding.sum())), 1)
    span = WideSpan(rows, directions[:, :r])
    span.n_directions = r
    return span


def linked_wide_span(rows: DaskRows, links: Ints) -> WideSpan:
    """The differences of linked rows."""
    linked, local = np.unique(links, return_inverse=True)
    D = differences(rows_in_memory(rows.fetch(linked)), local.reshape(-1, 2))
    products = D @ D.T
    values, vectors = eigen.spectrum(products.toarray() if issparse(products) else products)
    r = max(eigen.rank(values, floor=len(links) * float(rows.rounding.sum())), 1)
    return WideSpan(rows, D.T @ (vectors[:, :r] / np.sqrt(np.maximum(values[:r], 1e-300))))
