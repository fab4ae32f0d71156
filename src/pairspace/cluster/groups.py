"""From answers to the groups of all rows of a table: by the panel, or by regions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pairspace._core.typing import Bools, Floats, Ints
from pairspace.base import PlacedRows, Supervision, placed_rows
from pairspace.cluster._hard import keep_pairs
from pairspace.cluster.panel import (
    ErrorPrior,
    Panel,
    PanelTable,
    answer_probabilities,
    fit_panel,
    learners_of,
    with_answers,
)
from pairspace.cluster.region_groups import RegionGroups, fit_regions, with_more_groups
from pairspace.constraints import UNKNOWN

REGIONS = "regions"  # the name of the only learner where rows are not placed in groups
NO_LOOKS = ErrorPrior()  # no answer is known to be wrong or right


@dataclass(frozen=True)
class Answers:
    """The given answers, each with its probability of being right, the least likely first.

    Parameters
    ----------
    kinds : list of str
        "label", "must-link" or "cannot-link".
    rows : ndarray of shape (n_answers, 2)
        The rows of each; the second row of a label is −1.
    probability : ndarray of shape (n_answers,)
        How likely each is to be right.
    """

    kinds: list[str] = field(default_factory=list)
    rows: Ints = field(default_factory=lambda: np.empty((0, 2), dtype=np.int64))
    probability: Floats = field(default_factory=lambda: np.empty(0))


@dataclass(frozen=True)
class Groups:
    """The groups of the rows of a table.

    Parameters
    ----------
    probabilities : ndarray of shape (n_rows, n_groups)
        The probability of each group for each row.
    placed : PlacedRows
        The rows that the answers place in groups; none if there are too few of them.
    model : Panel or RegionGroups
        Its ``predict`` gives the probabilities of new rows.
    learners : list of str
        The names of the learners.
    losses : ndarray
        The held-out loss of each learner; NaN if there is nothing to judge by.
    weights : ndarray
        The weight of each learner.
    error_rate : float
        The estimated share of wrong placements; NaN if no rows are placed.
    answers : Answers
        The given answers, the most doubtful first.
    """

    probabilities: Floats
    placed: PlacedRows
    model: Panel | RegionGroups
    learners: list[str]
    losses: Floats
    weights: Floats
    error_rate: float
    answers: Answers

    @property
    def n_groups(self) -> int:
        """The number of groups."""
        return self.probabilities.shape[1]

    def predict(self, X: Any) -> Floats:
        """The probability of each group for new rows."""
        P = self.model.predict(X)
        if P.shape[1] == self.n_groups:
            return P
        # Groups that hard=True had to add are of single rows.
        return np.column_stack([P, np.zeros((len(P), self.n_groups - P.shape[1]))])


def fit_groups(
    table: PanelTable,
    known: Supervision,
    n_clusters: int | None,
    learners: Any,
    random: np.random.RandomState,
    *,
    hard: bool = False,
    weights: Floats | None = None,
    sure: Bools | None = None,
    shared: Ints | None = None,
    error_prior: ErrorPrior = NO_LOOKS,
) -> Groups:
    """Find the groups of all rows of a table.

    Parameters
    ----------
    table : PanelTable
        The rows.
    known : Supervision
        Labels and pairs that do not contradict each other.
    n_clusters : int or None
        The number of groups; None means as many as the answers show, at least 2. Pairs that do not
        place rows may ask for more.
    learners : "auto", list of str or dict
        The learners of the panel.
    random : RandomState
        The source of random draws.
    hard : bool, default=False
        Whether every given pair is kept.
    weights : ndarray of shape (n_rows,), default=None
        How far the group of each placed row counts, from 0 to 1; 1 by default. Where some count
        less, those that count 1 are not outvoted by them.
    sure : ndarray of bool of shape (n_rows,), default=None
        Placed rows whose group is not outvoted; none by default.
    shared : ndarray of int of shape (n_rows,), default=None
        For each row the number of its answer. Equal rows that were placed by one answer have the
        same number: they are judged together, and count once. By default all have their own.
    error_prior : ErrorPrior, default=NO_LOOKS
        What is known about how often placements are wrong: about 1 in 20 by default.

    Returns
    -------
    Groups
        The groups.
    """
    if sure is None:
        sure = np.zeros(len(known.labels), dtype=bool)
    if shared is None:
        shared = np.arange(len(known.labels))
    placed = placed_rows(known)
    if weights is not None:
        placed = placed._replace(weight=placed.weight * weights[placed.rows])
        # Who counts less repeats mistakes: a second look of a program is no other opinion.
        sure = weights >= 1
    panel = learners_of(learners, len(placed.rows))
    if placed.may_teach:
        found = _by_panel(
            table, known, placed, n_clusters, panel, random, sure | hard, shared, error_prior
        )
    else:
        found = _by_regions(table, known, n_clusters, max(placed.n_groups, 2), random)
    if hard:
        P = keep_pairs(found.probabilities, known, may_add=n_clusters is None)
        found = Groups(**{**vars(found), "probabilities": P})
    return found


def _by_panel(
    table: PanelTable,
    known: Supervision,
    placed: PlacedRows,
    n_clusters: int | None,
    learners: Any,
    random: np.random.RandomState,
    sure: Bools,
    shared: Ints,
    error_prior: ErrorPrior,
) -> Groups:
    examples = placed
    if n_clusters is not None and n_clusters > placed.n_groups:
        examples = with_more_groups(table, placed, n_clusters, random)
    rows = examples.rows
    panel = fit_panel(
        table,
        examples,
        learners,
        random,
        sure=sure[rows],
        answers=shared[rows],
        error_prior=error_prior,
    )
    kinds, pairs, chance = answer_probabilities(known, panel)
    order = np.argsort(chance, kind="stable")
    return Groups(
        probabilities=with_answers(panel.probabilities, known, examples, panel.error_rate),
        placed=placed,
        model=panel,
        learners=panel.names,
        losses=panel.losses,
        weights=panel.weights,
        error_rate=panel.error_rate,
        answers=Answers([kinds[at] for at in order], pairs[order], chance[order]),
    )


def _by_regions(
    table: PanelTable,
    known: Supervision,
    n_clusters: int | None,
    at_least: int,
    random: np.random.RandomState,
) -> Groups:
    regions = fit_regions(table, known, n_clusters, at_least, random)
    nobody = np.empty(0, dtype=np.int64)
    return Groups(
        probabilities=regions.probabilities,
        placed=PlacedRows(nobody, nobody, np.empty(0), 0, 0),
        model=regions,
        learners=[REGIONS],
        losses=np.array([np.nan]),
        weights=np.array([1.0]),
        error_rate=float("nan"),
        answers=Answers(),
    )


def label_codes(groups: Groups, known: Supervision) -> Ints:
    """For each group the code of the label of its rows; −1 if none of them has one."""
    codes = np.full(groups.n_groups, UNKNOWN)
    of_placed = known.labels[groups.placed.rows]
    codes[groups.placed.groups[of_placed != UNKNOWN]] = of_placed[of_placed != UNKNOWN]
    return codes
