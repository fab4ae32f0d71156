"""PairClusters: groups that follow the answers, on every kind of table."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from pairspace import Constraints, ContradictionError, PairClusters, load, save
from pairspace.cluster import pair_clusters
from pairspace.cluster.region_groups import n_clusters_of

FAST = ["label spreading, standardised", "logistic regression, standardised"]


@parametrize_with_checks([PairClusters(learners=FAST), PairClusters(n_clusters=3)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def some_labels(y, n, seed=0):
    rows = np.random.default_rng(seed).choice(len(y), n, replace=False)
    known = np.full(len(y), -1)
    known[rows] = y[rows]
    return known


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True)


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:900], y[:900]


def star_answers(y, rows):
    """Each row is compared with the first row of every class seen so far, as on a board."""
    must, cannot, first = [], [], {}
    for row in rows:
        for label, other in first.items():
            (must if label == y[row] else cannot).append((other, row))
        first.setdefault(y[row], row)
    return Constraints(len(y), must, cannot)


@pytest.mark.iterative
def test_few_labels_group_the_digits(digits):
    X, y = digits
    found = PairClusters(random_state=0).fit(X, some_labels(y, 80))
    assert adjusted_rand_score(y, found.labels_) > 0.8
    assert found.n_clusters_ == 10
    assert found.group_labels_ == list(range(10))
    np.testing.assert_allclose(found.probabilities_.sum(axis=1), 1)
    np.testing.assert_array_equal(found.labels_, found.probabilities_.argmax(axis=1))


@pytest.mark.iterative
def test_pairs_say_the_same_as_labels(wine):
    X, y = wine
    rows = np.random.default_rng(0).choice(len(y), 25, replace=False)
    by_pairs = PairClusters(random_state=0).fit(X, star_answers(y, rows))
    known = np.full(len(y), -1)
    known[rows] = y[rows]
    by_labels = PairClusters(random_state=0).fit(X, known)
    np.testing.assert_array_equal(np.sort(by_pairs.placed_rows_), np.sort(rows))
    assert adjusted_rand_score(by_pairs.labels_, by_labels.labels_) > 0.9
    assert adjusted_rand_score(y, by_pairs.labels_) > 0.85
    assert by_pairs.group_labels_ == [None] * 3


@pytest.mark.iterative
def test_learners_are_listed_by_weight(wine):
    X, y = wine
    found = PairClusters(random_state=0).fit(X, some_labels(y, 30))
    table = found.learner_weights_
    assert list(table.columns) == ["learner", "loss", "weight"]
    assert table["weight"].sum() == pytest.approx(1)
    assert table["weight"].is_monotonic_decreasing
    assert table["loss"].is_monotonic_increasing
    assert len(table) == 8


def test_new_rows(digits):
    X, y = digits
    found = PairClusters(random_state=0).fit(X[:600], some_labels(y[:600], 80))
    P = found.predict_proba(X[600:])
    np.testing.assert_allclose(P.sum(axis=1), 1)
    assert np.mean(found.predict(X[600:]) == y[600:]) > 0.8
    assert np.mean(found.predict(X[:600]) == found.labels_) > 0.95
    np.testing.assert_array_equal(found.predict(X[600:601]), P[:1].argmax(axis=1))


@pytest.mark.iterative
def test_wrong_labels_are_outvoted_and_listed(digits):
    X, y = digits
    known = some_labels(y, 100)
    rows = np.flatnonzero(known >= 0)
    wrong = np.random.default_rng(1).choice(rows, 8, replace=False)
    known[wrong] = (known[wrong] + 1) % 10
    found = PairClusters(random_state=0).fit(X, known)
    listed = found.doubtful_answers_
    assert listed["probability"].is_monotonic_increasing
    assert len(listed) == 100
    assert np.isin(listed["i"][:8], wrong).sum() >= 6
    assert np.mean(found.labels_[wrong] == y[wrong]) >= 0.5
    assert 0.04 < found.error_rate_ < 0.2
    trusting = PairClusters(hard=True, random_state=0).fit(X, known)
    np.testing.assert_array_equal(trusting.labels_[rows], known[rows])


@pytest.mark.iterative
def test_a_wrong_pair_is_listed(wine):
    X, y = wine
    rows = np.random.default_rng(3).choice(len(y), 40, replace=False)
    answers = star_answers(y, rows)
    first = {label: next(row for row in rows if y[row] == label) for label in range(3)}
    moved = next(row for row in rows[::-1] if y[row] == 0)  # said to be of class 2
    kept = [pair for pair in answers.must_link.tolist() if moved not in pair]
    differs = [pair for pair in answers.cannot_link.tolist() if moved not in pair]
    said = Constraints(
        len(y), [*kept, (first[2], moved)], [*differs, (first[0], moved), (first[1], moved)]
    )
    found = PairClusters(random_state=0).fit(X, said)
    worst = found.doubtful_answers_.iloc[:2]
    assert set(map(tuple, np.sort(worst[["i", "j"]].to_numpy(), axis=1).tolist())) == {
        tuple(sorted(pair)) for pair in ((first[2], moved), (first[0], moved))
    }
    assert (worst["probability"] < 0.5).all()


@pytest.mark.iterative
def test_hard_keeps_every_pair(wine):
    X, y = wine
    answers = Constraints.from_labels(y, n_pairs=60, random_state=0)
    found = PairClusters(hard=True, n_clusters=3, random_state=0).fit(X, answers)
    i, j = answers.must_link.T
    np.testing.assert_array_equal(found.labels_[i], found.labels_[j])
    i, j = answers.cannot_link.T
    assert (found.labels_[i] != found.labels_[j]).all()


def test_hard_keeps_labels_apart_where_pairs_place_too_few_rows(wine):
    """The groups are then regions, of which one may have rows of several labels."""
    X, _ = wine
    labels = np.full(len(X), -1)
    labels[:5] = range(5)  # of one kind, in fact
    others = [(row, row + 1) for row in range(60, 120, 2)]
    known = Constraints(len(X), [], others)
    found = PairClusters(hard=True, random_state=0).fit(X, labels, constraints=known)
    assert not len(found.placed_rows_)
    assert len(set(found.labels_[:5].tolist())) == 5


def test_of_many_learners_with_little_weight_each_all_are_asked(wine):
    X, y = wine
    known = np.where(np.arange(len(y)) % 6, -1, y)
    many = {f"Bayes {number}": GaussianNB() for number in range(60)}
    found = PairClusters(learners=many, random_state=0).fit(X, known)
    assert np.max(found.learner_weights_["weight"]) < 0.02
    one = PairClusters(learners={"Bayes": GaussianNB()}, random_state=0).fit(X, known)
    np.testing.assert_allclose(found.predict_proba(X), one.predict_proba(X), atol=1e-9)


def test_hard_adds_a_group_unless_their_number_is_given(wine):
    X, _ = wine
    # A cycle of five differences needs three groups, but no three of them all differ.
    cycle = Constraints(len(X), [], [(0, 40), (40, 80), (80, 120), (120, 160), (160, 0)])
    found = PairClusters(hard=True, random_state=0).fit(X, cycle)
    assert found.n_clusters_ == 3
    assert found.predict_proba(X[:5]).shape == (5, 3)
    i, j = cycle.cannot_link.T
    assert (found.labels_[i] != found.labels_[j]).all()
    with pytest.raises(ValueError, match="no way was found to keep all cannot-links with 2 groups"):
        PairClusters(2, hard=True, random_state=0).fit(X, cycle)


def test_contradictions_are_shown(wine):
    X, _ = wine
    with pytest.raises(ContradictionError):
        PairClusters().fit(X, Constraints(len(X), [(0, 1), (1, 2)], [(0, 2)]))


@pytest.mark.iterative
def test_random_pairs_fall_back_to_regions(digits):
    X, y = digits
    answers = Constraints.from_labels(y, per_class=5, random_state=0)
    found = PairClusters(10, random_state=0).fit(X, answers)
    assert list(found.learner_weights_["learner"]) == ["regions"]
    assert found.n_clusters_ == 10
    assert adjusted_rand_score(y, found.labels_) > 0.4
    assert len(found.doubtful_answers_) == 0
    assert found.predict(X[:7]).shape == (7,)


@pytest.mark.iterative
def test_random_pairs_choose_the_number_of_groups(wine):
    X, y = wine
    answers = Constraints.from_labels(y, per_class=10, random_state=0)
    found = PairClusters(random_state=0).fit(X, answers)
    assert list(found.learner_weights_["learner"]) == ["regions"]
    assert found.n_clusters_ == 3
    assert adjusted_rand_score(y, found.labels_) > 0.8


@pytest.mark.iterative
def test_the_number_of_clusters_that_keeps_the_most_pairs():
    random = np.random.RandomState(0)
    y = np.repeat(np.arange(6), 20)
    Z = 20 * np.eye(6)[y] + random.normal(size=(120, 6))
    pairs = Constraints.from_labels(y, per_class=10, random_state=0)
    assert n_clusters_of(Z, pairs, 2, 120, random) == 6
    assert n_clusters_of(Z, pairs, 8, 120, random) == 8, "never fewer than the answers show"
    few = Constraints(120, pairs.must_link[:3], pairs.cannot_link)
    assert n_clusters_of(Z, few, 2, 120, random) == 2, "too few must-links to judge by"


@pytest.mark.iterative
def test_true_is_one_cluster():
    """As in scikit-learn, whose checks of parameters take a boolean for an integer."""
    X = np.random.default_rng(0).normal(size=(26, 5))
    assert not PairClusters(True, random_state=0).fit(X).labels_.any()


def test_without_answers_it_is_a_clusterer():
    X, y = load_iris(return_X_y=True)
    found = PairClusters(3, random_state=0).fit(X)
    assert adjusted_rand_score(y, found.labels_) > 0.5
    assert PairClusters(random_state=0).fit(X).n_clusters_ == 2


@pytest.mark.iterative
def test_groups_that_no_answer_shows_start_far_from_the_placed_rows():
    random = np.random.default_rng(0)
    y = np.repeat(np.arange(4), 50)
    X = (
        random.normal(size=(200, 3))
        + 12 * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1]])[y]
    )
    known = np.where(y < 2, y, -1)
    known[random.choice(200, 170, replace=False)] = -1
    found = PairClusters(4, random_state=0).fit(X, known)
    assert adjusted_rand_score(y, found.labels_) > 0.95
    assert found.group_labels_ == [0, 1, None, None]


def test_more_groups_than_asked_for_if_the_answers_show_them(wine):
    X, y = wine
    assert PairClusters(2, random_state=0).fit(X, some_labels(y, 30)).n_clusters_ == 3


def test_one_more_answer_changes_little(digits):
    X, y = digits
    order = np.random.default_rng(0).permutation(len(y))
    before, known = None, np.full(len(y), -1)
    known[order[:60]] = y[order[:60]]
    for row in order[60:66]:
        known[row] = y[row]
        labels = PairClusters(random_state=0).fit(X, known).labels_
        if before is not None:
            assert adjusted_rand_score(before, labels) > 0.85
        before = labels


@pytest.mark.iterative
def test_sparse_is_as_dense(wine):
    X, y = wine
    known = some_labels(y, 30)
    dense = PairClusters(random_state=0).fit(X, known)
    sparse = PairClusters(random_state=0).fit(csr_array(X), known)
    assert adjusted_rand_score(dense.labels_, sparse.labels_) > 0.9
    assert adjusted_rand_score(y, sparse.labels_) > 0.8


def test_frames_and_float32(wine):
    X, y = wine
    names = [f"c{i}" for i in range(X.shape[1])]
    found = PairClusters(random_state=0).fit(
        pd.DataFrame(X, columns=names), pd.Series(some_labels(y, 30))
    )
    assert list(found.feature_names_in_) == names
    single = PairClusters(random_state=0).fit(X.astype(np.float32), some_labels(y, 30))
    assert adjusted_rand_score(found.labels_, single.labels_) > 0.9


def test_text_labels_name_the_groups(wine):
    X, y = wine
    names = np.array(["red", "white", "rosé"], dtype=object)
    known = [None if code < 0 else names[code] for code in some_labels(y, 30)]
    found = PairClusters(random_state=0).fit(X, known)
    assert found.group_labels_ == sorted(names)


def test_own_classifiers(wine):
    X, y = wine
    own = {"bayes": GaussianNB(), "logistic": LogisticRegression(max_iter=5000)}
    found = PairClusters(learners=own, random_state=0).fit(X, some_labels(y, 30))
    assert set(found.learner_weights_["learner"]) == set(own)
    assert adjusted_rand_score(y, found.labels_) > 0.7


@pytest.mark.parametrize("learners", ["all", [], {}, ["svm"], {"a": 3}])
def test_learners_that_do_not_exist(wine, learners):
    X, y = wine
    with pytest.raises(ValueError, match="learners"):
        PairClusters(learners=learners).fit(X, some_labels(y, 30))


def test_many_rows_are_learned_from_in_part(digits, monkeypatch):
    monkeypatch.setattr(pair_clusters, "FIT_ROWS", 400)
    X, y = digits
    known = some_labels(y, 80)
    found = PairClusters(random_state=0).fit(X, known)
    assert found.labels_.shape == (900,)
    assert adjusted_rand_score(y, found.labels_) > 0.75
    np.testing.assert_array_equal(found.placed_rows_, np.flatnonzero(known >= 0))
    assert set(found.doubtful_answers_["i"]) == set(found.placed_rows_.tolist())


def test_the_seed_decides_alone(wine):
    X, y = wine
    known = some_labels(y, 30)
    first, again = (PairClusters(random_state=5).fit(X, known) for _ in range(2))
    np.testing.assert_array_equal(first.probabilities_, again.probabilities_)


@pytest.mark.iterative
@pytest.mark.parametrize("learner", ["label spreading, raw", "SVC, raw"])
def test_the_unit_does_not_matter(learner):
    """Rows on a grid are often equally near: rounding of their coordinates must not decide."""
    X = np.random.default_rng(0).integers(3, size=(40, 4)).astype(float)
    y = np.where(np.arange(40) % 3 == 0, X[:, 0].astype(int), -1)
    plain, *others = (
        PairClusters(learners=[learner], random_state=0).fit(f * X, y).probabilities_
        for f in (1.0, 1e-6, 0.1, 7.0, 1e5)
    )
    for other in others:
        np.testing.assert_allclose(other, plain, atol=1e-9)


def test_a_fitted_model_can_be_pickled(wine):
    X, y = wine
    found = PairClusters(random_state=0).fit(X, some_labels(y, 30))
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.predict_proba(X), found.predict_proba(X))


def test_rows_that_are_all_equal():
    with pytest.raises(ValueError, match="all rows of X are equal"):
        PairClusters(random_state=0).fit(np.ones((10, 3)), [0, 1, *[-1] * 8])


def test_a_table_on_a_disk_is_read_in_blocks(digits, tmp_path):
    X, y = digits
    stored = np.memmap(tmp_path / "X", dtype=X.dtype, mode="w+", shape=X.shape)
    stored[:] = X
    known = some_labels(y, 80)
    with config_context(working_memory=0.42):
        found = PairClusters(random_state=0).fit(stored, known)
        predicted = found.predict(stored)
    assert len(found.placed_rows_) == 80
    assert adjusted_rand_score(y, found.labels_) > 0.7
    assert np.mean(predicted == found.labels_) > 0.9


def test_dask_is_lazy(digits, monkeypatch):
    da = pytest.importorskip("dask.array")
    monkeypatch.setattr(pair_clusters, "FIT_ROWS", 400)
    X, y = digits
    known = some_labels(y, 80)
    found = PairClusters(random_state=0).fit(da.from_array(X, chunks=(300, 64)), known)
    assert hasattr(found.labels_, "compute")
    assert hasattr(found.probabilities_, "compute")
    assert adjusted_rand_score(y, found.labels_.compute()) > 0.7
    lazy = found.predict_proba(da.from_array(X[:50], chunks=(20, 64)))
    np.testing.assert_allclose(lazy.compute(), found.predict_proba(X[:50]))


@pytest.mark.parametrize("kind", ["labels", "random pairs"])
def test_a_model_file(wine, tmp_path, kind):
    X, y = wine
    known = some_labels(y, 30)
    if kind == "random pairs":
        known = Constraints.from_labels(y, n_pairs=20, random_state=0)
    found = PairClusters(random_state=0).fit(X, known)
    save(found, tmp_path / "clusters.skops", X)
    again = load(tmp_path / "clusters.skops")
    np.testing.assert_array_equal(again.predict_proba(X), found.predict_proba(X))
    pd.testing.assert_frame_equal(again.learner_weights_, found.learner_weights_)
    pd.testing.assert_frame_equal(again.doubtful_answers_, found.doubtful_answers_)
