"""Pairs of rows: their scatter, the pairs that labels imply, and the chunklets of must-links."""

import numpy as np


def scatter(X, pairs, weights=None):
    """S_P = Σ w (x_i − x_j)(x_i − x_j)ᵀ over the unordered pairs (BWDR/WBDR paper, below eq. 2).

    No normalisation; a self-pair adds nothing.
    """
    X = np.asarray(X, dtype=np.float64)
    d = X.shape[1]
    if weights is None:
        weights = [1.0] * len(pairs)
    S = np.zeros((d, d))
    for (i, j), w in zip(pairs, weights, strict=True):
        difference = X[i] - X[j]
        S = S + w * np.outer(difference, difference)
    return S


def pairs_of_labels(y):
    """(must, cannot): every i < j whose two labels are known (not −1), same or different."""
    must, cannot = [], []
    n = len(y)
    for i in range(n):
        for j in range(i + 1, n):
            if y[i] == -1 or y[j] == -1:
                continue
            if y[i] == y[j]:
                must.append((i, j))
            else:
                cannot.append((i, j))
    return must, cannot


def chunklets(n, must):
    """Connected components of the must-links that have two members or more, each sorted.

    Plain union-find; the chunklets are in order of their smallest member.
    """
    parent = list(range(n))

    def find(i):
        while parent[i] != i:
            i = parent[i]
        return i

    for i, j in must:
        a, b = find(i), find(j)
        if a != b:
            parent[max(a, b)] = min(a, b)
    members = {}
    for i in range(n):
        members.setdefault(find(i), []).append(i)
    return [group for _, group in sorted(members.items()) if len(group) >= 2]
