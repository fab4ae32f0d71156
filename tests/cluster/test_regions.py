"""Region clustering: its objective, and the effect of answers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.answer_clusters import objective, smallest
from pairspace import Constraints
from pairspace.cluster.regions import _links, _merged, _objective, _refined, cluster_regions

pytestmark = pytest.mark.iterative

N = 7
pairs = st.lists(st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)), max_size=5)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1000), pairs, pairs, st.floats(0, 20), st.integers(2, 3))
def test_each_step_comes_nearer_to_the_smallest(seed, same, different, weight, n_clusters):
    random = np.random.default_rng(seed)
    points, sizes = random.standard_normal((N, 2)), random.integers(1, 5, N).astype(float)
    same = [(i, j) for i, j in same if i != j]
    different = [(i, j) for i, j in different if i != j and {i, j} not in map(set, same)]
    links = np.zeros((N, N))
    for given_pairs, sign in ((same, weight), (different, -weight)):
        for i, j in given_pairs:
            links[i, j] += sign
            links[j, i] += sign

    def value(labels):
        return objective(points, sizes, same, different, weight, labels.tolist())

    merged = _merged(sizes, points, links, n_clusters)
    refined = _refined(sizes, points, links, merged, n_clusters)
    assert len(np.unique(merged)) == len(np.unique(refined)) == n_clusters
    n_same = weight * len(same)
    assert _objective(sizes, points, links, refined) + n_same == pytest.approx(value(refined))
    best = smallest(points.tolist(), sizes.tolist(), same, different, weight, n_clusters)
    assert best - 1e-9 <= value(refined) <= value(merged) + 1e-9


def test_links_count_answers_between_regions():
    regions = np.array([0, 0, 1, 1, 2])
    answers = Constraints(5, [(0, 2), (1, 3), (0, 1)], [(2, 4)])
    expected = np.array([[0, 2, 0], [2, 0, -1], [0, -1, 0]])
    np.testing.assert_array_equal(_links(regions, answers, 3), expected)


@pytest.fixture
def four_blobs():
    """Forty rows about each corner of a rectangle; 0 and 1 are the near ones, as are 2 and 3."""
    random = np.random.default_rng(0)
    corners = np.array([[0.0, 0.0], [0.0, 8.0], [10.0, 0.0], [10.0, 8.0]])
    blob = np.repeat(np.arange(4), 40)
    return corners[blob] + random.standard_normal((160, 2)), blob


def found_in(Z, answers):
    found = cluster_regions(Z, answers, 2, 16, np.random.RandomState(0))
    return found.predict(Z)


def test_without_answers_distances_decide(four_blobs):
    Z, blob = four_blobs
    clusters = found_in(Z, Constraints(160))
    assert len(np.unique(clusters[blob < 2])) == len(np.unique(clusters[blob >= 2])) == 1


def test_a_few_answers_decide_for_all_rows(four_blobs):
    Z, blob = four_blobs
    rows = [np.flatnonzero(blob == b) for b in range(4)]
    same = [(int(rows[0][t]), int(rows[2][t])) for t in range(6)]
    same += [(int(rows[1][t]), int(rows[3][t])) for t in range(6)]
    different = [(int(rows[0][t]), int(rows[1][t])) for t in range(6)]
    clusters = found_in(Z, Constraints(160, same, different))
    assert len(np.unique(clusters[blob % 2 == 0])) == len(np.unique(clusters[blob % 2 == 1])) == 1


def test_right_answers_outweigh_a_wrong_one(four_blobs):
    Z, blob = four_blobs
    right = Constraints.from_labels(blob // 2, n_pairs=60, random_state=0)
    wrong = Constraints(
        160,
        np.vstack([right.must_link[2:], right.cannot_link[:2]]),
        np.vstack([right.cannot_link[2:], right.must_link[:2]]),
    )
    clusters = found_in(Z, wrong)
    assert len(np.unique(clusters[blob < 2])) == len(np.unique(clusters[blob >= 2])) == 1
