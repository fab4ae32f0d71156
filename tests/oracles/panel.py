"""Literal transcriptions for the panel: dense label spreading, a fold at a time; error rates."""

import numpy as np


def affinities(Z, k):
    """The symmetric graph of k nearest neighbours, ties by index, normalised by degrees."""
    n = len(Z)
    W = np.zeros((n, n))
    for i in range(n):
        others = sorted((float(np.sum((Z[i] - Z[j]) ** 2)), j) for j in range(n) if j != i)
        for _, j in others[:k]:
            W[i, j] = W[j, i] = 1.0
    degree = W.sum(axis=1)
    return W / np.sqrt(np.outer(degree, degree))


def spreading(S, rows, groups, n_groups, alpha):
    """Probabilities of all rows: (I − αS)⁻¹Y, each group divided by its number of labels."""
    Y = np.zeros((len(S), n_groups))
    for row, group in zip(rows, groups, strict=True):
        Y[row, group] = 1.0
    F = np.linalg.solve(np.eye(len(S)) - alpha * S, Y)
    for group in range(n_groups):
        if Y[:, group].sum():
            F[:, group] /= Y[:, group].sum()
    return F / F.sum(axis=1, keepdims=True)


def held_out(S, rows, groups, n_groups, alpha, folds):
    """The same for each placed row, spread again without the rows of its fold."""
    found = np.empty((len(rows), n_groups))
    for at, row in enumerate(rows):
        kept = [i for i in range(len(rows)) if folds[at] < 0 or folds[i] != folds[at]]
        P = spreading(S, [rows[i] for i in kept], [groups[i] for i in kept], n_groups, alpha)
        found[at] = P[row]
    return found


def error_rate(right, shares, prior=0.05, worth=20, steps=2000):
    """The maximum a posteriori share of answers that say nothing, over a fine grid."""
    best, best_value = None, -np.inf
    for rate in np.linspace(1e-4, 0.4, steps):
        said = (1 - rate) * right + rate * shares
        value = np.log(said).sum() + worth * (prior * np.log(rate) + (1 - prior) * np.log(1 - rate))
        if value > best_value:
            best, best_value = rate, value
    return best
