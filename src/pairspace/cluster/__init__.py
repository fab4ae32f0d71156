"""Kernel k-means, without and with must-links."""

from pairspace.cluster.kernel_kmeans import KernelKMeans
from pairspace.cluster.skkmeans import SKKMeans

__all__ = ["KernelKMeans", "SKKMeans"]
