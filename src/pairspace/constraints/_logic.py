"""What pairs imply: components of the must-links, the closure, contradictions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order

from pairspace._core.pairs import pair_keys
from pairspace._core.typing import Floats, Ints


class Contradiction(NamedTuple):
    """A cannot-link between rows that must-links join.

    Parameters
    ----------
    pair : tuple of two ints
        The rows of the cannot-link.
    chain : tuple of int
        The shortest chain of rows, each must-linked with the next, from one end of the pair to
        the other.
    """

    pair: tuple[int, int]
    chain: tuple[int, ...]

    def __str__(self) -> str:
        chain = " = ".join(map(str, self.chain))
        return f"{self.pair[0]} and {self.pair[1]} are different, but {chain}"


class _WithContradiction(Exception):  # noqa: N818 (a part of an error and of a warning)
    """What says that answers can't all be true, with the proof."""

    def __init__(self, message: str, contradiction: Contradiction) -> None:
        super().__init__(message)
        self.contradiction = contradiction

    def __reduce__(self) -> tuple[type, tuple[str, Contradiction]]:
        return type(self), (str(self), self.contradiction)


class ContradictionError(_WithContradiction, ValueError):
    """Error raised when must-links and cannot-links can't all be true.

    Parameters
    ----------
    message : str
        The message.
    contradiction : Contradiction
        A pair that can't be both the same and different.

    Attributes
    ----------
    contradiction : Contradiction
        A pair that can't be both the same and different.
    """


class ContradictionWarning(_WithContradiction, UserWarning):
    """Warning that a method is fitted on answers that can't all be true.

    Parameters
    ----------
    message : str
        The message.
    contradiction : Contradiction
        The first pair that can't be both the same and different.

    Attributes
    ----------
    contradiction : Contradiction
        The first pair that can't be both the same and different.
    """


def denied_links(component: Ints, cannot_link: Ints) -> Ints:
    """The cannot-links inside a component."""
    return cannot_link[component[cannot_link[:, 0]] == component[cannot_link[:, 1]]]


def find_contradictions(component: Ints, must_link: Ints, denied: Ints) -> list[Contradiction]:
    """Each of the denied links, with its chain."""
    found: list[Contradiction] = []
    for root in np.unique(component[denied[:, 0]]):
        members = np.flatnonzero(component == root)
        inside = must_link[component[must_link[:, 0]] == root]
        local = np.searchsorted(members, inside)
        size = len(members)
        ones = np.ones(len(local), dtype=np.int8)
        graph = coo_array((ones, (local[:, 0], local[:, 1])), shape=(size, size)).tocsr()
        pairs = denied[component[denied[:, 0]] == root]
        for start in np.unique(pairs[:, 0]):
            _, previous = breadth_first_order(
                graph, np.searchsorted(members, start), directed=False
            )
            for end in pairs[pairs[:, 0] == start, 1]:
                chain = [int(end)]
                while chain[-1] != start:
                    chain.append(int(members[previous[np.searchsorted(members, chain[-1])]]))
                found.append(Contradiction((int(start), int(end)), tuple(reversed(chain))))
    return sorted(found)


class Components:
    """The rows of each component, and all pairs inside and across them.

    Components of equal size are listed together, so the number of steps is the number of
    different sizes and not the number of components.
    """

    def __init__(self, component: Ints) -> None:
        self._component = component
        self._rows = np.argsort(component, kind="stable")
        self._size = np.bincount(component)
        self._start = np.cumsum(self._size) - self._size
        self._weakest = np.full(len(self._size), np.inf)  # link inside each component

    def count(self, cannot_link: Ints) -> int:
        """How many pairs ``inside`` and ``across`` will list, without listing them."""
        inside = self._size * (self._size - 1) // 2
        joined = np.unique(np.sort(self._component[cannot_link], axis=1), axis=0)
        across = self._size[joined[:, 0]] * self._size[joined[:, 1]]
        return int(inside.sum()) + int(across.sum())

    def inside(self, must_link: Ints, must_weight: Floats) -> tuple[Ints, Floats]:
        """All pairs of rows of the same component."""
        np.minimum.at(self._weakest, self._component[must_link[:, 0]], must_weight)
        parts = [np.empty((0, 2), np.int64)]
        for size in np.unique(self._size[self._size > 1]):
            members = self._members(np.flatnonzero(self._size == size), size)
            i, j = np.triu_indices(size, k=1)
            parts.append(np.column_stack([members[:, i].ravel(), members[:, j].ravel()]))
        pairs = np.vstack(parts)
        weight = self._weakest[self._component[pairs[:, 0]]]
        return self._with_given(pairs, weight, must_link, must_weight)

    def across(self, cannot_link: Ints, cannot_weight: Floats) -> tuple[Ints, Floats]:
        """All pairs of rows of two components that a cannot-link joins; after ``inside``."""
        ends = np.sort(self._component[cannot_link], axis=1)
        joined, link = np.unique(ends, axis=0, return_inverse=True)
        weakest = self._weakest[joined].min(axis=1, initial=np.inf)
        np.minimum.at(weakest, link.ravel(), cannot_weight)
        parts, weights = [np.empty((0, 2), np.int64)], [np.empty(0)]
        sizes = self._size[joined]
        for size_a, size_b in np.unique(sizes, axis=0):
            these = np.flatnonzero((sizes == (size_a, size_b)).all(axis=1))
            a = np.repeat(self._members(joined[these, 0], size_a), size_b, axis=1)
            b = np.tile(self._members(joined[these, 1], size_b), size_a)
            parts.append(np.column_stack([a.ravel(), b.ravel()]))
            weights.append(np.repeat(weakest[these], size_a * size_b))
        pairs = np.vstack(parts)
        return self._with_given(pairs, np.concatenate(weights), cannot_link, cannot_weight)

    def _members(self, components: Ints, size: int) -> Ints:
        return self._rows[self._start[components][:, None] + np.arange(size)]

    def _with_given(
        self, pairs: Ints, weight: Floats, given: Ints, given_weight: Floats
    ) -> tuple[Ints, Floats]:
        pairs = np.sort(pairs, axis=1)
        keys = pair_keys(pairs, len(self._rows))
        order = np.argsort(keys)
        at = np.searchsorted(keys, pair_keys(given, len(self._rows)), sorter=order)
        weight[order[at]] = given_weight
        return pairs, weight
