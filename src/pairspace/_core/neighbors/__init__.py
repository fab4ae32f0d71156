"""Nearest and farthest rows, ordered by distance, and equal distances by index.

A fast search with rounding errors finds candidates. Their distances are computed again from
differences, in float64, and only these decide. So duplicates and grids give the same result every
time. Where a tie may include rows beyond the candidates, more candidates are searched. Memory is
linear in the number of rows.
"""

from pairspace._core.neighbors._farthest import farthest
from pairspace._core.neighbors._nearest import nearest, nearest_among, neighbor_edges
from pairspace._core.neighbors._ranking import centred
from pairspace._core.neighbors._sampled import FOLDED, QuerySearch, smallest
from pairspace._core.neighbors._shortest import shortest_pairs

__all__ = [
    "FOLDED",
    "QuerySearch",
    "centred",
    "farthest",
    "nearest",
    "nearest_among",
    "neighbor_edges",
    "shortest_pairs",
    "smallest",
]
