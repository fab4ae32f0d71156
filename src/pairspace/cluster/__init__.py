"""Groups from answers, and k-means in kernel spaces."""

from pairspace.cluster.kernel_kmeans import KernelKMeans
from pairspace.cluster.pair_clusters import PairClusters
from pairspace.cluster.skkmeans import SKKMeans

__all__ = ["KernelKMeans", "PairClusters", "SKKMeans"]
