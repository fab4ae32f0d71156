"""Strategies that choose the next pair: one a file, with one interface."""

from __future__ import annotations

from pairspace.active.strategies.context import QuestionContext, RowStrategy, Strategy
from pairspace.active.strategies.doubt import Doubt
from pairspace.active.strategies.explore import ExploreConsolidate, MinMax
from pairspace.active.strategies.medoids import Medoids
from pairspace.active.strategies.uncertain import Uncertain
from pairspace.active.strategies.uniform import Random, random_pairs

STRATEGIES: dict[str, Strategy] = {
    "random": Random(),
    "uncertain": Uncertain(),
    "explore-consolidate": ExploreConsolidate(),
    "min-max": MinMax(),
    "medoids": Medoids(),
    "doubt": Doubt(),
}


def strategy_of(given: str | Strategy) -> Strategy:
    """The strategy with this name, or the given one."""
    if not isinstance(given, str):
        return given
    if given not in STRATEGIES:
        names = ", ".join(map(repr, STRATEGIES))
        raise ValueError(f"strategy must be one of {names}, or a Strategy; got {given!r}")
    return STRATEGIES[given]


__all__ = [
    "STRATEGIES",
    "QuestionContext",
    "RowStrategy",
    "Strategy",
    "random_pairs",
    "strategy_of",
]
