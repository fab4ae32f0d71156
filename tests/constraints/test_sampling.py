"""Pairs drawn from labels: how many, which, and how evenly."""

import itertools
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from pairspace import Constraints
from pairspace.constraints._sampling import _pair_of_rank, count_pairs

labels = st.lists(st.integers(-1, 3).filter(lambda v: v != 1), max_size=12)  # no {−1, 1} warning
seeds = st.integers(0, 2**32 - 1)


def sizes(c):
    return len(c.must_link), len(c.cannot_link)


def check_against_labels(c, y):
    """Every pair is of known rows and says what the labels say; none stands twice."""
    y = np.asarray(y)
    for pairs, same in ((c.must_link, True), (c.cannot_link, False)):
        a, b = y[pairs].T.reshape(2, -1)
        assert np.all((a == b) == same)
        assert np.all(a != -1)
        assert np.all(b != -1)
    # A pair drawn twice would have been merged, and would weigh 2.
    assert np.all(c.must_weight == 1)
    assert np.all(c.cannot_weight == 1)


# ---- n_pairs and fraction --------------------------------------------------------------------


@given(labels, seeds, st.data())
def test_n_pairs(y, seed, data):
    known = sum(v != -1 for v in y)
    n_pairs = data.draw(st.integers(0, count_pairs(known)))
    c = Constraints.from_labels(y, n_pairs=n_pairs, random_state=seed)
    assert len(c) == len(y)
    assert sum(sizes(c)) == n_pairs
    check_against_labels(c, y)


@given(labels, seeds, st.floats(0, 1))
def test_fraction(y, seed, fraction):
    c = Constraints.from_labels(y, fraction=fraction, random_state=seed)
    assert sum(sizes(c)) == round(fraction * count_pairs(sum(v != -1 for v in y)))
    check_against_labels(c, y)


@given(labels)
def test_all_pairs(y):
    c = Constraints.from_labels(y, fraction=1.0)
    every = [
        (i, j) for i, j in itertools.combinations(range(len(y)), 2) if y[i] != -1 and y[j] != -1
    ]
    assert c == Constraints(
        len(y), [p for p in every if y[p[0]] == y[p[1]]], [p for p in every if y[p[0]] != y[p[1]]]
    )


@pytest.mark.parametrize("y", [["a", "b", None, "a"], pd.Series([5, 6, None, 5], dtype="Int64")])
def test_labels_of_any_kind(y):
    assert Constraints.from_labels(y, fraction=1) == Constraints(4, [(0, 3)], [(0, 1), (1, 3)])


@pytest.mark.parametrize("size", [{"n_pairs": 0}, {"fraction": 0.0}, {"per_class": 0}])
def test_none(size):
    assert Constraints.from_labels([0, 0, 2], **size) == Constraints(3)


@pytest.mark.parametrize("y", [[], [0], [-1, -1, -1], [0, -1]])
@pytest.mark.parametrize("size", [{"n_pairs": 0}, {"fraction": 1.0}, {"per_class": 3}])
def test_no_pairs_to_draw(y, size):
    assert Constraints.from_labels(y, **size) == Constraints(len(y))


@pytest.mark.parametrize("size", [{"n_pairs": 40}, {"fraction": 0.1}, {"per_class": 9}])
def test_reproducible(size):
    y = np.arange(60) % 3

    def draw(random_state):
        return Constraints.from_labels(y, **size, random_state=random_state)

    assert draw(7) == draw(7) == draw(np.random.RandomState(7))
    assert draw(7) != draw(8)
    state = np.random.RandomState(7)
    assert draw(state) != draw(state)  # it moves on


# Below half of all pairs they are drawn, above it those to leave out are: both must be even.
@pytest.mark.parametrize("n_pairs", [1, 5, 12, 20])
def test_every_pair_is_equally_likely(n_pairs):
    y, rounds = [0, 0, -1, 2, 2, 0, 3, 3], 2000  # 7 known rows: 21 pairs
    random = np.random.RandomState(0)
    counts = Counter()
    for _ in range(rounds):
        c = Constraints.from_labels(y, n_pairs=n_pairs, random_state=random)
        counts.update(map(tuple, np.vstack([c.must_link, c.cannot_link]).tolist()))
    assert len(counts) == 21
    # Pairs drawn together can't repeat, which only makes the counts more even.
    assert chisquare(list(counts.values())).pvalue > 0.001


def test_every_set_of_pairs_is_equally_likely():
    random = np.random.RandomState(0)
    sets = Counter(
        Constraints.from_labels([0] * 4, n_pairs=3, random_state=random).must_link.tobytes()
        for _ in range(4000)
    )
    assert len(sets) == 20
    assert chisquare(list(sets.values())).pvalue > 0.001


# Where j changes, the square root must not be rounded across.
corners = st.builds(lambda j, off: count_pairs(j) + off, st.integers(2, 2**30), st.integers(-1, 1))


@given(st.one_of(st.integers(0, 2**58), corners))
def test_pair_of_rank_is_the_inverse_of_counting(rank):
    ((i, j),) = _pair_of_rank(np.array([rank])).tolist()
    assert 0 <= i < j
    assert count_pairs(j) + i == rank


def test_ranks_number_all_pairs():
    pairs = _pair_of_rank(np.arange(count_pairs(30))).tolist()
    assert sorted(map(tuple, pairs)) == list(itertools.combinations(range(30), 2))


# ---- per_class -------------------------------------------------------------------------------


def drawn_by_hand(y, per_class):
    """How many (must, cannot) pairs the classes give, in their order, each pair only once."""
    count = Counter(v for v in y if v != -1)
    known, must, cannot = sum(count.values()), 0, 0
    for size in count.values():
        must += min(per_class, count_pairs(size))
    if len(count) == 2:  # both classes draw from the same pairs
        cannot = min(2 * per_class, count[min(count)] * count[max(count)])
    elif all(size * (known - size) >= len(count) * per_class for size in count.values()):
        cannot = len(count) * per_class  # enough for each, whatever the others took
    else:
        cannot = None
    return must, cannot if len(count) > 1 else 0


@given(labels, st.integers(0, 30), seeds)
def test_per_class(y, per_class, seed):
    c = Constraints.from_labels(y, per_class=per_class, random_state=seed)
    check_against_labels(c, y)
    must, cannot = drawn_by_hand(y, per_class)
    assert len(c.must_link) == must
    if cannot is not None:
        assert len(c.cannot_link) == cannot
    known = [v for v in y if v != -1]
    for label in set(known):
        size = known.count(label)
        ends = np.asarray(y)[c.must_link[:, 0]]
        assert np.sum(ends == label) == min(per_class, count_pairs(size))
        # Each class has its share of cannot-links, or all it has; others may add to them.
        touching = np.any(np.asarray(y)[c.cannot_link] == label, axis=1)
        assert touching.sum() >= min(per_class, size * (len(known) - size))


def test_small_classes_give_all_they_have():
    y = [0] * 50 + [2] * 2 + [3]
    c = Constraints.from_labels(y, per_class=20, random_state=0)
    inside = np.bincount(np.asarray(y)[c.must_link[:, 0]], minlength=4)
    assert inside.tolist() == [20, 0, 1, 0]
    assert len(c.cannot_link) == 3 * 20


def test_two_classes_do_not_draw_the_same_pair_twice():
    c = Constraints.from_labels([0] * 3 + [2] * 3, per_class=6, random_state=0)
    assert sizes(c) == (6, 9)  # 9 cannot-links are all there are


def test_per_class_is_even_within_a_class():
    y, random = [0] * 4 + [2] * 3 + [-1], np.random.RandomState(0)
    must, cannot = Counter(), Counter()
    for _ in range(2000):
        c = Constraints.from_labels(y, per_class=1, random_state=random)
        must.update(map(tuple, c.must_link.tolist()))
        cannot.update(map(tuple, c.cannot_link.tolist()))
    assert chisquare([must[p] for p in itertools.combinations(range(4), 2)]).pvalue > 0.001
    assert chisquare([must[p] for p in itertools.combinations(range(4, 7), 2)]).pvalue > 0.001
    assert len(cannot) == 12
    assert chisquare(list(cannot.values())).pvalue > 0.001


# ---- Large -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "total"),
    [({"n_pairs": 1_000_000}, 1_000_000), ({"per_class": 500}, 1_000_000)],
    ids=["n_pairs", "per_class"],
)
def test_a_million_pairs_of_a_million_rows(size, total):
    y = np.random.RandomState(0).randint(-1, 1000, size=1_000_000)
    c = Constraints.from_labels(y, **size, random_state=0)
    assert sum(sizes(c)) == total
    check_against_labels(c, y)


def test_many_classes_per_class():
    y = np.arange(40_000) // 2
    c = Constraints.from_labels(y, per_class=1, random_state=0)
    assert sizes(c) == (20_000, 20_000)


# ---- Errors ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "size", [{}, {"n_pairs": 1, "fraction": 0.5}, {"n_pairs": 1, "per_class": 1, "fraction": 0}]
)
def test_exactly_one_size(size):
    with pytest.raises(ValueError, match="exactly one of n_pairs=, fraction= and per_class="):
        Constraints.from_labels([0, 1], **size)


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ({"n_pairs": 4}, "n_pairs=4 must be at most 3, the pairs of labelled rows"),
        ({"n_pairs": -1}, "n_pairs must be an integer, 0 or more; got -1"),
        ({"n_pairs": 2.0}, "n_pairs must be an integer, 0 or more; got 2.0"),
        ({"per_class": -3}, "per_class must be an integer, 0 or more; got -3"),
        ({"per_class": "all"}, "per_class must be an integer, 0 or more; got 'all'"),
        ({"fraction": 1.5}, "fraction must be between 0 and 1; got 1.5"),
        ({"fraction": -0.1}, "fraction must be between 0 and 1; got -0.1"),
        ({"fraction": float("nan")}, "fraction must be between 0 and 1; got nan"),
        ({"fraction": "half"}, "fraction must be between 0 and 1; got 'half'"),
    ],
)
def test_bad_sizes(size, message):
    with pytest.raises(ValueError, match=message):
        Constraints.from_labels([0, 0, 2, -1], **size)


def test_bad_labels():
    with pytest.raises(ValueError, match=r"labels must be integers or strings; got 0\.5"):
        Constraints.from_labels([0.5, 1], n_pairs=1)
