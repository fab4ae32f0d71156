"""A labelling session and its pages, in a notebook or behind the command ``pairspace label``."""

from __future__ import annotations

import getpass
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pairspace.active.kinds import Kind, check_kind
from pairspace.constraints.answers_file import AnswerStore, clean_name
from pairspace.constraints.tables import rows_of_ids
from pairspace.persistence import fingerprint
from pairspace.tool.app.exports import Exports, Origin
from pairspace.tool.app.images import Pictures
from pairspace.tool.app.items import Items, MixedItems, PictureItems, RecordItems, TextItems
from pairspace.tool.app.overview import Overview
from pairspace.tool.app.page import Page
from pairspace.tool.app.session import Fit
from pairspace.tool.app.shared_session import SharedSession

if TYPE_CHECKING:
    import pandas as pd

# A longer list of columns to colour by is no help.
MAX_COLOUR_COLUMNS = 40


@dataclass(frozen=True)
class Display:
    """The table that people look at, and the columns to show; see :func:`pairspace.label`."""

    frame: pd.DataFrame
    text: str | None = None
    image: str | None = None
    image_root: str | os.PathLike[str] | None = None
    show: Sequence[str] | None = None

    def __post_init__(self) -> None:
        for name in (*filter(None, (self.text, self.image)), *(self.show or ())):
            if name not in self.frame.columns:
                columns = [str(column) for column in self.frame.columns]
                raise ValueError(
                    f"column {name!r} is not in the table; its columns are "
                    f"{', '.join(columns[:8])}{', …' * (len(columns) > 8)}"
                )
        if (self.image is None) != (self.image_root is None):
            raise ValueError(
                "pictures need image, the column of their paths, and image_root, their folder"
            )

    def items(self, ids: Sequence[str]) -> Items:
        """The rows as the page shows them."""
        parts: list[Items] = []
        if self.image is not None and self.image_root is not None:
            pictures = Pictures(self.image_root)
            parts.append(PictureItems(ids, self.frame[self.image].tolist(), pictures))
        if self.text is not None:
            parts.append(TextItems(ids, self.frame[self.text].tolist()))
        if self.show or not parts:
            parts.append(RecordItems(ids, self.frame[list(self.show)] if self.show else self.frame))
        return parts[0] if len(parts) == 1 else MixedItems(ids, parts)

    def colour_columns(self) -> dict[str, list[Any]]:
        """The columns that the map can be coloured by."""
        return {
            str(name): self.frame[name].tolist()
            for name in self.frame.columns[:MAX_COLOUR_COLUMNS]
            if name not in (self.text, self.image)
        }


class Labelling:
    """A labelling session and its pages.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data that the questions are chosen from.
    display : Display
        What people look at.
    origin : Origin, default=None
        The features that X was made from; X itself by default.
    fit : callable, default=None
        Makes a space of a plan: see :class:`LabellingSession`.
    ids, answers, ask, title, annotator, kind, blind, audit, **options
        See :func:`pairspace.label`.
    """

    def __init__(
        self,
        X: Any,
        display: Display,
        *,
        ids: Sequence[Any] | None,
        answers: str | os.PathLike[str],
        ask: str,
        title: str,
        annotator: str | None,
        kind: Kind = "mixed",
        blind: bool = False,
        audit: str | None = None,
        origin: Origin | None = None,
        fit: Fit | None = None,
        **options: Any,
    ) -> None:
        self._kind = check_kind(kind)
        n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
        if len(display.frame) != n_rows:
            raise ValueError(f"items has {len(display.frame):,} rows, but X has {n_rows:,}")
        content = b""
        if ids is None:
            # Row numbers do not identify the data, so its content must.
            content = fingerprint(display.frame).encode()
            ids = range(n_rows)
        names = list(rows_of_ids(ids))
        self._items = display.items(names)
        store = AnswerStore(answers, names, content=content)
        self.session = SharedSession(X, store, fit=fit, **options)
        self._overview = Overview(self.session, self._items)
        self._columns = display.colour_columns()
        self.exports = Exports(self.session, names, origin or Origin(X), display.frame)
        self._ask = ask
        self._blind = blind
        self._title = title
        self._annotator = clean_name(annotator or _user())
        self._audit = clean_name(audit or "")
        if self._audit:
            self._check_audit()

    def _check_audit(self) -> None:
        """An error, if there is nothing to audit."""
        try:
            if self._audit == self._annotator:
                raise ValueError(f"{self._audit!r} can't audit their own answers")
            self.session.audit_state(self._audit)
        except ValueError as error:
            self.session.close()
            raise ValueError(f"audit: {error}") from None

    @property
    def groups_(self) -> pd.DataFrame:
        """All rows with their groups: see :doc:`/guide/labelling` for the columns."""
        return self.exports.groups()

    def page(self, *, in_notebook: bool = False) -> Page:
        """A new page: a tab, or the output of a notebook cell."""
        return Page(
            self.session,
            self._overview,
            self._items,
            self._columns,
            self.exports,
            title=self._title,
            ask=self._ask,
            annotator=self._annotator,
            kind=self._kind,
            blind=self._blind,
            in_notebook=in_notebook,
            audit=self._audit,
        )


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container's user may have no name
        return "anonymous"
