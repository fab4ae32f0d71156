"""Tables larger than memory: every linear method gives what it gives on an array."""

import h5py
import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from estimators import LINEAR
from pairspace import BWDR, LPP, Constraints, WMVSearchCV
from pairspace._core.data import rows_of
from pairspace.base import Supervision, rows_to_learn_from, subsample
from pairspace.constraints import UNKNOWN
from tables import Stored, memmap_of, seeded

LITTLE = 0.015  # MiB: a block is 18 of the 178 rows of the wines


@pytest.fixture(params=LINEAR, ids=lambda e: type(e).__name__)
def linear(request):
    return seeded(request.param)


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.fixture
def whole_sample(monkeypatch):
    """So that methods that look at rows look at all of them."""
    monkeypatch.setattr("pairspace.base._subsample.COPIES", 0.1)


def hdf5_of(X, folder):
    with h5py.File(folder / "X.h5", "w") as file:
        file.create_dataset("X", data=X, chunks=(25, X.shape[1]), compression="gzip")
    return h5py.File(folder / "X.h5")["X"]


KINDS = {
    "slices": lambda X, _: Stored(X),
    "chunks": lambda X, _: Stored(X, chunks=(50, 13)),
    "memmap": memmap_of,
    "HDF5": hdf5_of,
}


@pytest.mark.usefixtures("whole_sample")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("knowledge", ["labels", "some labels", "pairs", "both"])
def test_as_on_an_array(linear, wine, kind, knowledge, tmp_path):
    X, y = wine
    some = np.where(np.arange(len(y)) % 3 == 0, y, UNKNOWN)
    pairs = Constraints.from_labels(y, n_pairs=200, random_state=0)
    given = {"labels": y, "some labels": some, "pairs": pairs, "both": some}[knowledge]
    more = {"constraints": pairs} if knowledge == "both" else {}
    wanted = linear.fit(X, given, **more)
    with config_context(working_memory=LITTLE):
        table = KINDS[kind](X, tmp_path)
        found = clone(linear).fit(table, given, **more)
        np.testing.assert_allclose(found.components_, wanted.components_, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(found.eigenvalues_, wanted.eigenvalues_, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(found.mean_, wanted.mean_, atol=1e-12)
        np.testing.assert_allclose(found.transform(table), wanted.transform(X), atol=1e-6)
        assert found.score(table, y) == pytest.approx(wanted.score(X, y), abs=1e-9)
    if kind == "slices":
        assert table.most_rows < len(X) or linear._looks_at_rows


def test_a_search_over_parameters(wine, monkeypatch):
    X, y = wine
    monkeypatch.setattr("pairspace.base._subsample.COPIES", 2)
    y = np.where(np.arange(len(y)) % 2 == 0, y, UNKNOWN)
    with config_context(working_memory=LITTLE):
        search = WMVSearchCV(betas=[-1.0, -0.1], max_components=3, random_state=0)
        search.fit(Stored(X), y)
    assert len(search.learned_rows_) == 75
    wanted = search.best_estimator_.__class__(**search.best_estimator_.get_params()).fit(X, y)
    np.testing.assert_allclose(search.components_, wanted.components_, rtol=1e-6, atol=1e-8)


def test_methods_that_look_at_rows_learn_from_a_sample(wine):
    X, y = wine
    answers = Constraints.from_labels(y, n_pairs=10, random_state=0)
    with config_context(working_memory=LITTLE):
        table = Stored(X)
        space = LPP(random_state=0).fit(table, answers)
        rows = space.learned_rows_
        assert len(rows) == 37  # a quarter of the memory
        assert np.isin(answers.must_link, rows).all()
        assert np.isin(answers.cannot_link, rows).all()
        np.testing.assert_array_equal(LPP(random_state=0).fit(table, answers).learned_rows_, rows)
        assert not np.array_equal(LPP(random_state=1).fit(table, answers).learned_rows_, rows)
        assert space.transform(table).shape == (178, 2)
    wanted = LPP().fit(X[rows])
    np.testing.assert_allclose(space.components_, wanted.components_, rtol=1e-6, atol=1e-9)
    assert wanted.learned_rows_ is None


def test_the_sample():
    labels = np.full(1000, UNKNOWN)
    labels[:700] = 0
    pairs = Constraints(1000, [(998, 999)], [(0, 999)])
    known = Supervision(labels, pairs, 1000)
    rows = rows_to_learn_from(1000, known, 100, 0)
    assert len(rows) == len(np.unique(rows)) == 100
    assert {0, 998, 999} <= set(rows)
    n_labelled = np.sum(rows < 700)
    assert 50 <= n_labelled < 95  # half of the room, and some of the other half
    few = Supervision(np.where(np.arange(1000) < 5, 4, UNKNOWN), None, 1000)
    assert set(range(5)) <= set(rows_to_learn_from(1000, few, 100, 0))
    np.testing.assert_array_equal(rows_to_learn_from(1000, known, 1000, 0), np.arange(1000))
    np.testing.assert_array_equal(rows_to_learn_from(1000, known, 0, 0), [0, 998, 999])
    assert len(rows_to_learn_from(1000, Supervision(None, None, 1000), 0, 0)) == 2


def test_what_is_known_goes_with_the_sample():
    X = np.arange(40.0).reshape(20, 2)
    pairs = Constraints(20, [(3, 17)], [(3, 11)], must_weight=[2.0])
    known = Supervision(np.where(np.arange(20) < 2, 4, UNKNOWN), pairs, 20)
    with config_context(working_memory=0):
        table = rows_of(Stored(X))
    with config_context(working_memory=8 * 2 * 4 * 6 / 2**20):
        rows, seen, chosen = subsample(table, known, 0)
    np.testing.assert_array_equal(rows.values, X[chosen])
    np.testing.assert_array_equal(chosen[seen.pairs.must_link], [[3, 17]])
    np.testing.assert_array_equal(chosen[seen.pairs.cannot_link], [[3, 11]])
    np.testing.assert_array_equal(seen.pairs.must_weight, [2.0])
    labelled = chosen[seen.labels != UNKNOWN]
    np.testing.assert_array_equal(labelled, chosen[chosen < 2])
    assert len(labelled) >= 1


def test_errors_before_anything_is_read(wine):
    X, y = wine
    text, short, narrow = (
        Stored(table) for table in (np.full((200, 3), "a"), np.ones((1, 3000)), np.ones((200, 4)))
    )
    space = BWDR().fit(X, y)
    with config_context(working_memory=0.001):
        with pytest.raises(ValueError, match="dtype=<U1 of X: it must be a table of numbers"):
            BWDR().fit(text, np.arange(200) % 2)
        with pytest.raises(ValueError, match=r"1 sample\(s\).*a minimum of 2"):
            BWDR().fit(short, [1])
        with pytest.raises(ValueError, match="X has 4 features, but BWDR is expecting 13 features"):
            space.transform(narrow)
    assert text.n_read == short.n_read == narrow.n_read == 0


def test_float32_stays_float32_and_other_numbers_are_float64(wine):
    X, y = wine
    for dtype, wanted in (np.float32, np.float32), (np.float16, np.float64), (np.int8, np.float64):
        table = Stored((X * 20).astype(dtype))
        with config_context(working_memory=0.001):
            space = BWDR().fit(table, y)
            embedded = space.transform(table)
        assert embedded.dtype == space.components_.dtype == wanted
        plain = BWDR().fit((X * 20).astype(dtype).astype(np.float64), y)
        np.testing.assert_allclose(space.components_, plain.components_, rtol=1e-3, atol=1e-5)


def test_more_features_than_rows():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(30, 100)), np.arange(30) % 3
    wanted = BWDR().fit(X, y)
    with config_context(working_memory=0.005):
        found = BWDR().fit(Stored(X), y)
    np.testing.assert_allclose(found.components_, wanted.components_, rtol=1e-6, atol=1e-8)


def test_pairs_of_more_rows_than_memory_holds(wine):
    X, y = wine
    answers = Constraints.from_labels(y, n_pairs=2000, random_state=0)
    table = Stored(X)
    with config_context(working_memory=0.003):
        found = BWDR().fit(table, answers)
    wanted = BWDR().fit(X, answers)
    np.testing.assert_allclose(found.components_, wanted.components_, rtol=1e-6, atol=1e-8)
    assert table.most_rows < 40
