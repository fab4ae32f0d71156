"""Data in csv and tsv files."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairspace._core.files import open_maybe_compressed
from pairspace.tool.files._cells import Convention
from pairspace.tool.files._dialect import (
    AS_SEEN,
    MISSING,
    SEPARATORS,
    TextFormat,
    dialect_of,
    large_cells,
    not_decoded,
)

if TYPE_CHECKING:
    import pandas as pd

N_COUNTED = 1_000  # rows of which an unnamed first column must have the numbers
UNNAMED = ("", "Unnamed: 0", "__index_level_0__")


class TextSource:
    """A csv or tsv file with column names in its first line.

    An unnamed first column that counts the rows, as pandas writes its index, is left out.
    """

    def __init__(self, path: Path, given: TextFormat = AS_SEEN) -> None:
        self._path = path
        self._dialect = dialect_of(path, given)
        self.notes = list(self._dialect.notes)
        self._names = self._read_names()
        self.columns = [name for name in self._names if name is not None]
        self.n_rows: int | None = None

    @property
    def convention(self) -> Convention:
        """How numbers are written."""
        return self._dialect.convention

    def blocks(
        self,
        size: int | None = None,
        columns: Collection[str] | None = None,
        as_text: Collection[str] = (),
    ) -> Iterator[pd.DataFrame]:
        import pandas as pd

        wanted = self.columns if columns is None else list(columns)
        # All columns are read: with a selection, pandas would accept lines that are too long.
        names = [f"\0{at}" if name is None else name for at, name in enumerate(self._names)]
        texts = [name for name in names if name in as_text]
        options: dict[str, Any] = {
            "sep": self._dialect.separator,
            "names": names,
            "header": 0,
            "dtype": dict.fromkeys(texts, str),
            "keep_default_na": False,
            "na_values": {name: [""] if name in texts else list(MISSING) for name in names},
            "encoding": self._dialect.encoding,
            "decimal": self._dialect.convention.decimal,
            "skipinitialspace": True,
        }
        try:
            if size is None:
                yield pd.read_csv(self._path, low_memory=False, **options)[wanted]
                return
            with pd.read_csv(self._path, chunksize=size, **options) as reader:
                for block in reader:
                    yield block[wanted]
        except UnicodeError as error:
            raise not_decoded(self._path, self._dialect.encoding, error) from None
        except pd.errors.ParserError as error:
            raise ValueError(
                f"{self._path} is damaged, or its separator is not "
                f"{self._dialect.separator!r}, which --sep changes: {error}"
            ) from None

    def _read_names(self) -> list[str | None]:
        """The names of the columns; None for the column of row numbers."""
        path, separator = self._path, self._dialect.separator
        opened = open_maybe_compressed(path, "rt", encoding=self._dialect.encoding, newline="")
        with opened as file, large_cells():
            lines = csv.reader(file, delimiter=separator)
            names = [name.strip() for name in next(lines, [])]
            rows = [row for row, _ in zip(lines, range(N_COUNTED), strict=False) if row]
        if not any(names):
            raise ValueError(f"{path} is empty: the first line must name the columns")
        if all(map(_is_number, names)):
            raise ValueError(
                f"{path}: the first line must name the columns; got {', '.join(names[:3])}, …"
            )
        others = [each for each in SEPARATORS if len(names) == 1 and each in names[0]]
        if others:
            raise ValueError(
                f"{path}: the first line has {others[0]!r} but no {separator!r}: "
                f"give --sep {'tab' if others[0] == chr(9) else repr(others[0])}"
            )
        if rows and len(rows[0]) > len(names):
            # pandas would use the first cells as row names.
            raise ValueError(
                f"{path}: the second line has {len(rows[0])} cells, but the first line has "
                f"{len(names)} column names; if {separator!r} is not the separator, give --sep"
            )
        counts = [row[0].strip() for row in rows]
        start = next((n for n in (0, 1) if counts[:1] == [str(n)]), None)
        counting = start is not None and counts == [str(start + at) for at in range(len(counts))]
        if names[0] in UNNAMED and counting and len(names) > 1:
            self.notes.append("ignored the first column, which has no name and counts the rows")
            return [None, *map(_named, names[1:], range(2, len(names) + 1))]
        return list(map(_named, names, range(1, len(names) + 1)))


def _named(name: str, number: int) -> str:
    return name or f"unnamed_{number}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
