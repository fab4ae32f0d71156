"""Ranks, placements and errors against slow versions of them and against simulation."""

import numpy as np
import pytest
from numpy.random import RandomState
from sklearn.metrics import roc_auc_score

from pairspace import Constraints
from pairspace.metrics import share_below
from pairspace.model_selection._scorer import PairScorer, mean_ranks


class Identity:
    def transform(self, X):
        return X


@pytest.fixture
def scorer():
    random = np.random.default_rng(0)
    rows = random.permutation(60).reshape(-1, 2)
    weight = random.integers(1, 4, 30).astype(float)
    pairs = Constraints(
        60, rows[:12], rows[12:], must_weight=weight[:12], cannot_weight=weight[12:]
    )
    return PairScorer(pairs, RandomState(0))


def test_the_share_below_counts_equal_ones_half():
    found = share_below(np.array([0.0, 1.0, 2.0, 5.0]), np.array([2.0, 1.0, 1.0, 3.0]))
    assert found.tolist() == [0.0, 0.25, 0.625, 1.0]
    weighted = share_below(np.array([1.0, 2.5]), np.array([2.0, 1.0, 3.0]), np.array([1.0, 2, 1]))
    assert weighted.tolist() == [0.25, 0.75]


def test_ranks_are_shares_of_shorter_pairs_of_any_rows(scorer):
    X = np.random.default_rng(1).normal(size=(60, 3))
    held_out = np.array([3, 7, 20])
    found = scorer.ranks(Identity(), X, held_out)

    def length(pair):
        return np.linalg.norm(X[pair[0]] - X[pair[1]])

    any_lengths = np.array([length(pair) for pair in scorer.reference])
    for at, rank in zip(held_out, found, strict=True):
        longer = any_lengths - length(scorer.links[at])
        equal = np.abs(longer) < 1e-12  # the pair itself, if it was drawn
        assert rank == pytest.approx(np.mean(np.where(equal, 0.5, longer < 0)))
    assert np.all(scorer.reference[:, 0] != scorer.reference[:, 1])
    np.testing.assert_allclose(scorer.ranks(Identity(), 1e6 * X, held_out), found)
    with pytest.raises(ValueError, match="not finite"):
        scorer.ranks(Identity(), np.full((60, 2), np.inf), held_out)


def test_the_mean_placement_is_the_auc(scorer):
    ranks = np.random.default_rng(2).integers(0, 8, 30) / 8
    placed = scorer.placements(ranks)
    auc = roc_auc_score(scorer.same, -ranks, sample_weight=scorer.weight)
    assert scorer.mean(placed) == pytest.approx(auc)
    cannot = ~scorer.same
    assert np.average(placed[cannot], weights=scorer.weight[cannot]) == pytest.approx(auc)
    assert scorer.fold_auc(np.arange(30), ranks) == pytest.approx(auc)
    assert np.isnan(scorer.fold_auc(np.arange(5), ranks[:5]))


def test_pairs_of_any_rows_stand_for_a_missing_kind():
    links = [(0, 1), (2, 3)]
    ranks = np.array([0.1, 0.4])
    for pairs, wanted in ((Constraints(9, links), 0.75), (Constraints(9, (), links), 0.25)):
        scorer = PairScorer(pairs, RandomState(0))
        assert scorer.mean(scorer.placements(ranks)) == pytest.approx(wanted)
        assert scorer.fold_auc(np.arange(2), ranks) == pytest.approx(wanted)
        assert 0 < scorer.standard_error(scorer.placements(ranks)) < np.inf


def test_one_pair_of_a_kind_says_nothing_about_the_error():
    scorer = PairScorer(Constraints(9, [(0, 1)], [(2, 3), (4, 5)]), RandomState(0))
    assert scorer.standard_error(np.array([1.0, 1.0, 1.0])) == np.inf
    assert not scorer.has_enough_pairs
    assert not PairScorer(Constraints(9), RandomState(0)).has_enough_pairs
    assert PairScorer(
        Constraints(9, [(0, i) for i in range(1, 5)]), RandomState(0)
    ).has_enough_pairs


def test_the_error_of_independent_pairs_is_that_of_repeated_sampling():
    random = np.random.default_rng(0)
    rows = np.arange(80).reshape(-1, 2)
    scorer = PairScorer(Constraints(80, rows[:16], rows[16:]), RandomState(0))
    means, errors = [], []
    for _ in range(2000):
        ranks = random.normal(size=40) + np.where(scorer.same, 0, 1)
        placed = scorer.placements(ranks)
        means.append(scorer.mean(placed))
        errors.append(scorer.standard_error(placed))
    assert np.mean(errors) == pytest.approx(np.std(means), rel=0.1)


def test_the_error_of_pairs_that_share_rows_is_that_of_repeated_sampling():
    # Labels of 24 rows: 276 pairs, which are not 276 witnesses.
    random = np.random.default_rng(0)
    y = np.arange(24) % 3
    scorer = PairScorer(Constraints.from_labels(y, fraction=1.0), RandomState(0))
    means, errors, naive = [], [], []
    for _ in range(400):
        X = random.normal(size=(24, 2)) + y[:, None]
        ranks = np.linalg.norm(X[scorer.links[:, 0]] - X[scorer.links[:, 1]], axis=1)
        placed = scorer.placements(ranks)
        means.append(scorer.mean(placed))
        errors.append(scorer.standard_error(placed))
        naive.append(
            np.sqrt(
                placed[scorer.same].var(ddof=1) / scorer.n_must
                + placed[~scorer.same].var(ddof=1) / scorer.n_cannot
            )
        )
    assert 0.75 < np.mean(errors) / np.std(means) < 1.35
    assert np.mean(naive) < 0.7 * np.std(means)


def test_ranks_of_a_pair_that_several_folds_hold_out_are_averaged():
    judged = [(np.array([0, 1]), np.array([0.2, 0.4])), (np.array([1, 2]), np.array([0.8, 1.0]))]
    np.testing.assert_allclose(mean_ranks(3, judged), [0.2, 0.6, 1.0])
