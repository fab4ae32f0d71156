"""Data in parquet and feather files.

pyarrow's datasets read both, but ahead of what is asked for: of a large file most was in memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

BUFFER = 2**20  # bytes of a column that are read at once


class ParquetSource:
    """A parquet file, read page by page."""

    def __init__(self, path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            self._file = pq.ParquetFile(path, buffer_size=BUFFER, pre_buffer=False)
        except pa.ArrowInvalid as error:
            raise _damaged(path, error) from None
        self.columns: list[str] = self._file.schema_arrow.names
        self.n_rows: int | None = self._file.metadata.num_rows

    def blocks(
        self,
        size: int | None = None,
        columns: Collection[str] | None = None,
        as_text: Collection[str] = (),
    ) -> Iterator[pd.DataFrame]:
        wanted = self.columns if columns is None else list(columns)
        if size is None:
            yield self._file.read(wanted).select(wanted).to_pandas()
            return
        for batch in self._file.iter_batches(size, columns=wanted, use_threads=False):
            if batch.num_rows:
                yield batch.select(wanted).to_pandas()


class FeatherSource:
    """A feather file, which has its rows in batches."""

    def __init__(self, path: Path) -> None:
        import pyarrow as pa
        import pyarrow.dataset

        try:
            self._file = pa.ipc.open_file(pa.memory_map(str(path)))
        except pa.ArrowInvalid as error:
            raise _damaged(path, error) from None
        self.columns: list[str] = self._file.schema.names
        # The file's own interface does not tell without reading it.
        rows = pyarrow.dataset.dataset(path, format="feather")
        self.n_rows: int | None = rows.count_rows()

    def blocks(
        self,
        size: int | None = None,
        columns: Collection[str] | None = None,
        as_text: Collection[str] = (),
    ) -> Iterator[pd.DataFrame]:
        wanted = self.columns if columns is None else list(columns)
        if size is None:
            yield self._file.read_all().select(wanted).to_pandas()
            return
        for number in range(self._file.num_record_batches):
            batch = self._file.get_batch(number).select(wanted)
            for start in range(0, batch.num_rows, size):
                yield batch.slice(start, size).to_pandas()


def _damaged(path: Path, error: Any) -> ValueError:
    return ValueError(f"{path} can't be read as a {path.suffix.lower()[1:]} file: {error}")
