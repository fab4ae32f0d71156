"""Rows whose blocks are read in this process, one after the other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pairspace._core.data._base import projected
from pairspace._core.data._lazy import LazyRows
from pairspace._core.typing import Floats

T = TypeVar("T")


class BlockRows(LazyRows):
    """Sums from a loop over the blocks."""

    @abstractmethod
    def _blocks(self) -> Iterator[tuple[slice, NDArray[Any]]]:
        """All rows, one block at a time."""

    def _sum(self, function: Callable[..., T], *by_row: NDArray[Any]) -> T:
        total: Any = None
        for rows, block in self._blocks():
            found = function(block, *(array[rows] for array in by_row))
            if total is None:
                total = found
            else:
                total += found
        return total

    def _each(self, function: Callable[..., NDArray[Any]], *by_row: NDArray[Any]) -> NDArray[Any]:
        whole: NDArray[Any] | None = None
        for rows, block in self._blocks():
            found = function(block, *(array[rows] for array in by_row))
            if whole is None:
                whole = np.empty((len(self), *found.shape[1:]), dtype=found.dtype)
            whole[rows] = found
        assert whole is not None  # a table has rows
        return whole

    def project(self, components: NDArray[Any], origin: NDArray[Any]) -> NDArray[Any]:
        return self._each(partial(projected, components=components, origin=origin))

    def map_rows(self, function: Callable[[Any], Floats], n_columns: int) -> Floats:
        return self._each(function)
