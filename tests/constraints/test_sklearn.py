"""Constraints go through scikit-learn beside X, and point at the right rows wherever they come out.

Row r of the data has the number r in its first column, and the hidden class of row r is known. So
any estimator inside any split can tell which rows it got, and whether the pairs it got are true.
"""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    RandomizedSearchCV,
    RepeatedKFold,
    ShuffleSplit,
    cross_val_score,
    cross_validate,
    learning_curve,
    train_test_split,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.utils import resample, shuffle

from pairspace import BWDR, Constraints

N = 60
CLASSES = np.arange(N) * 7 % 3
PAIRS = Constraints.from_labels(CLASSES, n_pairs=400, random_state=0)
MUST = {frozenset(pair) for pair in PAIRS.must_link.tolist()}
CANNOT = {frozenset(pair) for pair in PAIRS.cannot_link.tolist()}
SPLITS = KFold(4, shuffle=True, random_state=0)


@pytest.fixture
def data():
    """Three classes in five features, the first of which is the number of the row."""
    random = np.random.RandomState(0)
    centres = 4 * random.normal(size=(3, 4))
    return np.column_stack([np.arange(N), centres[CLASSES] + random.normal(size=(N, 4))])


@pytest.fixture(params=[False, True], ids=["no routing", "routing"])
def routing(request):
    with sklearn.config_context(enable_metadata_routing=request.param):
        yield request.param


def asking(estimator, routing, **requests):
    """With routing, scikit-learn wants to be told who takes the constraints."""
    return estimator.set_fit_request(**requests) if routing else estimator


def check_pairs(rows, constraints):
    """The pairs, said in the row numbers of the whole data, are just those that lie in ``rows``."""
    assert len(constraints) == len(rows)
    for pairs, known in ((constraints.must_link, MUST), (constraints.cannot_link, CANNOT)):
        original = {frozenset(pair) for pair in np.asarray(rows)[pairs].tolist()}
        assert original == {pair for pair in known if pair <= set(rows)}


class Spy(TransformerMixin, BaseEstimator):
    """Keeps the rows and the constraints of each fit and score, from all its clones."""

    seen = ()  # set to a list by the fixture below; clones share it through the class

    def __init__(self, setting=0):
        self.setting = setting

    def fit(self, X, y=None, *, constraints=None):
        self._note("fit", X, y, constraints)
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X):
        return X

    # With routing, Pipeline.score passes sample_weight on even when it is None.
    def score(self, X, y=None, sample_weight=None, *, constraints=None):
        self._note("score", X, y, constraints)
        return float(self.setting)

    def _note(self, what, X, y, constraints):
        rows = np.asarray(X)[:, 0].round().astype(int).tolist()
        Spy.seen.append((what, rows, y if isinstance(y, Constraints) else constraints))


@pytest.fixture
def seen(monkeypatch):
    monkeypatch.setattr(Spy, "seen", [])
    return Spy.seen


def fits(seen):
    return [(rows, constraints) for what, rows, constraints in seen if what == "fit"]


def scores(seen):
    return [(rows, constraints) for what, rows, constraints in seen if what == "score"]


# ---- The pairs inside the folds --------------------------------------------------------------


@pytest.mark.parametrize("behind", [False, True], ids=["alone", "behind another step"])
@pytest.mark.parametrize(
    "splits",
    [
        SPLITS,
        KFold(4),
        RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
        ShuffleSplit(3, train_size=0.5, test_size=0.3, random_state=0),
    ],
    ids=lambda splits: type(splits).__name__,
)
def test_in_each_fold_the_pairs_point_at_the_right_rows(data, routing, seen, splits, behind):
    spy = asking(Spy(), routing, constraints=True)
    estimator = make_pipeline(FunctionTransformer(), spy) if behind else spy
    name = "constraints" if routing or not behind else "spy__constraints"
    cross_validate(
        estimator, data, CLASSES, cv=splits, params={name: PAIRS}, scoring=lambda *_: 0.0
    )
    folds = [train.tolist() for train, _ in splits.split(data)]
    assert [rows for rows, _ in fits(seen)] == folds
    for rows, constraints in fits(seen):
        check_pairs(rows, constraints)


@pytest.mark.parametrize("frame", [np.asarray, pd.DataFrame], ids=["array", "pandas"])
def test_as_y_the_pairs_are_split_for_fit_and_for_score(data, routing, seen, frame):
    cross_validate(Spy(), frame(data), PAIRS, cv=SPLITS, return_train_score=True)
    for (train, test), (rows, _) in zip(SPLITS.split(data), fits(seen), strict=True):
        assert rows == train.tolist()
        assert [r for r, _ in scores(seen) if r == test.tolist()]
    for rows, constraints in fits(seen) + scores(seen):
        check_pairs(rows, constraints)


def test_grid_search_as_y(data, routing, seen):
    search = GridSearchCV(make_pipeline(FunctionTransformer(), Spy()), {"spy__setting": [0, 2, 1]})
    search.fit(data, PAIRS)
    assert search.best_params_ == {"spy__setting": 2}
    assert len(fits(seen)) == 3 * 5 + 1  # and once more on all rows
    assert fits(seen)[-1][0] == list(range(N))
    for rows, constraints in fits(seen) + scores(seen):
        check_pairs(rows, constraints)


def test_grid_search_as_metadata(data, routing, seen):
    spy = asking(Spy(), routing, constraints=True)
    estimator = make_pipeline(FunctionTransformer(), spy)
    search = GridSearchCV(estimator, {"spy__setting": [0, 1]}, scoring=lambda *_: 0.0, cv=SPLITS)
    search.fit(data, CLASSES, **{"constraints" if routing else "spy__constraints": PAIRS})
    assert len(fits(seen)) == 2 * 4 + 1
    for rows, constraints in fits(seen):
        check_pairs(rows, constraints)


def test_a_search_inside_a_cross_validation(data, seen):
    inner = RandomizedSearchCV(Spy(), {"setting": [0, 1]}, n_iter=2, cv=3)
    cross_val_score(inner, data, PAIRS, cv=SPLITS)
    assert len(fits(seen)) == 4 * (2 * 3 + 1)
    for rows, constraints in fits(seen) + scores(seen):
        check_pairs(rows, constraints)


def test_learning_curve(data, seen):
    learning_curve(Spy(), data, PAIRS, cv=SPLITS, train_sizes=[10, 30])
    assert {len(rows) for rows, _ in fits(seen)} == {10, 30}
    for rows, constraints in fits(seen) + scores(seen):
        check_pairs(rows, constraints)


@pytest.mark.parametrize("shuffled", [True, False])
def test_train_test_split(data, shuffled):
    random_state = 0 if shuffled else None
    parts = train_test_split(
        data, PAIRS, CLASSES, test_size=0.25, shuffle=shuffled, random_state=random_state
    )
    X_train, X_test, c_train, c_test, y_train, y_test = parts
    assert (len(c_train), len(c_test)) == (45, 15)
    for X, c, y in ((X_train, c_train, y_train), (X_test, c_test, y_test)):
        rows = X[:, 0].astype(int).tolist()
        check_pairs(rows, c)
        assert CLASSES[rows].tolist() == y.tolist()


def test_train_test_split_in_strata(data):
    X_train, X_test, c_train, c_test = train_test_split(data, PAIRS, stratify=CLASSES)
    check_pairs(X_train[:, 0].astype(int).tolist(), c_train)
    check_pairs(X_test[:, 0].astype(int).tolist(), c_test)


def test_shuffle(data):
    X, c = shuffle(data, PAIRS, random_state=0)
    check_pairs(X[:, 0].astype(int).tolist(), c)


def test_a_bootstrap_is_refused(data):
    with pytest.raises(ValueError, match="can't be bootstrapped; draw rows without replacement"):
        resample(data, PAIRS, random_state=0)
    X, c = resample(data, PAIRS, replace=False, n_samples=20, random_state=0)
    check_pairs(X[:, 0].astype(int).tolist(), c)


def test_a_classifier_does_not_take_them_for_labels(data):
    for classifier in (KNeighborsClassifier(1), BaggingClassifier()):
        with pytest.raises(TypeError, match="can't be converted to an array"):
            classifier.fit(data, PAIRS)


# ---- The methods, as in the README -----------------------------------------------------------


def pipeline(routing):
    bwdr = asking(BWDR(), routing, constraints=True)
    return make_pipeline(StandardScaler(), bwdr, KNeighborsClassifier(1))


def given_as(routing):
    return "constraints" if routing else "bwdr__constraints"


def by_hand(X, n_components=2):
    """Cross-validation written out, with the pairs of each fold found one by one."""
    result = []
    for train, test in SPLITS.split(X):
        place = {row: at for at, row in enumerate(train.tolist())}
        must, cannot = (
            [[place[row] for row in pair] for pair in known if pair <= place.keys()]
            for known in (MUST, CANNOT)
        )
        c = Constraints(len(train), must, cannot)
        scaler = StandardScaler().fit(X[train])
        # y too, as the pipeline gives it to each of its steps.
        bwdr = BWDR(n_components).fit(scaler.transform(X[train]), CLASSES[train], constraints=c)
        Z_train, Z_test = (bwdr.transform(scaler.transform(X[part])) for part in (train, test))
        result.append(
            KNeighborsClassifier(1).fit(Z_train, CLASSES[train]).score(Z_test, CLASSES[test])
        )
    return result


def test_cross_val_score_of_a_pipeline(data, routing):
    found = cross_val_score(
        pipeline(routing), data, CLASSES, cv=SPLITS, params={given_as(routing): PAIRS}
    )
    assert found.tolist() == by_hand(data)


def test_cross_validate_of_a_pipeline(data, routing):
    found = cross_validate(
        pipeline(routing),
        data,
        CLASSES,
        cv=SPLITS,
        params={given_as(routing): PAIRS},
        return_estimator=True,
        return_indices=True,
    )
    assert found["test_score"].tolist() == by_hand(data)
    for fitted, train in zip(found["estimator"], found["indices"]["train"], strict=True):
        alone = BWDR().fit(
            fitted[0].transform(data[train]), CLASSES[train], constraints=PAIRS[train]
        )
        np.testing.assert_array_equal(fitted[1].components_, alone.components_)


def test_grid_search_of_a_pipeline(data, routing):
    grid = {"bwdr__n_components": [1, 2], "kneighborsclassifier__n_neighbors": [1]}
    search = GridSearchCV(pipeline(routing), grid, cv=SPLITS)
    search.fit(data, CLASSES, **{given_as(routing): PAIRS})
    found = search.cv_results_["mean_test_score"]
    np.testing.assert_allclose(found, [np.mean(by_hand(data, k)) for k in (1, 2)])


def test_grid_search_with_constraints_as_y(data, routing):
    grid = {"bwdr__n_components": [1, 2], "bwdr__threshold": [0.9, 1.0]}
    search = GridSearchCV(make_pipeline(StandardScaler(), BWDR()), grid, cv=SPLITS).fit(data, PAIRS)
    best = search.best_params_
    expected = []
    for train, test in SPLITS.split(data):
        scaler = StandardScaler().fit(data[train])
        bwdr = BWDR(best["bwdr__n_components"], threshold=best["bwdr__threshold"])
        bwdr.fit(scaler.transform(data[train]), PAIRS[train])
        expected.append(bwdr.score(scaler.transform(data[test]), PAIRS[test]))
    assert search.best_score_ == pytest.approx(np.mean(expected))
    assert search.best_score_ > 0.9
    assert search.transform(data).shape == (N, best["bwdr__n_components"])


def test_in_worker_processes(data):
    params = {"bwdr__constraints": PAIRS}
    found = cross_val_score(pipeline(False), data, CLASSES, cv=SPLITS, params=params, n_jobs=2)
    assert found.tolist() == by_hand(data)


def test_train_test_split_then_fit(data):
    X_train, X_test, c_train, c_test = train_test_split(data, PAIRS, random_state=0)
    assert make_pipeline(StandardScaler(), BWDR()).fit(X_train, c_train).score(X_test, c_test) > 0.8


# ---- Why: what happens to bare arrays of pairs -----------------------------------------------


class TakesAnything(Spy):
    """As a library that takes pairs as an array of row numbers."""


def arrays_in_folds(data, pairs, routing):
    estimator = asking(TakesAnything(), routing, constraints=True)
    cross_validate(
        estimator, data, CLASSES, cv=SPLITS, params={"constraints": pairs}, scoring=lambda *_: 0.0
    )
    return fits(Spy.seen)


def said_of_the_data(rows, pairs):
    """The pairs, by the row numbers of the whole data; those outside the fold are left out."""
    pairs = pairs[(pairs < len(rows)).all(axis=1)]
    return {frozenset(pair) for pair in np.asarray(rows)[pairs].tolist()}


def test_bare_pairs_pass_unsliced_and_point_at_wrong_rows(data, routing, seen):
    pairs = PAIRS.must_link[: N + 1]
    true = {frozenset(pair) for pair in pairs.tolist()}
    for rows, got in arrays_in_folds(data, pairs, routing):
        assert np.array_equal(got, pairs)  # as if the fold were the whole data
        assert got.max() >= len(rows)  # some rows are not there, which may be noticed;
        said = said_of_the_data(rows, got)
        wrong = {pair for pair in said if len(set(CLASSES[list(pair)])) > 1}
        assert len(said - true) > len(said) / 2  # most of the others were never said,
        assert wrong  # and some of them are false.


def test_as_many_bare_pairs_as_rows_are_sliced_like_weights(data, routing, seen):
    pairs = PAIRS.must_link[:N]
    for (train, _), (rows, got) in zip(
        SPLITS.split(data), arrays_in_folds(data, pairs, routing), strict=True
    ):
        assert np.array_equal(got, pairs[train])  # pair k is dropped with row k
        assert not said_of_the_data(rows, got) <= {frozenset(pair) for pair in pairs.tolist()}


@pytest.mark.parametrize("n_pairs", [N, N + 1])
@pytest.mark.parametrize("form", [np.asarray, np.ndarray.tolist, pd.DataFrame])
def test_bare_pairs_are_refused(data, n_pairs, form):
    bare = form(PAIRS.cannot_link[:n_pairs])
    with pytest.raises(TypeError, match=r"constraints must be a pairspace\.Constraints"):
        BWDR().fit(data, CLASSES, constraints=bare)
    with pytest.raises(TypeError, match=f"got {type(bare).__name__}"):
        cross_val_score(
            pipeline(False),
            data,
            CLASSES,
            params={"bwdr__constraints": bare},
            error_score="raise",
        )


def test_constraints_that_were_not_split_are_refused(data):
    with pytest.raises(ValueError, match="X has 40 rows, but the constraints are about 60"):
        BWDR().fit(data[:40], PAIRS)
    with pytest.raises(ValueError, match="X has 40 rows, but the constraints are about 60"):
        BWDR().fit(data[:40], CLASSES[:40], constraints=PAIRS)
