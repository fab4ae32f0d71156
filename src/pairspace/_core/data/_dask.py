"""Rows spread over machines: the blocks of a Dask array, which are summed up where they are.

A sum is a tree: workers add up what workers found, so that a single result travels to this process.
What else is needed here are the rows that pairs join; they come with the first reading, whatever it
is for, and stay. The tasks are those of Dask itself, so that a block on a machine that goes away is
read again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse, vstack

from pairspace._core.data._base import Rows
from pairspace._core.data._dask_tasks import (
    About,
    Listed,
    added,
    computed,
    narrowed,
    project_block,
    read_block,
)
from pairspace._core.data._lazy import LazyRows
from pairspace._core.data._memory import rows_in_memory
from pairspace._core.typing import Floats, Ints

T = TypeVar("T")

MOST_BYTES = 2_200_000_000  # of a scatter matrix: 16,384 features
BRANCHES = 8  # of the tree: results that are added up by one task


def is_dask(X: Any) -> bool:
    """Whether X is an array, a frame or a column of Dask, which is not imported to find out."""
    return type(X).__module__.partition(".")[0] == "dask"


def dask_array(X: Any, *, count_rows: bool) -> Any:
    """A Dask array or frame as an array of floats, in blocks of whole rows.

    The rows of a frame are counted where their number matters, which may take a reading; those of
    an array must have been.
    """
    if hasattr(X, "to_dask_array"):
        X = X.to_dask_array(lengths=True if count_rows else None)
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead: shape={X.shape}")
    if np.isnan(X.shape[1]) or (count_rows and np.isnan(X.shape[0])):
        raise ValueError(
            f"the rows of X are not counted, its shape is {X.shape}: call X.compute_chunk_sizes() "
            "first, or make it from a frame with frame.to_dask_array(lengths=True)"
        )
    if len(X.chunks[1]) > 1:
        X = X.rechunk({1: -1})
    if X.dtype.kind in "fiub" and X.dtype not in (np.float32, np.float64):
        X = X.astype(np.float64)
    return X


def require_in_memory(estimator: object, X: Any) -> None:
    """Raise an error for a Dask table."""
    if is_dask(X):
        raise TypeError(
            f"{type(estimator).__name__} needs all rows in memory, and X is a Dask table: give it "
            "X.compute() or a sample of the rows. The linear methods read Dask tables where they "
            "are"
        )


class DaskRows(LazyRows):
    """Rows of a Dask array of floats, whose blocks are dense or CSR and as wide as X."""

    def __init__(self, X: Any) -> None:
        super().__init__(X)
        self._starts = np.cumsum([0, *X.chunks[0]])
        self._finite = False  # until all of it has been read
        self._expected = np.empty(0, dtype=np.int64)
        self._kept = np.empty(0, dtype=np.int64)
        self._kept_rows: Any = None

    def expect(self, rows: Ints, *, spread: bool) -> None:
        super().expect(rows, spread=spread)
        self._expected = np.union1d(self._expected, rows)

    def at_hand(self, rows: Ints) -> Rows | None:
        there = np.union1d(self._expected, self._kept)
        if not len(rows) or len(rows) > len(there) or not np.isin(rows, there).all():
            return None
        return rows_in_memory(self.fetch(rows))

    def brought_near(self) -> Rows:
        n_samples, n_features = self.shape
        if n_samples <= n_features:  # less than a scatter matrix would be
            self._expected = self._expected[:0]  # which therefore does not come along
            return rows_in_memory(self.fetch(np.arange(n_samples)))
        if 8 * n_features**2 > MOST_BYTES:
            raise ValueError(
                f"n_features={n_features} of a Dask table: each worker would hold a scatter matrix "
                f"of {8 * n_features**2 / 1e9:.1f} GB; make fewer of them, for example by "
                "X.map_blocks with a SparseRandomProjection, or fit a sample of rows in memory"
            )
        return self

    def fetch(self, rows: Ints) -> Any:
        missing = np.setdiff1d(rows, self._kept, assume_unique=True)
        if len(np.intersect1d(missing, self._expected, assume_unique=True)):
            _ = self.mean  # the reading for it, which has to be, brings them along
            missing = np.setdiff1d(rows, self._kept, assume_unique=True)
        if len(missing):
            self._read(None, (), missing)
        return self._kept_rows[np.searchsorted(self._kept, rows)]

    def _sum(self, part: Callable[..., T], *by_row: NDArray[Any]) -> T:
        return self._read(part, by_row, np.setdiff1d(self._expected, self._kept))

    def _each(self, part: Callable[..., NDArray[Any]], *by_row: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate(self._sum(Listed(part), *by_row))

    def products(self) -> Floats:
        return rows_in_memory(self.fetch(np.arange(len(self)))).products()

    def project(self, components: NDArray[Any], origin: NDArray[Any]) -> Any:
        """A Dask array, none of which is computed yet."""
        return self._X.map_blocks(
            project_block,
            components=components,
            origin=origin,
            dtype=self.dtype,
            chunks=(self._X.chunks[0], (len(components),)),
            meta=np.empty((0, 0), dtype=self.dtype),
        )

    def _read(self, part: Callable[..., Any] | None, by_row: Any, rows: Ints) -> Any:
        """One reading: the sum of a part of each block; some rows, by rising numbers, are kept.

        Without a part only the blocks that have such rows are read.
        """
        from dask.delayed import delayed

        told = self._told(by_row, rows, everywhere=part is not None)
        blocks = list(zip(self._tasks(told, part), told, strict=True))
        parts = [block[0] if len(about.rows) else block for block, about in blocks]
        kept = [block[1] for block, about in blocks if len(about.rows)]
        add = delayed(added, pure=False)
        while len(parts) > 1 and part is not None:
            parts = [add(parts[i : i + BRANCHES]) for i in range(0, len(parts), BRANCHES)]
        total, *kept = computed([parts[0], *kept])
        self._finite = self._finite or part is not None
        if kept:
            self._keep(rows, kept)
        return total

    def _told(self, by_row: Any, rows: Ints, *, everywhere: bool) -> list[About]:
        """About the blocks that are to be read."""
        ends = np.searchsorted(rows, self._starts)
        told = []
        for at, (start, stop) in enumerate(pairwise(self._starts.tolist())):
            of_block = rows[ends[at] : ends[at + 1]] - start
            if start < stop and (everywhere or len(of_block)):
                entries = tuple(narrowed(array[start:stop]) for array in by_row)
                told.append(About(at, not self._finite, of_block, entries))
        return told

    def _tasks(self, told: list[About], part: Callable[..., Any] | None) -> list[Any]:
        """A task for each block, as a layer on the array.

        As such Dask makes it one with the tasks that load the block, which then can't be sent to a
        worker that happens to have nothing else to do.
        """
        from dask.array import Array
        from dask.highlevelgraph import HighLevelGraph

        name = f"read-{uuid4().hex}"
        tasks: Any = {
            (name, at, 0): (
                partial(read_block, about=about, part=part),
                (self._X.name, about.number, 0),
            )
            for at, about in enumerate(told)
        }
        graph = HighLevelGraph.from_collections(name, tasks, dependencies=[self._X])
        chunks = ((1,) * len(told), (1,))
        layer: Any = Array(graph, name, chunks, dtype=object)  # type: ignore[no-untyped-call]
        return list(layer.to_delayed().ravel())

    def _keep(self, rows: Ints, blocks: list[Any]) -> None:
        numbers = np.concatenate([self._kept, rows])
        if self._kept_rows is not None:
            blocks = [self._kept_rows, *blocks]
        table = vstack(blocks, format="csr") if issparse(blocks[0]) else np.concatenate(blocks)
        order = np.argsort(numbers)
        self._kept, self._kept_rows = numbers[order], table[order]
