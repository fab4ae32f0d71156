"""Small eigenproblems get one thread of BLAS."""

import numpy as np
from threadpoolctl import threadpool_limits

from pairspace import AutoReducer, Constraints, PairSpace
from pairspace._core import threads
from pairspace._core.linalg import _mixtures
from pairspace._core.threads import one_blas_thread


def blas_threads():
    """Of the BLAS of NumPy and of SciPy; other libraries may have loaded more."""
    return {
        each["num_threads"] for each in threads._controller().info() if each["user_api"] == "blas"
    }


def test_one_thread_inside_and_as_many_as_before_after():
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        with one_blas_thread():
            assert blas_threads() == {1}
        assert blas_threads() == before


def test_the_weighting_of_pair_space_uses_one_thread(monkeypatch):
    seen = set()
    solve = _mixtures.some_smallest

    def counted(*arguments):
        seen.update(blas_threads())
        return solve(*arguments)

    monkeypatch.setattr(_mixtures, "some_smallest", counted)
    random = np.random.default_rng(0)
    y = np.arange(120) % 3
    X = random.normal(size=(120, 5)) + y[:, None]
    answers = Constraints.from_labels(y, n_pairs=60, random_state=0)
    with threadpool_limits(2, user_api="blas"):
        PairSpace(2, teacher=None, random_state=0).fit(X, answers)
        assert seen == {1}
        AutoReducer(2, candidates=["PairSpace"], random_state=0).fit(X, answers)
        assert seen == {1}
