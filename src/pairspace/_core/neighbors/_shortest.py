"""The shortest pairs of rows of different classes."""

from __future__ import annotations

import numpy as np

from pairspace._core.data import Rows, slices, squared_norms
from pairspace._core.neighbors._ranking import rounding_margin
from pairspace._core.pairs import unique_pairs
from pairspace._core.typing import Floats, Ints

TILE = 1_024  # rows and columns of a block of distances
SAMPLE = 200  # rows of a class, and of the others, whose pairs bound the distances to look for


def shortest_pairs(rows: Rows, codes: Ints, n_pairs: int) -> Ints:
    """The shortest pairs of each class with rows of other classes, as i < j, each once. Exact.

    Equal distances of a class are ordered by its own row, then by the other. A class with fewer
    pairs has all of them. Rows of no class, whose code is −1, have none.

    Examples
    --------
    >>> from pairspace._core.data import rows_of
    >>> X = np.array([[0.0], [1.0], [3.0], [9.0]])
    >>> shortest_pairs(rows_of(X), np.array([0, 1, 1, 2]), 1).tolist()
    [[0, 1], [2, 3]]
    """
    order = np.argsort(codes, kind="stable")
    order = order[np.searchsorted(codes[order], 0) :]
    if not len(order):
        return np.empty((0, 2), dtype=np.int64)
    return _Search(rows, order, codes, n_pairs).pairs()


class _Search:
    """Products of blocks of rows find candidates, and differences decide between them."""

    def __init__(self, rows: Rows, order: Ints, codes: Ints, n_pairs: int) -> None:
        self._rows, self._order, self._codes, self._n_pairs = rows, order, codes, n_pairs
        self._ends = np.cumsum(np.bincount(codes[order]))
        longest = 0.0
        for block in slices(len(order), TILE):
            longest = max(longest, float(squared_norms(rows.take(order[block])).max()))
        margin = rounding_margin(rows, np.sqrt(longest), np.sqrt(longest))
        self._margin = 2 * float(margin)  # one for the bound, one for the distance
        self._bound = np.array([self._first_bound(c) for c in range(len(self._ends))])
        # Candidates: the class, its row, the other row; and their squared distance by products.
        self._found = np.empty((0, 3), dtype=np.int64)
        self._squared = np.empty(0)

    def pairs(self) -> Ints:
        for c, end in enumerate(self._ends):
            start = self._ends[c - 1] if c else 0
            for block in slices(end - start, TILE):
                own = self._order[start + block.start : start + block.stop]
                self._compare(own, self._order[end:])
                self._keep_shortest()
        i, j = self._found[:, 1:].T
        exact = self._rows.squared_lengths(self._found[:, 1:])
        order = np.lexsort((j, i, exact, self._found[:, 0]))
        best = order[self._place(order) < self._n_pairs]
        return unique_pairs(self._found[best, 1:], len(self._rows))

    def _compare(self, own: Ints, others: Ints) -> None:
        """Add the pairs of two blocks that may be among the shortest of either class."""
        x = _extended(self._rows.take(own), left=True)
        c = self._codes[own[0]]
        found, squared = [self._found], [self._squared]
        for block in slices(len(others), TILE):
            y = others[block]
            distance = x @ _extended(self._rows.take(y), left=False).T
            of_y = self._codes[y]
            limit = np.maximum(self._bound[c], self._bound[of_y])
            i, j = np.nonzero(distance <= limit)
            value, class_y = distance[i, j], of_y[j]
            for of_class, pair in (
                (np.full(len(i), c), (own[i], y[j])),
                (class_y, (y[j], own[i])),
            ):
                near = value <= self._bound[of_class]
                found.append(np.column_stack([of_class, *pair])[near])
                squared.append(value[near])
        self._found, self._squared = np.vstack(found), np.concatenate(squared)

    def _keep_shortest(self) -> None:
        """Lower the bounds to the shortest pairs so far, and drop what is beyond them."""
        order = np.lexsort((self._squared, self._found[:, 0]))
        last = order[self._place(order) == self._n_pairs - 1]
        of_class = self._found[last, 0]
        limit = self._squared[last] + self._margin
        self._bound[of_class] = np.minimum(self._bound[of_class], limit)
        near = self._squared <= self._bound[self._found[:, 0]]
        self._found, self._squared = self._found[near], self._squared[near]

    def _place(self, order: Ints) -> Ints:
        """The place of each candidate among those of its class, in an order by class first."""
        classes = self._found[order, 0]
        return np.arange(len(order)) - np.searchsorted(classes, classes)

    def _first_bound(self, c: int) -> float:
        """That of the shortest pairs of a sample: those of all rows are not longer."""
        start, end = (self._ends[c - 1] if c else 0), self._ends[c]
        own = _some(self._order[start:end])
        others = _some(np.concatenate([self._order[:start], self._order[end:]]))
        if len(own) * len(others) < self._n_pairs:
            return np.inf
        x, y = (_extended(self._rows.take(s), left=s is own) for s in (own, others))
        distances = (x @ y.T).ravel()
        return float(np.partition(distances, self._n_pairs - 1)[self._n_pairs - 1]) + self._margin


def _some(rows: Ints) -> Ints:
    return rows[:: max(len(rows) // SAMPLE, 1)]


def _extended(X: Floats, *, left: bool) -> Floats:
    """Rows with two more columns, such that the product of two is their squared distance."""
    lengths, ones = squared_norms(X), np.ones(len(X))
    if left:
        return np.column_stack([-2 * X, lengths, ones])
    return np.column_stack([X, ones, lengths])
