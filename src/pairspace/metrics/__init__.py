"""How good a space or a clustering is."""

from pairspace.metrics._clustering import (
    fowlkes_mallows,
    normalized_rand_index,
    pair_f_score,
    purity,
    rand_index,
)
from pairspace.metrics._spaces import cumulative_purity, pair_auc, share_below
from pairspace.metrics._violations import Lengths, lengths_of

__all__ = [
    "Lengths",
    "cumulative_purity",
    "fowlkes_mallows",
    "lengths_of",
    "normalized_rand_index",
    "pair_auc",
    "pair_f_score",
    "purity",
    "rand_index",
    "share_below",
]
