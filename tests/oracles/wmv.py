"""MMC, WMMC, 2P-WMV and SSWMV (papers/sswmv.txt, as corrected in methods/sswmv.md).

All build the explicit n×n matrices G and L and M = (1/n) Xᵀ(L_G − 2 L_L) X, and return
(W, eigenvalues, M): W d×K, orthonormal, largest (algebraic) eigenvalues first.
"""

import numpy as np


def _laplacian(weights):
    """D − A with D the diagonal of row sums."""
    n = len(weights)
    D = np.zeros((n, n))
    for i in range(n):
        D[i, i] = sum(weights[i])
    return D - weights


def _discriminant(X, local):
    """M = (1/n) Xᵀ(L_G − 2 L_L) X, with G_ij = 1/n (eq. 2)."""
    n = len(X)
    centred = X - X.mean(axis=0)  # changes nothing in M but its rounding
    G = np.full((n, n), 1.0 / n)
    return centred.T @ (_laplacian(G) - 2 * _laplacian(local)) @ centred / n


def _largest(X, M, K):
    """The K largest eigenpairs of M in the row space of the centred X.

    A direction outside of it (λ_j ≤ 1e-10·λ_1 of the total scatter) has the eigenvalue 0, which
    would outrank the negative ones and waste a column.
    """
    centred = X - X.mean(axis=0)
    variances, directions = np.linalg.eigh(centred.T @ centred)
    Q = directions[:, variances > 1e-10 * variances[-1]]
    if Q.shape[1] < K:
        raise ValueError(f"K = {K} is larger than the rank {Q.shape[1]} of the data")
    values, vectors = np.linalg.eigh(Q.T @ M @ Q)
    return Q @ vectors[:, ::-1][:, :K], values[::-1][:K]


def _solve(X, local, K):
    M = _discriminant(X, local)
    W, values = _largest(X, M, K)
    return W, values, M


def label_matrix(y, alpha, beta):
    """L_ij = α if y_i = y_j, β if y_i ≠ y_j, 0 if either is unknown (2P-WMV, below eq. 2)."""
    n = len(y)
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i == j or y[i] == -1 or y[j] == -1:
                continue
            L[i, j] = alpha if y[i] == y[j] else beta
    return L


def mmc(X, y, K):
    """MMC: L_ij = 1/n_k within class k, β = 0, which makes M = S_b − S_w when all have labels."""
    return wmmc(X, y, K, 1.0)


def wmmc(X, y, K, a):
    """WMMC: S_b − a·S_w (reconstructed): L_ij = ½(1 + a)/n_k within class k, so S_t − (1+a) S_w."""
    n = len(X)
    sizes = {label: sum(1 for other in y if other == label) for label in y}
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j and y[i] == y[j] and y[i] != -1:
                L[i, j] = 0.5 * (1 + a) / sizes[y[i]]
    return _solve(X, L, K)


def wmv(X, y, K, alpha=1, beta=-1):
    """2P-WMV: M = S_t − 2(α·S'w + β·S'b)."""
    return _solve(X, label_matrix(y, alpha, beta), K)


def wmv_pairs(X, must, cannot, K, alpha=1, beta=-1, must_weight=None, cannot_weight=None):
    """2P-WMV where a must-link is an edge of weight α and a cannot-link one of weight β.

    A pair's own weight multiplies; a pair given twice counts twice.
    """
    n = len(X)
    if must_weight is None:
        must_weight = [1.0] * len(must)
    if cannot_weight is None:
        cannot_weight = [1.0] * len(cannot)
    L = np.zeros((n, n))
    for (i, j), w in zip(must, must_weight, strict=True):
        if i != j:
            L[i, j] += alpha * w
            L[j, i] += alpha * w
    for (i, j), w in zip(cannot, cannot_weight, strict=True):
        if i != j:
            L[i, j] += beta * w
            L[j, i] += beta * w
    return _solve(X, L, K)


def _squared_distance(a, b):
    return sum((a_f - b_f) ** 2 for a_f, b_f in zip(a, b, strict=True))


def _nearest(X, i, candidates, k):
    """The k candidates nearest to row i (itself excluded), by (distance, index)."""
    order = sorted((_squared_distance(X[i], X[j]), j) for j in candidates if j != i)
    return [j for _, j in order[:k]]


def neighbors_matrix(X, y, alpha, beta, n_neighbors=5):
    """SSWMV, II.B.1: labelled pairs by label; the others α where one is near the other, else 0."""
    n = len(X)
    L = label_matrix(y, alpha, beta)
    near = [_nearest(X, i, range(n), n_neighbors) for i in range(n)]
    for i in range(n):
        for j in range(n):
            unknown = y[i] == -1 or y[j] == -1
            if i != j and unknown and (j in near[i] or i in near[j]):
                L[i, j] = alpha
    return L


def majority_labels(X, y, n_neighbors=15):
    """SSWMV, II.B.2: an unknown label is the majority of the nearest labelled rows.

    Of classes that tie, the one with the nearest member.
    """
    labelled = [i for i in range(len(X)) if y[i] != -1]
    if not labelled:
        raise ValueError("labels are needed")
    filled = [int(label) for label in y]
    for i in range(len(X)):
        if y[i] != -1:
            continue
        votes = [int(y[j]) for j in _nearest(X, i, labelled, n_neighbors)]
        most = max(votes.count(label) for label in votes)
        # votes are in order of distance: the first of a winning class is its nearest member
        filled[i] = next(label for label in votes if votes.count(label) == most)
    return filled


def clusters_matrix(y, alpha, beta, clusters):
    """SSWMV, II.B.3: labelled pairs by label; all others α in one cluster, β in two."""
    n = len(y)
    L = label_matrix(y, alpha, beta)
    for i in range(n):
        for j in range(n):
            if i != j and (y[i] == -1 or y[j] == -1):
                L[i, j] = alpha if clusters[i] == clusters[j] else beta
    return L


def sswmv(X, y, K, alpha=1, beta=-1, propagation="neighbors", n_neighbors=None, clusters=None):
    """SSWMV, II.B.1 to 4. The cluster labels of "clusters" and "silhouette" are given.

    n_neighbors=None is 5 for "neighbors" and 15 for "majority"; more than there are is all.
    """
    if propagation == "neighbors":
        k = 5 if n_neighbors is None else n_neighbors
        L = neighbors_matrix(X, y, alpha, beta, k)
    elif propagation == "majority":
        k = 15 if n_neighbors is None else n_neighbors
        L = label_matrix(majority_labels(X, y, k), alpha, beta)
    elif propagation in ("clusters", "silhouette"):
        L = clusters_matrix(y, alpha, beta, clusters)
    else:
        raise ValueError(propagation)
    return _solve(X, L, K)


def kmeans_clusters(X, k, random_state):
    """The k-means of II.B.3 on all rows (scikit-learn's, ten starts)."""
    from sklearn.cluster import KMeans

    return KMeans(k, n_init=10, random_state=random_state).fit_predict(X)


def silhouette_clusters(X, random_state, ks=range(2, 11)):
    """II.B.4: the k-means whose mean silhouette is largest, k in 2..10; ties to the smaller k."""
    from sklearn.metrics import silhouette_score

    best, best_score = None, -np.inf
    for k in ks:
        if k > len(X) - 1:  # the silhouette needs fewer clusters than rows
            break
        clusters = kmeans_clusters(X, k, random_state)
        score = silhouette_score(X, clusters)
        if score > best_score:
            best, best_score = clusters, score
    return best
