"""S2PPCA, as in methods/field.md: EM over the rows, with one-hot targets turned to contrasts."""

import numpy as np


def targets(y):
    """The centred one-hot labels times an orthonormal basis of what is orthogonal to (1, …, 1)."""
    classes = sorted(set(y.tolist()) - {-1})
    C = len(classes)
    one_hot = np.array([[float(label == c) for c in classes] for label in y[y != -1]])
    basis = np.linalg.svd(np.ones((1, C)))[2][1:].T
    t = one_hot @ basis
    return t - t.mean(axis=0)


def ppca(X, K):
    """(W, σ²) in closed form, for the covariance that divides by n."""
    centred = X - X.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred / len(X))
    values, vectors = values[::-1], vectors[:, ::-1]
    noise = values[K:].mean()
    return vectors[:, :K] * np.sqrt(values[:K] - noise), noise


def gaussian(rows, covariance):
    """The log-density of centred rows."""
    _, determinant = np.linalg.slogdet(covariance)
    total = 0.0
    for row in rows:
        quadratic = row @ np.linalg.solve(covariance, row)
        total -= (len(row) * np.log(2 * np.pi) + determinant + quadratic) / 2
    return total


def log_likelihood(X, y, W_x, W_y, noise_x, noise_y):
    centred = X - X.mean(axis=0)
    d, q = len(W_x), len(W_y)
    both = np.vstack([W_x, W_y])
    noise = np.diag([noise_x] * d + [noise_y] * q)
    labelled = np.hstack([centred[y != -1], targets(y)])
    unlabelled = gaussian(centred[y == -1], W_x @ W_x.T + noise_x * np.eye(d))
    return unlabelled + gaussian(labelled, both @ both.T + noise)


def s2ppca(X, y, K, n_steps):
    """(W_x, W_y, σ_x², σ_y², log-likelihoods) after steps of EM, row by row."""
    n, d = X.shape
    x, t = X - X.mean(axis=0), targets(y)
    known = np.flatnonzero(y != -1)
    least = 1e-6 * np.sum(t**2) / t.size
    W_x, noise_x = ppca(X, K)
    z = np.linalg.solve(W_x.T @ W_x + noise_x * np.eye(K), W_x.T @ x[known].T).T
    W_y = np.linalg.lstsq(z, t, rcond=None)[0].T
    noise_y = max(np.sum((t - z @ W_y.T) ** 2) / t.size, least)
    likelihoods = [log_likelihood(X, y, W_x, W_y, noise_x, noise_y)]
    for _ in range(n_steps):
        P = np.eye(K) + W_x.T @ W_x / noise_x
        xz, zz = np.zeros((d, K)), np.zeros((K, K))
        tz, zz_known = np.zeros((t.shape[1], K)), np.zeros((K, K))
        at = 0
        for i in range(n):
            if y[i] == -1:
                C = np.linalg.inv(P)
                z = C @ W_x.T @ x[i] / noise_x
            else:
                C = np.linalg.inv(P + W_y.T @ W_y / noise_y)
                z = C @ (W_x.T @ x[i] / noise_x + W_y.T @ t[at] / noise_y)
                tz += np.outer(t[at], z)
                zz_known += C + np.outer(z, z)
                at += 1
            xz += np.outer(x[i], z)
            zz += C + np.outer(z, z)
        W_x, W_y = xz @ np.linalg.inv(zz), tz @ np.linalg.inv(zz_known)
        noise_x = (np.sum(x**2) - np.sum(W_x * xz)) / (n * d)
        noise_y = max((np.sum(t**2) - np.sum(W_y * tz)) / t.size, least)
        likelihoods.append(log_likelihood(X, y, W_x, W_y, noise_x, noise_y))
    return W_x, W_y, noise_x, noise_y, likelihoods
