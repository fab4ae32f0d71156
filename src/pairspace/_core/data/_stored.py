"""Rows of a table on a disk: anything with a shape, a dtype, and slices of rows."""

from __future__ import annotations

import mmap
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from pairspace._core.data._base import slices, working_bytes
from pairspace._core.data._blocks import BlockRows
from pairspace._core.data._lazy import require_finite
from pairspace._core.typing import Floats, Ints

MAX_BLOCK_BYTES = 64_000_000  # of rows in float64: larger blocks are not faster to read
GAP_BYTES = 64_000  # between two rows: smaller gaps are read through, larger ones skipped


def is_stored(X: Any) -> bool:
    """Whether X is a table that can be read by slices of rows: a memmap, a Zarr or HDF5 array."""
    if isinstance(X, np.ndarray):
        return isinstance(X, np.memmap) and X.ndim == 2
    if issparse(X) or not all(hasattr(X, name) for name in ("shape", "dtype", "__getitem__")):
        return False
    return isinstance(X.dtype, np.dtype) and len(X.shape) == 2


class StoredRows(BlockRows):
    """Rows that are read in blocks within the working memory."""

    def __init__(self, X: Any) -> None:
        super().__init__(X)
        self.shape = int(X.shape[0]), int(X.shape[1])
        self.dtype = np.dtype(np.float32 if X.dtype == np.float32 else np.float64)
        self._finite = False  # True after all rows have been read

    def fetch(self, rows: Ints) -> NDArray[Any]:
        found = np.empty((len(rows), self.shape[1]), dtype=self.dtype)
        chunk, start = rows // self._chunk, 0
        far = np.diff(rows) * self._row_bytes > GAP_BYTES
        ends = np.flatnonzero((chunk[1:] != chunk[:-1]) & far) + 1
        for stop in [*ends.tolist(), len(rows)]:
            for piece in _pieces(rows[start:stop], self._block_rows):
                first, last = piece[0], piece[-1]
                found[start : start + len(piece)] = self._read(first, last + 1)[piece - first]
                start += len(piece)
        return found

    def products(self) -> Floats:
        total = np.zeros((len(self), len(self)))
        for columns in slices(self.shape[1], self._block_bytes // (8 * len(self))):
            part = np.asarray(self._X[:, columns], dtype=np.float64) - self.mean[columns]
            total += part @ part.T
        return total

    def _blocks(self) -> Iterator[tuple[slice, NDArray[Any]]]:
        for rows in slices(len(self), self._block_rows):
            yield rows, self._read(rows.start, rows.stop)
            _release_pages(self._X)
        self._finite = True

    def _read(self, start: int, stop: int) -> NDArray[Any]:
        block = np.asarray(self._X[start:stop], dtype=self.dtype)
        if not self._finite:
            require_finite(block, start)
        return block

    @property
    def _block_bytes(self) -> int:
        return min(working_bytes() // 8, MAX_BLOCK_BYTES)  # copies in float64 need the rest

    @property
    def _row_bytes(self) -> int:
        return 8 * self.shape[1]

    @property
    def _block_rows(self) -> int:
        """The rows of a block: whole chunks if the table is stored in chunks."""
        n_rows = max(self._block_bytes // self._row_bytes, 1)
        return n_rows // self._chunk * self._chunk or n_rows

    @property
    def _chunk(self) -> int:
        """The rows of a stored chunk, which is always read as a whole."""
        chunks = getattr(self._X, "chunks", None)
        return int(chunks[0]) if chunks else 1


def _pieces(rows: Ints, at_most: int) -> Iterator[Ints]:
    """Ascending numbers, split so that each piece spans a limited number of rows."""
    while len(rows):
        n = int(np.searchsorted(rows, rows[0] + at_most))
        yield rows[:n]
        rows = rows[n:]


def _release_pages(X: Any) -> None:
    """Release the pages of a memmap; they stay in the file cache of the system.

    Otherwise they count as memory of this process until the system runs short of it.
    """
    # In other modes, pages may have changes that are not in the file.
    shared = isinstance(X, np.memmap) and X.mode in ("r", "r+")
    if shared and sys.platform == "linux":
        X._mmap.madvise(mmap.MADV_DONTNEED)
