"""PairSpace's eigenproblem, for one table and any number of supervisions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pairspace._core.data import Classes, Rows
from pairspace._core.linalg import Eigen, rank_of, whiten, within
from pairspace._core.typing import Floats, Ints
from pairspace._within._covariance import Within
from pairspace._within._mixture import GridPoint, Scatters
from pairspace._within._near import near_covariance
from pairspace._within._weighting import MIN_JUDGED, held_out_folds, weighted_mixture
from pairspace.base import Supervision

# The grid of "auto", its default first.
RIDGES = (0.5, 0.02, 0.1, 0.3, 0.7, 0.9)
TAUGHT_RIDGE = 0.1  # of the covariance within predicted groups, which has all rows to go by
SHIFTS = (-0.5, 0.0, 0.5, 1.0)  # see GridPoint: half of Ledoit and Wolf's shrinkage, theirs, …


class Solution(NamedTuple):
    """The directions, the parameters of the B that was used, and its rank."""

    eigen: Eigen
    ridge: float
    shrinkage: float
    rank: int


class Taught(NamedTuple):
    """Predicted groups of all rows, and the weight of the covariance within them in B."""

    labels: Ints
    weight: float


class ClosedForm:
    """max wᵀS_t w subject to wᵀBw = 1, where B mixes must-links, neighbours and the identity.

    The covariances of all rows and of neighbours do not depend on the supervision: they are
    computed once.
    """

    def __init__(
        self,
        Z: Rows,
        n_neighbors: int,
        random: np.random.RandomState,
        n_queries: int | str | None = "auto",
    ) -> None:
        self.Z = Z
        self.total: Floats = Z.gram / len(Z)
        self.span = rank_of(self.total)
        found = near_covariance(Z, n_neighbors, n_queries, random)
        self.near, self.n_queries = found.covariance, found.n_queries

    def solve(
        self,
        known: Supervision,
        n_components: int,
        random: np.random.RandomState,
        *,
        ridge: float | None = None,
        shrinkage: float | None = None,
        taught: Taught | None = None,
    ) -> Solution:
        """The leading directions; a ridge or shrinkage of None is weighted on held-out pairs.

        With ``taught``, B is mixed with the covariance within predicted groups of all rows.

        There are fewer than ``n_components`` directions if the rank of B is smaller.
        """
        learned = Within.of_classes(self.Z, known.classes) + Within.of_must_links(self.Z, known)
        scatters = Scatters(self.total, self.near, learned)
        shifts = (SHIFTS if shrinkage is None else SHIFTS[:1]) if learned.weight else (0.0,)
        grid = [
            GridPoint(r, shift, shrinkage)
            for r in (RIDGES if ridge is None else [ridge])
            for shift in shifts
        ]
        mixture = weighted_mixture(self.Z, known, scatters, grid, n_components, random)
        if mixture is None:
            mixture = GridPoint(grid[0].ridge, 0.0, shrinkage).mixture(scatters)
        B = mixture.of(scatters.parts)
        if taught is not None:
            B = (1 - taught.weight) * B + taught.weight * self._within_groups(taught, B)
        V = whiten(B)
        rank = min(V.shape[1], self.span)
        eigen = within(V, self.total, min(n_components, rank))
        return Solution(eigen, mixture.ridge, mixture.shrinkage, rank)

    def held_out_score(
        self, known: Supervision, n_components: int, random: np.random.RandomState
    ) -> float:
        """How often a held-out must-link is shorter than a cannot-link, with the first grid point.

        It compares tables that the same is known about. 0 if there are too few pairs to hold out.
        """
        point = GridPoint(RIDGES[0], SHIFTS[0])
        scores, n_judged = [], 0
        for fold in held_out_folds(self.Z, known, random):
            seen = Scatters(self.total, self.near, fold.learned)
            V = whiten(point.mixture(seen).of(seen.parts))
            found = within(V, self.total, min(n_components, V.shape[1], self.span))
            scores.append(fold.share_of_shorter(self.Z, found.vectors))
            n_judged += fold.n_independent
        return float(np.mean(scores)) if n_judged >= MIN_JUDGED else 0.0

    def _within_groups(self, taught: Taught, B: Floats) -> Floats:
        """The covariance within the groups with a small ridge, scaled to the trace of B."""
        groups = Within.of_classes(self.Z, Classes(taught.labels))
        if not groups.weight or not np.trace(groups.covariance) > 0:
            return B
        mixed = _with_ridge(groups.covariance, TAUGHT_RIDGE)
        return mixed * (np.trace(B) / np.trace(mixed))


def _with_ridge(S: Floats, ridge: float) -> Floats:
    return (1 - ridge) * S + ridge * np.trace(S) / len(S) * np.eye(len(S))
