"""What the tests do to the blocks of a Dask array: functions that workers can import."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def counted(X: Any, log: Path) -> Any:
    """X, each of whose blocks leaves its number in a file whenever it is read."""
    return X.map_blocks(_count, str(log), dtype=X.dtype, meta=X._meta)


def deadly(X: Any, at: int, marker: Path) -> Any:
    """X, one block of which kills the worker that reads it, the first time."""
    return X.map_blocks(_kill_once, at, str(marker), dtype=X.dtype, meta=X._meta)


def _count(block: NDArray[Any], log: str, block_id: Any = None) -> NDArray[Any]:
    file = os.open(log, os.O_CREAT | os.O_APPEND | os.O_WRONLY)
    os.write(file, f"{block_id[0]}\n".encode())
    os.close(file)
    return block


def _kill_once(block: NDArray[Any], at: int, marker: str, block_id: Any = None) -> NDArray[Any]:
    if block_id[0] == at:
        try:
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return block
        os.kill(os.getpid(), signal.SIGKILL)
    return block


def readings(log: Path) -> NDArray[np.int64]:
    """How often each block was read."""
    return np.bincount(np.loadtxt(log, dtype=np.int64, ndmin=1))
