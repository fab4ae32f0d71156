"""PairSpace with a given ridge and shrinkage, or that of Ledoit and Wolf (methods/pairspace.md).

    T = (1−r)·S_k·tr(S_m)/tr(S_k) + r·tr(S_m)/d·I
    α = clip( (mean ‖δ‖⁴ − ‖S_m‖²_F) / ((m − 1)·‖S_m − T‖²_F), 0, 1 ),   1 if m ≤ 1
    B = (1−α)·S_m + α·T,   then   B ← (1−r)·B + r·tr(B)/d·I
    S_t w = μ B w, largest μ, wᵀBw = 1

in centred coordinates, those of the row space if d > n. S_t divides by n. Without must-links and
labels, or if their rows are identical, α = 1 and the trace is that of S_k.

What is known is a list of differences (δ, f, w): f is the share of a degree of freedom, w the
weight of the answer, and m = (Σ f w)² / Σ f w², which is Σ f for answers of one weight.

One departure from the specification, which has m where α has m − 1: by that a single must-link,
which has no spread, would not be shrunk at all. ``intensity(…, unbiased=False)`` is its formula.
"""

import numpy as np
import scipy.linalg

from oracles.lpp import knn_graph
from oracles.pairs import chunklets


def coordinates(X):
    """(Z, Q): the centred rows and Q = I; if d > n, Z = XQ in an orthonormal basis Q of them."""
    X = np.asarray(X, dtype=np.float64)
    n, d = X.shape
    centred = X - sum(X[i] for i in range(n)) / n
    if d <= n:
        return centred, np.eye(d)
    _, sizes, directions = np.linalg.svd(centred, full_matrices=False)
    Q = directions[sizes > 1e-5 * sizes[0]].T  # eigenvalues of the scatter: the square, 1e-10
    return centred @ Q, Q


def total_covariance(Z):
    """S_t of centred rows."""
    S = np.zeros((Z.shape[1], Z.shape[1]))
    for z in Z:
        S = S + np.outer(z, z)
    return S / len(Z)


def neighbor_covariance(Z, k):
    """S_k: the mean of δδᵀ over the edges i < j of the k-nearest-neighbour graph ("or")."""
    graph = knn_graph(Z, k)
    S = np.zeros((Z.shape[1], Z.shape[1]))
    n_edges = 0
    for i in range(len(Z)):
        for j in range(i + 1, len(Z)):
            if graph[i, j]:
                delta = (Z[i] - Z[j]) / np.sqrt(2)
                S = S + np.outer(delta, delta)
                n_edges += 1
    return S / n_edges


def of_must_links(Z, must, weights=None):
    """δ = (z_i − z_j)/√2 of each pair, f = (c − 1)/e in a component of c rows and e pairs."""
    if weights is None:
        weights = [1.0] * len(must)
    differences = []
    for component in chunklets(len(Z), must):
        inside = [(p, w) for p, w in zip(must, weights, strict=True) if p[0] in component]
        for (i, j), w in inside:
            f = (len(component) - 1) / len(inside)
            differences.append(((Z[i] - Z[j]) / np.sqrt(2), f, w))
    return differences


def of_labels(Z, y):
    """δ = √(c/(c−1))·(z − mean of its class), f = (c − 1)/c, in a class of c > 1 rows."""
    differences = []
    for label in sorted(set(y) - {-1}):
        members = [i for i in range(len(Z)) if y[i] == label]
        c = len(members)
        if c == 1:
            continue
        mean = sum(Z[i] for i in members) / c
        for i in members:
            differences.append((np.sqrt(c / (c - 1)) * (Z[i] - mean), (c - 1) / c, 1.0))
    return differences


def must_covariance(differences):
    """S_m = Σ f w δδᵀ / Σ f w"""
    S = sum(f * w * np.outer(delta, delta) for delta, f, w in differences)
    return S / sum(f * w for _, f, w in differences)


def target(S_m, S_k, ridge):
    """T, with the trace of S_m."""
    d = len(S_m)
    near = S_k * np.trace(S_m) / np.trace(S_k)
    return (1 - ridge) * near + ridge * np.trace(S_m) / d * np.eye(d)


def intensity(differences, S_k, ridge, unbiased=True):
    """The α of Ledoit and Wolf; with m − 1 in place of m if unbiased."""
    S_m = must_covariance(differences)
    T = target(S_m, S_k, ridge)
    total = sum(f * w for _, f, w in differences)
    m = total**2 / sum(f * w**2 for _, f, w in differences)
    divisor = m - 1 if unbiased else m
    if divisor < 1e-12:
        return 1.0
    mean_fourth = sum(f * w * np.linalg.norm(delta) ** 4 for delta, f, w in differences) / total
    variance = mean_fourth - np.linalg.norm(S_m, "fro") ** 2
    return float(np.clip(variance / (divisor * np.linalg.norm(S_m - T, "fro") ** 2), 0, 1))


def pair_space(X, K, ridge, shrinkage=None, must=(), weights=None, y=None, k=5):
    """(W, μ, α, B): W over the features, B in Q's coordinates lifted to the features, QBQᵀ.

    ``shrinkage=None`` is that of Ledoit and Wolf.
    """
    Z, Q = coordinates(X)
    d = Z.shape[1]
    S_t, S_k = total_covariance(Z), neighbor_covariance(Z, k)
    differences = of_must_links(Z, must, weights) + ([] if y is None else of_labels(Z, y))
    if sum(np.linalg.norm(delta) for delta, _, _ in differences) > 0:
        S_m = must_covariance(differences)
        alpha = intensity(differences, S_k, ridge) if shrinkage is None else shrinkage
        B = (1 - alpha) * S_m + alpha * target(S_m, S_k, ridge)
    else:
        alpha = 1.0
        B = target(S_k, S_k, ridge)
    B = (1 - ridge) * B + ridge * np.trace(B) / d * np.eye(d)
    values, vectors = scipy.linalg.eigh(S_t, B)
    return Q @ vectors[:, ::-1][:, :K], values[::-1][:K], alpha, Q @ B @ Q.T
