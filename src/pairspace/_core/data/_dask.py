"""Rows of a Dask array, which are summed up by its workers.

A sum is a tree of tasks: workers add up the results of workers, and a single result is sent to the
client. The rows of pairs are sent with the first reading and kept. All tasks are Dask tasks, so
that Dask repeats them if a worker is lost.
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
    AsList,
    BlockTask,
    added,
    computed,
    coordinates_block,
    gram_block,
    map_block,
    narrowed,
    project_block,
    read_block,
)
from pairspace._core.data._lazy import LazyRows
from pairspace._core.data._memory import rows_in_memory
from pairspace._core.typing import Floats, Ints

T = TypeVar("T")

MAX_SCATTER_BYTES = 2_200_000_000  # of a scatter matrix: 16,384 features
BRANCHES = 8  # results that one task of the tree adds up


def is_dask(X: Any) -> bool:
    """Whether X is an array, a frame or a column of Dask. Dask is not imported for it."""
    return type(X).__module__.partition(".")[0] == "dask"


def dask_array(X: Any, *, count_rows: bool) -> Any:
    """A Dask array or frame as an array of floats, in blocks of whole rows.

    With ``count_rows`` the rows of a frame are counted, which may take a reading. The chunk sizes
    of an array must be known.
    """
    if hasattr(X, "to_dask_array"):
        X = X.to_dask_array(lengths=True if count_rows else None)
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead: shape={X.shape}")
    if np.isnan(X.shape[1]) or (count_rows and np.isnan(X.shape[0])):
        raise ValueError(
            f"the chunk sizes of X are unknown, shape={X.shape}: call X.compute_chunk_sizes() "
            "first, or convert a frame with frame.to_dask_array(lengths=True)"
        )
    if len(X.chunks[1]) > 1:
        # Whole rows of blocks as high as these might be too large for a worker.
        height = None if np.isnan(X.shape[0]) else "auto"
        X = X.rechunk({0: height, 1: -1})
    if X.dtype.kind in "fiub" and X.dtype not in (np.float32, np.float64):
        X = X.astype(np.float64)
    return X


def require_in_memory(estimator: object, X: Any) -> None:
    """Raise an error for a Dask table."""
    if is_dask(X):
        raise TypeError(
            f"{type(estimator).__name__} needs all rows in memory, but X is a Dask table: pass "
            "X.compute() or a sample of the rows. Only linear methods take Dask tables"
        )


class DaskRows(LazyRows):
    """Rows of a Dask array of floats. Blocks are dense or CSR and have all columns."""

    def __init__(self, X: Any) -> None:
        super().__init__(X)
        self.sparse = issparse(X._meta)
        self._starts = np.cumsum([0, *X.chunks[0]])
        self._finite = False  # True after all rows have been read
        self._planned = np.empty(0, dtype=np.int64)
        self._kept = np.empty(0, dtype=np.int64)
        self._kept_rows: Any = None
        self._planned_spread = True

    def prefetch(self, rows: Ints, *, spread: bool) -> None:
        # Rows that are too wide are read for their mean first, the rest along directions.
        super().prefetch(rows, spread=spread and not self.too_wide)
        self._planned_spread = spread
        self._planned = np.union1d(self._planned, rows)

    def subset_in_memory(self, rows: Ints) -> Rows | None:
        available = np.union1d(self._planned, self._kept)
        if not len(rows) or len(rows) > len(available) or not np.isin(rows, available).all():
            return None
        return rows_in_memory(self.fetch(rows))

    def in_memory_if_small(self) -> Rows:
        n_samples, n_features = self.shape
        if n_samples <= n_features:  # smaller than a scatter matrix
            self._planned = self._planned[:0]  # all rows are fetched here
            return rows_in_memory(self.fetch(np.arange(n_samples)))
        return self

    @property
    def too_wide(self) -> bool:
        """Whether a scatter matrix would be too large for a worker."""
        return 8 * self.shape[1] ** 2 > MAX_SCATTER_BYTES

    def gram_times(self, vectors: Floats) -> Floats:
        """The scatter matrix times some vectors, from one reading, without the matrix."""
        mean = self.mean
        # As a task, the vectors are sent to each worker once.
        return self._added(self._mapped(gram_block, _task_of(vectors), mean, mean @ vectors))

    def along(self, directions: Floats) -> DaskRows:
        """The centred rows along some directions, which are read in the same blocks.

        What was planned to be read next is planned for these rows.
        """
        origin = self.mean @ directions
        coordinates = self._mapped(
            coordinates_block,
            _task_of(directions),
            origin,
            dtype=np.float64,
            chunks=(self._X.chunks[0], (directions.shape[1],)),
            meta=np.empty((0, 0)),
        )
        rows = DaskRows(coordinates)
        rows.mean = np.zeros(directions.shape[1])
        rows.prefetch(self._planned, spread=self._planned_spread)
        return rows

    def _mapped(self, function: Callable[..., Any], *arguments: Any, **kind: Any) -> Any:
        """A function of each block: by default a sum, for ``_added``."""
        sums = {"dtype": object, "chunks": ((1,) * self._X.numblocks[0], (1,))}
        kind = kind or sums | {"meta": np.empty((0, 0), dtype=object)}
        return self._X.map_blocks(function, *arguments, **kind)

    def _added(self, sums: Any) -> Any:
        return computed([_tree(list(sums.to_delayed().ravel()))])[0]

    def fetch(self, rows: Ints) -> Any:
        missing = np.setdiff1d(rows, self._kept, assume_unique=True)
        if len(np.intersect1d(missing, self._planned, assume_unique=True)):
            _ = self.mean  # needed anyway: its reading keeps the planned rows
            missing = np.setdiff1d(rows, self._kept, assume_unique=True)
        if len(missing):
            self._read(None, (), missing)
        return self._kept_rows[np.searchsorted(self._kept, rows)]

    def _sum(self, function: Callable[..., T], *by_row: NDArray[Any]) -> T:
        return self._read(function, by_row, np.setdiff1d(self._planned, self._kept))

    def _each(self, function: Callable[..., NDArray[Any]], *by_row: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate(self._sum(AsList(function), *by_row))

    def products(self) -> Floats:
        return rows_in_memory(self.fetch(np.arange(len(self)))).products()

    def project(self, components: NDArray[Any], origin: NDArray[Any]) -> Any:
        """A lazy Dask array."""
        return self._X.map_blocks(
            project_block,
            components=components,
            origin=origin,
            dtype=self.dtype,
            chunks=(self._X.chunks[0], (len(components),)),
            meta=np.empty((0, 0), dtype=self.dtype),
        )

    def map_rows(self, function: Callable[[Any], Floats], n_columns: int) -> Any:
        """A lazy Dask array."""
        return self._X.map_blocks(
            map_block,
            function=function,
            dtype=np.float64,
            chunks=(self._X.chunks[0], (n_columns,)),
            meta=np.empty((0, 0)),
        )

    def _read(self, function: Callable[..., Any] | None, by_row: Any, rows: Ints) -> Any:
        """Read the blocks once: sum the results of a function, and keep some rows (ascending).

        Without a function, only the blocks with such rows are read.
        """
        tasks = self._block_tasks(by_row, rows, all_blocks=function is not None)
        blocks = list(zip(self._delayed(tasks, function), tasks, strict=True))
        results = [block[0] if len(task.rows) else block for block, task in blocks]
        kept = [block[1] for block, task in blocks if len(task.rows)]
        total, *kept = computed([results[0] if function is None else _tree(results), *kept])
        self._finite = self._finite or function is not None
        if kept:
            self._keep(rows, kept)
        return total

    def _block_tasks(self, by_row: Any, rows: Ints, *, all_blocks: bool) -> list[BlockTask]:
        """The tasks of all blocks, or of those with some of the rows."""
        ends = np.searchsorted(rows, self._starts)
        tasks = []
        for at, (start, stop) in enumerate(pairwise(self._starts.tolist())):
            of_block = rows[ends[at] : ends[at + 1]] - start
            if start < stop and (all_blocks or len(of_block)):
                entries = tuple(narrowed(array[start:stop]) for array in by_row)
                tasks.append(BlockTask(at, not self._finite, of_block, entries))
        return tasks

    def _delayed(self, tasks: list[BlockTask], function: Callable[..., Any] | None) -> list[Any]:
        """A delayed result for each block, as a layer of the graph of the array.

        Dask fuses such a layer with the tasks that load the blocks, so that no block is sent to
        another worker.
        """
        from dask.array import Array
        from dask.highlevelgraph import HighLevelGraph

        name = f"read-{uuid4().hex}"
        layer: Any = {
            (name, at, 0): (
                partial(read_block, task=task, function=function),
                (self._X.name, task.number, 0),
            )
            for at, task in enumerate(tasks)
        }
        graph = HighLevelGraph.from_collections(name, layer, dependencies=[self._X])
        chunks = ((1,) * len(tasks), (1,))
        results: Any = Array(graph, name, chunks, dtype=object)  # type: ignore[no-untyped-call]
        return list(results.to_delayed().ravel())

    def _keep(self, rows: Ints, blocks: list[Any]) -> None:
        numbers = np.concatenate([self._kept, rows])
        if self._kept_rows is not None:
            blocks = [self._kept_rows, *blocks]
        table = vstack(blocks, format="csr") if issparse(blocks[0]) else np.concatenate(blocks)
        order = np.argsort(numbers)
        self._kept, self._kept_rows = numbers[order], table[order]


def _task_of(array: NDArray[Any]) -> Any:
    from dask.delayed import delayed

    return delayed(array, pure=False)  # its content need not be hashed


def _tree(results: list[Any]) -> Any:
    """The sum of delayed results, as a tree of tasks."""
    from dask.delayed import delayed

    add = delayed(added, pure=False)
    while len(results) > 1:
        results = [add(results[i : i + BRANCHES]) for i in range(0, len(results), BRANCHES)]
    return results[0]
