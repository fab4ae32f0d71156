"""Data in parquet and feather files.

pyarrow's datasets read both, but read ahead: most of a large file would be in memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairspace.tool.files._cells import PLAIN

if TYPE_CHECKING:
    import pandas as pd

BUFFER = 2**20  # bytes of a column to read at once


class _ArrowSource:
    """The common part. Columns have types, so ``as_text`` is not needed."""

    columns: list[str]
    n_rows: int | None
    notes: tuple[str, ...] = ()
    convention = PLAIN

    def blocks(
        self,
        size: int | None = None,
        columns: Collection[str] | None = None,
        as_text: Collection[str] = (),
    ) -> Iterator[pd.DataFrame]:
        wanted = self.columns if columns is None else list(columns)
        parts = [self._read(wanted)] if size is None else self._batches(size, wanted)
        for part in parts:
            if part.num_rows or size is None:
                yield _flat(part.select(wanted)).to_pandas()

    def _read(self, columns: list[str]) -> Any:
        """All rows as a pyarrow table."""
        raise NotImplementedError

    def _batches(self, size: int, columns: list[str]) -> Iterator[Any]:
        """Batches of at most ``size`` rows."""
        raise NotImplementedError


def _flat(table: Any) -> Any:
    """The table with lists and records as text: everything else takes a cell for one value."""
    import pyarrow as pa

    if not any(pa.types.is_nested(column.type) for column in table.columns):
        return table
    columns = [
        pa.array([None if cell is None else str(cell) for cell in column.to_pylist()], pa.string())
        if pa.types.is_nested(column.type)
        else column
        for column in table.columns
    ]
    return type(table).from_arrays(columns, names=table.schema.names)


class ParquetSource(_ArrowSource):
    """A parquet file, read page by page."""

    def __init__(self, path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            self._file = pq.ParquetFile(path, buffer_size=BUFFER, pre_buffer=False)
        except pa.ArrowInvalid as error:
            raise _damaged(path, error) from None
        self.columns = self._file.schema_arrow.names
        self.n_rows = self._file.metadata.num_rows

    def _read(self, columns: list[str]) -> Any:
        return self._file.read(columns)

    def _batches(self, size: int, columns: list[str]) -> Iterator[Any]:
        yield from self._file.iter_batches(size, columns=columns, use_threads=False)


class FeatherSource(_ArrowSource):
    """A feather file, read batch by batch."""

    def __init__(self, path: Path) -> None:
        import pyarrow as pa
        import pyarrow.dataset

        try:
            self._file = pa.ipc.open_file(pa.memory_map(str(path)))
        except pa.ArrowInvalid as error:
            raise _damaged(path, error) from None
        self.columns = self._file.schema.names
        # The file's own interface counts rows only by reading them.
        self.n_rows = pyarrow.dataset.dataset(path, format="feather").count_rows()

    def _read(self, columns: list[str]) -> Any:
        return self._file.read_all()

    def _batches(self, size: int, columns: list[str]) -> Iterator[Any]:
        for number in range(self._file.num_record_batches):
            batch = self._file.get_batch(number)
            for start in range(0, batch.num_rows, size):
                yield batch.slice(start, size)


def _damaged(path: Path, error: Any) -> ValueError:
    return ValueError(f"{path} can't be read as a {path.suffix.lower()[1:]} file: {error}")
