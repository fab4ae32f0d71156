"""Kernel versions: the linear method on the exact coordinates of the points in feature space.

All return the embedding, n×k. The points span at most n − 1 dimensions of feature space about
their mean; a solution in the span of the data is a linear method on coordinates in that span.
"""

import numpy as np

from oracles.bwdr_wbdr import bwdr, wbdr
from oracles.lpp import lppsi


def centred_kernel(K):
    """⟨φ(x_i) − φ̄, φ(x_j) − φ̄⟩ = K_ij − row mean − column mean + mean of all."""
    K = np.asarray(K, dtype=np.float64)
    n = len(K)
    C = np.zeros((n, n))
    total = sum(K[i, j] for i in range(n) for j in range(n)) / n**2
    rows = [sum(K[i, j] for j in range(n)) / n for i in range(n)]
    columns = [sum(K[i, j] for i in range(n)) / n for j in range(n)]
    for i in range(n):
        for j in range(n):
            C[i, j] = K[i, j] - rows[i] - columns[j] + total
    return (C + C.T) / 2


def coordinates(K, tol=1e-12):
    """Z with Z Zᵀ the centred kernel: e_j √λ_j for the eigenvalues λ_j > tol·λ_1, descending."""
    values, vectors = np.linalg.eigh(centred_kernel(K))
    values, vectors = values[::-1], vectors[:, ::-1]
    keep = values > tol * values[0]
    return vectors[:, keep] * np.sqrt(values[keep])


def kernel_bwdr(K, must, cannot, k, t0=0.95, tol=1e-12):
    """BWDR in feature space."""
    Z = coordinates(K, tol)
    W, _ = bwdr(Z, must, cannot, k, t0)
    return Z @ W


def kernel_wbdr(K, must, cannot, k, t0=1.0, tol=1e-12):
    """WBDR in feature space."""
    Z = coordinates(K, tol)
    W, _ = wbdr(Z, must, cannot, k, t0)
    return Z @ W


def kernel_lppsi(
    K, must, cannot, k, n_neighbors=5, weights="heat", sigma="mean", must_weight=None, tol=1e-12
):
    """LPPSI in feature space: neighbours and heat weights by the kernel's distances too."""
    Z = coordinates(K, tol)
    W, _ = lppsi(Z, must, cannot, k, n_neighbors, weights, sigma, must_weight)
    return Z @ W
