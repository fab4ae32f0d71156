"""One suite for all estimators: scikit-learn's checks, and what its users rely on."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from estimators import LINEAR, MANIFOLD, NEED_SUPERVISION
from pairspace import (
    BWDR,
    DCA,
    DSP,
    LPP,
    NPE,
    S2PPCA,
    SLPP,
    SSDR,
    WMMC,
    WMV,
    Constraints,
    PairSpace,
)
from pairspace.metrics import pair_auc


@parametrize_with_checks([*LINEAR, PairSpace(random_state=0)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


# The checks' labels cut the graph.
@pytest.mark.filterwarnings("ignore:the graph has")
@parametrize_with_checks(MANIFOLD)
def test_scikit_learn_checks_of_graph_methods(estimator, check):
    check(estimator)


@pytest.fixture(params=LINEAR, ids=lambda e: type(e).__name__)
def linear(request):
    return clone(request.param)


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def test_transform_is_the_documented_product(linear, wine):
    X, y = wine
    linear.fit(X, y)
    assert linear.components_.shape == (linear.n_components, 13)
    wanted = (X - linear.mean_) @ linear.components_.T
    np.testing.assert_allclose(linear.transform(X), wanted, atol=1e-10)
    np.testing.assert_allclose(clone(linear).fit_transform(X, y), wanted, atol=1e-10)
    np.testing.assert_allclose(linear.mean_, X.mean(axis=0), atol=1e-12)


def test_eigenvalues_are_in_the_documented_order(linear, wine):
    X, y = wine
    linear.set_params(n_components=2).fit(X, y)
    smaller_is_better = isinstance(linear, BWDR | DCA | DSP | LPP | NPE | SLPP)
    first, second = linear.eigenvalues_
    assert (first < second) == smaller_is_better


def test_the_rank_is_the_number_of_components_there_may_be(linear):
    """Four independent columns, one that follows from them, and one that is constant."""
    random = np.random.default_rng(0)
    y = np.arange(60) % 6
    X = random.normal(size=(60, 4)) + 2 * random.normal(size=(6, 4))[y]
    X = np.column_stack([X, X @ [1, 2, 3, 4], np.full(60, 5.0)])
    shrunk = getattr(linear, "shrinkage", None) == "auto"  # the identity has all directions
    most = 6 if shrunk else 4
    if isinstance(linear, S2PPCA):  # noise needs a direction
        most = 3
    linear.set_params(n_components=min(most, 4)).fit(X, y)
    if isinstance(linear, SSDR | WMV | WMMC):  # they may say how many there are at most
        assert linear.rank_ in (4, 6)
    else:
        assert linear.rank_ == most
    linear.set_params(n_components=most + 1)
    if isinstance(linear, PairSpace):
        with pytest.warns(UserWarning, match=f"n_components=5 is more than the rank {most}"):
            assert len(linear.fit(X, y).components_) == most
    else:
        with pytest.raises(ValueError, match=rf"n_components={most + 1} must be at most .*{most}"):
            linear.fit(X, y)


def test_inverse_transform_is_least_squares(linear, wine):
    X, y = wine
    embedded = linear.fit_transform(X, y)
    back = linear.inverse_transform(embedded)
    np.testing.assert_allclose(linear.transform(back), embedded, atol=1e-8)
    shortest = np.linalg.lstsq(linear.components_, embedded.T, rcond=None)[0].T + linear.mean_
    np.testing.assert_allclose(back, shortest, atol=1e-8)
    with pytest.raises(ValueError, match=r"X has 3 columns, but the space has [12]"):
        linear.inverse_transform(np.ones((4, 3)))


def test_score_is_the_pair_auc(linear, wine):
    X, y = wine
    linear.fit(X, y)
    c = Constraints.from_labels(y, n_pairs=300, random_state=0)
    assert linear.score(X, y) == pair_auc(linear.transform(X), y)
    assert linear.score(X, c) == pair_auc(linear.transform(X), c)
    assert linear.score(X, constraints=c) == linear.score(X, c)
    with pytest.raises(ValueError, match="needs pairs or labels to judge by"):
        linear.score(X)


def test_names_of_columns(linear, wine):
    X, y = wine
    frame = pd.DataFrame(X, columns=[f"f{i}" for i in range(13)])
    name = type(linear).__name__.lower()
    embedded = linear.set_output(transform="pandas").fit_transform(frame, y)
    assert list(embedded.columns) == [f"{name}{i}" for i in range(linear.n_components)]
    assert list(linear.feature_names_in_) == list(frame.columns)
    assert linear.score(frame, y) == pytest.approx(pair_auc(embedded.to_numpy(), y))
    with pytest.raises(ValueError, match="feature names"):
        linear.transform(frame.rename(columns={"f0": "other"}))


@pytest.mark.parametrize("make", [pl.DataFrame, pd.DataFrame, lambda X: X.tolist()])
def test_frames_and_lists_are_read_as_arrays(linear, wine, make):
    X, y = wine
    plain = linear.fit(X, y).transform(X)
    named = pl.DataFrame(X, schema=[str(i) for i in range(13)])
    data = named if make is pl.DataFrame else make(X)
    if make is pd.DataFrame:
        data.columns = [str(i) for i in range(13)]
    np.testing.assert_allclose(clone(linear).fit(data, y).transform(data), plain, atol=1e-9)


def test_float32_in_and_out(linear, wine):
    X, y = wine
    wanted = clone(linear).fit(X, y)
    linear.fit(X.astype(np.float32), y)
    embedded = linear.transform(X.astype(np.float32))
    assert embedded.dtype == linear.components_.dtype == np.float32
    np.testing.assert_allclose(embedded, wanted.transform(X), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("order", ["C", "F"])
def test_the_callers_arrays_are_left_alone(linear, wine, order):
    X, y = (np.array(a, order=order) for a in wine)
    before = X.copy(), y.copy()
    X.flags.writeable = y.flags.writeable = False
    linear.fit(X, y).transform(X)
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(y, before[1])


def test_sparse_is_dense(linear):
    random = np.random.default_rng(0)
    X = random.poisson(0.6, size=(90, 12)).astype(float)
    y = np.arange(90) % 3
    dense = linear.fit(X, y).components_
    sparse = clone(linear).fit(csr_array(X), y).components_
    np.testing.assert_allclose(sparse, dense, rtol=1e-6, atol=1e-9)


def test_rows_in_another_order_give_the_same_space(linear, wine):
    X, y = wine
    order = np.random.default_rng(0).permutation(len(y))
    a, b = clone(linear).fit(X, y), clone(linear).fit(X[order], y[order])
    np.testing.assert_allclose(np.abs(a.components_), np.abs(b.components_), rtol=1e-6, atol=1e-9)


def test_labels_of_any_kind(linear):
    X, y = load_iris(return_X_y=True)
    y = np.where(np.arange(len(y)) % 5 == 0, -1, y)
    wanted = linear.fit(X, y).components_
    names = np.array(["setosa", "versicolor", "virginica", None], dtype=object)[y]
    for labels in (
        names,
        names.tolist(),
        pd.Series(names),
        pd.Series(y).astype("Int64").replace(-1, pd.NA),
        np.where(y < 0, np.nan, y.astype(float)),
        pl.Series(names.tolist()),
    ):
        np.testing.assert_array_equal(clone(linear).fit(X, labels).components_, wanted)


def test_a_scaler_may_come_first(linear):
    X, y = load_wine(return_X_y=True)
    c = Constraints.from_labels(y, n_pairs=400, random_state=0)
    scaled = StandardScaler().fit_transform(X)
    alone = clone(linear).fit(scaled, c)
    pipeline = make_pipeline(StandardScaler(), linear)
    assert pipeline.fit(X, c).score(X, c) == pytest.approx(alone.score(scaled, c), abs=1e-12)
    keyword = {f"{type(linear).__name__.lower()}__constraints": c}
    np.testing.assert_allclose(pipeline.fit(X, **keyword)[-1].components_, alone.components_)


@pytest.mark.parametrize("estimator", NEED_SUPERVISION, ids=lambda e: type(e).__name__)
def test_without_supervision_the_error_shows_how_to_pass_it(estimator, wine):
    X, y = wine
    for nothing in (None, np.full(len(y), -1), Constraints(len(y))):
        with pytest.raises(ValueError, match=r"fit\(X, Constraints\(len\(X\), must_link"):
            clone(estimator).fit(X, nothing)
