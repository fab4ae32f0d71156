"""Bad input: the error names the value and the remedy, and the estimator stays as it was."""

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from estimators import LINEAR
from oracles.subspaces import principal_angles
from pairspace import (
    BWDR,
    CFLD,
    DCA,
    DSP,
    LFDA,
    LPP,
    LPPSI,
    MFA,
    NPE,
    RCA,
    S2PPCA,
    SDA,
    SELFDA,
    SLPP,
    SSDR,
    SSWMV,
    WBDR,
    WMMC,
    WMV,
    Constraints,
    PairClusters,
    PairSpace,
)

RANDOM = np.random.default_rng(0)
Y = np.arange(30) % 3
X = RANDOM.normal(size=(30, 5)) * [1, 1, 2, 3, 4] + 2 * RANDOM.normal(size=(3, 5))[Y]


@pytest.fixture(params=LINEAR, ids=lambda e: type(e).__name__)
def estimator(request):
    return clone(request.param)


def refused(estimator, message, data, y, constraints=None):
    """``fit`` fails with this message and changes nothing, parameters and attributes alike."""
    before = joblib.hash(vars(estimator))
    with pytest.raises((ValueError, TypeError), match=message):
        estimator.fit(data, y, constraints=constraints)
    assert joblib.hash(vars(estimator)) == before


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
    with np.errstate(over="ignore", invalid="ignore"):
        refused(estimator.fit(X, Y), message, data, Y[: len(data)])


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
    refused(estimator.fit(X, Y), message, X, y)


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        (np.array([[0, 3], [1, 4]]), r"must be a pairspace.Constraints.* got ndarray"),
        ([(0, 3, True)], r"must be a pairspace.Constraints.* got list"),
        (Constraints(31, [(0, 3)], [(0, 1)]), "X has 30 rows, but the constraints are about 31"),
        (Constraints(30, [(0, 1)]), r"must-link \(0, 1\) contradicts the labels"),
        (Constraints(30, (), [(0, 3)]), r"cannot-link \(0, 3\) contradicts the labels"),
    ],
)
def test_bad_constraints(estimator, constraints, message):
    refused(estimator.fit(X, Y), message, X, Y, constraints)


# ---- Parameters -------------------------------------------------------------------------------

# The methods, a parameter, values that are refused, and values that are not: the ends of its range.
PARAMETERS = [
    ([BWDR, WBDR], "threshold", [0, 1.01, "all", np.nan], [0.01, 1]),
    (
        [BWDR, WBDR, CFLD, RCA, DCA, SDA, LFDA, MFA],
        "shrinkage",
        [-0.01, 1.01, "some"],
        [None, "auto", 0, 1],
    ),
    ([SSDR, WMV, SSWMV, SDA], "alpha", [-0.01, "all", np.nan], [0, 0.01]),
    ([SSDR], "beta", [-0.01, "all", np.nan], [0, 1e3]),
    ([WMV, SSWMV], "beta", [0.01, "all", np.nan], [0, -1e3]),
    ([SELFDA], "beta", [-0.01, 1.01, "all", np.nan], [0, 1]),
    ([WMMC], "weight", [-0.01, "all", np.nan], [0, 1e3]),
    ([LPP, LPPSI, DSP, PairSpace], "n_neighbors", [0, 1.5, None], [1, 29, 1000]),
    ([SDA, LFDA, SELFDA, MFA], "n_neighbors", [0, 1.5, None], [1, 29, 1000]),
    ([NPE], "n_neighbors", [0, 1.5, None], [1, 5]),
    ([NPE], "reg", [0, -1, "all", np.nan], [1e-9, 10]),
    ([MFA], "n_pairs", [0, 1.5, None], [1, 1000]),
    ([S2PPCA], "max_iter", [0, 1.5, None], [200, 1000]),
    ([S2PPCA], "tol", [-0.01, "all", np.nan], [0, 10]),
    ([SSWMV], "n_neighbors", [0, 1.5, "all"], [1, None]),
    ([SSWMV], "n_clusters", [0, 1.5, "all"], [1, None]),
    ([SSWMV], "propagation", ["labels", None], ["majority", "clusters", "silhouette"]),
    ([LPP, LPPSI, SLPP], "weights", ["cosine", None], ["heat", "binary"]),
    ([LFDA, SELFDA], "weights", ["heat", None], ["local", "binary"]),
    ([LPP, LPPSI, SLPP], "sigma", [0, -1, "auto", np.nan], ["mean", 9]),
    ([DSP], "sigma", [0, -1, "mean", np.nan], ["auto", 9]),
    ([DSP], "n_queries", [0, 1.5, "all"], ["auto", None, 1, 1000]),
    ([DSP], "scale", ["all", None], ["within", "unit", "between"]),
    ([PairSpace], "n_queries", [0, 1.5, "all"], ["auto", None, 1, 1000]),
    ([PairSpace], "n_directions", [0, 1.5, "all"], ["auto", None, 2, 1000]),
    ([PairSpace], "scaling", ["all", 1, False], ["auto", None, "standard"]),
    ([PairSpace], "ridge", [-0.01, 1.01, "some", None], ["auto", 0.01, 1]),
    ([PairSpace], "shrinkage", [-0.01, 1.01, "some", None], ["auto", 0, 1]),
    ([PairSpace], "teacher", ["some", 3, False], ["auto", None, PairClusters()]),
]


def cases(values):
    return [
        pytest.param(method, name, value, id=f"{method.__name__}-{name}-{value}")
        for methods, name, *of_kind in PARAMETERS
        for method in methods
        for value in of_kind[values]
    ]


def small(method, **parameters):
    """With one component, which all of the values allow, and nothing chosen at random."""
    if method is PairSpace:
        parameters = {"ridge": 0.5, "shrinkage": 0.5, **parameters}
    if "random_state" in method().get_params():
        parameters["random_state"] = 0
    return method(1, **parameters)


@pytest.mark.parametrize(("method", "name", "value"), cases(0))
def test_values_out_of_range(method, name, value):
    estimator = small(method).fit(X, Y).set_params(**{name: value})
    message = rf"The '{name}' parameter of {method.__name__} must be .* Got {value!r} instead"
    refused(estimator, message, X, Y)


@pytest.mark.filterwarnings("ignore:no direction spreads more")  # SSWMV without any push
@pytest.mark.parametrize(("method", "name", "value"), cases(1))
def test_values_at_the_ends_of_the_range(method, name, value):
    """They are accepted, not changed, and what they give holds for rows in another order."""
    estimator = small(method, **{name: value}).fit(X, Y)
    assert estimator.get_params()[name] == value
    order = np.random.default_rng(1).permutation(30)
    again = clone(estimator).fit(X[order], Y[order])
    drawn = value == "auto" or (name, value) == ("n_queries", 1)
    if not drawn:  # folds, starts and drawn rows depend on the order
        assert principal_angles(again.components_.T, estimator.components_.T) < 1e-5


def test_every_parameter_has_its_range_tested():
    tested = {(m.__name__, name) for methods, name, *_ in PARAMETERS for m in methods}
    given = {
        (type(estimator).__name__, name)
        for estimator in LINEAR
        for name in estimator.get_params()
        if name not in ("n_components", "random_state")
    }
    assert tested == given


@pytest.mark.parametrize("n_components", [0, -1, 2.5, "two", {}])
def test_bad_number_of_components(estimator, n_components):
    estimator.fit(X, Y).set_params(n_components=n_components)
    refused(
        estimator, rf"'n_components' parameter of .* must be an int.* Got {n_components!r}", X, Y
    )


def test_more_components_than_features(estimator):
    estimator.fit(X, Y).set_params(n_components=6)
    refused(estimator, "n_components=6 must be at most n_features=5", X, Y)


def test_more_components_than_the_rank(estimator):
    """The error says how many there may be, and so many there may be."""
    wide, y = np.random.default_rng(1).normal(size=(5, 30)), np.arange(5) % 2
    if getattr(estimator, "shrinkage", None) == "auto":
        estimator.set_params(shrinkage=None)
    estimator.set_params(n_components=7)
    if isinstance(estimator, PairSpace):
        with pytest.warns(UserWarning, match="n_components=7 is more than the rank 4 of the data"):
            assert estimator.fit(wide, y).components_.shape == (4, 30)
        return
    with pytest.raises(ValueError, match=r"=7 must be at most [1-4], the rank") as error:
        estimator.fit(wide, y)
    most = int(str(error.value).split("at most ")[1][0])
    assert estimator.set_params(n_components=most).fit(wide, y).components_.shape == (most, 30)
    refused(estimator.set_params(n_components=most + 1), f"at most {most}, the rank", wide, y)


# ---- Rows -------------------------------------------------------------------------------------


def test_labels_minus_one_and_one_get_a_warning(estimator):
    pairs = Constraints(30, (), [(0, 1), (3, 5), (2, 8)])
    with pytest.warns(UserWarning, match="-1 means unknown"):
        estimator.fit(X, np.where(Y == 0, 1, -1), constraints=pairs)


def test_transform_before_fit_and_with_other_columns(estimator):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        estimator.transform(X)
    estimator.fit(X, Y)
    with pytest.raises(ValueError, match=r"X has 4 features, but .* is expecting 5"):
        estimator.transform(X[:, :4])


def test_a_constant_column_gets_no_weight(estimator):
    plain = clone(estimator).fit(X, Y).components_
    found = estimator.fit(np.column_stack([X, np.full(30, 7.0)]), Y).components_
    np.testing.assert_allclose(found[:, 5], 0, atol=1e-9 * np.abs(found).max())
    # The identity has the trace of one more, and noise is assumed in all columns.
    depends_on_it = getattr(estimator, "shrinkage", None) or isinstance(estimator, S2PPCA)
    if not depends_on_it:
        assert principal_angles(found[:, :5].T, plain.T) < 1e-6


@pytest.mark.parametrize(
    ("factor", "offset", "tolerance"), [(1e-70, 0, 1e-6), (1e70, 0, 1e-6), (1, 1e9, 1e-4)]
)
def test_units_and_origin_do_not_matter(estimator, factor, offset, tolerance):
    if factor != 1 and isinstance(estimator, SELFDA):
        pytest.skip("its identity has no units")
    plain = clone(estimator).fit(X, Y).components_
    found = estimator.fit(factor * X + offset, Y).components_
    assert principal_angles(found.T, plain.T) < tolerance


def test_duplicate_rows(estimator):
    """Distances of 0 harm no method: the space keeps the classes apart as before."""
    plain = clone(estimator).fit(X, Y).score(X, Y)
    doubled = estimator.fit(np.repeat(X, 2, axis=0), np.repeat(Y, 2)).score(X, Y)
    assert doubled > plain - 0.1
