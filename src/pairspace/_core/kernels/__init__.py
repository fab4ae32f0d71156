"""Kernels, points in their feature space, and the null space of must-links."""

from pairspace._core.kernels._kernel import (
    NAMES,
    GramPoints,
    Kernel,
    KernelFunction,
    KernelPoints,
    LandmarkMap,
    LandmarkPoints,
)
from pairspace._core.kernels._null_neighbors import NullGraph, null_graph
from pairspace._core.kernels._null_space import KernelNullSpace

__all__ = [
    "NAMES",
    "GramPoints",
    "Kernel",
    "KernelFunction",
    "KernelNullSpace",
    "KernelPoints",
    "LandmarkMap",
    "LandmarkPoints",
    "NullGraph",
    "null_graph",
]
