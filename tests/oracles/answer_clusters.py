"""What clusters of answers minimise, literally, and its smallest value by trying everything."""

from itertools import product


def objective(points, sizes, same, different, weight, labels):
    """Squares about the means of the clusters, and the weight of every broken answer."""
    total = 0.0
    for cluster in set(labels):
        members = [at for at, label in enumerate(labels) if label == cluster]
        n = sum(sizes[at] for at in members)
        for axis in range(len(points[0])):
            mean = sum(sizes[at] * points[at][axis] for at in members) / n
            total += sum(sizes[at] * (points[at][axis] - mean) ** 2 for at in members)
    for i, j in same:
        total += weight * (labels[i] != labels[j])
    for i, j in different:
        total += weight * (i != j and labels[i] == labels[j])
    return total


def smallest(points, sizes, same, different, weight, n_clusters):
    """The smallest objective with all clusters in use."""
    return min(
        objective(points, sizes, same, different, weight, labels)
        for labels in product(range(n_clusters), repeat=len(points))
        if len(set(labels)) == n_clusters
    )
