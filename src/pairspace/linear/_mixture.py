"""What PairSpace holds small: must-links, neighbours and the identity, mixed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pairspace.linear._shrinkage import Within

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Scatters:
    """The covariance of all rows, that of neighbours, and what is known within classes."""

    total: Floats
    near: Floats
    learned: Within

    @property
    def must(self) -> Floats | None:
        """The covariance within classes as the answers have it; None if they say nothing of it."""
        return self.learned.covariance if np.trace(self.learned.scatter) > 0 else None

    @property
    def scale(self) -> float:
        """The trace of everything that is mixed: that of the first that has one."""
        of_must = 0.0 if self.must is None else float(np.trace(self.must))
        return of_must or float(np.trace(self.near)) or float(np.trace(self.total))

    def within(self, basis: Floats) -> Scatters:
        """The same in the coordinates of an orthonormal basis, given as columns."""
        must = self.learned
        return Scatters(
            basis.T @ self.total @ basis,
            basis.T @ self.near @ basis,
            Within(
                basis.T @ must.scatter @ basis, must.fourth_moment, must.weight, must.squared_weight
            ),
        )


@dataclass(frozen=True)
class Mixture:
    """The shares of must-links, of neighbours and of the identity in B; they add up to 1."""

    must: float
    near: float
    identity: float

    @classmethod
    def of_parameters(cls, shrinkage: float, ridge: float) -> Mixture:
        """(1−r)·[(1−α)·must + α·((1−r)·near + r·identity)] + r·identity"""
        target = (1 - ridge) * shrinkage
        return cls(
            must=(1 - ridge) * (1 - shrinkage),
            near=target * (1 - ridge),
            identity=target * ridge + ridge,
        )

    @property
    def ridge(self) -> float:
        """The r that gives these shares."""
        # With u = 1 − r: must = u − uα and near = u²α, so that u² − must·u − near = 0.
        return 1 - (self.must + np.sqrt(self.must**2 + 4 * self.near)) / 2

    @property
    def shrinkage(self) -> float:
        """The α that gives these shares; 1 where r = 1 leaves nothing to shrink."""
        kept = 1 - self.ridge
        return 1 - self.must / kept if kept > 0 else 1.0

    def of(self, scatters: Scatters) -> Floats:
        """B itself."""
        B = self.near * _unit(scatters.near) + self.identity * _unit(np.eye(len(scatters.total)))
        if scatters.must is not None:
            B += self.must * _unit(scatters.must)
        return scatters.scale * B


@dataclass(frozen=True)
class Candidate:
    """A ridge, and a shrinkage: a number, or where it lies as seen from that of Ledoit and Wolf.

    ``lean`` 0 is theirs, −1 is none and 1 is full shrinkage.
    """

    ridge: float
    lean: float = 0.0
    shrinkage: float | None = None

    def mixture(self, scatters: Scatters) -> Mixture:
        """The mixture for these scatters."""
        return Mixture.of_parameters(self._shrinkage(scatters), self.ridge)

    def _shrinkage(self, scatters: Scatters) -> float:
        if scatters.must is None:
            return 1.0
        if self.shrinkage is not None:
            return self.shrinkage
        target = (1 - self.ridge) * _unit(scatters.near)
        target += self.ridge * _unit(np.eye(len(target)))
        alpha = scatters.learned.shrinkage_towards(scatters.scale * target)
        return alpha * (1 + self.lean) if self.lean < 0 else alpha + self.lean * (1 - alpha)


def _unit(S: Floats) -> Floats:
    """S with the trace 1; the identity if S is zero."""
    trace = np.trace(S)
    return S / trace if trace > 0 else np.eye(len(S)) / len(S)
