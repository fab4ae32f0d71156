"""The covariance within classes, estimated from labels and must-links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from pairspace._core.data import Classes, Rows
from pairspace._core.graphs import Edges, edge_scatters
from pairspace._core.typing import Bools, Floats
from pairspace.base import Supervision
from pairspace.constraints import Constraints


def ledoit_wolf(Z: Rows, chunklets: Classes) -> float:
    """The share of the identity that estimates the covariance within chunklets best.

    The sample is each row's deviation from the mean of its chunklet. A chunklet of c rows counts as
    c − 1 independent ones and not as its c(c − 1)/2 pairs, which follow from each other.
    """
    within = Within.of_classes(Z, chunklets)
    if not within.weight:
        return 1.0  # nothing is known about the covariance
    S = within.covariance
    return within.shrinkage_towards(np.trace(S) / len(S) * np.eye(len(S)))


class Within:
    """Sums over differences δ of rows of one class, scaled to have the covariance of a class.

    Differences that follow from each other count by their degrees of freedom, which is what their
    weights add up to.

    Parameters
    ----------
    scatter : ndarray of shape (d, d)
        Σ w δδᵀ
    weight : float
        Σ w
    squared_weight : float
        Σ w², where 1 / weights of dependent differences is not squared.
    *fourth_moments : callable
        Their sum is Σ w ‖δ‖⁴. It is computed when it is needed, as it takes another reading.
    """

    def __init__(
        self,
        scatter: Floats,
        weight: float,
        squared_weight: float,
        *fourth_moments: Callable[[], float],
    ) -> None:
        self.scatter, self.weight, self.squared_weight = scatter, weight, squared_weight
        self._fourth_moments = fourth_moments

    @classmethod
    def of_nothing(cls, Z: Rows) -> Within:
        return cls(np.zeros((Z.shape[1], Z.shape[1])), 0.0, 0.0)

    @classmethod
    def of_classes(cls, Z: Rows, classes: Classes) -> Within:
        """Deviations from the mean of the class; a class of c rows has c − 1 degrees of freedom."""
        several = classes.sizes > 1
        if not several.any():
            return cls.of_nothing(Z)
        reading = classes.read(Z)
        scatter = reading.about_means(lambda size: 1)
        degrees_of_freedom = float(np.sum(classes.sizes[several] - 1))
        # A deviation has the share 1 − 1/c of the covariance of a class.
        weight = several / (1 - 1 / np.maximum(classes.sizes, 2))

        def fourth_moment() -> float:
            labelled, rows = classes.labelled_in_memory(Z)
            return rows.fourth_moment(labelled.codes, reading.means, weight)

        return cls(scatter, degrees_of_freedom, degrees_of_freedom, fourth_moment)

    @classmethod
    def of_must_links(cls, Z: Rows, known: Supervision) -> Within:
        """(x_i − x_j)/√2 over the must-links, themselves and not what they imply.

        A component of c rows has c − 1 degrees of freedom, however many of its pairs are given. A
        wrong answer spoils one difference, where deviations from the mean of its component would
        all be wrong.
        """
        pairs, weight = known.pairs.must_link, known.pairs.must_weight
        if not len(pairs):
            return cls.of_nothing(Z)
        freedom = _freedom(known.pairs)
        scatter = Edges(len(Z), pairs, freedom * weight / 2).scatter(Z)
        return cls._of_links(scatter, freedom, weight, lambda: Z.squared_lengths(pairs))

    @classmethod
    def of_must_links_without(
        cls, Z: Rows, known: Supervision, held_out: Sequence[Bools], rest: Sequence[Supervision]
    ) -> list[Within]:
        """``of_must_links`` of each ``rest`` that holding out some rows leaves of what is known.

        The rows of the must-links are read once for all of them.
        """
        pairs, weight = known.pairs.must_link, known.pairs.must_weight
        if not len(pairs):
            return [cls.of_nothing(Z) for _ in rest]
        kept = [~np.logical_or(*rows[pairs.T]) for rows in held_out]
        freedom = np.zeros((len(kept), len(pairs)))
        for share, some, seen in zip(freedom, kept, rest, strict=True):
            share[some] = _freedom(seen.pairs)
        scatters, squared = edge_scatters(Z, pairs, freedom * weight / 2)
        return [
            cls._of_links(scatter, share, weight, lambda: squared)
            for scatter, share in zip(scatters, freedom, strict=True)
        ]

    @classmethod
    def _of_links(
        cls, scatter: Floats, freedom: Floats, weight: Floats, squared_lengths: Callable[[], Floats]
    ) -> Within:
        def fourth_moment() -> float:
            return float(np.sum(freedom * weight * (squared_lengths() / 2) ** 2))

        total, squared = np.sum(freedom * weight), np.sum(freedom * weight**2)
        return cls(scatter, float(total), float(squared), fourth_moment)

    def __add__(self, other: Within) -> Within:
        return Within(
            self.scatter + other.scatter,
            self.weight + other.weight,
            self.squared_weight + other.squared_weight,
            *self._fourth_moments,
            *other._fourth_moments,
        )

    @cached_property
    def fourth_moment(self) -> float:
        """Σ w ‖δ‖⁴"""
        return sum((moment() for moment in self._fourth_moments), start=0.0)

    @property
    def covariance(self) -> Floats:
        """Σ w δδᵀ / Σ w"""
        return self.scatter / self.weight

    def shrinkage_towards(self, target: Floats) -> float:
        """The share of the target in the best estimate, by Ledoit and Wolf.

        It is the variance of the covariance above, over its squared distance from the target. They
        divide the spread of n differences by n; n − 1 makes it unbiased, which matters here: a
        single difference has no spread, and is no estimate either.
        """
        S = self.covariance
        n = self.weight**2 / self.squared_weight
        distance = np.sum((S - target) ** 2)
        if n <= 1 or not distance > 0:
            return 1.0
        variance = (self.fourth_moment / self.weight - np.sum(S**2)) / (n - 1)
        return float(np.clip(variance / distance, 0, 1))


def _freedom(pairs: Constraints) -> Floats:
    """The share of a degree of freedom of each must-link."""
    component, first = pairs.components(), pairs.must_link[:, 0]
    rows_of_each = np.bincount(component[component >= 0])
    pairs_of_each = np.bincount(component[first], minlength=len(rows_of_each))
    return np.asarray(((rows_of_each - 1) / pairs_of_each)[component[first]])
