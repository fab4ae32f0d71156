"""The door for tables: what is refused, and what a sparse matrix becomes."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import clone

from estimators import LINEAR, MANIFOLD
from pairspace import AutoReducer, KernelKMeans, SKKMeans
from pairspace._core.data import read_table
from pairspace.active import PairQuestions
from pairspace.metrics import cumulative_purity, pair_auc

X = np.random.default_rng(0).normal(size=(20, 4))
Y = np.arange(20) % 2
DATES = pd.date_range("2020-01-01", periods=20)
ALL = [*LINEAR, *MANIFOLD, KernelKMeans(2), SKKMeans(2), AutoReducer(random_state=0)]


def with_dates(kind):
    if kind == "array":
        return X.astype("int64").astype("datetime64[D]")
    if kind == "durations":
        return X.astype("int64").astype("timedelta64[s]")
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["b"] = DATES.tz_localize("UTC") if kind == "time zone" else DATES
    return pl.from_pandas(frame) if kind == "polars" else frame


@pytest.mark.parametrize("kind", ["array", "durations", "frame", "time zone", "polars"])
def test_dates_are_refused(kind):
    with pytest.raises(ValueError, match=r"X must be numbers, but .*(column 'b'|type is)"):
        read_table(with_dates(kind))


@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("kind", ["array", "frame"])
def test_no_estimator_takes_dates(estimator, kind):
    with pytest.raises(ValueError, match="X must be numbers"):
        clone(estimator).fit(with_dates(kind), Y)


@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("scale", [1e-300, 1e-90, 1e90, 1e300])
@pytest.mark.parametrize("make", [np.asarray, csr_array])
def test_values_that_can_not_be_squared_are_refused_without_a_warning(estimator, scale, make):
    size = "large" if scale > 1 else "small"
    with pytest.raises(ValueError, match=f"X has values too {size} to square; scale the columns"):
        clone(estimator).fit(make(X * scale), Y)


@pytest.mark.parametrize("scale", [1e-90, 1e90])
def test_metrics_and_questions_refuse_them_too(scale):
    for call in (pair_auc, cumulative_purity, lambda X, y: PairQuestions(X)):
        with pytest.raises(ValueError, match="to square"):
            call(X * scale, Y)


@pytest.mark.filterwarnings("ignore:the graph has")
@pytest.mark.parametrize("estimator", [*LINEAR, *MANIFOLD], ids=lambda e: type(e).__name__)
def test_small_rows_are_transformed(estimator):
    """Rows near 0 are no data to learn from, but there is nothing wrong with them."""
    fitted = clone(estimator).fit(X, Y)
    near, zero = fitted.transform(X[:1] * 1e-200), fitted.transform(X[:1] * 0)
    np.testing.assert_allclose(near, zero, atol=1e-9)


def test_infinities_of_both_signs_are_named():
    data = X.copy()
    data[0, 0], data[1, 1] = np.inf, -np.inf
    with pytest.raises(ValueError, match="contains infinity"):
        read_table(data)


# ---- Sparse matrices ---------------------------------------------------------------------------


def sparse_of(kind):
    data = X * (np.abs(X) > 0.8)
    A = csr_array(data)
    if kind == "64 bit":
        A.indices, A.indptr = A.indices.astype(np.int64), A.indptr.astype(np.int64)
    elif kind == "read-only":
        for part in (A.data, A.indices, A.indptr):
            part.flags.writeable = False
    elif kind == "unsorted":
        A.indices, A.data = A.indices.copy(), A.data.copy()
        for start, stop in zip(A.indptr[:-1], A.indptr[1:], strict=True):
            A.indices[start:stop] = A.indices[start:stop][::-1].copy()
            A.data[start:stop] = A.data[start:stop][::-1].copy()
        A.has_sorted_indices = False
    elif kind == "duplicates":
        indices, values = np.repeat(A.indices, 2), np.repeat(A.data / 2, 2)
        A = csr_array((values, indices, 2 * A.indptr), shape=A.shape)
    elif kind == "matrix":
        A = csr_matrix(data)
    return A, data


@pytest.mark.parametrize("kind", ["64 bit", "read-only", "unsorted", "duplicates", "matrix"])
@pytest.mark.parametrize(
    "estimator", [KernelKMeans(2, random_state=0), SKKMeans(2, random_state=0)]
)
def test_sparse_matrices_of_every_kind_are_clustered(estimator, kind):
    A, data = sparse_of(kind)
    before = A.indices.copy(), A.data.copy()
    found = clone(estimator).fit(A, Y).labels_
    np.testing.assert_array_equal(found, clone(estimator).fit(data, Y).labels_)
    np.testing.assert_array_equal(A.indices, before[0])
    np.testing.assert_array_equal(A.data, before[1])


def test_a_matrix_that_is_more_than_half_full_becomes_an_array():
    assert isinstance(read_table(csr_array(X)), np.ndarray)
    assert not isinstance(read_table(sparse_of("matrix")[0]), np.ndarray)


@pytest.mark.filterwarnings("ignore:the graph has")
@pytest.mark.parametrize("estimator", [*LINEAR, *MANIFOLD], ids=lambda e: type(e).__name__)
def test_sparse_is_dense_far_from_the_origin(estimator):
    """A sparse matrix can't be centred: its squares would lose all digits."""
    far = X + 1e8
    seed = {"random_state": 0} if "random_state" in estimator.get_params() else {}
    dense, sparse = (
        clone(estimator).set_params(**seed).fit(data, Y).transform(data)
        for data in (far, csr_array(far))
    )
    np.testing.assert_allclose(sparse, dense, rtol=1e-9, atol=1e-12)
