"""Nearest and farthest rows, exact and approximate."""

from pairspace._core.neighbors._farthest import farthest
from pairspace._core.neighbors._nearest import nearest, nearest_among, neighbor_edges

__all__ = ["farthest", "nearest", "nearest_among", "neighbor_edges"]
