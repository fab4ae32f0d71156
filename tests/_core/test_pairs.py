"""Pairs of rows: keys, duplicates, connected components."""

import numpy as np

from pairspace._core.pairs import (
    component_of_rows,
    count_pairs,
    pair_keys,
    pairs_of_keys,
    unique_pairs,
    unordered_pair_keys,
)

PAIRS = np.array([[4, 1], [0, 3], [1, 4], [2, 0], [0, 3]])


def test_keys_and_back():
    np.testing.assert_array_equal(pairs_of_keys(pair_keys(PAIRS, 5), 5), PAIRS)
    swapped = unordered_pair_keys(PAIRS[:, ::-1], 5)
    np.testing.assert_array_equal(unordered_pair_keys(PAIRS, 5), swapped)
    assert len(np.unique(swapped)) == 3


def test_unique_pairs_are_sorted_with_the_smaller_row_first():
    np.testing.assert_array_equal(unique_pairs(PAIRS, 5), [[0, 2], [0, 3], [1, 4]])
    assert unique_pairs(PAIRS[:0], 5).shape == (0, 2)


def test_components_are_numbered_by_their_first_rows():
    links = np.array([[5, 3], [1, 4], [3, 6]])
    np.testing.assert_array_equal(component_of_rows(7, links), [0, 1, 2, 3, 1, 3, 3])
    np.testing.assert_array_equal(component_of_rows(3, links[:0]), [0, 1, 2])


def test_count_pairs():
    assert count_pairs(5) == 10
    np.testing.assert_array_equal(count_pairs(np.array([0, 1, 4])), [0, 0, 6])
