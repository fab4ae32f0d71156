"""What the workers of Dask do with a block of rows."""

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


class About(NamedTuple):
    """What a task is told about its block."""

    number: int
    check: bool
    rows: Ints
    by_row: tuple[NDArray[Any], ...]


class Listed:
    """A part as a list of one, so that the parts add up to the list of them all."""

    def __init__(self, part: Callable[..., Any]) -> None:
        self._part = part

    def __call__(self, *arguments: Any) -> list[Any]:
        return [self._part(*arguments)]


def read_block(block: Any, about: About, part: Callable[..., Any] | None) -> Any:
    """A part of a block, and its rows that are to be kept if there are any."""
    if issparse(block):
        block = csr_array(block)
    if about.check:
        require_finite(block, of=f" of block {about.number}")
    found = None if part is None else part(block, *map(_widened, about.by_row))
    return (found, block[about.rows]) if len(about.rows) else found


def project_block(
    block: Any, components: NDArray[Any], origin: NDArray[Any], block_id: tuple[int, ...]
) -> NDArray[Any]:
    require_finite(block, of=f" of block {block_id[0]}")
    return projected(block, components, origin)


def added(parts: list[Any]) -> Any:
    """Their sum. None of them is changed, for a worker may be asked for it again."""
    if len(parts) == 1:
        return parts[0]
    total = parts[0] + parts[1]
    for part in parts[2:]:
        total += part
    return total


def computed(tasks: list[Any]) -> list[Any]:
    from dask.base import compute

    with warnings.catch_warnings():
        # Labels are part of the graph, so that they are not lost with a worker.
        warnings.filterwarnings("ignore", "Sending large graph")
        return list(compute(*tasks))  # type: ignore[no-untyped-call]


def narrowed(array: NDArray[Any]) -> NDArray[Any]:
    """Integers in as few bytes as they fit, for they are sent with the tasks."""
    if array.dtype.kind != "i":
        return array
    low, high = (np.min_scalar_type(end) for end in (array.min(), array.max()))
    return array.astype(np.promote_types(low, high))


def _widened(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(np.int64) if array.dtype.kind in "iu" else array
