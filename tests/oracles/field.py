"""SDA, LFDA, SELF, MFA and NPE, as in methods/field.md: n × n weights, loops over pairs.

All return (W, μ). Columns have wᵀBw = 1, and the null space of B is dropped by the relative
tolerance 1e-10. Labels are −1 for unknown.
"""

import numpy as np

from oracles.pairs import chunklets, pairs_of_labels, scatter


def ratios(A, B, K, largest=True):
    """A w = μ B w, wᵀBw = 1, in the range of B."""
    values, vectors = np.linalg.eigh((B + B.T) / 2)
    keep = values > 1e-10 * values[-1]
    Z = vectors[:, keep] / np.sqrt(values[keep])
    mu, U = np.linalg.eigh(Z.T @ ((A + A.T) / 2) @ Z)
    order = np.argsort(-mu if largest else mu)[:K]
    return Z @ U[:, order], mu[order]


def of_weights(X, weights):
    """Σ_{i<j} w_ij (x_i − x_j)(x_i − x_j)ᵀ"""
    n = len(X)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if weights[i, j] != 0]
    return scatter(X, pairs, [weights[i, j] for i, j in pairs])


def about_mean(X):
    S = np.zeros((X.shape[1], X.shape[1]))
    for x in X:
        S = S + np.outer(x - X.mean(axis=0), x - X.mean(axis=0))
    return S


def groups_of(y):
    return [np.flatnonzero(y == c) for c in sorted(set(y.tolist()) - {-1})]


def nearest_rows(X, i, among, k):
    """The k rows nearest to row i among others, equal distances by index."""
    order = sorted((float(np.sum((X[i] - X[j]) ** 2)), j) for j in among if j != i)
    return [j for _, j in order[:k]]


def neighbour_weights(X, k):
    n = len(X)
    W = np.zeros((n, n))
    for i in range(n):
        for j in nearest_rows(X, i, range(n), k):
            W[i, j] = W[j, i] = 1.0
    return W


def shrink(B, s):
    return (1 - s) * B + s * np.trace(B) / len(B) * np.eye(len(B))


# ---- SDA ---------------------------------------------------------------------------------------


def sda(X, y, K, alpha=0.1, k=5, s=0.0):
    """S_b against S_t + α XᵀLX; S_b and S_t about the mean of the labelled rows."""
    labelled = X[y != -1]
    mean = labelled.mean(axis=0)
    S_b = np.zeros((X.shape[1], X.shape[1]))
    for rows in groups_of(y):
        difference = X[rows].mean(axis=0) - mean
        S_b = S_b + len(rows) * np.outer(difference, difference)
    B = about_mean(labelled) + alpha * of_weights(X, neighbour_weights(X, k))
    return ratios(S_b, shrink(B, s), K)


def known_rows(must, cannot):
    return len({i for pair in [*must, *cannot] for i in pair})


def sda_pairs(X, must, cannot, K, alpha=0.1, k=5, cannot_weight=None):
    """Chunklets for classes in S_w; cannot-links over l in S_b and in B."""
    weight = np.ones(len(cannot)) if cannot_weight is None else cannot_weight
    apart = scatter(X, cannot, weight) / known_rows(must, cannot)
    S_w = sum(about_mean(X[list(rows)]) for rows in chunklets(len(X), must))
    return ratios(apart, S_w + apart + alpha * of_weights(X, neighbour_weights(X, k)), K)


# ---- LFDA and SELF -----------------------------------------------------------------------------


def affinities(X, rows, k, weights="local"):
    """A_ij of the rows of one class, as a dictionary by pair."""
    rows = list(rows)
    if weights == "binary":
        return {(i, j): 1.0 for i in rows for j in rows if i < j}
    sigma = {}
    for i in rows:
        others = sorted(np.sqrt(np.sum((X[i] - X[j]) ** 2)) for j in rows if j != i)
        sigma[i] = others[min(k, len(rows) - 1) - 1]
    found = {}
    for i in rows:
        for j in rows:
            if i < j:
                width = sigma[i] * sigma[j]
                found[i, j] = np.exp(-np.sum((X[i] - X[j]) ** 2) / width) if width > 0 else 0.0
    return found


def lfda_scatters(X, y, k=7, weights="local"):
    """(S_lb, S_lw) from the weights of all pairs of labelled rows."""
    n, n_labelled = len(X), int(np.sum(y != -1))
    W_lw, W_lb = np.zeros((n, n)), np.zeros((n, n))
    for i, j in pairs_of_labels(y)[1]:
        W_lb[i, j] = 1 / n_labelled
    for rows in groups_of(y):
        if len(rows) < 2:
            continue
        for (i, j), a in affinities(X, rows, k, weights).items():
            W_lw[i, j] = a / len(rows)
            W_lb[i, j] = a * (1 / n_labelled - 1 / len(rows))
    return of_weights(X, W_lb), of_weights(X, W_lw)


def lfda(X, y, K, k=7, weights="local", s=0.0):
    S_lb, S_lw = lfda_scatters(X, y, k, weights)
    return ratios(S_lb, shrink(S_lw, s), K)


def lfda_pairs_scatters(X, must, cannot, k=7, weights="local", cannot_weight=None):
    weight = np.ones(len(cannot)) if cannot_weight is None else cannot_weight
    S_lw = np.zeros((X.shape[1], X.shape[1]))
    for rows in chunklets(len(X), must):
        found = affinities(X, rows, k, weights)
        S_lw = S_lw + scatter(X, list(found), list(found.values())) / len(rows)
    return scatter(X, cannot, weight) / known_rows(must, cannot), S_lw


def self_(X, S_lb, S_lw, K, beta):
    A = (1 - beta) * S_lb + beta * about_mean(X)
    B = (1 - beta) * S_lw + beta * np.eye(X.shape[1])
    return ratios(A, B, K)


# ---- MFA ---------------------------------------------------------------------------------------


def intrinsic_pairs(X, y, k):
    found = set()
    for rows in groups_of(y):
        for i in rows:
            for j in nearest_rows(X, i, rows, k):
                found.add((min(i, j), max(i, j)))
    return sorted(found)


def penalty_pairs(X, y, n_pairs):
    """For each class the shortest pairs with a row of another class, joined."""
    found = set()
    for rows in groups_of(y):
        others = [j for j in range(len(X)) if y[j] not in (-1, y[rows[0]])]
        order = sorted((float(np.sum((X[i] - X[j]) ** 2)), i, j) for i in rows for j in others)
        for _, i, j in order[:n_pairs]:
            found.add((min(i, j), max(i, j)))
    return sorted(found)


def mfa(X, y, K, k=5, n_pairs=20, s=0.0):
    S_c = scatter(X, intrinsic_pairs(X, y, k))
    return ratios(scatter(X, penalty_pairs(X, y, n_pairs)), shrink(S_c, s), K)


# ---- NPE ---------------------------------------------------------------------------------------


def npe_weights(X, k=5, reg=1e-3):
    """The n × n matrix W, whose rows add up to 1."""
    n = len(X)
    W = np.zeros((n, n))
    for i in range(n):
        near = nearest_rows(X, i, range(n), min(k, n - 1))
        differences = X[near] - X[i]
        G = differences @ differences.T
        trace = np.trace(G)
        w = np.linalg.solve(
            G + reg * (trace if trace > 0 else 1.0) * np.eye(len(G)), np.ones(len(G))
        )
        W[i, near] = w / w.sum()
    return W


def npe(X, K, k=5, reg=1e-3):
    centred = X - X.mean(axis=0)
    rest = np.eye(len(X)) - npe_weights(X, k, reg)
    return ratios(centred.T @ rest.T @ rest @ centred, centred.T @ centred, K, largest=False)
