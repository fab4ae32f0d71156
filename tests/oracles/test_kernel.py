"""The oracles of the kernel methods, by their dual forms."""

import numpy as np
from sklearn.decomposition import KernelPCA
from sklearn.metrics.pairwise import rbf_kernel

from oracles.bwdr_wbdr import bwdr, wbdr
from oracles.kernel import centred_kernel, coordinates, kernel_bwdr, kernel_lppsi, kernel_wbdr
from oracles.lpp import knn_graph, lppsi
from oracles.scatters import close
from oracles.subspaces import same_columns_up_to_sign


def test_centred_kernel_and_coordinates(data):
    X, _ = data
    centred = X - X.mean(axis=0)
    close(centred_kernel(X @ X.T), centred @ centred.T, 1e-12)
    K = rbf_kernel(X, gamma=0.05)
    H = np.eye(40) - 1 / 40
    close(centred_kernel(K), H @ K @ H, 1e-12)
    Z = coordinates(K)
    assert Z.shape == (40, 39)
    close(Z @ Z.T, H @ K @ H, 1e-12)
    close(Z.sum(axis=0), np.zeros(39), 1e-10)
    distances = ((Z[:, None] - Z[None]) ** 2).sum(axis=2)
    close(distances, 2 - 2 * K, 1e-11)
    assert coordinates(X @ X.T).shape == (40, 5)


def test_linear_kernel_is_the_linear_method(data, pairs):
    X, _ = data
    must, cannot = pairs
    centred = X - X.mean(axis=0)
    K = X @ X.T
    W = bwdr(X, must, cannot, 2, 0.8)[0]
    assert same_columns_up_to_sign(kernel_bwdr(K, must, cannot, 2, 0.8), centred @ W, 1e-8)
    W = wbdr(X, must, cannot, 2)[0]
    assert same_columns_up_to_sign(kernel_wbdr(K, must, cannot, 2), centred @ W, 1e-8)
    W = lppsi(X, must, cannot, 2)[0]
    assert same_columns_up_to_sign(kernel_lppsi(K, must, cannot, 2), centred @ W, 1e-8)
    W = lppsi(X, must, cannot, 2, 7, "binary")[0]
    embedding = kernel_lppsi(K, must, cannot, 2, 7, "binary")
    assert same_columns_up_to_sign(embedding, centred @ W, 1e-8)


def laplacian_of(n, pairs):
    L = np.zeros((n, n))
    for i, j in pairs:
        L[i, i] += 1
        L[j, j] += 1
        L[i, j] -= 1
        L[j, i] -= 1
    return L


def test_kernel_bwdr_in_dual_form(data, pairs):
    """The embedding F itself: FᵀL_CF = λ_1·I, FᵀL_MF diagonal, F = centred K times something.

    λ_1 is that of L_C^½ K̃ L_C^½, whose nonzero eigenvalues are S_B's in feature space.
    """
    X, _ = data
    must, cannot = pairs
    K = rbf_kernel(X, gamma=0.02)
    C = centred_kernel(K)
    L_C, L_M = laplacian_of(40, cannot), laplacian_of(40, must)
    largest = np.max(np.linalg.eigvals(C @ L_C).real)
    F = kernel_bwdr(K, must, cannot, 2, 0.8)
    close(F.T @ L_C @ F, largest * np.eye(2), 1e-9)
    within = F.T @ L_M @ F
    close(within, np.diag(np.diag(within)), 1e-9)
    assert within[0, 0] <= within[1, 1]
    close(F.sum(axis=0), np.zeros(2), 1e-10)


def test_kernel_wbdr_in_dual_form(data, pairs):
    """Few must-links, so that S_W is singular, as in feature space it is."""
    X, _ = data
    must, cannot = pairs
    K = rbf_kernel(X, gamma=0.02)
    L_C = laplacian_of(40, cannot)
    F = kernel_wbdr(K, must[:6], cannot, 3)
    between = F.T @ L_C @ F
    close(between, np.diag(np.diag(between)), 1e-8)
    assert np.all(np.diff(np.diag(between)) <= 0)
    # without must-links: kernel PCA of the cannot-links' differences, unit columns in feature space
    F = kernel_wbdr(K, [], cannot, 2)
    top = np.sort(np.linalg.eigvals(centred_kernel(K) @ L_C).real)[::-1][:2]
    close(F.T @ L_C @ F, np.diag(top), 1e-9)


def test_kernel_lppsi_in_dual_form(data, pairs):
    """K̃LK̃ a = λ K̃DK̃ a with F = K̃ a, so K̃(LF − DFΛ) = 0."""
    X, _ = data
    must, cannot = pairs
    K = X @ X.T + (X @ X.T) ** 2 / 1000  # of finite rank 20
    C = centred_kernel(K)
    distances = np.diag(C)[:, None] + np.diag(C)[None] - 2 * C
    mean = distances[~np.eye(40, dtype=bool)].mean()
    A = knn_graph(coordinates(K), 5) * np.exp(-distances / mean)
    near = np.argsort(distances + np.diag(np.full(40, np.inf)), axis=1)[:, :5]
    direct = np.zeros((40, 40), dtype=bool)
    np.put_along_axis(direct, near, True, axis=1)
    assert ((A > 0) == (direct | direct.T)).all()
    for i, j in must:
        A[i, j] = A[j, i] = 1
    for i, j in cannot:
        A[i, j] = A[j, i] = 0
    D = np.diag(A.sum(axis=1))
    F = kernel_lppsi(K, must, cannot, 3)
    close(F.T @ D @ F, np.eye(3), 1e-8)
    values = np.diag(F.T @ (D - A) @ F)
    assert np.all(np.diff(values) >= 0)
    residual = C @ ((D - A) @ F - D @ F @ np.diag(values))
    assert np.abs(residual).max() < 1e-7 * np.abs(C @ D @ F).max()


def test_coordinates_are_kernel_pcas(data):
    X, _ = data
    Z = coordinates(rbf_kernel(X, gamma=0.05))
    pca = KernelPCA(n_components=None, kernel="rbf", gamma=0.05).fit_transform(X)
    assert same_columns_up_to_sign(Z, pca, 1e-7)
