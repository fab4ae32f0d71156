"""Threads keep to what they were given, and leave BLAS as it was."""

import numpy as np
import pytest
from joblib import Parallel, cpu_count, delayed
from sklearn.datasets import load_digits
from threadpoolctl import threadpool_limits

from pairspace import BWDR, LPP
from pairspace._core.neighbors import _exact, nearest
from pairspace._core.neighbors._threads import blas_threads, own_threads


def used():
    with own_threads() as pool:
        return pool._max_workers, blas_threads()


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_as_many_threads_as_blas_may_use(limit):
    with threadpool_limits(limit, user_api="blas"):
        most = blas_threads()  # BLAS may have been built for fewer
        assert used() == (most, 1)
        assert blas_threads() == most


def test_a_worker_gets_its_share_of_the_cores():
    shares = Parallel(n_jobs=2)(delayed(used)() for _ in range(2))
    for own, of_blas in shares:
        assert own <= max(cpu_count() // 2, 1)
        assert of_blas == 1


def test_neighbours_are_the_same_with_any_number_of_threads(monkeypatch):
    monkeypatch.setattr(_exact, "PRODUCTS_FROM", 100)
    X = load_digits().data[:600]
    with threadpool_limits(1, user_api="blas"):
        one = nearest(X, 5)
    with threadpool_limits(2, user_api="blas"):
        np.testing.assert_array_equal(nearest(X, 5), one)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_fits_in_workers_are_fits(backend):
    X, y = load_digits(return_X_y=True)
    parts = [slice(0, 600), slice(600, 1200), slice(1200, None)]
    for method in (BWDR(), LPP()):
        wanted = [type(method)().fit(X[part] + 0.0, y[part]).components_ for part in parts]
        found = Parallel(n_jobs=2, backend=backend)(
            delayed(_components)(method, X[part], y[part]) for part in parts
        )
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-9)


def _components(method, X, y):
    return method.fit(X, y).components_
