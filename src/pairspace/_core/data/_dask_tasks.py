"""The tasks of Dask workers on a block of rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from pairspace._core.data._base import projected
from pairspace._core.data._lazy import require_finite
from pairspace._core.typing import Ints


class BlockTask(NamedTuple):
    """A block to read."""

    number: int  # of the block
    check: bool  # for NaN and infinity
    rows: Ints  # of the block, to be kept
    by_row: tuple[NDArray[Any], ...]  # arguments with one entry for each row


class AsList:
    """A function whose result is put into a list, so that a sum concatenates the results."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *arguments: Any) -> list[Any]:
        return [self._function(*arguments)]


def read_block(block: Any, task: BlockTask, function: Callable[..., Any] | None) -> Any:
    """The result of a function of the block, and the rows to be kept if there are any."""
    if issparse(block):
        block = csr_array(block)
    if task.check:
        require_finite(block, of=f" of block {task.number}")
    found = None if function is None else function(block, *map(_widened, task.by_row))
    return (found, block[task.rows]) if len(task.rows) else found


def project_block(
    block: Any, components: NDArray[Any], origin: NDArray[Any], block_id: tuple[int, ...]
) -> NDArray[Any]:
    require_finite(block, of=f" of block {block_id[0]}")
    return projected(block, components, origin)


def map_block(
    block: Any, function: Callable[[Any], NDArray[Any]], block_id: tuple[int, ...]
) -> NDArray[Any]:
    require_finite(block, of=f" of block {block_id[0]}")
    return function(block)


def gram_block(
    block: Any, vectors: NDArray[Any], mean: NDArray[Any], origin: NDArray[Any]
) -> NDArray[Any]:
    """XᵀX·vectors of the centred rows of a block, as part of the sum over all blocks."""
    if issparse(block):  # uncentred on the left: the products on the right add up to zero
        return np.asarray(block.T @ (block @ vectors - origin))
    block = np.subtract(block, mean, dtype=np.float64)
    return np.asarray(block.T @ (block @ vectors))


def coordinates_block(
    block: Any, directions: NDArray[Any], origin: NDArray[Any]
) -> NDArray[np.float64]:
    return np.asarray(block @ directions - origin, dtype=np.float64)


def added(results: list[Any]) -> Any:
    """The sum. No result is changed, as Dask may use it again."""
    if len(results) == 1:
        return results[0]
    total = results[0] + results[1]
    for result in results[2:]:
        total += result
    return total


def computed(tasks: list[Any]) -> list[Any]:
    from dask.base import compute

    with warnings.catch_warnings():
        # Labels are part of the graph, so that a lost worker does not lose them.
        warnings.filterwarnings("ignore", "Sending large graph")
        return list(compute(*tasks))  # type: ignore[no-untyped-call]


def narrowed(array: NDArray[Any]) -> NDArray[Any]:
    """Integers in as few bytes as possible, as they are sent with the tasks."""
    if array.dtype.kind != "i":
        return array
    low, high = (np.min_scalar_type(end) for end in (array.min(), array.max()))
    return array.astype(np.promote_types(low, high))


def _widened(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(np.int64) if array.dtype.kind in "iu" else array
