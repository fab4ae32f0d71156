"""What answers imply, updated with each answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from scipy.cluster.hierarchy import DisjointSet

from pairspace._core.typing import Pair


class KnownGroups:
    """Groups of rows known to be the same, and which groups are known to differ.

    A union-find structure over the rows that have answers, plus the set of groups that each group
    differs from. A row without an answer is a group of its own and takes no memory, so the cost
    grows with the number of answers and not with the number of rows.

    Examples
    --------
    >>> known = KnownGroups(5)
    >>> known.add(0, 1, same=True)
    >>> known.add(1, 4, same=False)
    >>> known.entails(0, 4), known.entails(0, 2)
    (False, None)
    """

    def __init__(self, n_rows: int) -> None:
        self.n_rows = n_rows
        self._rows = DisjointSet()
        self._different: dict[int, set[int]] = {}

    def group_of(self, row: int) -> int:
        """The row that represents the group of a row."""
        return self._rows[row] if row in self._rows else row  # noqa: SIM401 - it has no get

    def members(self, group: int) -> list[int]:
        """The rows of a group, in order."""
        return sorted(self._rows.subset(group)) if group in self._rows else [group]

    def different_from(self, group: int) -> set[int]:
        """The groups known to differ from a group."""
        return self._different.get(group, set())

    def entails(self, i: int, j: int) -> bool | None:
        """True if the answers imply that i and j are the same, False if different, else None."""
        a, b = self.group_of(i), self.group_of(j)
        if a == b:
            return True
        return False if b in self.different_from(a) else None

    def add(self, i: int, j: int, *, same: bool) -> None:
        """Add an answer that does not contradict the others."""
        self._rows.add(i)
        self._rows.add(j)
        a, b = self._rows[i], self._rows[j]
        if not same:
            self._different.setdefault(a, set()).add(b)
            self._different.setdefault(b, set()).add(a)
        elif self._rows.merge(i, j):
            kept = self._rows[i]
            gone = b if kept == a else a
            for other in self._different.pop(gone, set()):
                self._different[other].remove(gone)
                self._different[other].add(kept)
                self._different.setdefault(kept, set()).add(other)

    @property
    def groups(self) -> list[int]:
        """The groups of all rows that have an answer, including groups of one row."""
        return [row for row in self._rows if self._rows[row] == row]

    @property
    def n_joined(self) -> int:
        """The number of groups with two or more rows."""
        return sum(self._size(group) > 1 for group in self.groups)

    @property
    def n_known_pairs(self) -> int:
        """The number of pairs whose answer was given or is implied."""
        inside = sum(self._size(group) * (self._size(group) - 1) // 2 for group in self.groups)
        across = sum(
            self._size(a) * self._size(b) for a, others in self._different.items() for b in others
        )
        return inside + across // 2

    def open_pairs(self) -> Iterator[Pair]:
        """All pairs whose answer is not known."""
        groups = [row for row in range(self.n_rows) if self.group_of(row) == row]
        for at, a in enumerate(groups):
            different = self.different_from(a)
            if len(different) == len(groups) - 1:
                continue
            for b in groups[at + 1 :]:
                if b not in different:
                    yield from product(self.members(a), self.members(b))

    def _size(self, group: int) -> int:
        return int(self._rows.subset_size(group))
