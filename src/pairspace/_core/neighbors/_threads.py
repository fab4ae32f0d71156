"""Threads of our own, as many as BLAS may use, which rests in the meantime.

A worker of joblib or Dask is given a share of the cores by a limit on the threads of BLAS. Threads
of ours keep to it, so that n workers do not start n times as many threads as there are cores.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from joblib import cpu_count  # as threadpoolctl, something that scikit-learn needs
from threadpoolctl import threadpool_info, threadpool_limits


@contextmanager
def own_threads() -> Iterator[ThreadPoolExecutor]:
    """Threads to work in; what they multiply is multiplied by one thread each."""
    n_threads = blas_threads()  # before it is told to rest
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(n_threads) as pool:
        yield pool


def blas_threads() -> int:
    """How many threads BLAS may use now."""
    limits = [found["num_threads"] for found in threadpool_info() if found["user_api"] == "blas"]
    return max(limits, default=int(cpu_count()))
