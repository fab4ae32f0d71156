"""How rows are shown: as pictures, texts or records."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from pairspace.constraints import is_missing
from pairspace.tool.app.differences import Part, mark_words
from pairspace.tool.app.images import MissingPictureError, Pictures

if TYPE_CHECKING:
    import pandas as pd

# More than a person reads before answering, and small enough for a fast page.
MAX_CHARACTERS = 20_000
MAX_CELL = 2_000
MAX_FIELDS = 60
SHORT = 60


class Items(ABC):
    """How rows are shown, as HTML. All text from the data is escaped here."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = ids

    @abstractmethod
    def side_by_side(self, i: int, j: int) -> tuple[str, str]:
        """Two rows as HTML, with their differences marked."""

    @abstractmethod
    def brief(self, i: int) -> str:
        """One row as a small piece of HTML, for a chain of answers."""

    def caption(self, i: int) -> str:
        """The name of a row as HTML."""
        return f'<bdi dir="auto">{escape(cut(as_text(self.ids[i]), SHORT))}</bdi>'


class PictureItems(Items):
    """Rows that are pictures."""

    def __init__(self, ids: Sequence[str], names: Sequence[Any], pictures: Pictures) -> None:
        super().__init__(ids)
        self._names = names
        self._pictures = pictures

    def side_by_side(self, i: int, j: int) -> tuple[str, str]:
        return self._figure(i, "picture"), self._figure(j, "picture")

    def brief(self, i: int) -> str:
        return self._figure(i, "thumbnail")

    def _figure(self, i: int, kind: str) -> str:
        name = as_text(self._names[i])
        try:
            picture = self._pictures.get(name)
        except MissingPictureError as error:
            return (
                f'<div class="missing {kind}"><strong>Missing picture</strong>'
                f'<bdi dir="auto">{escape(cut(name, SHORT))}</bdi>'
                f"<span>{escape(str(error))}</span></div>"
            )
        coarse = " coarse" if max(picture.width, picture.height) <= 128 else ""
        # The address is safe: it is base64 of what we encoded.
        return (
            f'<img class="{kind}{coarse}" src="{picture.uri}" '
            f'alt="{escape(cut(name, SHORT), quote=True)}">'
        )


class TextItems(Items):
    """Rows that are texts; words that only one of the two has are marked."""

    def __init__(self, ids: Sequence[str], texts: Sequence[Any]) -> None:
        super().__init__(ids)
        self._texts = texts

    def side_by_side(self, i: int, j: int) -> tuple[str, str]:
        left, right = as_text(self._texts[i]), as_text(self._texts[j])
        parts = mark_words(left[:MAX_CHARACTERS], right[:MAX_CHARACTERS])
        return _text_html(parts[0], len(left)), _text_html(parts[1], len(right))

    def brief(self, i: int) -> str:
        text = cut(" ".join(as_text(self._texts[i])[:MAX_CHARACTERS].split()), SHORT)
        return f'<span class="brief" dir="auto">{escape(text)}</span>'


class RecordItems(Items):
    """Rows that are records; fields that differ are marked."""

    def __init__(self, ids: Sequence[str], frame: pd.DataFrame) -> None:
        super().__init__(ids)
        self._names = [as_text(name) for name in frame.columns]
        self._frame = frame

    def side_by_side(self, i: int, j: int) -> tuple[str, str]:
        left, right = self._cells(i), self._cells(j)
        differs = [
            as_text(a).strip() != as_text(b).strip() for a, b in zip(left, right, strict=True)
        ]
        return self._table(left, differs), self._table(right, differs)

    def brief(self, i: int) -> str:
        text = cut(", ".join(as_text(value) for value in self._cells(i)[:4]), SHORT)
        return f'<span class="brief" dir="auto">{escape(text)}</span>'

    def _cells(self, i: int) -> list[Any]:
        return [self._frame.iat[i, at] for at in range(min(len(self._names), MAX_FIELDS))]

    def _table(self, cells: list[Any], differs: list[bool]) -> str:
        rows = "".join(
            f"<tr{' class=differs' * different}><th><bdi>{escape(cut(name, SHORT))}</bdi></th>"
            f'<td dir="auto">{escape(cut(as_text(cell), MAX_CELL))}</td></tr>'
            for name, cell, different in zip(self._names, cells, differs, strict=False)
        )
        more = len(self._names) - len(cells)
        note = f'<p class="note">… and {more:,} more fields</p>' if more else ""
        return f'<table class="record">{rows}</table>{note}'


def as_text(value: Any) -> str:
    """A cell as text: empty if missing, six digits of a number, invalid characters replaced."""
    if is_missing(value):
        return ""
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    return str(value).encode("utf-8", "replace").decode("utf-8")


def cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _text_html(parts: list[Part], length: int) -> str:
    body = "".join(
        f"<mark>{escape(part.text)}</mark>" if part.differs else escape(part.text) for part in parts
    )
    note = ""
    if length > MAX_CHARACTERS:
        note = f'<p class="note">Showing the first {MAX_CHARACTERS:,} of {length:,} characters</p>'
    if not body:
        note = '<p class="note">This text is empty</p>'
    return f'<div class="text" dir="auto">{body}</div>{note}'
