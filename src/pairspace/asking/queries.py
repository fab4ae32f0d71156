"""Questions as programs get them: what is shown of each row, and which answers are allowed."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.sparse import issparse

from pairspace.active import BoardQuestion, Card, Group, PairQuestion
from pairspace.constraints import is_missing
from pairspace.persistence import fingerprint

NOT_SURE, SAME, DIFFERENT, NEW, NONE = "not sure", "same", "different", "new", "none"
SHOWN = 3  # members of a group that stand for it
Asked = BoardQuestion | PairQuestion


class QueryGroup(NamedTuple):
    """A group as a program sees it.

    Parameters
    ----------
    number : int
        The number of the group, which is the answer if the row is in it.
    name : str
        Its name; empty if it has none.
    rows : tuple of int
        One to three of its rows.
    items : tuple
        What is shown of these rows.
    """

    number: int
    name: str
    rows: tuple[int, ...]
    items: tuple[Any, ...]


@dataclass(frozen=True)
class Query:
    """A question to a program.

    Parameters
    ----------
    question : BoardQuestion or PairQuestion
        The question.
    rows : tuple of int
        The row to place, or the two rows to compare, in the order in which they are shown.
    items : tuple
        What is shown of these rows: a dict of the columns, a text or a list of numbers.
    groups : tuple of QueryGroup, default=()
        The groups to choose from; none for a pair.
    ask : str, default=""
        What "the same" means.
    known : tuple of Group, default=()
        All groups so far, with all of their rows.
    orders : {1, 2}, default=1
        In how many orders the question is asked: a program may prefer what comes first.
    exam : bool, default=False
        Whether another annotator has answered it: the answer is compared and not used.
    """

    question: Asked
    rows: tuple[int, ...]
    items: tuple[Any, ...]
    groups: tuple[QueryGroup, ...] = ()
    ask: str = ""
    known: tuple[Group, ...] = field(default=(), compare=False)
    orders: int = field(default=1, compare=False)
    exam: bool = field(default=False, compare=False)

    @property
    def kind(self) -> Literal["board", "pair"]:
        """The kind of question."""
        return self.question.kind

    @property
    def allowed(self) -> tuple[str | int, ...]:
        """The answers that are allowed."""
        if self.kind == "pair":
            return (SAME, DIFFERENT, NOT_SURE)
        return (*(group.number for group in self.groups), NEW, NONE, NOT_SURE)

    @cached_property
    def id(self) -> str:
        """A digest of all that is shown: the same question has the same id."""
        shown = json.dumps(self._shown(), sort_keys=True)
        return hashlib.sha256(shown.encode()).hexdigest()[:16]

    def as_json(self) -> dict[str, Any]:
        """Return the question as a program reads it on a line.

        Returns
        -------
        dict
            The fields ``id``, ``kind``, ``ask``, ``row``, ``groups`` or ``other``, and ``allowed``.
        """
        return {"id": self.id, **self._shown()}

    def _shown(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"kind": self.kind, "ask": self.ask, "row": self.items[0]}
        if self.kind == "pair":
            shown["other"] = self.items[1]
        else:
            shown["groups"] = [
                {"group": group.number, "name": group.name, "examples": list(group.items)}
                for group in self.groups
            ]
        return {**shown, "allowed": list(self.allowed)}

    def in_other_order(self) -> Query:
        """Return the same question with the two rows, or the groups, the other way round.

        Returns
        -------
        Query
            The question.
        """
        if self.kind == "board":
            return replace(self, groups=self.groups[::-1])
        return replace(self, rows=self.rows[::-1], items=self.items[::-1])


class Items:
    """What programs see of the rows.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data.
    items : DataFrame or sequence, default=None
        What is shown: records, or one text or value for each row; X by default.
    text : str, default=None
        The column of the DataFrame to show as a text, instead of records.
    show : sequence of str, default=None
        The columns of the DataFrame to show; all by default.
    """

    def __init__(
        self, X: Any, items: Any = None, *, text: str | None = None, show: Sequence[str] = ()
    ) -> None:
        table = X if items is None else items
        if issparse(table):
            raise ValueError("sparse rows can't be shown: pass texts or a DataFrame as items=")
        self._columns: dict[str, Any] | None = None
        self._values: Any = None
        if hasattr(table, "columns"):
            n_items = len(table)
            if text is not None and not show:
                self._values = list(table[text])
            else:
                names = [*([text] if text else []), *show] or table.columns
                self._columns = {str(name): list(table[name]) for name in names}
        else:
            self._values = table if isinstance(table, list | tuple) else np.asarray(table)
            n_items = len(self._values)
        n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
        if n_items != n_rows:
            raise ValueError(f"items has {n_items:,} rows, but X has {n_rows:,}")
        self.n_rows = n_rows
        self._table = table

    def __getitem__(self, row: int) -> Any:
        if self._columns is not None:
            return {name: _plain(values[row]) for name, values in self._columns.items()}
        return _plain(self._values[row])

    def digest(self) -> bytes:
        """A digest of what is shown, the same as that of the labelling page."""
        table = self._table
        if not hasattr(table, "columns") and not isinstance(table, list | tuple):
            values = np.asarray(table)
            table = _Columns(values if values.ndim == 2 else values[:, None])
        return fingerprint(table).encode()


class _Columns:
    """An array with the names of columns that the page gives it."""

    def __init__(self, values: Any) -> None:
        self._values = values
        self.columns = [f"x{at}" for at in range(values.shape[1])]

    def __getitem__(self, name: str) -> Any:
        return self._values[:, self.columns.index(name)]


def query_of(
    question: Asked,
    known: Sequence[Group],
    items: Items,
    *,
    ask: str,
    orders: int = 1,
) -> Query:
    """The query for a question; a board has all groups, also those without a card on the page."""
    groups: tuple[QueryGroup, ...] = ()
    if isinstance(question, BoardQuestion):
        question = with_all_groups(question, known)
        name_of = {group.number: group.name for group in known}
        groups = tuple(
            QueryGroup(
                card.number, name_of[card.number], card.rows, tuple(items[row] for row in card.rows)
            )
            for card in question.cards
        )
    shown = tuple(items[row] for row in question.rows)
    return Query(question, question.rows, shown, groups, ask, tuple(known), orders)


def with_all_groups(question: BoardQuestion, known: Sequence[Group]) -> BoardQuestion:
    """The board with a card for each group there is now."""
    cards = {card.number: card for card in question.cards}
    return question._replace(
        cards=tuple(cards.get(group.number) or _card(group, question.row) for group in known)
    )


def _card(group: Group, besides: int) -> Card:
    rows = [group.anchor, *(row for row in group.rows if row != group.anchor)]
    return Card(group.number, tuple(row for row in rows if row != besides)[:SHOWN], None)


def _plain(value: Any) -> Any:
    """A value as JSON can hold it: a missing one is null, a date is text."""
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(each) for each in value]
    if is_missing(value):
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, bool | int):
        return value
    return str(value).encode("utf-8", "replace").decode("utf-8")
