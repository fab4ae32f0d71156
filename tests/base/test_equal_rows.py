"""Rows that are equal, up to rounding, have no directions: an error says so, nothing is fitted."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone

from estimators import LINEAR
from pairspace import BWDR, CFLD, DCA, RCA, SSDR, WBDR, Constraints, PairSpace
from pairspace._core.data import rows_of

N, D = 30, 4
OFFSETS = [0.0, 1.0, 1e8, 1e15]
LABELS = np.arange(N) % 2
ROW = np.random.default_rng(0).normal(size=D)


def name_of(estimator):
    return f"{type(estimator).__name__}{estimator.get_params().get('shrinkage') or ''}"


def copies(offset, n=N):
    return np.repeat((ROW + offset)[None], n, axis=0)


def nearly(offset, n=N):
    """Copies that differ in the last digit."""
    X = copies(offset, n)
    return X * (1 + np.finfo(float).eps * np.random.default_rng(1).integers(-1, 2, size=X.shape))


@pytest.mark.parametrize("make", [copies, nearly])
@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("given", ["labels", "pairs"])
@pytest.mark.parametrize("estimator", LINEAR, ids=name_of)
def test_equal_rows_are_an_error(estimator, given, offset, make):
    y = LABELS if given == "labels" else Constraints.from_labels(LABELS, n_pairs=60, random_state=0)
    with pytest.raises(ValueError, match=r"equal|identical"):
        clone(estimator).fit(make(offset), y)


@pytest.mark.parametrize("kind", ["float32", "sparse", "wide"])
@pytest.mark.parametrize("estimator", LINEAR, ids=name_of)
def test_equal_rows_of_other_tables_are_an_error(estimator, kind):
    X = copies(1.0)
    X = {
        "float32": X.astype(np.float32),
        "sparse": csr_array(X),
        "wide": np.tile(X, 20),
    }[kind]
    with pytest.raises(ValueError, match=r"equal|identical"):
        clone(estimator).fit(X, LABELS)


@pytest.mark.parametrize("make", [copies, nearly])
def test_equal_rows_have_no_leading_directions(make):
    with pytest.raises(ValueError, match=r"equal|identical"):
        PairSpace(n_directions=2).fit(np.tile(make(1.0), 20), LABELS)


@pytest.mark.parametrize("estimator", [BWDR(1), CFLD(1), DCA(1), RCA(1), SSDR(1), WBDR(1)])
@pytest.mark.parametrize("offset", [0.0, 1e4, 1e8])
def test_an_offset_changes_nothing(estimator, offset):
    X = np.random.default_rng(0).normal(size=(60, D))
    y = np.arange(60) % 3
    X[y == 1] += 2
    expected = clone(estimator).fit(X, y)
    # What an offset leaves of the digits of X is all that can be asked for.
    found = clone(estimator).fit(X + offset, y)
    angle = np.abs(
        np.sum(expected.components_ * found.components_)
        / np.linalg.norm(expected.components_)
        / np.linalg.norm(found.components_)
    )
    assert angle > 1 - 1e-6


def test_a_constant_column_is_no_direction():
    X = np.random.default_rng(0).normal(size=(60, 3))
    X = np.column_stack([X, np.full(60, 1e8 / 3)])
    with pytest.raises(ValueError, match="n_components=4 must be at most 3, the rank of X"):
        SSDR(4).fit(X, np.arange(60) % 3)
    np.testing.assert_array_equal(SSDR(3).fit(X, np.arange(60) % 3).components_[:, 3], 0)


def test_must_links_between_nearly_equal_rows_are_no_scatter():
    X = np.random.default_rng(0).normal(size=(40, 3))
    X[20:] = X[:20] * (1 + np.finfo(float).eps)
    pairs = Constraints(40, [(i, i + 20) for i in range(20)])
    with pytest.raises(ValueError, match=r"rank of the scatter of the must-links .* is 0"):
        CFLD(1).fit(X, pairs)


@pytest.mark.parametrize("n", [3, 1_000, 100_000])
def test_the_mean_of_equal_rows_is_that_row(n):
    X = copies(1e8 / 3, n)
    np.testing.assert_array_equal(rows_of(X).mean, X[0])
    np.testing.assert_array_equal(rows_of(X).gram, 0)
