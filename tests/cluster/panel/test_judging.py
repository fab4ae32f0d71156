"""Folds, temperatures, error rates and weights."""

import numpy as np
import pytest

from oracles import panel as oracle
from pairspace.cluster.panel._answers import posterior
from pairspace.cluster.panel._judging import (
    ErrorPrior,
    best_temperature,
    error_rate,
    folds_of,
    judging_of,
    shares_of,
    tempered,
    weights_of,
)


@pytest.mark.parametrize("seed", range(5))
def test_folds_are_stratified_and_the_only_row_of_a_group_is_never_held_out(seed):
    random = np.random.RandomState(seed)
    groups = np.concatenate([[0], np.repeat([1, 2], [2, 23])])
    folds = folds_of(groups, np.arange(26), random)
    assert folds[0] == -1
    assert (folds[1:] >= 0).all()
    assert folds[1] != folds[2]
    counts = np.bincount(folds[groups == 2], minlength=5)
    assert counts.max() - counts.min() <= 1


@pytest.mark.parametrize("seed", range(5))
def test_rows_that_share_an_answer_are_in_one_fold_and_count_once(seed):
    random = np.random.RandomState(seed)
    answers = np.repeat(np.arange(0, 300, 10), random.randint(1, 5, 30))
    groups = (answers // 10) % 3
    groups[answers == 290] = 3  # the only answer of its group, about some rows
    judging = judging_of(groups, answers, np.zeros(len(answers), dtype=bool), ErrorPrior(), random)
    for answer in np.unique(answers):
        of_it = answers == answer
        assert len(np.unique(judging.folds[of_it])) == 1
        assert judging.weight[of_it].sum() == pytest.approx(1)
    assert (judging.folds[answers == 290] == -1).all()
    assert (judging.folds[answers != 290] >= 0).all()


def test_equal_rows_in_two_groups_have_answers_of_their_own():
    answers, groups = np.array([0, 0, 5, 6, 7]), np.array([0, 1, 0, 0, 0])
    judging = judging_of(
        groups, answers, np.zeros(5, dtype=bool), ErrorPrior(), np.random.RandomState(0)
    )
    assert judging.folds[1] == -1  # the only row of its group, which must not be left out
    np.testing.assert_array_equal(judging.weight, 1)


def test_a_temperature_keeps_the_order_and_the_sum():
    P = np.array([[0.7, 0.2, 0.1], [0.0, 0.5, 0.5]])
    for temperature in (0.1, 1, 8):
        found = tempered(P, temperature)
        np.testing.assert_allclose(found.sum(axis=1), 1)
        assert found[0, 0] > found[0, 1] > found[0, 2]
    assert tempered(P, 0.1)[0, 0] > 0.99
    assert tempered(P, 8)[0, 0] < 0.45


def test_the_temperature_makes_overconfident_probabilities_honest():
    random = np.random.default_rng(0)
    honest = random.dirichlet([1.0, 1.0, 1.0], size=4000)
    groups = (random.random((4000, 1)) > np.cumsum(honest, axis=1)).sum(axis=1)
    for power in (0.3, 3.0):
        P = honest**power
        P /= P.sum(axis=1, keepdims=True)
        found = best_temperature(P, groups, np.ones(4000), np.ones(4000), ErrorPrior(), rate=0.0)
        assert found.temperature == pytest.approx(power, rel=0.4)


@pytest.mark.parametrize("share", [0.5, 0.1])
@pytest.mark.parametrize("n_wrong", [0, 5, 20])
def test_the_error_rate_is_the_most_likely_one(share, n_wrong):
    random = np.random.default_rng(n_wrong)
    right = np.concatenate([random.uniform(0.8, 1, 100 - n_wrong), random.uniform(0, 0.1, n_wrong)])
    shares = np.full(100, share)
    found = error_rate(right, shares, np.ones(100), ErrorPrior())
    assert found == pytest.approx(oracle.error_rate(right, shares), abs=2e-3)
    # After second looks at 30 other answers, of which 6 were wrong.
    found = error_rate(right, shares, np.ones(100), ErrorPrior().after(6, 24))
    wanted = oracle.error_rate(right, shares, prior=(1 + 6) / (20 + 30), worth=20 + 30)
    assert found == pytest.approx(wanted, abs=2e-3)


def test_the_share_of_a_group():
    groups, weight = np.array([0, 0, 1, 0]), np.array([1.0, 1.0, 1.0, 2.0])
    sure = np.array([False, False, False, True])
    np.testing.assert_allclose(shares_of(groups, weight, sure), [0.8, 0.8, 0.2, 0.04])


def test_a_rare_group_is_not_taken_for_errors():
    """Nothing predicts the rare group: its rows have its share as their probability."""
    P = np.tile([0.92, 0.08], (100, 1))
    groups = np.repeat([0, 1], [92, 8])
    shares = shares_of(groups, np.ones(100), np.zeros(100, dtype=bool))
    fit = best_temperature(P, groups, np.ones(100), shares, ErrorPrior())
    rate = np.full(100, fit.error_rate)
    after = posterior(tempered(P, fit.temperature), groups, rate, shares)
    assert (after.argmax(axis=1) == groups).all()


def test_wrong_placements_do_not_flatten_the_probabilities():
    """140 rows are predicted with .999, of which 14 are placed wrong; 60 are hard to predict."""
    random, n, n_groups = np.random.default_rng(0), 200, 6
    predicted = random.integers(0, n_groups, n)
    sure = np.where(np.arange(n) < 140, 0.999, 0.55)
    P = np.repeat(((1 - sure) / (n_groups - 1))[:, None], n_groups, axis=1)
    P[np.arange(n), predicted] = sure
    elsewhere = (predicted + random.integers(1, n_groups, n)) % n_groups
    wrong = (np.arange(n) < 14) | ((np.arange(n) >= 140) & (random.random(n) > sure))
    groups = np.where(wrong, elsewhere, predicted)
    shares = shares_of(groups, np.ones(n), np.zeros(n, dtype=bool))
    trusting = best_temperature(P, groups, np.ones(n), shares, ErrorPrior(), rate=0.0)
    doubting = best_temperature(P, groups, np.ones(n), shares, ErrorPrior())
    assert tempered(P, trusting.temperature)[50].max() < 0.95
    assert tempered(P, doubting.temperature)[50].max() > 0.95
    assert doubting.error_rate == pytest.approx(14 / 140, abs=0.03)


def test_where_learners_are_wrong_about_sure_placements_few_others_are_taken_for_wrong():
    """Learners are confidently wrong about a fifth of the rows; half of those were confirmed."""
    P, groups = np.tile([0.98, 0.02], (200, 1)), np.repeat([0, 1], [160, 40])
    confirmed = np.arange(200) >= 180
    found = []
    for sure in (np.zeros(200, dtype=bool), confirmed):
        shares = shares_of(groups, np.ones(200), sure)
        fit = best_temperature(P, groups, np.ones(200), shares, ErrorPrior())
        rate = np.full(200, fit.error_rate)
        after = posterior(tempered(P, fit.temperature), groups, rate, shares)
        found.append((fit.error_rate, after))
    assert found[1][0] < found[0][0]
    assert (found[1][1][160:180, 1] > found[0][1][160:180, 1]).all()


def test_nothing_to_judge_by():
    found = best_temperature(
        np.empty((0, 3)), np.empty(0, dtype=int), np.empty(0), np.empty(0), ErrorPrior()
    )
    assert (found.temperature, found.loss) == (1.0, 0.0)


def test_the_lowest_loss_has_the_largest_weight():
    losses = np.array([0.5, 0.1, 2.0])
    weights = weights_of(losses, np.array([True, False, False]), 40, 4)
    assert weights.sum() == pytest.approx(1)
    assert weights[1] > weights[0] > weights[2]


def test_with_fewer_judged_rows_than_groups_spreading_is_preferred():
    losses = np.array([1.0, 0.9])
    spreads = np.array([True, False])
    assert weights_of(losses, spreads, 30, 26)[1] > 0.5
    assert weights_of(losses, spreads, 4, 26)[1] < 0.05
    np.testing.assert_allclose(weights_of(losses, np.array([False, False]), 0, 26).sum(), 1)
