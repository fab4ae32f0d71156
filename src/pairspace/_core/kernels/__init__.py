"""Points in a kernel's space, and the null space of must-links in it."""

from pairspace._core.kernels._kernel import (
    NAMES,
    GramPoints,
    Kernel,
    KernelFunction,
    LandmarkMap,
    LandmarkPoints,
    Points,
)
from pairspace._core.kernels._null_neighbors import NullGraph, null_graph
from pairspace._core.kernels._null_space import KernelNullSpace

__all__ = [
    "NAMES",
    "GramPoints",
    "Kernel",
    "KernelFunction",
    "KernelNullSpace",
    "LandmarkMap",
    "LandmarkPoints",
    "NullGraph",
    "Points",
    "null_graph",
]
