"""The protocols of our own tables do what they say."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier

from experiments import protocols
from experiments.papers import bwdr
from experiments.peers import MetricLearnRCA
from experiments.protocols import LabelledLDA, known_of
from experiments.table import Split
from experiments.tables.bwdr_table2 import CFLDNotCentred
from pairspace import BWDR, CFLD, WBDR, Constraints
from pairspace.datasets import load, make_noisy_blobs
from pairspace.metrics import pair_auc

COLUMN = bwdr.BEST


@pytest.mark.parametrize("n_folds", [2, 5])
def test_folds_are_even_in_every_class(n_folds):
    y = np.repeat([0, 1, 2, 3], [40, 13, 7, 1])
    folds = protocols.fold_numbers(y, n_folds, seed=0)
    assert np.ptp(np.bincount(folds)) <= 1
    for label in range(4):
        assert np.ptp(np.bincount(folds[y == label], minlength=n_folds)) <= 1
    assert np.array_equal(folds, protocols.fold_numbers(y, n_folds, seed=0))
    assert not np.array_equal(folds, protocols.fold_numbers(y, n_folds, seed=1))


def test_a_sample_of_rows_keeps_the_shares():
    y = np.repeat([0, 1], [900, 100])
    rows = protocols.at_most(y, 200, seed=0)
    assert np.bincount(y[rows]).tolist() == [180, 20]
    assert np.all(np.diff(rows) > 0)
    assert np.array_equal(protocols.at_most(y, 1000, seed=0), np.arange(1000))


def test_missing_cells_get_the_training_median():
    train = np.array([[1.0, np.nan], [5.0, np.nan], [3.0, np.nan]])
    test = np.array([[np.nan, 7.0]])
    filled_train, filled_test = protocols.filled(train, test)
    assert filled_test.tolist() == [[3.0, 7.0]]
    assert filled_train[:, 1].tolist() == [0.0, 0.0, 0.0]
    scaled, _ = protocols.filled(train, test, scale=True)
    assert scaled[:, 0].std() == pytest.approx(1.0)
    assert np.isfinite(scaled).all()
    assert protocols.filled(filled_train, filled_test)[0] is filled_train


def test_what_is_known():
    y = np.repeat([0, 1, 2], [50, 40, 3])
    pairs = protocols.known_of(y, 0, per_class=2)
    assert (len(pairs.must_link), len(pairs.cannot_link)) == (6, 6)
    assert len(protocols.known_of(y, 0, per_class=0).must_link) == 0
    share = protocols.known_of(y, 0, fraction=0.1)
    assert len(share.must_link) + len(share.cannot_link) == round(0.1 * 93 * 92 / 2)
    labels = protocols.known_of(y, 0, labels=0.1)
    assert [np.sum(labels == label) for label in range(3)] == [5, 4, 1]
    assert set(labels[labels >= 0] - y[labels >= 0]) == {0}
    some = protocols.known_of(y, 0, labels_per_class=5)
    assert [np.sum(some == label) for label in range(3)] == [5, 5, 1]  # at most half of a class


@pytest.mark.parametrize("make", [protocols.ExactPCA, WBDR, BWDR, lambda k: BWDR(k, threshold=0.5)])
def test_spaces_are_those_of_separate_fits(make):
    X, y = make_noisy_blobs(120, n_classes=4, n_informative=3, n_noise=4, random_state=0)
    known = Constraints.from_labels(y, n_pairs=400, random_state=0)
    found = list(protocols.spaces(make, 5, X, known, X[:7]))
    assert len(found) == 5
    for k, (train, test) in enumerate(found, start=1):
        wanted = make(k).fit(X, known).transform(X)
        np.testing.assert_allclose(np.abs(train), np.abs(wanted), rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(test, train[:7], rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("shape", [(300, 150), (40, 300), (50, 4), (150, 400)])
def test_exact_pca_is_pca(shape):
    X = np.random.default_rng(0).normal(size=shape) + 5
    found, wanted = protocols.ExactPCA(4).fit(X, "ignored"), PCA(4, svd_solver="full").fit(X)
    np.testing.assert_allclose(found.transform(X), wanted.transform(X), atol=1e-9)
    assert np.array_equal(found.components_, protocols.ExactPCA(4).fit(X).components_)


def test_a_method_gets_as_many_components_as_it_can():
    X, _ = make_noisy_blobs(60, n_noise=4, random_state=0)
    assert protocols.fitted(PCA, 9, X, None).n_components == 6
    few = Constraints(60, must_link=[(0, 1), (2, 3)])
    assert protocols.fitted(CFLD, 9, X, few).n_components == 2
    with pytest.raises(ValueError, match="needs must-links"):
        protocols.fitted(CFLD, 9, X, Constraints(60, cannot_link=[(0, 1)]))


def test_accuracy_by_dimension_step_by_step():
    X, y = protocols.load_numbers("wine")
    split = Split("wine", "", 0, 3)
    outer, inner, _ = prepared = bwdr.prepare_folds(X, y, split, fraction=0.3)
    n = len(outer.X_train)
    assert len(outer.pairs.must_link) + len(outer.pairs.cannot_link) == round(0.3 * n * (n - 1) / 2)
    assert sum(len(fold.X_test) for fold in inner) == n
    metrics = bwdr.accuracy_by_dimension(prepared, WBDR, 4)
    for k, accuracy in enumerate(metrics["accuracy"], start=1):
        space = WBDR(k).fit(outer.X_train, outer.pairs)
        train, test = space.transform(outer.X_train), space.transform(outer.X_test)
        judge = KNeighborsClassifier(1).fit(train / train.std(axis=0), outer.y_train)
        assert accuracy == judge.score(test / train.std(axis=0), outer.y_test)
    assert metrics["accuracy_of_chosen"] == metrics["accuracy"][metrics["chosen"] - 1]
    alone = [
        bwdr.accuracy_by_dimension(bwdr.Folds(fold, []), WBDR, 4)["accuracy"] for fold in inner
    ]
    assert metrics["chosen"] == np.argmax(np.mean(alone, axis=0)) + 1


def test_the_best_dimension_is_that_of_the_mean():
    cells = [
        {"accuracy": [0.2, 0.9, 0.4], "accuracy_of_chosen": 0.9},
        {"accuracy": [0.8, 0.3], "accuracy_of_chosen": 0.8},
    ]
    assert bwdr.best_and_chosen(cells) == {
        COLUMN: pytest.approx(0.6),
        "K chosen on inner folds": pytest.approx(0.85),
    }


@pytest.mark.parametrize("known", [{"per_class": 5}, {"fraction": 0.01}, {"labels": 0.1}])
def test_the_space_is_scored_on_held_out_rows(known):
    X, y = make_noisy_blobs(400, noise=3.0, random_state=0)
    X[::7, 0] = np.nan
    split = Split("blobs", "", 0, 0)
    halves = protocols.prepare_halves(X, y, split, scale=True, max_rows=300, **known)
    other = protocols.prepare_halves(X, y, split._replace(fold=1), max_rows=300, **known)
    assert len(halves.X_train) == len(halves.X_test) == len(other.X_test) == 150
    assert len(halves.known) == 150
    judged = protocols.judge_space(halves, WBDR, 2)
    space = WBDR(2).fit(halves.X_train, halves.known)
    train, test = space.transform(halves.X_train), space.transform(halves.X_test)
    nearest = KNeighborsClassifier(1).fit(train, halves.y_train)
    assert judged["n_components"] == 2
    assert judged["accuracy"] == nearest.score(test, halves.y_test) > 0.4
    assert judged["pair_auc"] == pair_auc(test, halves.test_pairs) > 0.55
    assert 0.0 < judged["ari"] <= 1.0
    assert judged == protocols.judge_space(halves, WBDR, 2)


def test_the_wrong_cfld_moves_only_rows_it_was_not_fitted_on():
    X, y = load("iris", return_X_y=True)
    right, wrong = CFLD(1).fit(X, y), CFLDNotCentred(1).fit(X, y)
    np.testing.assert_allclose(wrong.transform(X), right.transform(X))
    moved = wrong.transform(X[:5]) - right.transform(X[:5])
    np.testing.assert_allclose(moved, np.full((5, 1), X.mean(axis=0) @ right.components_[0]))


def test_wrong_answers_are_the_opposite_of_true_ones():
    y = np.arange(400) % 4
    given = known_of(y, 0, per_class=50, wrong=0.2)
    true = known_of(y, 0, per_class=50)
    assert len(given.must_link) + len(given.cannot_link) == 400
    wrong_must = np.mean(y[given.must_link[:, 0]] != y[given.must_link[:, 1]])
    wrong_cannot = np.mean(y[given.cannot_link[:, 0]] == y[given.cannot_link[:, 1]])
    assert 0.1 < wrong_must < 0.3
    assert 0.1 < wrong_cannot < 0.3
    assert (y[true.must_link[:, 0]] == y[true.must_link[:, 1]]).all()
    assert not len(known_of(y, 0, per_class=0).must_link)


def test_lda_learns_from_the_labelled_rows_only():
    X, y = make_noisy_blobs(random_state=0)
    partial_labels = np.where(np.arange(len(y)) % 3 == 0, y, -1)
    lda = LabelledLDA(9).fit(X, partial_labels)
    assert lda.transform(X).shape == (len(X), len(np.unique(y)) - 1)
    with pytest.raises(ValueError, match="not from pairs"):
        LabelledLDA(2).fit(X, known_of(y, 0, per_class=2))


def test_a_peer_that_is_not_installed_is_named():
    with pytest.raises(ImportError, match="make study-peers"):
        MetricLearnRCA(2).fit(np.eye(4), np.array([0, 0, 1, 1]))
