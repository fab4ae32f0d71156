"""How learners are judged: folds, temperatures, losses, weights."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pairspace._core.typing import Bools, Floats, Ints

N_FOLDS = 5
TEMPERATURES = np.array([0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 8])
FLOOR = 1e-4  # added to all probabilities: no learner is that sure
ERROR_RATE = 0.05  # people err about once in 20 answers: the prior of the error rate, …
PRIOR_ANSWERS = 20  # … which counts as much as this number of answers
MOST_WRONG = 0.4  # the largest estimate: beyond, nothing could be learned
STEPS = 20  # of expectation maximisation
STEEPNESS = 5.0  # a learner whose loss is larger by 1 / STEEPNESS has 1 / e of the weight


class ErrorPrior(NamedTuple):
    """What is known about the error rate beforehand, as numbers of wrong and of right answers."""

    wrong: float = ERROR_RATE * PRIOR_ANSWERS
    right: float = (1 - ERROR_RATE) * PRIOR_ANSWERS

    def after(self, wrong: int, right: int) -> ErrorPrior:
        """The prior after some answers of which it is known whether they were right."""
        return ErrorPrior(self.wrong + wrong, self.right + right)


class Judging(NamedTuple):
    """How placed rows are judged.

    Parameters
    ----------
    folds : ndarray of int
        The fold in which each row is held out; −1 for none.
    weight : ndarray of float
        How far each counts: an answer that placed several rows counts once.
    sure : ndarray of bool
        Whether the placement is taken as right.
    error_prior : ErrorPrior
        What is known about the error rate.
    """

    folds: Ints
    weight: Floats
    sure: Bools
    error_prior: ErrorPrior


def judging_of(
    groups: Ints,
    answers: Ints,
    sure: Bools,
    error_prior: ErrorPrior,
    random: np.random.RandomState,
) -> Judging:
    """Placements with the same number in ``answers``, in the same group, are one answer."""
    answers = answers * (groups.max() + 1) + groups  # of equal rows that are in two groups
    _, which, count = np.unique(answers, return_inverse=True, return_counts=True)
    return Judging(folds_of(groups, answers, random), 1 / count[which], sure, error_prior)


def folds_of(groups: Ints, answers: Ints, random: np.random.RandomState) -> Ints:
    """Stratified folds; −1 for the only answer of a group, which is never held out.

    Rows that share an answer are in one fold: one of them would give away the others.
    """
    _, first, which = np.unique(answers, return_index=True, return_inverse=True)
    first_of = first[which]
    is_first = first_of == np.arange(len(groups))
    folds, dealt = np.full(len(groups), -1), 0
    for group in np.flatnonzero(np.bincount(groups[is_first]) > 1):
        members = random.permutation(np.flatnonzero(is_first & (groups == group)))
        folds[members] = (dealt + np.arange(len(members))) % N_FOLDS
        dealt += len(members)
    return folds[first_of]


def tempered(P: Floats, temperature: float) -> Floats:
    """Probabilities to the power of 1 / temperature, as probabilities again."""
    logarithms = np.log(P * (1 - FLOOR) + FLOOR / P.shape[1]) / temperature
    powers = np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


class Fit(NamedTuple):
    """A temperature, the loss with it, and the share of placements that it takes for wrong."""

    temperature: float
    loss: float
    error_rate: float


def best_temperature(
    P: Floats,
    groups: Ints,
    weight: Floats,
    shares: Floats,
    prior: ErrorPrior,
    *,
    rate: float | None = None,
) -> Fit:
    """The temperature and, if it is not given, the error rate that make the placements likeliest.

    With the chance ``rate`` a placement says nothing about its row, and is in its group with the
    chance in ``shares``. Without that, a few wrong placements would make all probabilities flat.
    """
    if not len(groups):
        return Fit(1.0, 0.0, ERROR_RATE if rate is None else rate)
    fits = []
    for temperature in TEMPERATURES:
        right = tempered(P, temperature)[np.arange(len(groups)), groups]
        wrong = error_rate(right, shares, weight, prior) if rate is None else rate
        loss = np.average(-np.log(said_by(right, shares, wrong)), weights=weight)
        fits.append(Fit(float(temperature), float(loss), wrong))
    costs = [fit.loss + _prior_cost(fit.error_rate, prior) / weight.sum() for fit in fits]
    return fits[int(np.argmin(np.round(costs, 9)))]


def shares_of(groups: Ints, weight: Floats, sure: Bools) -> Floats:
    """The chance of each placement, had it been made without a look at its row.

    It is the share of all placements that are in its group: wrong ones are rarely in a rare group,
    which is not taken for errors. Placements that are sure were hardly made so twice. Where the
    learners contradict them, the learners are mostly wrong, and the error rate is low.
    """
    shares = (np.bincount(groups, weight) / weight.sum())[groups]
    return np.where(sure, ERROR_RATE * shares, shares)


def said_by(right: Floats, shares: Floats, rate: float) -> Floats:
    """The probability of what was said, given that of the group that was named."""
    return np.maximum((1 - rate) * right + rate * shares, 1e-12)


def error_rate(right: Floats, shares: Floats, weight: Floats, prior: ErrorPrior) -> float:
    """The share of placements that say nothing, by expectation maximisation from 1 in 20."""
    rate = ERROR_RATE
    for _ in range(STEPS):
        empty = rate * shares / said_by(right, shares, rate)
        found = prior.wrong + float(np.sum(empty * weight))
        rate = min(found / (sum(prior) + float(weight.sum())), MOST_WRONG)
    return rate


def _prior_cost(rate: float, prior: ErrorPrior) -> float:
    """−log of the prior of a rate, up to a constant."""
    if not rate:
        return 0.0
    return -(prior.wrong * np.log(rate) + prior.right * np.log(1 - rate))


def weights_of(losses: Floats, spreads: Bools, n_judged: float, n_groups: int) -> Floats:
    """Exponential in the loss; learners that need rows of each group must have some to judge by.

    With fewer judged answers than groups the losses say little, and classifiers have mostly one
    row a group to learn from: spreading, which uses all rows, is then preferred.
    """
    weight = np.exp(-STEEPNESS * (losses - losses.min()))
    enough = min(n_judged / n_groups, 1.0) ** 2
    if spreads.any():
        weight = np.where(spreads, weight, enough * weight)
    return np.asarray(weight / weight.sum())
