"""BWDR and WBDR, line by line (Algorithms 1 and 2 of papers/bwdr-wbdr.txt)."""

import numpy as np

from oracles.pairs import scatter


def _descending(S):
    """Eigenvalues of S, largest first, and its unit eigenvectors as columns."""
    values, vectors = np.linalg.eigh(S)
    return values[::-1], vectors[:, ::-1]


def _rank(values):
    """The rank r = #{λ_j > 1e-10·λ_1}; 0 where there is no positive eigenvalue."""
    if values[0] <= 0:
        return 0
    return sum(1 for value in values if value > 1e-10 * values[0])


def _number_of_directions(values, K, t0):
    """Lines 3 and 4: i = max{i : α_i ≤ t0}, then min(max(i, K), r); t0 ≥ 1 is i = r."""
    r = _rank(values)
    if t0 >= 1:
        return r
    i = 0
    for candidate in range(1, len(values) + 1):
        contribution = sum(values[:candidate]) / sum(values)  # α_i, eq. (9)
        if contribution <= t0:
            i = candidate
    return min(max(i, K), r)


def _check(S_B, K):
    rank = _rank(_descending(S_B)[0])
    if rank == 0:
        raise ValueError("cannot-links are needed: the between-scatter is zero")
    if rank < K:
        raise ValueError(f"K = {K} is larger than the rank {rank} of the between-scatter")


def bwdr(X, must, cannot, K, t0=0.95, must_weight=None, cannot_weight=None):
    """Algorithm 1. Returns (W, eigenvalues): W = V_s U is d×K, the eigenvalues ascend.

    The eigenvalues are those of S'_W = V_sᵀ S_W V_s. Where S_W = 0 every U is a solution; the
    tie-break 1e-8·tr(S_B)/d·I in place of S_W then favours large λ, and the eigenvalues are 0.
    """
    d = X.shape[1]
    # 1: the difference matrices
    S_B = scatter(X, cannot, cannot_weight)
    S_W = scatter(X, must, must_weight)
    _check(S_B, K)
    # 2: eigenvalues of S_B, descending
    values, vectors = _descending(S_B)
    # 3, 4: the number of directions
    i = _number_of_directions(values, K, t0)
    # 5: V_s, the stretched eigenvectors (eq. 6)
    columns = []
    for j in range(i):
        columns.append(np.sqrt(values[0] / values[j]) * vectors[:, j])
    V = np.column_stack(columns)
    # 6, 7: S'_W
    if not S_W.any():
        tie_break = 1e-8 * np.trace(S_B) / d * np.eye(d)
        U = np.linalg.eigh(V.T @ tie_break @ V)[1][:, :K]
        return V @ U, np.zeros(K)
    projected = V.T @ S_W @ V
    # 8: its K smallest eigenvalues ("largest" below problem (8) is a misprint)
    mu, U = np.linalg.eigh(projected)
    # 9: X' = X V U
    return V @ U[:, :K], mu[:K]


def wbdr(X, must, cannot, K, t0=1.0, must_weight=None, cannot_weight=None):
    """Algorithm 2. Returns (W, eigenvalues): W = V_c U is d×K, the eigenvalues descend.

    The eigenvalues are those of S'_B = V_cᵀ S_B V_c. Null directions of S_W keep coefficient 1.
    """
    d = X.shape[1]
    # 1: the difference matrices
    S_W = scatter(X, must, must_weight)
    S_B = scatter(X, cannot, cannot_weight)
    _check(S_B, K)
    # 2: eigenvalues of S_W, descending
    values, vectors = _descending(S_W)
    # 3, 4: the number of directions
    i = _number_of_directions(values, K, t0)
    # 5: V_c, the compressed eigenvectors (eq. 10), then the others as they are
    columns = []
    for j in range(d):
        if j < i:
            columns.append(np.sqrt(values[i - 1] / values[j]) * vectors[:, j])
        else:
            columns.append(vectors[:, j])
    V = np.column_stack(columns)
    # 6, 7: S'_B
    projected = V.T @ S_B @ V
    # 8: its K largest eigenvalues
    mu, U = _descending(projected)
    # 9: X' = X V U
    return V @ U[:, :K], mu[:K]
