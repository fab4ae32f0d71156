"""Clustering in the space of a kernel."""

from pairspace.cluster.kernel_kmeans import KernelKMeans

__all__ = ["KernelKMeans"]
