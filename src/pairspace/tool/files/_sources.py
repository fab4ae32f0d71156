"""Files of all formats, read alike: column names first, then frames of as many rows as wanted."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pairspace.tool.files._arrays import NpySource, NpzSource
from pairspace.tool.files._arrow import FeatherSource, ParquetSource
from pairspace.tool.files._text import TextSource

if TYPE_CHECKING:
    import pandas as pd


class Source(Protocol):
    """A file with columns."""

    columns: list[str]
    n_rows: int | None  # None: not known before all is read

    def blocks(
        self,
        size: int | None = None,
        columns: Collection[str] | None = None,
        as_text: Collection[str] = (),
    ) -> Iterator[pd.DataFrame]:
        """The rows in order, all at once or in blocks.

        Parameters
        ----------
        size : int or None
            As many rows at a time, or fewer.
        columns : names, default=None
            Those to read; by default all.
        as_text : names
            Columns in which 007 is not 7 and NA is not a missing value: ids, labels and text.
        """
        ...


FORMATS: dict[str, Any] = {
    ".csv": TextSource,
    ".tsv": TextSource,
    ".parquet": ParquetSource,
    ".feather": FeatherSource,
    ".npy": NpySource,
    ".npz": NpzSource,
}
SUFFIXES = tuple(FORMATS)


def open_source(path: str | os.PathLike[str]) -> Source:
    """The file, its column names read and nothing else."""
    path = Path(path)
    suffix = check_suffix(path)
    if not path.exists():
        raise FileNotFoundError(f"{path}: there is no such file")
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: give the file in it")
    _require_pandas()
    source: Source = FORMATS[suffix](path)
    twice = sorted({name for name in source.columns if source.columns.count(name) > 1})
    if twice:
        raise ValueError(f"{path}: the column {twice[0]!r} is there more than once: rename one")
    return source


def check_suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(
            f"{path}: data is kept in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}, not {suffix!r}"
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
