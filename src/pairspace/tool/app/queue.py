"""Rows that the person wants to go through: unsure ones, outvoted ones, a lasso."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from pairspace.active.kinds import Question
from pairspace.tool.app.overview import Snapshot
from pairspace.tool.app.session import LabellingSession

PER_SWEEP = 24


class Queue:
    """Rows to ask about before all other questions."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Ask about no more of them."""
        self._rows: list[int] = []
        self._name = ""
        self._skip_placed = False
        self._number: int | None = None

    def rows_to_place(self, rows: Sequence[int], name: str) -> None:
        """Ask about each row that no answer places until its turn comes."""
        self.clear()
        self._rows, self._name, self._skip_placed = list(rows), name, True

    def rows_to_check(self, rows: Sequence[int], name: str) -> None:
        """Ask about each row, placed or not."""
        self.clear()
        self._rows, self._name = list(rows), name

    def rows_to_sweep(self, rows: Sequence[int], number: int) -> None:
        """Ask which of the rows do not belong to a group, some at a time."""
        self.clear()
        self._rows, self._name, self._number = list(rows), "selected rows", number

    def put_back(self, row: int) -> None:
        """Ask about a row again, after all."""
        if self._rows and self._number is None:
            self._rows.insert(0, row)

    @property
    def words(self) -> str:
        """What is gone through, and how much is left."""
        return f"{len(self._rows):,} more {self._name}" if self._rows else ""

    def next(self, page: Hashable, session: LabellingSession, now: Snapshot) -> Question | None:
        """The next question; None if no row is left."""
        while self._rows:
            if self._number is not None:
                some, self._rows = self._rows[:PER_SWEEP], self._rows[PER_SWEEP:]
                return session.sweep_for(page, self._number, some)
            row = self._rows.pop(0)
            if not (self._skip_placed and row in now.group_of):
                return session.board_for(page, row, again=not self._skip_placed)
        return None
