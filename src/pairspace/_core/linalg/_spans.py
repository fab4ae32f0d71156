"""The coordinates to work in: the features, or fewer where the solution can be found in fewer.

Every method's solution is a combination of differences of rows. With more features than rows it
is therefore found in the few coordinates of an orthonormal basis of the centred rows and lifted
back: 16,384 pixels of 1,440 images cost an eigenproblem of order 1,440. A method whose solution is
a combination of differences of linked rows needs no more coordinates than there are links. And
where rows and features are both so many that a matrix of either order is more than the working
memory, what remains is to look among the leading directions of the data.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy.sparse import issparse
from scipy.sparse.linalg import LinearOperator

from pairspace._core.data import (
    DaskRows,
    DenseRows,
    LinkedRows,
    Rows,
    differences,
    rows_of,
    working_bytes,
)
from pairspace._core.linalg import _eigen as eigen
from pairspace._core.linalg._singular import leading_singular
from pairspace._core.linalg._span import LEADING, Span
from pairspace._core.linalg._wide_spans import MOST_LINKS, leading_wide_span, linked_wide_span
from pairspace._core.typing import Floats, Ints

# Where a solution lies: among differences of linked rows, anywhere, or anywhere but to be found by
# products with vectors alone.
SearchSpan = Literal["links", "rows", "products"]

ROUNDING_COUNTS = 1e6  # distance from the origin, in deviations from the mean
LINKS_FROM = 500  # features, and rows: below, all of them cost no more than the links alone
NO_LINKS = np.empty((0, 2), dtype=np.int64)


class TurnedRows(DenseRows):
    """Rows along directions that are no features: which ones, the rows decide."""

    def without_rounding(self, scatter: Floats, weight: float) -> Floats:
        return _without_rounding(self, scatter, weight)


class TurnedLinkedRows(LinkedRows):
    """The same, of linked rows."""

    def without_rounding(self, scatter: Floats, weight: float) -> Floats:
        return _without_rounding(self, scatter, weight)


def _without_rounding(rows: Rows, scatter: Floats, weight: float) -> Floats:
    """A sum of products without its directions that are nothing but rounding.

    A feature that has rounding only is cut off whole. But a direction that counts may happen to
    have a small part along one of these coordinates, and would lose its products with the others.
    """
    floor = weight * float(rows.rounding[0])
    diagonal = scatter.diagonal()
    if not np.any((diagonal > 0) & (diagonal <= floor)) or not np.isfinite(floor):
        return scatter
    values, vectors = eigen.spectrum(scatter)
    kept = values > floor
    return (vectors[:, kept] * values[kept]) @ vectors[:, kept].T


class RowSpan(Span):
    """Coordinates U√λ of the centred rows, where UλUᵀ are their products with each other."""

    def __init__(self, rows: Rows) -> None:
        super().__init__(rows)
        products = rows.products()
        # The mean of rows far from 0 is rounded, and so their products are not quite centred.
        means = products.mean(axis=0)
        values, vectors = eigen.spectrum(products - means - means[:, None] + means.mean())
        rounding = float(rows.rounding.sum())  # of a difference of rows, whatever its direction
        r = eigen.rank(values, floor=len(rows) * rounding)
        roots = np.sqrt(np.maximum(values[:r], 0))
        if not r:  # all rows are equal: one coordinate, all zero
            r, roots = 1, np.zeros(1)
        # Equal rows have equal coordinates: rounding must not decide which of them are nearest.
        copies = rows.first_copies() if rows.in_memory else slice(None)
        self.rows = TurnedRows((vectors[:, :r] * roots)[copies])
        self.rows.mean, self.rows.gram = np.zeros(r), np.diag(roots**2)  # no need to read for them
        self.rows.rounding = np.full(r, rounding)
        self._inverse = vectors[:, :r] * np.divide(1, roots, where=roots > 0, out=np.zeros(r))

    def lift(self, directions: Floats) -> Floats:
        return self._features.combine(self._inverse @ directions)


class CleanSpan(Span):
    """The features, of rows so far from the origin that their rounding makes directions.

    The rows are centred, and what they have in directions of nothing but rounding is taken out.
    """

    def __init__(self, rows: DenseRows) -> None:
        super().__init__(rows)
        # In units of their rounding all features are alike: what is less than 1 is rounding.
        unit = np.sqrt(len(rows) * rows.rounding)
        unit[unit == 0] = 1.0
        values, vectors = eigen.spectrum(rows.gram / unit / unit[:, None])
        V = vectors[:, values > 1]
        cleaned = (rows.centred() / unit) @ V @ V.T * unit
        self.rows = DenseRows(cleaned[rows.first_copies()])
        self.rows.mean = np.zeros(rows.shape[1])


class LinkSpan(Span):
    """Coordinates in an orthonormal basis of the differences of linked rows."""

    def __init__(self, rows: Rows, links: Ints) -> None:
        super().__init__(rows)
        self._differences = differences(rows, links)
        products = self._differences @ self._differences.T
        values, vectors = eigen.spectrum(products.toarray() if issparse(products) else products)
        rounding = float(rows.rounding.sum())
        r = eigen.rank(values, floor=len(links) * rounding)
        roots = np.sqrt(np.maximum(values[:r], 0))
        if not r:  # all linked rows are equal
            r, roots = 1, np.zeros(1)
        self._inverse = vectors[:, :r] * np.divide(1, roots, where=roots > 0, out=np.zeros(r))
        self.rows = TurnedLinkedRows(rows, self._differences, self._inverse)
        self.rows.rounding = np.full(r, rounding)

    def lift(self, directions: Floats) -> Floats:
        return self._differences.T @ (self._inverse @ directions)


class LeadingSpan(Span):
    """Coordinates along the leading directions of the centred rows."""

    def __init__(self, rows: Rows, n_directions: int | None = None) -> None:
        super().__init__(rows)
        values, products, self._lift = leading_singular(
            LinearOperator(
                rows.shape,
                matvec=rows.multiply,
                rmatvec=rows.combine,
                matmat=rows.multiply,
                rmatmat=rows.combine,
                dtype=np.float64,
            ),
            n_directions or LEADING,
        )
        rounding = float(rows.rounding.sum())
        r = eigen.rank(values**2, floor=len(rows) * rounding)
        if not r:  # all rows are equal: one coordinate, all zero
            r, values, products = 1, np.zeros(1), np.zeros((len(rows), 1))
        self.n_directions = r
        self.rows = TurnedRows(products[:, :r])
        self.rows.mean, self.rows.gram = np.zeros(r), np.diag(values[:r] ** 2)
        self.rows.rounding = np.full(r, rounding)

    def lift(self, directions: Floats) -> Floats:
        return self._lift(directions)


def span_of(
    X: Any,
    links: Ints = NO_LINKS,
    search: SearchSpan = "rows",
    n_components: int | None = None,
    n_directions: int | None = None,
) -> Span:
    """The span of a table, or of its rows, in which to look for a solution.

    With ``n_directions``, that of so many leading directions, if there are more.
    """
    rows = rows_of(X)
    order = min(rows.shape)
    if isinstance(rows, DaskRows) and rows.too_wide:
        few_links = 0 < len(links) <= MOST_LINKS and links_may_do(rows, search)
        return linked_wide_span(rows, links) if few_links else leading_wide_span(rows)
    if rows.in_memory:
        few_links = 0 < 2 * len(links) <= order and matrix_fits(2 * len(links))
        if few_links and links_may_do(rows, search):
            return LinkSpan(rows, links)
        iterate = eigen.iteration_pays(order, n_components or 0)
        if search == "products" and (iterate or not matrix_fits(order)):
            return Span(rows)
    span: Span = rows.once(("span", n_directions), lambda: _span_of_all(rows, n_directions))
    span.rows.shared = rows.shared
    return span


def _span_of_all(rows: Rows, n_directions: int | None) -> Span:
    """The span that does not depend on what is known."""
    if n_directions is not None and rows.in_memory and n_directions < min(rows.shape):
        return LeadingSpan(rows, n_directions)
    if rows.in_memory and not matrix_fits(min(rows.shape)):
        return LeadingSpan(rows)
    if rows.shape[1] > len(rows):
        return RowSpan(rows)
    if isinstance(rows, DenseRows) and rows.far > ROUNDING_COUNTS:
        return CleanSpan(rows)
    return Span(rows)


def links_may_do(rows: Rows, search: SearchSpan) -> bool:
    """Whether the links are worth listing: if they are few, no other rows need be looked at."""
    listed = rows.in_memory or (isinstance(rows, DaskRows) and rows.too_wide)
    return search == "links" and listed and min(rows.shape) >= LINKS_FROM


def matrix_fits(order: int) -> bool:
    """Whether a square matrix of this order is within the working memory."""
    return 8 * order**2 <= working_bytes()
