"""Measures of the quality of spaces and clusterings."""

from pairspace.metrics._clustering import normalized_rand_index, pair_f_score, purity
from pairspace.metrics._spaces import cumulative_purity, pair_auc, share_below
from pairspace.metrics._violations import PairDistances, pair_distances

__all__ = [
    "PairDistances",
    "cumulative_purity",
    "normalized_rand_index",
    "pair_auc",
    "pair_distances",
    "pair_f_score",
    "purity",
    "share_below",
]
