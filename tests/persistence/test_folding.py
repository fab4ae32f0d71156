"""A scaler folded into the method after it is the same map."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from pairspace import RCA, SSDR, WMV, PairSpace, fold_scaler, load, save

X, Y = load_wine(return_X_y=True)


def same(found, wanted, digits):
    np.testing.assert_allclose(found, wanted, atol=10.0**-digits * np.abs(wanted).max())


@pytest.mark.parametrize("options", [{}, {"with_mean": False}, {"with_std": False}])
@pytest.mark.parametrize("method", [RCA(2), SSDR(2), PairSpace(2, random_state=0)])
def test_the_map_is_the_same(options, method):
    model = make_pipeline(StandardScaler(**options), method).fit(X, Y)
    folded = fold_scaler(model)
    assert type(folded) is type(method)
    same(folded.transform(X), model.transform(X), 12)


@pytest.mark.parametrize("offset", [0, 50, 2_000])
def test_single_precision_loses_two_digits_at_most(offset):
    """The columns are as far from 0 as that many of their standard deviations."""
    random = np.random.default_rng(0)
    exact = random.normal(size=(300, 8)) * 10.0 ** np.arange(-3, 5)
    rows = (exact + offset * 10.0 ** np.arange(-3, 5)).astype(np.float32)
    model = make_pipeline(StandardScaler(), WMV(2)).fit(rows.astype(float), np.arange(300) % 3)
    same(fold_scaler(model).transform(rows), model.transform(rows.astype(float)), 5)


@pytest.mark.parametrize("unit", [1e80, 1e-80])
def test_columns_that_only_the_scaler_can_take_are_left_to_it(unit):
    """Their values can't be squared, so the method itself would refuse them, or lose them."""
    rows = X * np.r_[unit, np.ones(12)]
    model = make_pipeline(StandardScaler(), RCA(2)).fit(rows, Y)
    assert fold_scaler(model) is model
    assert np.isfinite(model.transform(rows)).all()


def test_the_model_itself_stays_as_it_is():
    model = make_pipeline(StandardScaler(), RCA(2)).fit(X, Y)
    before = model.transform(X)
    fold_scaler(model)
    assert np.array_equal(model.transform(X), before)


def test_steps_before_the_scaler_stay():
    holes = X.copy()
    holes[::7, 3] = np.nan
    model = make_pipeline(SimpleImputer(), StandardScaler(), RCA(2)).fit(holes, Y)
    folded = fold_scaler(model)
    assert [name for name, _ in folded.steps] == ["simpleimputer", "rca"]
    same(folded.transform(holes), model.transform(holes), 12)


def test_names_are_those_of_the_columns(tmp_path):
    frame = pd.DataFrame(X).add_prefix("x")
    model = make_pipeline(StandardScaler(), RCA(2)).fit(frame, Y)
    save(fold_scaler(model), tmp_path / "model.skops", frame)
    folded = load(tmp_path / "model.skops")
    assert list(folded.feature_names_in_) == list(frame.columns)
    assert list(folded.get_feature_names_out()) == list(model.get_feature_names_out())
    with pytest.raises(ValueError, match="feature names"):
        folded.transform(frame.add_prefix("other"))


def test_a_model_that_learned_from_batches():
    scaler = StandardScaler().fit(X)
    method = RCA(2).partial_fit(scaler.transform(X[::2]), Y[::2])
    method.partial_fit(scaler.transform(X[1::2]), Y[1::2])
    model = make_pipeline(scaler, method)
    folded = fold_scaler(model)
    same(folded.transform(X), model.transform(X), 12)
    with pytest.warns(UserWarning, match="forgets"):  # its sums are of standardised rows
        folded.partial_fit(X, Y)


@pytest.mark.parametrize(
    "model",
    [
        make_pipeline(MinMaxScaler(), RCA(2)),
        make_pipeline(StandardScaler(), PCA(2)),
        make_pipeline(RCA(2)),
        RCA(2),
    ],
)
def test_other_models_are_returned_as_they_are(model):
    assert fold_scaler(model.fit(X, Y)) is model
