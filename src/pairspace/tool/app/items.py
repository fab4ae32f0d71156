"""How rows are shown: as pictures, texts or records."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from pairspace.tool.app.images import MissingPictureError, Pictures
from pairspace.tool.texts import Part, as_text, cut, mark_words

if TYPE_CHECKING:
    import pandas as pd

# More than a person reads before answering, and small enough for a fast page.
MAX_CHARACTERS = 20_000
MAX_CELL = 2_000
MAX_FIELDS = 60
SHORT = 60
SMALL = 140  # characters of a text in a cell of a grid
SMALL_FIELDS = 4
EMPTY = "<i>empty</i>"


class Items(ABC):
    """How rows are shown, as HTML. All text from the data is escaped here."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = ids

    @abstractmethod
    def side_by_side(self, i: int, j: int) -> tuple[str, str]:
        """Two rows as HTML, with their differences marked."""

    @abstractmethod
    def large(self, i: int) -> str:
        """One row as HTML, as large as there is space."""

    @abstractmethod
    def small(self, i: int) -> str:
        """One row as HTML for a cell of a grid: a thumbnail, the start of a text, some fields."""

    @abstractmethod
    def brief(self, i: int) -> str:
        """One row as a small piece of HTML, for a chain of answers or a card."""

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

    def large(self, i: int) -> str:
        return self._figure(i, "picture")

    def small(self, i: int) -> str:
        return self._figure(i, "small")

    def brief(self, i: int) -> str:
        return self._figure(i, "thumbnail")

    def _figure(self, i: int, kind: str) -> str:
        name = as_text(self._names[i])
        try:
            large = kind == "picture"
            picture = self._pictures.get(name) if large else self._pictures.small(name)
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

    def large(self, i: int) -> str:
        text = as_text(self._texts[i])
        return _text_html([Part(text[:MAX_CHARACTERS], False)] if text else [], len(text))

    def small(self, i: int) -> str:
        return (
            f'<span class="small text" dir="auto">{escape(self._start(i, SMALL)) or EMPTY}</span>'
        )

    def brief(self, i: int) -> str:
        return f'<span class="brief" dir="auto">{escape(self._start(i, SHORT)) or EMPTY}</span>'

    def _start(self, i: int, length: int) -> str:
        return cut(" ".join(as_text(self._texts[i])[:MAX_CHARACTERS].split()), length)


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

    def large(self, i: int) -> str:
        cells = self._cells(i)
        return self._table(cells, [False] * len(cells))

    def small(self, i: int) -> str:
        fields = "".join(
            f"<span><b>{escape(cut(name, 20))}</b> {escape(cut(as_text(cell), 40))}</span>"
            for name, cell in zip(self._names, self._cells(i)[:SMALL_FIELDS], strict=False)
        )
        return f'<span class="small record" dir="auto">{fields}</span>'

    def brief(self, i: int) -> str:
        text = cut(", ".join(as_text(value) for value in self._cells(i)[:4]), SHORT)
        return f'<span class="brief" dir="auto">{escape(text) or EMPTY}</span>'

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


class MixedItems(Items):
    """Rows that are several of these at once, for example a picture with a title and a price."""

    def __init__(self, ids: Sequence[str], parts: Sequence[Items]) -> None:
        super().__init__(ids)
        self._parts = parts

    def side_by_side(self, i: int, j: int) -> tuple[str, str]:
        shown = [part.side_by_side(i, j) for part in self._parts]
        return _stacked([left for left, _ in shown]), _stacked([right for _, right in shown])

    def large(self, i: int) -> str:
        return _stacked([part.large(i) for part in self._parts])

    def small(self, i: int) -> str:
        return "".join(part.small(i) for part in self._parts)

    def brief(self, i: int) -> str:
        return "".join(part.brief(i) for part in self._parts[:2])


def _stacked(parts: Sequence[str]) -> str:
    return f'<div class="mixed">{"".join(parts)}</div>'


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
