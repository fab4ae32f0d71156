"""One interface to files of all formats: column names, and blocks of rows."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pairspace._core.files import COMPRESSED, suffix_of
from pairspace.tool.files._arrays import NpySource, NpzSource
from pairspace.tool.files._arrow import FeatherSource, ParquetSource
from pairspace.tool.files._cells import Convention
from pairspace.tool.files._dialect import AS_SEEN, TextFormat
from pairspace.tool.files._text import TextSource

if TYPE_CHECKING:
    import pandas as pd


class Source(Protocol):
    """A file with columns."""

    columns: list[str]
    n_rows: int | None  # None: unknown until all rows are read
    notes: Sequence[str]  # on how the file was read
    convention: Convention  # how numbers are written in cells of text

    def blocks(
        self,
        size: int | None = None,
        columns: Collection[str] | None = None,
        as_text: Collection[str] = (),
    ) -> Iterator[pd.DataFrame]:
        """The rows in order, in one frame or in blocks.

        Parameters
        ----------
        size : int or None
            The largest number of rows in a block; None for one frame.
        columns : names, default=None
            The columns to read; by default all.
        as_text : names
            Columns to read as text (007 is not 7, NA is not missing): ids, labels and text.
        """
        ...


FORMATS: dict[str, Any] = {
    ".csv": TextSource,
    ".tsv": TextSource,
    ".txt": TextSource,
    ".parquet": ParquetSource,
    ".feather": FeatherSource,
    ".npy": NpySource,
    ".npz": NpzSource,
}
SUFFIXES = tuple(FORMATS)
TEXTS = tuple(suffix for suffix, kind in FORMATS.items() if kind is TextSource)


def open_source(path: str | os.PathLike[str], text: TextFormat = AS_SEEN) -> Source:
    """Open a file and read its column names; ``text`` says how a csv or tsv file is written."""
    path = Path(path)
    suffix = check_suffix(path)
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist")
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: name a file in it")
    _require_pandas()
    kind = FORMATS[suffix]
    source: Source = kind(path, *([text] if suffix in TEXTS else []))
    twice = sorted(name for name, n in Counter(source.columns).items() if n > 1)
    if twice:
        raise ValueError(f"{path} has several columns called {twice[0]!r}: rename them")
    return source


def read_as_written(path: str | os.PathLike[str], text: TextFormat = AS_SEEN) -> pd.DataFrame:
    """All rows of a file; of a csv or tsv file each cell as the text that it is."""
    source = open_source(path, text)
    is_text = suffix_of(Path(path)) in TEXTS
    (frame,) = source.blocks(as_text=source.columns if is_text else ())
    return frame


def check_suffix(path: Path) -> str:
    """The suffix of a data file; that of a text file may be followed by .gz, .bz2 or .xz."""
    suffix = suffix_of(path)
    if suffix not in FORMATS or (path.suffix.lower() in COMPRESSED and suffix not in TEXTS):
        hint = ": save the sheet as csv" if suffix in (".xls", ".xlsx", ".ods") else ""
        raise ValueError(
            f"{path}: a data file must be {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}; "
            f"got {path.suffix.lower()!r}{hint}"
        )
    return suffix


def _require_pandas() -> None:
    try:
        import pandas  # noqa: F401
        import pyarrow  # noqa: F401
    except ImportError:
        raise ImportError(
            "reading files needs pandas and pyarrow: pip install 'pairspace[frames]'"
        ) from None
