"""What is known about some rows, and about the others."""

import numpy as np

from linear.pair_space.problems import known_of, weighted
from pairspace import Constraints
from pairspace.base import Supervision


def test_without_some_rows_nothing_is_known_about_them():
    _, y, known = known_of("both")
    c = weighted(known.pairs)
    known = Supervision(np.where(known.labels >= 0, y, -1), c, len(y))
    rows = np.zeros(len(y), dtype=bool)
    rows[::4] = True
    left = known.without(rows)
    kept = ~rows[c.must_link].any(axis=1)
    np.testing.assert_array_equal(left.pairs.must_link, c.must_link[kept])
    np.testing.assert_array_equal(left.pairs.must_weight, c.must_weight[kept])
    assert (left.labels[rows] == -1).all()
    np.testing.assert_array_equal(left.labels[~rows], known.labels[~rows])
    nothing = known.without(np.ones(len(y), dtype=bool))
    assert not nothing
    assert known.without(np.zeros(len(y), dtype=bool)).pairs == c


def test_without_keeps_the_codes_of_the_labels_that_are_left():
    known = Supervision(["b", "a", None, "c", "c"], None, 5)
    left = known.without(np.array([False, True, False, False, False]))
    np.testing.assert_array_equal(left.labels, np.where(np.arange(5) == 1, -1, known.labels))


def test_what_is_known_about_some_rows_is_numbered_anew():
    labels = np.array([4, -1, 7, 7, -1, 4])
    known = Supervision(labels, Constraints(6, [(0, 1), (2, 4)], [(1, 4), (3, 4)]), 6)
    part = known.on(np.array([1, 3, 4]))
    assert part.labels.tolist() == [-1, 1, -1]
    assert part.pairs == Constraints(3, (), [(0, 2), (1, 2)])
    assert len(known.on(np.array([5])).pairs) == 1
