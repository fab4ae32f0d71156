"""The metrics, against counting pair by pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

from oracles.pairs import pairs_of_labels
from pairspace import Constraints, metrics


def auc_by_counting(X, must, cannot, must_weight, cannot_weight):
    won = total = 0.0
    for (i, j), w in zip(must, must_weight, strict=True):
        for (k, m), v in zip(cannot, cannot_weight, strict=True):
            near, far = np.sum((X[i] - X[j]) ** 2), np.sum((X[k] - X[m]) ** 2)
            won += w * v * (1.0 if near < far else 0.5 if near == far else 0.0)
            total += w * v
    return won / total


@pytest.mark.parametrize("ties", [False, True])
def test_pair_auc_by_counting(ties):
    random = np.random.default_rng(0)
    X = random.integers(0, 3, (25, 2)).astype(float) if ties else random.normal(size=(25, 2))
    c = Constraints.from_labels(random.integers(0, 3, 25), n_pairs=60, random_state=0)
    weights = random.uniform(0.1, 3, len(c.must_link)), random.uniform(0.1, 3, len(c.cannot_link))
    c = Constraints(
        25, c.must_link, c.cannot_link, must_weight=weights[0], cannot_weight=weights[1]
    )
    wanted = auc_by_counting(X, c.must_link, c.cannot_link, c.must_weight, c.cannot_weight)
    assert metrics.pair_auc(X, c) == pytest.approx(wanted)


def test_pair_auc_of_labels_counts_all_their_pairs():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(30, 3)), random.integers(-1, 3, 30)
    must, cannot = pairs_of_labels(y)
    wanted = auc_by_counting(X, must, cannot, np.ones(len(must)), np.ones(len(cannot)))
    assert metrics.pair_auc(X, y) == pytest.approx(wanted)


def test_pair_auc_of_many_labels_is_sampled_and_repeatable():
    random = np.random.default_rng(0)
    y = random.integers(0, 3, 400)
    X = random.normal(size=(400, 2)) + y[:, None]
    exact = metrics.pair_auc(X, y)
    sampled = metrics.pair_auc(X, y, max_pairs=20_000)
    assert sampled == metrics.pair_auc(X, y, max_pairs=20_000)
    assert sampled != exact
    assert sampled == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize(
    ("pairs", "missing"), [([[(0, 1)], []], "cannot-links"), ([[], [(0, 1)]], "must-links")]
)
def test_pair_auc_without_one_kind_is_nan_and_says_so(pairs, missing):
    with pytest.warns(UndefinedMetricWarning, match=f"no {missing}"):
        assert np.isnan(metrics.pair_auc(np.ones((3, 2)), Constraints(3, *pairs)))


def test_pair_auc_refuses_other_lengths():
    with pytest.raises(ValueError, match="X has 4 rows, but y has 3"):
        metrics.pair_auc(np.ones((4, 2)), Constraints(3, [(0, 1)], [(1, 2)]))


labelings = st.integers(2, 12).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)
)


def counts(y, clusters):
    table = np.zeros((2, 2))
    for i in range(len(y)):
        for j in range(i):
            table[int(y[i] == y[j]), int(clusters[i] == clusters[j])] += 1
    return table


@given(labelings)
def test_clustering_metrics_by_counting_pairs(labels):
    y, clusters = labels
    (apart, joined), (split, together) = counts(y, clusters)
    halves = []
    if together + split:
        halves.append(together / (together + split))
    if apart + joined:
        halves.append(apart / (apart + joined))
    assert metrics.normalized_rand_index(y, clusters) == pytest.approx(np.mean(halves))
    f = metrics.pair_f_score(y, clusters)
    if 2 * together + joined + split:
        assert f == pytest.approx(2 * together / (2 * together + joined + split))


@given(labelings)
def test_purity_by_hand_and_its_bound(labels):
    y, clusters = map(np.array, labels)
    right = sum(np.bincount(y[clusters == c]).max() for c in np.unique(clusters))
    found = metrics.purity(y, clusters)
    assert found == pytest.approx(right / len(y))
    assert found >= np.bincount(y).max() / len(y) - 1e-12


def test_perfect_and_worst_clusterings():
    y = [0, 0, 1, 1]
    assert metrics.normalized_rand_index(y, ["a", "a", "b", "b"]) == 1.0
    assert metrics.normalized_rand_index(y, [0, 1, 0, 1]) == 0.25  # half of the pairs apart
    assert metrics.normalized_rand_index([0], [0]) == 1.0


def test_many_samples_need_no_pairs():
    random = np.random.default_rng(0)
    y = random.integers(0, 5, 500_000)
    assert metrics.normalized_rand_index(y, y) == 1.0
    assert metrics.pair_f_score(y, random.integers(0, 5, 500_000)) == pytest.approx(0.2, abs=0.01)


def test_cumulative_purity_by_hand():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(40, 2)), random.integers(-1, 3, 40)
    known = np.flatnonzero(y >= 0)
    wanted = []
    for k in range(1, 6):
        shares = []
        for i in known:
            others = known[known != i]
            near = others[np.argsort(np.linalg.norm(X[others] - X[i], axis=1))[:k]]
            shares.append(np.mean(y[near] == y[i]))
        wanted.append(np.mean(shares))
    np.testing.assert_allclose(metrics.cumulative_purity(X, y, n_neighbors=5), wanted)


def test_cumulative_purity_needs_neighbours():
    with pytest.raises(ValueError, match="n_neighbors=3 must be between 1 and 2"):
        metrics.cumulative_purity(np.eye(4), [0, 1, 1, -1], n_neighbors=3)
