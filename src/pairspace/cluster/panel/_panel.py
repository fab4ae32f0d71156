"""The panel: learners judged on held-out placed rows, and their weighted mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pairspace._core.typing import Bools, Floats, Ints
from pairspace.base import PlacedRows
from pairspace.cluster.panel._answers import posterior
from pairspace.cluster.panel._judging import (
    ErrorPrior,
    Fit,
    Judging,
    best_temperature,
    judging_of,
    shares_of,
    tempered,
    weights_of,
)
from pairspace.cluster.panel._learners import Learner
from pairspace.cluster.panel._new_rows import ModelVote, NeighborVote
from pairspace.cluster.panel._table import PanelTable

DOUBTED = 0.5  # a placement that is less likely to be right than this is probably wrong
NEGLIGIBLE = 0.02  # weight of a learner that is not asked about new rows: its search takes seconds


@dataclass(frozen=True)
class Panel:
    """A fitted panel.

    Parameters
    ----------
    placed : PlacedRows
        The rows it learned from.
    probabilities : ndarray of shape (n_rows, n_groups)
        The probability of each group for each row; of placed rows, with what was said of them.
    held_out : ndarray of shape (n_placed, n_groups)
        The same for placed rows, by learners that have not seen them, without what was said.
    chance_of_right : ndarray of shape (n_placed,)
        How likely each placement is to be right.
    error_rate : float
        The estimated share of wrong placements.
    names : list of str
        The names of the learners.
    losses : ndarray of shape (n_learners,)
        The log loss of each learner on held-out placed rows.
    weights : ndarray of shape (n_learners,)
        The weight of each learner.
    """

    placed: PlacedRows
    probabilities: Floats
    held_out: Floats
    chance_of_right: Floats
    error_rate: float
    names: list[str]
    losses: Floats
    weights: Floats
    _models: list[NeighborVote | ModelVote]
    _temperatures: list[float]
    _temperature: float

    def predict(self, X: Any) -> Floats:
        """The probability of each group for new rows."""
        parts = [
            weight * tempered(model.predict(X), temperature)
            for model, temperature, weight in zip(
                self._models, self._temperatures, self.weights, strict=True
            )
            if weight >= min(NEGLIGIBLE, self.weights.max())
        ]
        return tempered(_normalised(np.sum(parts, axis=0)), self._temperature)


def fit_panel(
    table: PanelTable,
    placed: PlacedRows,
    learners: Sequence[Learner],
    random: np.random.RandomState,
    *,
    sure: Bools,
    answers: Ints,
    error_prior: ErrorPrior,
) -> Panel:
    """Judge the learners by held-out rows, weight them, and judge the placements by the panel.

    If placements are probably wrong, all is done once more, and each placement counts by its chance
    of being right. Placements that are ``sure`` are taken as right. Those with the same number in
    ``answers`` are one answer.
    """
    seed = int(random.randint(2**31 - 1))
    judging = judging_of(placed.groups, answers, sure, error_prior, random)
    panel = _fitted(table, placed, learners, judging, seed, rate=0.0 if sure.all() else None)
    if np.any(panel.chance_of_right < DOUBTED):
        believed = placed._replace(weight=placed.weight * panel.chance_of_right)
        # With less weight on them, wrong placements would seem to be rarer than they are.
        panel = _fitted(table, believed, learners, judging, seed, rate=panel.error_rate)
    return panel


def _fitted(
    table: PanelTable,
    placed: PlacedRows,
    learners: Sequence[Learner],
    judging: Judging,
    seed: int,
    *,
    rate: float | None,
) -> Panel:
    """The panel for placements that are wrong with this chance; None means that it is estimated."""
    folds, judged = judging.folds, judging.folds >= 0
    each_weight = placed.weight * judging.weight
    groups, weight = placed.groups[judged], each_weight[judged]
    shares = shares_of(placed.groups, each_weight, judging.sure)
    fits = [each.cross_fit(table, placed, folds, np.random.RandomState(seed)) for each in learners]

    def tempering(P: Floats) -> Fit:
        return best_temperature(
            P[judged], groups, weight, shares[judged], judging.error_prior, rate=rate
        )

    found = [tempering(fit.held_out) for fit in fits]
    losses = np.array([each.loss for each in found])
    spreads = np.array([each.spreads for each in learners])
    weights = weights_of(losses, spreads, judging.weight[judged].sum(), placed.n_groups)
    temperatures = [each.temperature for each in found]

    def mean_of(parts: Sequence[Floats]) -> Floats:
        each = [tempered(P, t) for P, t in zip(parts, temperatures, strict=True)]
        return np.einsum("l,lng->ng", weights, each)

    held_out = mean_of([fit.held_out for fit in fits])
    overall = tempering(held_out)
    held_out = tempered(held_out, overall.temperature)
    # The only row of a group can't be judged, and is taken as right.
    may_be_wrong = np.where(judged, overall.error_rate, 0.0)
    with_placement = posterior(held_out, placed.groups, may_be_wrong, shares)
    with_placement[judging.sure] = np.eye(placed.n_groups)[placed.groups[judging.sure]]
    P = tempered(mean_of([fit.probabilities for fit in fits]), overall.temperature)
    P[placed.rows] = with_placement
    return Panel(
        placed=placed,
        probabilities=P,
        held_out=held_out,
        chance_of_right=with_placement[np.arange(len(judged)), placed.groups],
        error_rate=overall.error_rate,
        names=[each.name for each in learners],
        losses=losses,
        weights=weights,
        _models=[fit.model for fit in fits],
        _temperatures=temperatures,
        _temperature=overall.temperature,
    )


def _normalised(P: Floats) -> Floats:
    return np.asarray(P / P.sum(axis=1, keepdims=True))
