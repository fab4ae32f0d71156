"""Kernel k-means as in methods/le-cas.md, point 2: means are never formed, only the kernel is read.

‖φ(x_i) − t_h‖² = K_ii − 2·mean_{j∈h} K_ij + mean_{j,l∈h} K_jl
"""

import numpy as np


def squared_distances(K, labels, n_clusters):
    """Distances from the means of the clusters, n × k, one by one."""
    n = len(K)
    distances = np.zeros((n, n_clusters))
    for h in range(n_clusters):
        members = [j for j in range(n) if labels[j] == h]
        among = np.mean([K[j, m] for j in members for m in members])
        for i in range(n):
            distances[i, h] = K[i, i] - 2 * np.mean([K[i, j] for j in members]) + among
    return distances


def objective(K, labels, n_clusters):
    distances = squared_distances(K, labels, n_clusters)
    return sum(distances[i, labels[i]] for i in range(len(K)))


def refined(K, labels, n_clusters):
    """Points move to the nearest mean until none moves. Starts from labels without empty clusters.

    An empty cluster takes the point farthest from its own mean, never one alone in its cluster.
    """
    labels = list(labels)
    while True:
        distances = squared_distances(K, labels, n_clusters)
        before = list(labels)
        for i in range(len(K)):
            h = int(np.argmin(distances[i]))
            if distances[i, h] < distances[i, labels[i]] - 1e-11:
                labels[i] = h
        for h in range(n_clusters):
            if h not in labels:
                free = [i for i in range(len(K)) if labels.count(labels[i]) > 1]
                labels[max(free, key=lambda i: (distances[i, labels[i]], -i))] = h
        if labels == before:
            return np.array(labels)
