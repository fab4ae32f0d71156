"""Weighted graphs over the samples, and their scatter matrices."""

from pairspace._core.graphs._base import Graph, Sum
from pairspace._core.graphs._blocks import Blocks
from pairspace._core.graphs._complete import Complete
from pairspace._core.graphs._edges import Edges, edge_scatters

__all__ = ["Blocks", "Complete", "Edges", "Graph", "Sum", "edge_scatters"]
