"""LPP (He and Niyogi 2003), SLPP and LPPSI (reconstructed), as in methods/dsp.md.

All solve XᵀLX z = λ XᵀDX z on the centred X, smallest λ (zero included), zᵀXᵀDXz = 1, and return
(W, eigenvalues). The null space of XᵀDX is dropped by the relative tolerance 1e-10.
"""

import numpy as np


def squared_distances(X):
    """‖x_i − x_j‖², from the differences themselves."""
    n = len(X)
    distances = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            distances[i, j] = np.sum((X[i] - X[j]) ** 2)
    return distances


def knn_graph(X, k):
    """n×n booleans: j is among the k nearest of i or i among those of j.

    Itself excluded, ties to the lower index; k ≥ n joins all.
    """
    n = len(X)
    distances = squared_distances(X)
    graph = np.zeros((n, n), dtype=bool)
    for i in range(n):
        order = sorted((distances[i, j], j) for j in range(n) if j != i)
        for _, j in order[:k]:
            graph[i, j] = True
            graph[j, i] = True
    return graph


def sigma_squared(X, sigma):
    """σ² = mean over i ≠ j of ‖x_i−x_j‖² for "mean" (methods/le-cas.md, 1), else the square."""
    if sigma != "mean":
        return float(sigma) ** 2
    n = len(X)
    distances = squared_distances(X)
    return sum(distances[i, j] for i in range(n) for j in range(n) if i != j) / (n * (n - 1))


def graph_weights(X, graph, weights="heat", sigma="mean"):
    """Weights on the edges: exp(−‖x_i−x_j‖²/σ²) ("heat") or 1 ("binary")."""
    n = len(X)
    A = np.zeros((n, n))
    distances = squared_distances(X)
    s2 = sigma_squared(X, sigma) if weights == "heat" else None
    for i in range(n):
        for j in range(n):
            if graph[i, j]:
                A[i, j] = 1.0 if weights == "binary" else np.exp(-distances[i, j] / s2)
    return A


def solve(X, A, K):
    """XᵀLX z = λ XᵀDX z, smallest λ, for the n×n weights A."""
    centred = X - X.mean(axis=0)
    D = np.diag(A.sum(axis=1))
    left = centred.T @ (D - A) @ centred
    right = centred.T @ D @ centred
    values, vectors = np.linalg.eigh(right)
    keep = (values > 1e-10 * values[-1]) & (values > 0)
    if keep.sum() < K:
        raise ValueError(f"K = {K} is larger than the rank {keep.sum()} of XᵀDX")
    Z = vectors[:, keep] / np.sqrt(values[keep])  # Zᵀ(XᵀDX)Z = I
    eigenvalues, U = np.linalg.eigh(Z.T @ left @ Z)
    return Z @ U[:, :K], eigenvalues[:K]


def lpp(X, K, k=5, weights="heat", sigma="mean"):
    """LPP (He and Niyogi 2003) on the graph of k nearest neighbours."""
    return solve(X, graph_weights(X, knn_graph(X, k), weights, sigma), K)


def slpp(X, y, K, weights="heat", sigma="mean"):
    """SLPP: the graph joins rows of the same label; a row without label (−1) has no edge.

    Rows without label still count in the mean and in σ.
    """
    n = len(X)
    graph = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for j in range(n):
            graph[i, j] = i != j and y[i] == y[j] and y[i] != -1
    return solve(X, graph_weights(X, graph, weights, sigma), K)


def lppsi_weights(X, must, cannot, k=5, weights="heat", sigma="mean", must_weight=None):
    """LPP's weights; a must-link's is set to 1 (or its own), then a cannot-link's to 0."""
    A = graph_weights(X, knn_graph(X, k), weights, sigma)
    if must_weight is None:
        must_weight = [1.0] * len(must)
    for (i, j), w in zip(must, must_weight, strict=True):
        if i != j:
            A[i, j] = A[j, i] = w
    for i, j in cannot:
        A[i, j] = A[j, i] = 0.0
    return A


def lppsi(X, must, cannot, K, k=5, weights="heat", sigma="mean", must_weight=None):
    """LPPSI (An, Liu, Venkatesh 2008; reconstructed): LPP with the pairs put into its graph."""
    return solve(X, lppsi_weights(X, must, cannot, k, weights, sigma, must_weight), K)
