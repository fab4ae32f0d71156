"""A thread pool with as many threads as BLAS may use.

joblib and Dask give each worker a share of the cores by limiting the threads of BLAS. The pool
keeps to this limit, so that n workers do not start n times as many threads as there are cores.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from joblib import cpu_count  # joblib and threadpoolctl are dependencies of scikit-learn
from threadpoolctl import threadpool_info, threadpool_limits


@contextmanager
def own_threads() -> Iterator[ThreadPoolExecutor]:
    """A thread pool, in which each BLAS call uses one thread."""
    n_threads = blas_threads()  # before the limit below
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(n_threads) as pool:
        yield pool


def blas_threads() -> int:
    """The number of threads that BLAS may use now."""
    limits = [found["num_threads"] for found in threadpool_info() if found["user_api"] == "blas"]
    return max(limits, default=int(cpu_count()))
