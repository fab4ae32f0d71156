"""Which pair to ask next: one way a file, all behind one small interface."""

from __future__ import annotations

from pairspace.active.strategies.explore import ExploreConsolidate, MinMax
from pairspace.active.strategies.medoids import Medoids
from pairspace.active.strategies.situation import Situation, Strategy
from pairspace.active.strategies.uncertain import Uncertain
from pairspace.active.strategies.uniform import Random, random_pairs

STRATEGIES: dict[str, Strategy] = {
    "random": Random(),
    "uncertain": Uncertain(),
    "explore-consolidate": ExploreConsolidate(),
    "min-max": MinMax(),
    "medoids": Medoids(),
}


def strategy_of(given: str | Strategy) -> Strategy:
    """The strategy of this name, or the one that was given."""
    if not isinstance(given, str):
        return given
    if given not in STRATEGIES:
        raise ValueError(f"strategy={given!r}: it is one of {', '.join(STRATEGIES)}")
    return STRATEGIES[given]


__all__ = ["STRATEGIES", "Situation", "Strategy", "random_pairs", "strategy_of"]
