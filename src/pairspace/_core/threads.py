"""Threads of BLAS and OpenMP: how many there are, and one for many small problems.

The threads of an eigenproblem of a few hundred rows wait for each other longer than they work, and
while one BLAS waits, it slows down the other (NumPy and SciPy have one each).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy.linalg  # noqa: F401 (its BLAS must be loaded before it is looked for)
import scipy.linalg  # noqa: F401
from threadpoolctl import ThreadpoolController  # a dependency of scikit-learn


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let BLAS use one thread: put it around a loop, since each use takes some 20 µs."""
    with _controller().limit(limits=1, user_api="blas"):
        yield


@contextmanager
def one_thread() -> Iterator[None]:
    """Let BLAS and OpenMP use one thread."""
    with _controller().limit(limits=1):
        yield


@cache
def _controller() -> ThreadpoolController:
    """Looking for the libraries takes milliseconds, so it is done once."""
    return ThreadpoolController()
