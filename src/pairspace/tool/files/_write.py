"""Writing of tables block by block; a file is replaced only when it is complete."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pairspace._core.files import replacing

if TYPE_CHECKING:
    import pandas as pd


class _Writer(Protocol):
    def write(self, frame: pd.DataFrame) -> None: ...
    def close(self) -> None: ...


# A spreadsheet runs a cell as a formula if it begins with one of these.
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def without_formulas(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with an apostrophe before texts and names that a spreadsheet would run."""

    def quoted(cell: Any) -> Any:
        return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell

    frame = frame.rename(columns=quoted)
    for name in _texts(frame):
        frame[name] = frame[name].map(quoted)
    return frame


def _texts(frame: pd.DataFrame) -> list[str]:
    return [str(name) for name, kind in frame.dtypes.items() if kind.kind not in "fiub"]


def _has_returns(frame: pd.DataFrame) -> bool:
    cells = (cell for name in _texts(frame) for cell in frame[name])
    return any("\r" in cell for cell in (*frame.columns, *cells) if isinstance(cell, str))


class _Text:
    def __init__(self, path: Path, separator: str, safe: bool) -> None:
        self._file = open(path, "w", encoding="utf-8", newline="")  # noqa: SIM115 (see close)
        self._separator = separator
        self._header = True
        self._safe = safe

    def write(self, frame: pd.DataFrame) -> None:
        if self._safe:
            frame = without_formulas(frame)
        # By itself, csv does not quote a carriage return, and a reader begins a new row at it.
        frame.to_csv(
            self._file,
            sep=self._separator,
            index=False,
            header=self._header,
            quoting=csv.QUOTE_NONNUMERIC if _has_returns(frame) else csv.QUOTE_MINIMAL,
        )
        self._header = False

    def close(self) -> None:
        self._file.close()


class _Arrow:
    """Parquet or feather; the first block determines the types."""

    def __init__(self, path: Path, kind: str) -> None:
        self._path, self._kind = path, kind
        self._writer: Any = None

    def write(self, frame: pd.DataFrame) -> None:
        import pyarrow as pa
        import pyarrow.parquet

        if self._writer is None:
            table = pa.Table.from_pandas(frame, preserve_index=False)
            open_writer = (
                pyarrow.parquet.ParquetWriter if self._kind == "parquet" else pa.ipc.new_file
            )
            self._schema = table.schema
            self._writer = open_writer(str(self._path), self._schema)
        else:
            table = pa.Table.from_pandas(frame, schema=self._schema, preserve_index=False)
        self._writer.write_table(table)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


class _Npy:
    """An npy file; its header is rewritten at the end, when the number of rows is known."""

    def __init__(self, path: Path) -> None:
        self._file = open(path, "wb")  # noqa: SIM115 (see close)
        self._n_rows = 0
        self._head: dict[str, Any] = {}

    def write(self, frame: pd.DataFrame) -> None:
        block = frame.to_numpy()
        if not self._head:
            self._head = {"descr": block.dtype.str, "fortran_order": False}
            self._write_head(block.shape[1])
        block = block.astype(self._head["descr"], order="C", copy=False)
        self._file.write(block.data)
        self._n_rows += len(block)
        self._width = block.shape[1]

    def close(self) -> None:
        if self._head:
            length = self._length
            self._file.seek(0)
            self._write_head(self._width)
            # NumPy leaves room for this in the header of every file.
            assert self._length == length, "the header of the npy file has grown"
        self._file.close()

    def _write_head(self, width: int) -> None:
        head = self._head | {"shape": (self._n_rows, width)}
        np.lib.format.write_array_header_1_0(self._file, head)
        self._length = self._file.tell()


OUTPUTS = (".csv", ".tsv", ".parquet", ".feather", ".npy")


def check_output_format(path: str | os.PathLike[str]) -> str:
    suffix = Path(path).suffix.lower()
    if suffix not in OUTPUTS:
        raise ValueError(
            f"{path}: the output must be {', '.join(OUTPUTS[:-1])} or {OUTPUTS[-1]}; got {suffix!r}"
        )
    return suffix


def write_blocks(
    path: str | os.PathLike[str], blocks: Iterable[pd.DataFrame], *, safe_csv: bool = False
) -> int:
    """Write frames with the same columns one below the other, and return the number of rows.

    With ``safe_csv``, no cell of a csv or tsv file is a formula for a spreadsheet.
    """
    suffix = check_output_format(path)
    n_rows = 0
    with replacing(path) as temporary:
        writer: _Writer
        if suffix in (".csv", ".tsv"):
            writer = _Text(temporary, "," if suffix == ".csv" else "\t", safe_csv)
        elif suffix == ".npy":
            writer = _Npy(temporary)
        else:
            writer = _Arrow(temporary, suffix[1:])
        try:
            for block in blocks:
                writer.write(block)
                n_rows += len(block)
        finally:
            writer.close()
        if not n_rows:
            raise ValueError(f"{path} was not written: there are no rows")
    return n_rows
