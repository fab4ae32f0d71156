"""SSDR, cFLD, RCA and DCA (section "Compared methods" of methods/bwdr-wbdr.md).

All return (W, eigenvalues). A null space is dropped by the relative tolerance 1e-10; nothing is
ever regularised.
"""

import numpy as np

from oracles.pairs import chunklets


def _range(S):
    """Eigenvalues λ_j > 1e-10·λ_1 of S, descending, with their unit eigenvectors."""
    values, vectors = np.linalg.eigh(S)
    values, vectors = values[::-1], vectors[:, ::-1]
    keep = [j for j in range(len(values)) if values[j] > 1e-10 * values[0] and values[j] > 0]
    return values[keep], vectors[:, keep]


def _laplacian(weights):
    """D − S with D the diagonal of row sums."""
    n = len(weights)
    D = np.zeros((n, n))
    for i in range(n):
        D[i, i] = sum(weights[i])
    return D - weights


def _real_pairs(pairs, weights):
    """The pairs (i, j, w) without self-pairs, which are no constraints."""
    if weights is None:
        weights = [1.0] * len(pairs)
    return [(i, j, w) for (i, j), w in zip(pairs, weights, strict=True) if i != j]


def ssdr_weights(n, must, cannot, alpha=1, beta=20, must_weight=None, cannot_weight=None):
    """SSDR's n×n matrix S (Zhang, Zhou, Chen, SDM 2007, eq. 3), symmetric.

    1/n² everywhere, + α/|C| on the cannot-links, − β/|M| on the must-links. With weights, |C| and
    |M| are the sums of the weights, so that a weight of 2 is the pair given twice.
    """
    S = np.full((n, n), 1.0 / n**2)
    cannot = _real_pairs(cannot, cannot_weight)
    must = _real_pairs(must, must_weight)
    size_cannot = sum(w for _, _, w in cannot)
    size_must = sum(w for _, _, w in must)
    for i, j, w in cannot:
        S[i, j] += alpha * w / size_cannot
        S[j, i] += alpha * w / size_cannot
    for i, j, w in must:
        S[i, j] -= beta * w / size_must
        S[j, i] -= beta * w / size_must
    return S


def ssdr(X, must, cannot, K, alpha=1, beta=20, must_weight=None, cannot_weight=None):
    """SSDR: the K largest eigenvectors of XᵀLX = ½ Σ_ij S_ij (x_i−x_j)(x_i−x_j)ᵀ, orthonormal.

    Directions in which no row differs from another (outside the row space of the centred X) are
    not candidates: their zero eigenvalue says nothing, and could outrank negative ones.
    """
    n = len(X)
    centred = X - X.mean(axis=0)  # changes nothing in XᵀLX but its rounding
    L = _laplacian(ssdr_weights(n, must, cannot, alpha, beta, must_weight, cannot_weight))
    M = centred.T @ L @ centred
    _, Q = _range(centred.T @ centred)
    if Q.shape[1] < K:
        raise ValueError(f"K = {K} is larger than the rank {Q.shape[1]} of the data")
    values, vectors = np.linalg.eigh(Q.T @ M @ Q)
    values, vectors = values[::-1], vectors[:, ::-1]
    return Q @ vectors[:, :K], values[:K]


def within_chunklets(X, must):
    """(S_w, N): Σ over chunklets of Σ (x−m_j)(x−m_j)ᵀ, and the number of rows in chunklets."""
    d = X.shape[1]
    S_w = np.zeros((d, d))
    N = 0
    for chunklet in chunklets(len(X), must):
        mean = sum(X[i] for i in chunklet) / len(chunklet)
        for i in chunklet:
            S_w = S_w + np.outer(X[i] - mean, X[i] - mean)
            N += 1
    return S_w, N


def cfld(X, must, K):
    """cFLD: S_t w = μ S_w w, largest μ, in the range of S_w; WᵀS_wW = I.

    S_t is the total scatter of all rows, S_w the scatter within chunklets.
    """
    S_w, _ = within_chunklets(X, must)
    d = X.shape[1]
    mean = X.mean(axis=0)
    S_t = np.zeros((d, d))
    for x in X:
        S_t = S_t + np.outer(x - mean, x - mean)
    values, vectors = _range(S_w)
    if len(values) < K:
        raise ValueError(f"K = {K} is larger than the rank {len(values)} of the within-scatter")
    Z = vectors / np.sqrt(values)  # ZᵀS_wZ = I
    mu, U = np.linalg.eigh(Z.T @ S_t @ Z)
    return Z @ U[:, ::-1][:, :K], mu[::-1][:K]


def rca(X, must, K=None):
    """RCA (Bar-Hillel et al. 2003): whitening by Ĉ = (1/N) Σ_j Σ_i (x_ji−m_j)(x_ji−m_j)ᵀ.

    N is the number of rows in chunklets. K=None: W = Ĉ^{-1/2}, d×d, symmetric (on the range of Ĉ
    where that is singular) and the nonzero eigenvalues of Ĉ, descending. Otherwise cFLD to K
    dimensions first, then the whitening there: W = A (AᵀĈA)^{-1/2}, and cFLD's eigenvalues.
    """
    S_w, N = within_chunklets(X, must)
    if N == 0:
        raise ValueError("must-links are needed")
    C = S_w / N
    if K is None:
        values, vectors = _range(C)
        W = np.zeros_like(C)
        for value, e in zip(values, vectors.T, strict=True):
            W = W + np.outer(e, e) / np.sqrt(value)
        return W, values
    A, mu = cfld(X, must, K)
    values, vectors = np.linalg.eigh(A.T @ C @ A)
    return A @ (vectors / np.sqrt(values)) @ vectors.T, mu


def dca_covariances(X, must, cannot):
    """(C_b, C_w) of DCA (Hoi et al. 2006, eqs. 1 and 2).

    Chunklets: the components of the must-links, and each other row that a cannot-link touches.
    C_b: mean of (m_a−m_b)(m_a−m_b)ᵀ over the pairs of chunklets that some cannot-link joins, each
    pair once. C_w: mean over all chunklets (single rows too, with 0) of their covariance (1/n_j).
    """
    n, d = X.shape
    groups = chunklets(n, must)
    grouped = {i for group in groups for i in group}
    touched = {i for pair in cannot if pair[0] != pair[1] for i in pair}
    groups = groups + [[i] for i in sorted(touched - grouped)]
    chunklet_of = {i: c for c, group in enumerate(groups) for i in group}
    means = [sum(X[i] for i in group) / len(group) for group in groups]

    joined = set()
    for i, j in cannot:
        if i == j:
            continue
        a, b = sorted((chunklet_of[i], chunklet_of[j]))
        if a == b:
            raise ValueError(f"the cannot-link ({i}, {j}) is inside a chunklet")
        joined.add((a, b))
    if not joined:
        raise ValueError("cannot-links are needed")
    C_b = np.zeros((d, d))
    for a, b in sorted(joined):
        C_b = C_b + np.outer(means[a] - means[b], means[a] - means[b])
    C_b = C_b / len(joined)

    C_w = np.zeros((d, d))
    for group, mean in zip(groups, means, strict=True):
        covariance = np.zeros((d, d))
        for i in group:
            covariance = covariance + np.outer(X[i] - mean, X[i] - mean) / len(group)
        C_w = C_w + covariance
    C_w = C_w / len(groups)
    return C_b, C_w


def dca(X, must, cannot, K):
    """DCA (Hoi et al. 2006, Algorithm 1): W = Z V Λ^{-1/2}; WᵀC_wW = I; the eigenvalues ascend.

    Z whitens C_b on its range; V, Λ are the K smallest eigenpairs of ZᵀC_wZ. Where that is
    singular its null space is dropped too: it cannot be scaled to WᵀC_wW = I.
    """
    C_b, C_w = dca_covariances(X, must, cannot)
    values, vectors = _range(C_b)
    Z = vectors / np.sqrt(values)
    values, vectors = _range(Z.T @ C_w @ Z)
    values, vectors = values[::-1], vectors[:, ::-1]
    if len(values) < K:
        raise ValueError(f"K = {K} is larger than the rank {len(values)} left")
    return Z @ (vectors[:, :K] / np.sqrt(values[:K])), values[:K]
