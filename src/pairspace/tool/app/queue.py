"""Rows that the person wants to go through: unsure ones, outvoted ones, disagreements, a lasso."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from pairspace._core.typing import Pair
from pairspace.active.kinds import Question
from pairspace.tool.app.overview import Snapshot
from pairspace.tool.app.shared_session import SharedSession

PER_SWEEP = 24
Item = int | Pair  # a row to place, or two rows to compare


class Queue:
    """Rows to ask about before all other questions."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Ask about no more of them."""
        self._items: list[Item] = []
        self._name = ""
        self._skip_placed = False
        self._number: int | None = None
        self._audit = ""
        self._skipped: set[int] = set()  # rows of an audit that the person was not sure about
        self._notes: Mapping[Item, str] = {}
        self._note = ""

    def rows_to_place(self, rows: Sequence[int], name: str) -> None:
        """Ask about each row that no answer places until its turn comes."""
        self.clear()
        self._items, self._name, self._skip_placed = list(rows), name, True

    def items_to_check(
        self, items: Sequence[Item], name: str, notes: Mapping[Item, str] | None = None
    ) -> None:
        """Ask about each row, placed or not, or pair; ``notes`` say why."""
        self.clear()
        self._items, self._name, self._notes = list(items), name, notes or {}

    def rows_to_sweep(self, rows: Sequence[int], number: int) -> None:
        """Ask which of the rows do not belong to a group, some at a time."""
        self.clear()
        self._items, self._name, self._number = list(rows), "selected rows", number

    def answers_to_audit(self, name: str) -> None:
        """Ask about the answers of an annotator, those that are probably wrong first."""
        self.clear()
        self._audit = name

    def skip(self, rows: Sequence[int]) -> None:
        """Show rows of an audit no more: the person was not sure."""
        self._skipped.update(rows)

    def put_back(self, row: int) -> None:
        """Ask about a row again, after all."""
        if self._items and self._number is None:
            self._items.insert(0, row)

    def words(self, now: Snapshot) -> str:
        """What is gone through, and how much is left."""
        if self._audit:
            audit = now.audit_of(self._audit).audit
            return f"Audit of {self._audit}: {len(audit.looks):,} of {len(audit.said):,} looked at"
        return f"{len(self._items):,} more {self._name}" if self._items else ""

    @property
    def note(self) -> str:
        """Why the current question is asked; empty if there is nothing to say."""
        return self._note

    def next(self, page: Hashable, session: SharedSession, now: Snapshot) -> Question | None:
        """The next question; None if no row is left."""
        self._note = ""
        if self._audit:
            question = session.audit_for(page, self._audit, besides=self._skipped)
            if question is None:
                self.clear()
            return question
        while self._items:
            if self._number is not None:
                some = [item for item in self._items[:PER_SWEEP] if isinstance(item, int)]
                self._items = self._items[PER_SWEEP:]
                return session.sweep_for(page, self._number, some)
            item = self._items.pop(0)
            self._note = self._notes.get(item, "")
            if isinstance(item, tuple):
                return session.pair_for(page, item)
            if not (self._skip_placed and item in now.group_of):
                return session.board_for(page, item, again=not self._skip_placed)
        return None
