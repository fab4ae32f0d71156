"""Laplacian eigenmaps, LE-CAS, S-LE, and GGLE and SCPLE as reconstructed, as in methods/le-cas.md.

Weights are full n×n matrices, filled pair by pair. Embeddings come from one dense generalised
eigenproblem, L y = λ D y, YᵀDY = I, and are returned as (Y, eigenvalues) without the constant.
"""

import numpy as np
import scipy.linalg


def squared_distances(X):
    n = len(X)
    return np.array([[np.sum((X[i] - X[j]) ** 2) for j in range(n)] for i in range(n)])


def sigma_squared(X):
    """The mean over i ≠ j of ‖x_i−x_j‖²."""
    n = len(X)
    d2 = squared_distances(X)
    return sum(d2[i, j] for i in range(n) for j in range(n) if i != j) / (n * (n - 1))


def knn(X, k):
    """Symmetric booleans by "or"; itself excluded by index, ties by (distance, index)."""
    n = len(X)
    d2 = squared_distances(X)
    joined = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for _, j in sorted((d2[i, j], j) for j in range(n) if j != i)[:k]:
            joined[i, j] = joined[j, i] = True
    return joined


def le_weights(X, k, s2=None):
    n = len(X)
    s2 = sigma_squared(X) if s2 is None else s2
    d2, joined = squared_distances(X), knn(X, k)
    W = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if joined[i, j]:
                W[i, j] = np.exp(-d2[i, j] / s2)
    return W


def lecas_weights(X, k, labels, s2=None):
    """W̃_ij = S_{l_i,l_j}·W_ij, S from the centroids in input space."""
    n = len(X)
    s2 = sigma_squared(X) if s2 is None else s2
    W = le_weights(X, k, s2)
    u = {h: np.mean([X[i] for i in range(n) if labels[i] == h], axis=0) for h in set(labels)}
    for i in range(n):
        for j in range(n):
            W[i, j] *= np.exp(-np.sum((u[labels[i]] - u[labels[j]]) ** 2) / s2)
    return W


def geodesics(X, k):
    """Floyd and Warshall on the graph of neighbours."""
    n = len(X)
    d = np.where(knn(X, k), np.sqrt(squared_distances(X)), np.inf)
    np.fill_diagonal(d, 0)
    for m in range(n):
        d = np.minimum(d, d[:, m : m + 1] + d[m : m + 1, :])
    return d


def ggle_weights(X, k, power, reach=None):
    """exp(−(d/σ)^p) on all pairs with a way between them, or the `reach` nearest ("or")."""
    n = len(X)
    d, sigma = geodesics(X, k), np.sqrt(sigma_squared(X))
    W = np.zeros((n, n))
    for i in range(n):
        near = sorted((d[i, j], j) for j in range(n) if j != i and np.isfinite(d[i, j]))
        for length, j in near[:reach]:
            W[i, j] = W[j, i] = np.exp(-((length / sigma) ** power))
    return W


def embed(W, c):
    """L y = λ D y, smallest λ; the first, constant vector is skipped. For connected graphs."""
    D = np.diag(W.sum(axis=1))
    values, Y = scipy.linalg.eigh(D - W, D)
    return Y[:, 1 : c + 1], values[1 : c + 1]


def heat(X):
    S = np.exp(-squared_distances(X) / sigma_squared(X))
    np.fill_diagonal(S, 0)
    return S


def sle_graphs(X, y):
    """W_w and W_b of S-LE; neighbours have sim > AS_i, the mean similarity of i."""
    n, S = len(X), heat(X)
    Ww, Wb = np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        AS = sum(S[i, j] for j in range(n) if j != i) / (n - 1)
        for j in range(n):
            if j != i and S[i, j] > AS:
                if y[i] == y[j]:
                    Ww[i, j] = Ww[j, i] = S[i, j]
                else:
                    Wb[i, j] = Wb[j, i] = 1.0
        add_a_classmate(S, y, i, Ww)
    return Ww, Wb


def scple_graphs(X, y):
    """W_w and W_b of SCPLE: thresholds are the means over classmates and over the others."""
    n, S = len(X), heat(X)
    Ww, Wb = np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        mates = [j for j in range(n) if j != i and y[j] == y[i]]
        others = [j for j in range(n) if y[j] != y[i]]
        for group, W in ((mates, Ww), (others, Wb)):
            for j in group:
                if S[i, j] > np.mean([S[i, m] for m in group]):
                    W[i, j] = W[j, i] = S[i, j]
        add_a_classmate(S, y, i, Ww)
    return Ww, Wb


def add_a_classmate(S, y, i, Ww):
    mates = [j for j in range(len(y)) if j != i and y[j] == y[i]]
    if mates:
        j = max(mates, key=lambda j: S[i, j])
        Ww[i, j] = Ww[j, i] = S[i, j]


def embed_classes(Ww, Wb, gamma, c):
    """(γL_b + (1−γ)W_w) y = λ D_w y, largest λ, among the y with yᵀD_w1 = 0."""
    n = len(Ww)
    Dw = np.diag(Ww.sum(axis=1))
    A = gamma * (np.diag(Wb.sum(axis=1)) - Wb) + (1 - gamma) * Ww
    rest = scipy.linalg.null_space((Dw @ np.ones((n, 1))).T)
    values, V = scipy.linalg.eigh(rest.T @ A @ rest, rest.T @ Dw @ rest)
    return (rest @ V)[:, ::-1][:, :c], values[::-1][:c]


def propagate(W, must, cannot, alpha):
    """Lu and Ip's F = (1−α)²(I−αS)⁻¹Z(I−αS)⁻¹ and the weights it gives, direct pairs last.

    On the edges, and on pairs of a neighbour (or end) of the one end and one of the other end of a
    must-link.
    """
    n = len(W)
    root = np.diag(1 / np.sqrt(W.sum(axis=1)))
    Z = np.zeros((n, n))
    for i, j in must:
        Z[i, j] = Z[j, i] = 1
    for i, j in cannot:
        Z[i, j] = Z[j, i] = -1
    spread = np.linalg.inv(np.eye(n) - alpha * root @ W @ root)
    F = (1 - alpha) ** 2 * spread @ Z @ spread
    F = np.clip(F / np.abs(F[Z != 0]).max(), -1, 1)
    changed = W > 0
    for i, j in must:
        for a in [i, *np.flatnonzero(W[i])]:
            for b in [j, *np.flatnonzero(W[j])]:
                changed[a, b] = changed[b, a] = a != b
    new = np.where(changed, np.where(F > 0, 1 - (1 - F) * (1 - W), (1 + F) * W), 0)
    return constrain(new, must, cannot)


def constrain(W, must, cannot):
    W = W.copy()
    for i, j in must:
        W[i, j] = W[j, i] = 1.0
    for i, j in cannot:
        W[i, j] = W[j, i] = 0.0
    return W


def nystrom(X, x, Y, values, k, s2, share=None):
    """Σ w(x,x_j) y_j / (d(x)(1−λ)) over the k nearest; share is S_{l(x),l_j}."""
    d2 = np.array([np.sum((row - x) ** 2) for row in X])
    near = sorted((d2[j], j) for j in range(len(X)))[:k]
    total, degree = np.zeros(Y.shape[1]), 0.0
    for distance, j in near:
        w = np.exp(-distance / s2) * (1.0 if share is None else share[j])
        total, degree = total + w * Y[j], degree + w
    return total / (degree * (1 - values))
