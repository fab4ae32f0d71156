"""The covariance within classes, estimated from labels and must-links."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pairspace._core.data import Classes, Rows
from pairspace._core.graphs import Edges
from pairspace._core.typing import Floats
from pairspace.base import Supervision


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


@dataclass(frozen=True)
class Within:
    """Sums over differences δ of rows of one class, scaled to have the covariance of a class.

    Differences that follow from each other count by their degrees of freedom, which is what their
    weights add up to.
    """

    scatter: Floats  # Σ w δδᵀ
    fourth_moment: float  # Σ w ‖δ‖⁴
    weight: float  # Σ w
    squared_weight: float  # Σ w², where 1 / weights of dependent differences is not squared

    @classmethod
    def of_classes(cls, Z: Rows, classes: Classes) -> Within:
        """Deviations from the mean of the class; a class of c rows has c − 1 degrees of freedom."""
        several = classes.sizes > 1
        if not several.any():
            return cls(np.zeros((Z.shape[1], Z.shape[1])), 0.0, 0.0, 0.0)
        reading = classes.read(Z)
        scatter = reading.about_means(lambda size: 1)
        degrees_of_freedom = float(np.sum(classes.sizes[several] - 1))
        # A deviation has the share 1 − 1/c of the covariance of a class.
        weight = several / (1 - 1 / np.maximum(classes.sizes, 2))
        labelled, rows = classes.labelled_in_memory(Z)
        fourth_moment = rows.fourth_moment(labelled.codes, reading.means, weight)
        return cls(scatter, fourth_moment, degrees_of_freedom, degrees_of_freedom)

    @classmethod
    def of_must_links(cls, Z: Rows, known: Supervision) -> Within:
        """(x_i − x_j)/√2 over the must-links, themselves and not what they imply.

        A component of c rows has c − 1 degrees of freedom, however many of its pairs are given. A
        wrong answer spoils one difference, where deviations from the mean of its component would
        all be wrong.
        """
        pairs, weight = known.pairs.must_link, known.pairs.must_weight
        if not len(pairs):
            return cls(np.zeros((Z.shape[1], Z.shape[1])), 0.0, 0.0, 0.0)
        component = known.pairs.components()
        rows_of_each = np.bincount(component[component >= 0])
        pairs_of_each = np.bincount(component[pairs[:, 0]], minlength=len(rows_of_each))
        freedom = ((rows_of_each - 1) / pairs_of_each)[component[pairs[:, 0]]]
        squared = Z.squared_lengths(pairs) / 2
        return cls(
            Edges(len(Z), pairs, freedom * weight / 2).scatter(Z),
            float(np.sum(freedom * weight * squared**2)),
            float(np.sum(freedom * weight)),
            float(np.sum(freedom * weight**2)),
        )

    def __add__(self, other: Within) -> Within:
        return Within(
            self.scatter + other.scatter,
            self.fourth_moment + other.fourth_moment,
            self.weight + other.weight,
            self.squared_weight + other.squared_weight,
        )

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
