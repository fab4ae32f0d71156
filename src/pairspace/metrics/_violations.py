"""Which answers a space does not keep."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from pairspace._core.data import rows_of
from pairspace._core.typing import Floats
from pairspace.constraints import Constraints

N_DRAWN = 10_000


class Lengths(NamedTuple):
    """How long the pairs are in a space, and from which length on rows count as different.

    Attributes
    ----------
    must, cannot : ndarray
        The lengths of the must-links and of the cannot-links.
    limit : float
        The length that tells the two kinds apart best: it leaves the smallest sum of the share of
        longer must-links and that of shorter cannot-links. If there is only one kind, the median
        distance of rows.
    """

    must: Floats
    cannot: Floats
    limit: float

    @property
    def must_broken(self) -> NDArray[np.bool_]:
        """Rows that are the same, but apart."""
        return self.must > self.limit

    @property
    def cannot_broken(self) -> NDArray[np.bool_]:
        """Rows that are different, but together."""
        return self.cannot <= self.limit

    @property
    def n_broken(self) -> int:
        return int(self.must_broken.sum() + self.cannot_broken.sum())


def lengths_of(embedding: Any, constraints: Constraints) -> Lengths:
    """Measure pairs in a space.

    Parameters
    ----------
    embedding : array-like of shape (n_samples, n_components)
        The rows after ``transform``.
    constraints : Constraints
        The pairs.

    Examples
    --------
    >>> from pairspace import Constraints
    >>> pairs = Constraints(5, must_link=[(0, 1), (0, 4)], cannot_link=[(1, 2), (1, 3)])
    >>> found = lengths_of([[0.0], [0.1], [3.0], [4.0], [9.0]], pairs)
    >>> found.must_broken.tolist(), found.cannot_broken.tolist()
    ([False, True], [False, False])
    """
    Z = check_array(embedding, dtype=(np.float64, np.float32))
    if len(Z) != len(constraints):
        raise ValueError(
            f"the embedding has {len(Z)} rows, but the constraints are about {len(constraints)}"
        )
    rows = rows_of(Z)
    must, cannot = (
        np.sqrt(rows.squared_lengths(links))
        for links in (constraints.must_link, constraints.cannot_link)
    )
    if not len(must) or not len(cannot):
        pairs = np.random.default_rng(0).integers(len(Z), size=(N_DRAWN, 2))
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        limit = float(np.median(np.sqrt(rows.squared_lengths(pairs)))) if len(pairs) else 0.0
        return Lengths(must, cannot, limit)
    lengths = np.concatenate([must, cannot])
    share = np.concatenate(
        [
            -constraints.must_weight / constraints.must_weight.sum(),
            constraints.cannot_weight / constraints.cannot_weight.sum(),
        ]
    )
    order = np.argsort(lengths, kind="stable")
    lengths, cost = lengths[order], np.cumsum(share[order])  # of a limit at each length
    cost[:-1][np.diff(lengths) == 0] = np.inf  # between equal lengths there is no limit
    best = int(np.argmin(cost))
    if cost[best] >= 0:  # no better than calling all different
        return Lengths(must, cannot, float(np.nextafter(lengths[0], -np.inf)))
    following = lengths[min(best + 1, len(lengths) - 1)]
    return Lengths(must, cannot, float((lengths[best] + following) / 2))
