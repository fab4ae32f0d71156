"""Data in csv and tsv files."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

# Missing values in numeric columns; "?" is used by the UCI repository.
MISSING = ("", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "None", "?")


class TextSource:
    """A csv or tsv file with column names in its first line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._separator = "\t" if path.suffix.lower() == ".tsv" else ","
        self.columns = self._read_names()
        self.n_rows: int | None = None

    def blocks(
        self,
        size: int | None = None,
        columns: Collection[str] | None = None,
        as_text: Collection[str] = (),
    ) -> Iterator[pd.DataFrame]:
        import pandas as pd

        wanted = self.columns if columns is None else list(columns)
        # All columns are read: with a selection, pandas would accept lines that are too long.
        texts = [name for name in self.columns if name in as_text]
        options: dict[str, Any] = {
            "sep": self._separator,
            "names": self.columns,
            "header": 0,
            "dtype": dict.fromkeys(texts, str),
            "keep_default_na": False,
            "na_values": {name: [""] if name in texts else list(MISSING) for name in self.columns},
            "encoding": "utf-8-sig",
            "skipinitialspace": True,
        }
        try:
            if size is None:
                yield pd.read_csv(self._path, low_memory=False, **options)[wanted]
                return
            with pd.read_csv(self._path, chunksize=size, **options) as reader:
                for block in reader:
                    yield block[wanted]
        except UnicodeDecodeError:
            raise self._not_utf8() from None
        except pd.errors.ParserError as error:
            raise ValueError(f"{self._path} is damaged: {error}") from None

    def _read_names(self) -> list[str]:
        try:
            with open(self._path, encoding="utf-8-sig", newline="") as file:
                lines = csv.reader(file, delimiter=self._separator)
                names, first = next(lines, []), next(lines, [])
        except UnicodeDecodeError:
            raise self._not_utf8() from None
        names = [name.strip() for name in names]
        if not any(names):
            raise ValueError(f"{self._path} is empty: the first line must name the columns")
        if all(map(_is_number, names)):
            raise ValueError(
                f"{self._path}: the first line must name the columns; got {', '.join(names[:3])}, …"
            )
        for other in {";", "\t", ","} - {self._separator}:
            if len(names) == 1 and other in names[0]:
                raise ValueError(
                    f"{self._path}: the first line has {other!r} but no {self._separator!r}: "
                    "separate values by commas in a .csv file, by tabs in a .tsv file"
                )
        if len(first) > len(names):
            # pandas would use the first cells as row names.
            raise ValueError(
                f"{self._path}: the second line has {len(first)} cells, but the first line has "
                f"{len(names)} column names"
            )
        return names

    def _not_utf8(self) -> ValueError:
        return ValueError(f"{self._path} is not UTF-8 text: save it as UTF-8")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
