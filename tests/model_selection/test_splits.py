"""Held-out pairs never follow from those that are learned from, whatever is known."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import RandomState

from pairspace import Constraints
from pairspace.base import Supervision
from pairspace.model_selection import _splits
from pairspace.model_selection._splits import assign_folds, scored_pairs, split_pairs


@st.composite
def knowledge(draw, truthful=True):
    """(labels, pairs): answers about hidden classes, or answers that may contradict each other."""
    n = draw(st.integers(3, 12))
    hidden = draw(st.lists(st.integers(3, 5), min_size=n, max_size=n))
    every = list(itertools.combinations(range(n), 2))
    asked = draw(st.lists(st.sampled_from(every), unique=True, min_size=1, max_size=20))
    same = [hidden[i] == hidden[j] if truthful else draw(st.booleans()) for i, j in asked]
    must = [pair for pair, yes in zip(asked, same, strict=True) if yes]
    cannot = [pair for pair, yes in zip(asked, same, strict=True) if not yes]
    told = draw(st.lists(st.booleans(), min_size=n, max_size=n)) if truthful else [False] * n
    labels = np.array([label if tell else -1 for label, tell in zip(hidden, told, strict=True)])
    return labels, Constraints(n, must, cannot)


def all_links(known):
    """What is known as two sets of pairs; labels written out."""
    must = {tuple(pair) for pair in known.pairs.must_link.tolist()}
    cannot = {tuple(pair) for pair in known.pairs.cannot_link.tolist()}
    labelled = np.flatnonzero(known.labels >= 0).tolist()
    for i, j in itertools.combinations(labelled, 2):
        (must if known.labels[i] == known.labels[j] else cannot).add((i, j))
    return must, cannot


def entailed(n, must, cannot):
    """All pairs that follow, by repeating "same as same" and "same as different" until no more."""
    same = {frozenset(pair) for pair in must}
    different = {frozenset(pair) for pair in cannot}
    while True:
        new_same, new_different = set(same), set(different)
        for i, j, k in itertools.permutations(range(n), 3):
            ij, jk, ik = frozenset((i, j)), frozenset((j, k)), frozenset((i, k))
            if ij in same and jk in same:
                new_same.add(ik)
            if ij in same and jk in different:
                new_different.add(ik)
        if (new_same, new_different) == (same, different):
            return same | different
        same, different = new_same, new_different


def check_no_leak(labels, pairs, n_folds, seed):
    random = RandomState(seed)
    known = Supervision(labels, pairs, len(labels))
    scored = scored_pairs(known, random)
    links = np.vstack([scored.must_link, scored.cannot_link])
    held_out_ever = set()
    for split in split_pairs(known, scored, n_folds, random):
        follows = entailed(len(labels), *all_links(split.train))
        for at in split.held_out.tolist():
            assert frozenset(links[at].tolist()) not in follows
        held_out_ever |= set(split.held_out.tolist())
        before, after = all_links(known), all_links(split.train)
        assert after[0] <= before[0]
        assert after[1] <= before[1]
        # Nothing is thrown away: what is not learned from judges, unless labels were sampled.
        hidden = {frozenset(p) for kind in (0, 1) for p in before[kind] - after[kind]}
        assert hidden == {frozenset(links[at].tolist()) for at in split.held_out.tolist()}
    assert held_out_ever == set(range(len(links)))


@settings(max_examples=60, deadline=None)
@given(knowledge(), st.integers(2, 5), st.integers(0, 99))
def test_no_held_out_pair_follows_from_what_is_learned_from(known, n_folds, seed):
    check_no_leak(*known, n_folds, seed)


@settings(max_examples=30, deadline=None)
@given(knowledge(truthful=False), st.integers(2, 5), st.integers(0, 99))
def test_nor_if_answers_contradict_each_other(known, n_folds, seed):
    check_no_leak(*known, n_folds, seed)


def test_ends_of_a_pair_go_together_and_each_kind_is_dealt_evenly():
    rows = np.arange(60).reshape(-1, 2)
    known = Supervision(None, Constraints(60, rows[:13], rows[13:]), 60)
    fold_of_row = assign_folds(known, 5, RandomState(0))
    for kind in (rows[:13], rows[13:]):
        assert np.array_equal(*fold_of_row[kind].T)
        assert np.ptp(np.bincount(fold_of_row[kind[:, 0]], minlength=5)) <= 1


def test_classes_and_large_components_are_spread():
    labels = np.repeat([0, 1, -1], [20, 7, 10])
    fold_of_row = assign_folds(Supervision(labels, None, 37), 5, RandomState(0))
    assert np.bincount(fold_of_row[:20]).tolist() == [4] * 5
    assert np.ptp(np.bincount(fold_of_row[20:27], minlength=5)) <= 1
    assert set(fold_of_row[27:]) == {-1}
    chain = Constraints(40, [(i, i + 1) for i in range(29)], [(0, 35)])
    fold_of_row = assign_folds(Supervision(chain, None, 40), 5, RandomState(0))
    assert set(fold_of_row[:30]) == set(range(5))
    assert set(fold_of_row[36:]) == {-1}


def test_many_labels_are_sampled(monkeypatch):
    monkeypatch.setattr(_splits, "MAX_LABEL_PAIRS", 100)
    labels = np.arange(200) % 5
    given_pairs = Constraints(200, [(0, 5)], [(0, 1)])
    known = Supervision(labels, given_pairs, 200)
    drawn = scored_pairs(known, RandomState(0))
    assert 98 <= len(drawn.must_link) + len(drawn.cannot_link) <= 102
    assert {(0, 5)} <= {tuple(pair) for pair in drawn.must_link.tolist()}
    few = scored_pairs(Supervision(labels[:10], None, 10), RandomState(0))
    assert len(few.must_link) + len(few.cannot_link) == 45


@pytest.mark.parametrize("n_folds", [2, 5])
def test_a_fold_without_pairs_is_skipped(n_folds):
    known = Supervision(None, Constraints(6, [(0, 1)], [(2, 3)]), 6)
    made = list(split_pairs(known, known.pairs, n_folds, RandomState(1)))
    assert 1 <= len(made) <= 2
    assert sum(len(split.held_out) for split in made) == 2
