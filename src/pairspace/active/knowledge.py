"""What answers imply, kept up to date answer by answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from pairspace._core.typing import Pair


class Knowledge:
    """Groups of rows known to be the same, and which groups are known to differ.

    Union-find over the rows that answers are about, with the set of groups that each group differs
    from. All other rows are groups of their own without taking any memory, so it costs as much as
    there are answers, however many rows there are.

    Examples
    --------
    >>> known = Knowledge(5)
    >>> known.tell(0, 1, same=True)
    >>> known.tell(1, 4, same=False)
    >>> known.entails(0, 4), known.entails(0, 2)
    (False, None)
    """

    def __init__(self, n_rows: int) -> None:
        self.n_rows = n_rows
        self._parent: dict[int, int] = {}
        self._members: dict[int, list[int]] = {}
        self._differs: dict[int, set[int]] = {}

    def group_of(self, row: int) -> int:
        """The row that stands for the group of a row."""
        root = row
        while (above := self._parent.get(root, root)) != root:
            root = above
        while row != root:  # the next search is short
            self._parent[row], row = root, self._parent[row]
        return root

    def members(self, group: int) -> list[int]:
        """The rows of a group, as they came."""
        return self._members.get(group, [group])

    def differs(self, group: int) -> set[int]:
        """The groups that a group is known to differ from."""
        return self._differs.get(group, set())

    def entails(self, i: int, j: int) -> bool | None:
        """True if i and j are the same by what was told, False if they differ, None if neither."""
        a, b = self.group_of(i), self.group_of(j)
        if a == b:
            return True
        return False if b in self.differs(a) else None

    def tell(self, i: int, j: int, *, same: bool) -> None:
        """Learn an answer, which what is known must not deny."""
        for row in (i, j):
            self._parent.setdefault(row, row)
            self._members.setdefault(self.group_of(row), [row])
        a, b = self.group_of(i), self.group_of(j)
        if not same:
            self._differs.setdefault(a, set()).add(b)
            self._differs.setdefault(b, set()).add(a)
        elif a != b:
            if len(self._members[a]) < len(self._members[b]):
                a, b = b, a
            self._parent[b] = a
            self._members[a] += self._members.pop(b)
            for other in self._differs.pop(b, set()):
                self._differs[other].remove(b)
                self._differs[other].add(a)
                self._differs.setdefault(a, set()).add(other)

    @property
    def groups(self) -> list[int]:
        """The groups that something was told about, single rows too."""
        return list(self._members)

    @property
    def n_joined(self) -> int:
        """How many groups have more than one row."""
        return sum(len(members) > 1 for members in self._members.values())

    @property
    def n_implied(self) -> int:
        """How many pairs are known, told or implied."""
        inside = sum(len(m) * (len(m) - 1) // 2 for m in self._members.values())
        across = sum(
            len(self._members[a]) * len(self._members[b])
            for a, others in self._differs.items()
            for b in others
        )
        return inside + across // 2

    def different_groups(self) -> list[int]:
        """Groups that all differ from each other: at least so many classes there are.

        Greedy, those that differ from most others first: the most of such groups are hard to find.
        """
        chosen: list[int] = []
        for group in sorted(self._members, key=lambda g: (-len(self.differs(g)), g)):
            if self.differs(group).issuperset(chosen):
                chosen.append(group)
        return chosen

    def open_pairs(self) -> Iterator[Pair]:
        """All pairs that are not known, one after another."""
        groups = [row for row in range(self.n_rows) if self._parent.get(row, row) == row]
        for at, a in enumerate(groups):
            differs = self.differs(a)
            if len(differs) == len(groups) - 1:
                continue
            for b in groups[at + 1 :]:
                if b not in differs:
                    yield from product(self.members(a), self.members(b))
