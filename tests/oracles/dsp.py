"""DSP and SKK-means (the journal paper's Algorithm 1 and section 4.5), as in methods/dsp.md.

Everything is a full n×n matrix, built entry by entry, and uses K itself: no representatives, no
shifted kernel, no spanning forest beyond taking the must-links as they are given.
"""

import numpy as np


def distances(X):
    n = len(X)
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            d[i, j] = np.sqrt(np.sum((X[i] - X[j]) ** 2))
    return d


def kernel(X, delta):
    """Eq. 28."""
    return np.exp(-(distances(X) ** 2) / (2 * delta**2))


def null_kernel(K, must):
    """Eq. 6: K̂ = K − K E (EᵀKE)# EᵀK, a column e_i − e_j of E for each must-link."""
    m = len(must)
    if m == 0:
        return K
    E = np.zeros((len(K), m))
    for column, (i, j) in enumerate(must):
        E[i, column] += 1
        E[j, column] -= 1
    values, vectors = np.linalg.eigh(E.T @ K @ E)
    keep = values > 10 * m * np.finfo(float).eps * values[-1]
    inverse = (vectors[:, keep] / values[keep]) @ vectors[:, keep].T
    return K - K @ E @ inverse @ E.T @ K


def components(n, must):
    """A number for each row, the same for rows that must-links join."""
    group = list(range(n))
    changed = True
    while changed:
        changed = False
        for i, j in must:
            low = min(group[i], group[j])
            if group[i] != low or group[j] != low:
                group[i] = group[j] = low
                changed = True
    return group


def null_distances(K_hat, group):
    """Eq. 10, negatives to 0. Rows of one component are at exactly 0, and have one row."""
    n = len(K_hat)
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            a, b = group[i], group[j]
            if a != b:
                d[i, j] = np.sqrt(max(K_hat[a, a] + K_hat[b, b] - 2 * K_hat[a, b], 0))
    return d


def neighbour_sets(n, key, k):
    """The k first others of each row by key(i, j), then by index."""
    return [
        [j for _, j in sorted((key(i, j), j) for j in range(n) if j != i)[:k]] for i in range(n)
    ]


def graphs(X, must, cannot, delta, k=5, cannot_weight=None):
    """S (eq. 9) and R̃ (eq. 14), n×n. Neighbours by d̂, ties by input distance, then by index."""
    n = len(X)
    d = distances(X)
    group = components(n, must)
    d_hat = null_distances(null_kernel(kernel(X, delta), must), group)
    S = np.zeros((n, n))
    top = d_hat.max() if d_hat.max() > 0 else 1.0
    for i, near in enumerate(neighbour_sets(n, lambda i, j: (d_hat[i, j], d[i, j]), k)):
        for j in near:
            S[i, j] = S[j, i] = 1 - d_hat[i, j] / top
    R = np.zeros((n, n))
    for i, far in enumerate(neighbour_sets(n, lambda i, j: -d[i, j], k)):
        for j in far:
            R[i, j] = R[j, i] = 1 - d[i, j] / d.max()
    if cannot_weight is None:
        cannot_weight = [1.0] * len(cannot)
    for (i, j), w in zip(cannot, cannot_weight, strict=True):
        R[i, j] = R[j, i] = w * (1 - d[i, j] / d.max())
    return S, R


def dsp(X, must, cannot, r, delta, k=5, scale="within", cannot_weight=None):
    """Eq. 21, smallest eigenvalues, zero included, where B is not zero: (Z, λ)."""
    S, R = graphs(X, must, cannot, delta, k, cannot_weight)
    X = X - X.mean(axis=0)
    A = X.T @ (np.diag(S.sum(axis=1)) - S) @ X
    B = X.T @ (np.diag(R.sum(axis=1)) - R) @ X
    values, vectors = np.linalg.eigh(B)
    keep = values > 10 * len(B) * np.finfo(float).eps * values[-1]
    V = vectors[:, keep] / np.sqrt(values[keep])
    eigenvalues, U = np.linalg.eigh(V.T @ A @ V)
    Z = V @ U[:, :r]
    if scale == "within":
        Z = Z / np.sqrt(np.maximum(eigenvalues[:r], 1e-4 * eigenvalues[-1]))
    elif scale == "unit":
        Z = Z / np.sqrt(np.sum(Z**2, axis=0))
    return Z, eigenvalues[:r]
