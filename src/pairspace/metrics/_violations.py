"""Distances of pairs in a space, and the constraints that it violates."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pairspace._core.data import read_table, rows_of
from pairspace._core.typing import Bools, Floats
from pairspace.constraints import Constraints

N_DRAWN = 10_000


class PairDistances(NamedTuple):
    """Distances of must-links and cannot-links in a space, and the threshold between them.

    Parameters
    ----------
    must : ndarray of shape (n_must_links,)
        The distance of each must-link.
    cannot : ndarray of shape (n_cannot_links,)
        The distance of each cannot-link.
    threshold : float
        The distance that separates the two kinds best: it minimises the share of must-links above
        it plus the share of cannot-links at or below it, by weight. With pairs of one kind only,
        the median distance of two rows.
    """

    must: Floats
    cannot: Floats
    threshold: float

    @property
    def must_violated(self) -> Bools:
        """Which must-links are longer than the threshold."""
        return self.must > self.threshold

    @property
    def cannot_violated(self) -> Bools:
        """Which cannot-links are not longer than the threshold."""
        return self.cannot <= self.threshold

    @property
    def n_violations(self) -> int:
        """The number of violated must-links and cannot-links."""
        return int(self.must_violated.sum() + self.cannot_violated.sum())


def pair_distances(embedding: Any, constraints: Constraints) -> PairDistances:
    """Measure the distances of constrained pairs in a space.

    Parameters
    ----------
    embedding : array-like of shape (n_samples, n_components)
        The rows after ``transform``.
    constraints : Constraints
        The pairs.

    Returns
    -------
    PairDistances
        The distances, the threshold and the violations.

    Examples
    --------
    >>> from pairspace import Constraints
    >>> pairs = Constraints(5, must_link=[(0, 1), (0, 4)], cannot_link=[(1, 2), (1, 3)])
    >>> found = pair_distances([[0.0], [0.1], [3.0], [4.0], [9.0]], pairs)
    >>> found.must_violated.tolist(), found.cannot_violated.tolist()
    ([False, True], [False, False])
    """
    Z = read_table(embedding, sparse=False)
    if not isinstance(constraints, Constraints):
        raise TypeError(
            f"constraints must be a pairspace.Constraints; got {type(constraints).__name__}"
        )
    if len(Z) != len(constraints):
        raise ValueError(
            f"the embedding has {len(Z)} rows, but the constraints are on {len(constraints)}"
        )
    rows = rows_of(Z)
    must, cannot = (
        np.sqrt(rows.squared_lengths(links))
        for links in (constraints.must_link, constraints.cannot_link)
    )
    if not len(must) or not len(cannot):
        pairs = np.random.default_rng(0).integers(len(Z), size=(N_DRAWN, 2))
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        threshold = float(np.median(np.sqrt(rows.squared_lengths(pairs)))) if len(pairs) else 0.0
        return PairDistances(must, cannot, threshold)
    distances = np.concatenate([must, cannot])
    share = np.concatenate(
        [
            -constraints.must_weight / constraints.must_weight.sum(),
            constraints.cannot_weight / constraints.cannot_weight.sum(),
        ]
    )
    order = np.argsort(distances, kind="stable")
    distances, cost = distances[order], np.cumsum(share[order])  # of a threshold at each distance
    cost[:-1][np.diff(distances) == 0] = np.inf  # there is no threshold between equal distances
    best = int(np.argmin(cost))
    if cost[best] >= 0:  # no better than a threshold below all distances
        return PairDistances(must, cannot, float(np.nextafter(distances[0], -np.inf)))
    following = distances[min(best + 1, len(distances) - 1)]
    return PairDistances(must, cannot, float((distances[best] + following) / 2))
