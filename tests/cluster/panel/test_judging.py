"""Folds, temperatures, error rates and weights."""

import numpy as np
import pytest

from oracles import panel as oracle
from pairspace.cluster.panel._judging import (
    best_temperature,
    error_rate,
    folds_of,
    tempered,
    weights_of,
)


@pytest.mark.parametrize("seed", range(5))
def test_folds_are_stratified_and_the_only_row_of_a_group_is_never_held_out(seed):
    random = np.random.RandomState(seed)
    groups = np.concatenate([[0], np.repeat([1, 2], [2, 23])])
    folds = folds_of(groups, random)
    assert folds[0] == -1
    assert (folds[1:] >= 0).all()
    assert folds[1] != folds[2]
    counts = np.bincount(folds[groups == 2], minlength=5)
    assert counts.max() - counts.min() <= 1


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
        found = best_temperature(P, groups, np.ones(4000), trusted=True)
        assert found.temperature == pytest.approx(power, rel=0.4)


@pytest.mark.parametrize("n_groups", [2, 5])
@pytest.mark.parametrize("n_wrong", [0, 5, 20])
def test_the_error_rate_is_the_most_likely_one(n_groups, n_wrong):
    random = np.random.default_rng(n_wrong)
    right = np.concatenate([random.uniform(0.8, 1, 100 - n_wrong), random.uniform(0, 0.1, n_wrong)])
    found = error_rate(right, n_groups, np.ones(100))
    assert found == pytest.approx(oracle.error_rate(right, n_groups), abs=2e-3)


def test_wrong_placements_do_not_flatten_the_probabilities():
    """90 rows predicted right with .97, and 10 placed wrong."""
    P = np.tile([0.97, 0.03], (100, 1))
    groups = np.repeat([0, 1], [90, 10])
    weight = np.ones(100)
    trusting = best_temperature(P, groups, weight, trusted=True)
    doubting = best_temperature(P, groups, weight, trusted=False)
    assert tempered(P, trusting.temperature)[0, 0] < 0.95
    assert tempered(P, doubting.temperature)[0, 0] > 0.95
    assert doubting.error_rate == pytest.approx(0.07, abs=0.03)


def test_nothing_to_judge_by():
    found = best_temperature(np.empty((0, 3)), np.empty(0, dtype=int), np.empty(0), trusted=False)
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
