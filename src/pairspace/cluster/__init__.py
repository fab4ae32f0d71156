"""Clustering in the space of a kernel."""

from pairspace.cluster.kernel_kmeans import KernelKMeans
from pairspace.cluster.skkmeans import SKKMeans

__all__ = ["KernelKMeans", "SKKMeans"]
