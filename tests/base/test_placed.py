"""Which rows the answers place in groups."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairspace import Constraints
from pairspace.base import Supervision, placed_rows


def placed(n, must=(), cannot=(), y=None, **weights):
    return placed_rows(Supervision(y, Constraints(n, must, cannot, **weights), n))


def test_labels_are_groups_in_their_order():
    found = placed(6, y=["b", None, "a", "b", None, "c"])
    assert found.rows.tolist() == [0, 2, 3, 5]
    assert found.groups.tolist() == [1, 0, 1, 2]
    assert (found.n_groups, found.n_answered) == (3, 4)


def test_rows_joined_with_a_label_are_placed():
    found = placed(6, must=[(0, 4), (4, 5)], y=[1, 2, -1, -1, -1, -1])
    assert found.rows.tolist() == [0, 1, 4, 5]
    assert found.groups.tolist() == [0, 1, 0, 0]


def test_pairs_make_groups_that_differ():
    found = placed(8, must=[(0, 1), (2, 3), (4, 5)], cannot=[(0, 2), (3, 4), (1, 5), (6, 7)])
    assert found.rows.tolist() == [0, 1, 2, 3, 4, 5]
    assert found.groups.tolist() == [0, 0, 1, 1, 2, 2]
    assert found.n_answered == 8


def test_a_group_that_may_be_one_of_the_others_is_not_placed():
    # Row 6 differs from the first group alone: it may be of the second.
    found = placed(7, must=[(0, 1), (2, 3)], cannot=[(0, 2), (0, 6)])
    assert found.rows.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("must", [[], [(0, 1), (2, 3)]])
def test_without_differences_nothing_is_placed(must):
    found = placed(5, must=must)
    assert (len(found.rows), found.n_groups) == (0, 0)


def test_one_label_places_nothing():
    assert placed(5, y=[2, 2, -1, -1, -1]).n_groups == 0


def test_the_weight_of_a_row_is_that_of_its_strongest_must_link():
    found = placed(
        5, must=[(0, 1), (1, 2)], cannot=[(0, 3)], must_weight=[0.2, 0.7], cannot_weight=[1.0]
    )
    assert found.rows.tolist() == [0, 1, 2, 3]
    np.testing.assert_allclose(found.weight, [0.2, 0.7, 0.7, 1.0])


@settings(max_examples=200, deadline=None)
@given(
    y=st.lists(st.integers(0, 3), min_size=6, max_size=12),
    pairs=st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=20),
    labelled=st.sets(st.integers(0, 11), max_size=4),
)
def test_groups_follow_from_right_answers(y, pairs, labelled):
    """Of right answers: no group holds two classes, and no class is in two groups."""
    n, y = len(y), np.array(y) + 2  # 1 beside −1 would be taken for a binary label
    pairs = {(min(p), max(p)) for p in pairs if p[0] != p[1] and max(p) < n}
    same = [p for p in pairs if y[p[0]] == y[p[1]]]
    labels = np.where(np.isin(np.arange(n), list(labelled)), y, -1)
    found = placed(n, same, [p for p in pairs if p not in same], y=labels)
    classes = y[found.rows]
    assert len(set(zip(classes.tolist(), found.groups.tolist(), strict=True))) == found.n_groups
    assert len(np.unique(classes)) == len(np.unique(found.groups)) == found.n_groups
    assert set(found.groups.tolist()) == set(range(found.n_groups))
