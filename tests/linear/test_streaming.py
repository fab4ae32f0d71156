"""Batches give what all rows at once give."""

import pickle

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import StandardScaler

from estimators import LINEAR
from pairspace import BWDR, CFLD, RCA, SLPP, SSWMV, WBDR, Constraints
from pairspace.constraints import UNKNOWN
from tables import Stored

STREAMING = [e for e in LINEAR if hasattr(e, "partial_fit")]
STREAMING += [BWDR(shrinkage=0.3), RCA(n_components=None), WBDR(threshold=0.8, shrinkage=0.1)]
BATCHES = [slice(0, 1), slice(1, 60), slice(60, 130), slice(130, 178)]


@pytest.fixture(params=STREAMING, ids=lambda e: type(e).__name__)
def method(request):
    return clone(request.param)


@pytest.fixture(scope="module")
def wine():
    """Rows by class, as bad an order as can be, and far from 0; a third of the labels unknown."""
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X) + 1e3
    return X, np.where(np.arange(len(y)) % 3 == 1, UNKNOWN, y)


def streamed(method, X, y, batches=BATCHES):
    for batch in batches:
        method.partial_fit(X[batch], y[batch])
    return method


def assert_same(found, wanted):
    size = np.abs(wanted.eigenvalues_).max()
    np.testing.assert_allclose(
        found.eigenvalues_, wanted.eigenvalues_, rtol=1e-10, atol=1e-10 * size + 1e-14
    )
    angles = subspace_angles(found.components_.T, wanted.components_.T)
    assert angles.max() < 1e-10
    if size > 1e-14:  # else all directions of the space are equally good
        np.testing.assert_allclose(found.components_, wanted.components_, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(found.mean_, wanted.mean_, rtol=1e-12)
    assert found.rank_ == wanted.rank_


def test_which_methods_stream():
    names = {type(e).__name__ for e in STREAMING}
    assert names == {
        *("BWDR", "WBDR", "MMC", "WMMC", "WMV", "SSDR", "CFLD", "RCA", "DCA", "SLPP"),
        "S2PPCA",
    }
    for other in (SSWMV(), CFLD(shrinkage="auto"), SLPP(weights="heat")):
        assert not hasattr(other, "partial_fit")


@pytest.mark.parametrize("everything_is_known", [False, True])
def test_batches_are_one_fit(method, wine, everything_is_known):
    X, y = wine
    y = load_wine(return_X_y=True)[1] if everything_is_known else y
    wanted = clone(method).fit(X, y)
    found = streamed(method, X, y)
    assert_same(found, wanted)
    np.testing.assert_allclose(found.transform(X), wanted.transform(X), rtol=1e-6, atol=1e-7)


def test_the_order_of_the_rows_does_not_matter(method, wine):
    X, y = wine
    order = np.random.default_rng(0).permutation(len(y))
    assert_same(streamed(method, X[order], y[order]), clone(method).fit(X, y))


def test_row_by_row(wine):
    X, y = wine
    found = streamed(BWDR(), X, y, [slice(i, i + 1) for i in range(len(y))])
    assert_same(found, BWDR().fit(X, y))


def test_more_features_than_rows(method):
    random = np.random.default_rng(0)
    X, y = random.normal(size=(24, 40)), np.arange(24) % 3
    X[:, :3] += 3 * np.eye(3)[y]
    assert_same(streamed(method, X, y, [slice(0, 10), slice(10, 24)]), clone(method).fit(X, y))


@pytest.mark.parametrize("method", [BWDR(), RCA()])
def test_sparse_batches(method):
    random = np.random.default_rng(0)
    X, y = random.poisson(0.6, size=(90, 12)).astype(float), np.arange(90) % 3
    found = streamed(clone(method), csr_array(X), y, [slice(0, 40), slice(40, 90)])
    assert_same(found, clone(method).fit(X, y))


def test_batches_on_a_disk_are_read_once(wine):
    X, y = wine
    tables = [Stored(X[:100]), Stored(X[100:])]
    space = BWDR()
    with config_context(working_memory=0.005):
        for table, labels in zip(tables, (y[:100], y[100:]), strict=True):
            space.partial_fit(table, labels)
    assert [table.n_read for table in tables] == [100, 78]
    assert_same(space, BWDR().fit(X, y))


def test_labels_of_any_kind_and_batches_without_any(wine):
    X, y = wine
    names = np.array(["barolo", "grignolino", "barbera", None], dtype=object)[y]
    space = BWDR()
    for batch in BATCHES:
        known = names[batch]
        space.partial_fit(X[batch], known if any(known) else None)
    assert_same(space, BWDR().fit(X, y))
    with pytest.raises(TypeError, match="strings in one batch and numbers in another"):
        space.partial_fit(X, y)
    assert_same(space, BWDR().fit(X, y))  # what can't be read changes nothing


def test_the_space_may_be_asked_for_between_batches(wine):
    X, y = wine
    space = BWDR().partial_fit(X[::2], y[::2])
    assert_same(space, BWDR().fit(X[::2], y[::2]))
    space.partial_fit(X[1::2], y[1::2])
    assert_same(space, BWDR().fit(X, y))
    again = pickle.loads(pickle.dumps(space))  # our own, made in this line
    assert_same(again, space)


def test_too_little_so_far_is_said_when_the_space_is_asked_for(wine):
    X, y = wine
    space = BWDR().partial_fit(X[:1], y[:1])
    with pytest.raises(ValueError, match="seen 1 row"):
        space.transform(X)
    space.partial_fit(X[1:20], y[1:20])
    with pytest.raises(ValueError, match="BWDR needs cannot-links, or labels of 2 classes"):
        space.transform(X)
    space.partial_fit(X[20:], y[20:])
    assert_same(space, BWDR().fit(X, y))


def test_fit_starts_anew_and_so_does_partial_fit_after_it(wine):
    X, y = wine
    space = BWDR().partial_fit(X[:50], y[:50]).fit(X, y)
    assert_same(space, BWDR().fit(X, y))
    with pytest.warns(UserWarning, match="use partial_fit from the first batch on"):
        space.partial_fit(X[::2], y[::2])
    assert_same(space, BWDR().fit(X[::2], y[::2]))


def test_wrong_batches(wine):
    X, y = wine
    with pytest.raises(TypeError, match="partial_fit learns from labels"):
        BWDR().partial_fit(X, Constraints(len(X), [(0, 1)]))
    with pytest.raises(ValueError, match="X has 178 rows, but y has 3 labels"):
        BWDR().partial_fit(X, [0, 1, 2])
    with pytest.raises(ValueError, match="X has 4 features, but BWDR is expecting 13"):
        BWDR().partial_fit(X, y).partial_fit(X[:, :4], y)
    with pytest.raises(NotFittedError):
        BWDR().transform(X)
    with pytest.raises(ValueError, match="BWDR needs cannot-links, or labels of 2 classes"):
        BWDR().partial_fit(X).transform(X)


def test_float32_batches_give_a_float32_space(wine):
    X, y = wine
    X = (X - 1e3).astype(np.float32)
    assert streamed(BWDR(), X, y).components_.dtype == np.float32
    mixed = BWDR().partial_fit(X[:90], y[:90]).partial_fit(X[90:].astype(float), y[90:])
    assert mixed.components_.dtype == np.float64
