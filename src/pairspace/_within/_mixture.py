"""What PairSpace holds small: must-links, neighbours and the identity, mixed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pairspace._core.linalg import RANK_TOLERANCE
from pairspace._core.typing import Floats
from pairspace._within._covariance import Within


class Scatters:
    """The covariance of all rows, that of neighbours, and what is known within classes."""

    def __init__(self, total: Floats, near: Floats, learned: Within) -> None:
        self.total = total
        self.near = _unless_rounding(near, total)
        self.learned = learned
        self._ledoit_wolf: dict[float, float] = {}

    @cached_property
    def must(self) -> Floats | None:
        """The covariance within classes as the answers have it; None if they say nothing of it."""
        if not self.learned.weight:
            return None
        must = _unless_rounding(self.learned.covariance, self.total)
        return must if must.any() else None

    @property
    def scale(self) -> float:
        """The trace of everything that is mixed: that of the first that has one."""
        of_must = 0.0 if self.must is None else float(np.trace(self.must))
        return of_must or float(np.trace(self.near)) or float(np.trace(self.total))

    @cached_property
    def parts(self) -> list[Floats]:
        """What is mixed: must-links, neighbours, identity, all of one trace."""
        identity = np.eye(len(self.total))
        must = np.zeros_like(identity) if self.must is None else _unit(self.must)
        return [self.scale * part for part in (must, _unit(self.near), _unit(identity))]

    def ledoit_wolf(self, ridge: float) -> float:
        """The shrinkage of the must-links towards neighbours with this ridge; 1 without any."""
        if self.must is None:
            return 1.0
        if ridge not in self._ledoit_wolf:
            _, near, identity = self.parts
            target = (1 - ridge) * near + ridge * identity
            self._ledoit_wolf[ridge] = self.learned.shrinkage_towards(target)
        return self._ledoit_wolf[ridge]


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
        return max(1 - self.must / kept, 0.0) if kept > 0 else 1.0

    @property
    def shares(self) -> tuple[float, float, float]:
        """Of must-links, neighbours and the identity."""
        return self.must, self.near, self.identity

    def of(self, parts: Sequence[Floats]) -> Floats:
        """B itself, of the parts of some scatters."""
        must, near, identity = parts
        return self.must * must + self.near * near + self.identity * identity


@dataclass(frozen=True)
class GridPoint:
    """A ridge and a shrinkage; the shrinkage is a number, or relative to that of Ledoit and Wolf.

    ``shift`` 0 is theirs, −1 is none and 1 is full shrinkage.
    """

    ridge: float
    shift: float = 0.0
    shrinkage: float | None = None

    def mixture(self, scatters: Scatters) -> Mixture:
        """The mixture for these scatters."""
        return Mixture.of_parameters(self._shrinkage(scatters), self.ridge)

    def _shrinkage(self, scatters: Scatters) -> float:
        if self.shrinkage is not None:
            return self.shrinkage if scatters.must is not None else 1.0
        alpha = scatters.ledoit_wolf(self.ridge)
        return alpha * (1 + self.shift) if self.shift < 0 else alpha + self.shift * (1 - alpha)


def _unless_rounding(S: Floats, total: Floats) -> Floats:
    """S, or zeros where all that S has is the rounding of differences of equal rows."""
    return S if np.trace(S) > RANK_TOLERANCE * np.trace(total) else np.zeros_like(S)


def _unit(S: Floats) -> Floats:
    """S with the trace 1; the identity if S is zero."""
    trace = np.trace(S)
    return S / trace if trace > 0 else np.eye(len(S)) / len(S)
