"""Bad input works, or says exactly what is wrong; nothing is changed and nothing is guessed."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from estimators import LINEAR
from pairspace import Constraints

X = np.random.default_rng(0).normal(size=(30, 5))
Y = np.arange(30) % 3


@pytest.fixture(params=LINEAR, ids=lambda e: type(e).__name__)
def estimator(request):
    return clone(request.param)


def with_value(value):
    data = X.copy()
    data[3, 2] = value
    return data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (with_value(np.nan), "contains NaN"),
        (with_value(np.inf), "contains infinity"),
        (np.empty((0, 5)), "0 sample"),
        (X[:1], "1 sample"),
        (np.empty((30, 0)), "0 feature"),
        (X[:, 0], "Expected 2D array, got 1D array"),
        (X.astype(str).astype(object) + "?", "could not convert string to float"),
        (pd.DataFrame({"a": ["x", "y"] * 15, "b": 1.0}), "could not convert string to float: 'x'"),
        (X + 1j, "Complex data not supported"),
        (X * 1e200, "too large to square; scale the columns"),
    ],
)
def test_bad_data(estimator, data, message):
    with np.errstate(over="ignore", invalid="ignore"), pytest.raises(ValueError, match=message):
        estimator.fit(data, Y[: len(data)])


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (Y[:-1], "X has 30 rows, but y has 29 labels"),
        (Y + 0.5, "labels must be integers or strings; got 0.5"),
        (np.where(Y == 0, np.inf, Y), "contains infinity"),
        (np.where(Y == 0, -2, Y), "-1 for unknown; got -2"),
        (["a", 1, None] * 10, "got strings and 1"),
        (np.array(["a", "nan", "b"] * 10), "looks like a missing value"),
        (np.column_stack([Y, Y]), "1d array"),
        (Constraints(29, [(0, 3)], [(0, 1)]), "X has 30 rows, but the constraints are about 29"),
    ],
)
def test_bad_supervision(estimator, y, message):
    with pytest.raises((ValueError, TypeError)) as error:
        estimator.fit(X, y)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        (np.array([[0, 3], [1, 4]]), "must be a pairspace.Constraints"),
        ([(0, 3, True)], "must be a pairspace.Constraints"),
        (Constraints(31, [(0, 3)], [(0, 1)]), "X has 30 rows, but the constraints are about 31"),
        (Constraints(30, [(0, 1)]), "must-link (0, 1) contradicts the labels"),
        (Constraints(30, (), [(0, 3)]), "cannot-link (0, 3) contradicts the labels"),
    ],
)
def test_bad_constraints(estimator, constraints, message):
    with pytest.raises((ValueError, TypeError)) as error:
        estimator.fit(X, Y, constraints=constraints)
    assert message in str(error.value)


@pytest.mark.parametrize("n_components", [0, -1, 2.5, "two", {}])
def test_bad_number_of_components(estimator, n_components):
    with pytest.raises(ValueError, match=r"'n_components' parameter of .* must be an int"):
        estimator.set_params(n_components=n_components).fit(X, Y)


def test_more_components_than_features(estimator):
    with pytest.raises(ValueError, match="n_components=6 is more than the data has: n_features=5"):
        estimator.set_params(n_components=6).fit(X, Y)


def test_more_components_than_rows_span(estimator):
    if getattr(estimator, "shrinkage", None) == "auto":
        estimator.set_params(shrinkage=None)
    message = (
        r"n_components=7, but the .*(cannot-links|must-links|rows).* span only [1-4] direction"
    )
    with pytest.raises(ValueError, match=message):
        estimator.set_params(n_components=7).fit(X.T, np.arange(5) % 2)


@pytest.mark.parametrize("name", ["threshold", "alpha", "beta", "weight", "n_neighbors", "sigma"])
@pytest.mark.parametrize("value", [-1e9, 1e9, "all", np.nan])
def test_bad_parameters(estimator, name, value):
    limits = {"threshold": (-1e9, 1e9), "beta": (1e9 if "WMV" in str(estimator) else -1e9,)}
    if name not in estimator.get_params():
        with pytest.raises(ValueError, match="Invalid parameter"):
            estimator.set_params(**{name: value})
    elif isinstance(value, str) or np.isnan(value) or value in limits.get(name, (-1e9,)):
        with pytest.raises(ValueError, match=f"'{name}' parameter of"):
            estimator.set_params(**{name: value}).fit(X, Y)


def test_labels_minus_one_and_one_get_a_warning(estimator):
    pairs = Constraints(30, (), [(0, 1), (3, 5), (2, 8)])
    with pytest.warns(UserWarning, match="-1 means unknown"):
        estimator.fit(X, np.where(Y == 0, 1, -1), constraints=pairs)


def test_transform_before_fit_and_with_other_columns(estimator):
    with pytest.raises(Exception, match="not fitted yet"):
        estimator.transform(X)
    estimator.fit(X, Y)
    with pytest.raises(ValueError, match=r"X has 4 features, but .* is expecting 5"):
        estimator.transform(X[:, :4])


def test_degenerate_data_that_works(estimator):
    duplicates = np.repeat(X, 2, axis=0)
    constant = np.column_stack([X, np.ones(30)])
    for data, y in ((duplicates, np.repeat(Y, 2)), (constant, Y), (X * 1e-150, Y), (X + 1e9, Y)):
        embedded = estimator.fit(data, y).transform(data)
        assert np.isfinite(embedded).all()
        assert embedded.std(axis=0).min() > 0


def test_a_failed_fit_leaves_a_fitted_estimator_as_it_was(estimator):
    components = estimator.fit(X, Y).components_.copy()
    with pytest.raises(ValueError, match=r"span only|all rows are identical"):
        clone(estimator).set_params(n_components=5).fit(np.ones((30, 6)), Y)
    with pytest.raises(ValueError, match="contains NaN"):
        estimator.fit(with_value(np.nan), Y)
    np.testing.assert_array_equal(estimator.components_, components)
