"""Label spreading over a graph of nearest neighbours, with all folds in one solve."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from pairspace._core.neighbors import nearest, neighbor_edges
from pairspace._core.typing import Floats, Ints

NEIGHBORS = 10
ALPHA = 0.99  # of what a row passes on, the rest is the label of the row itself
TOLERANCE = 1e-4  # of the solution, relative to the labels


def affinities(Z: Floats, seed: int) -> csr_array:
    """D^(-1/2) W D^(-1/2), where W joins a row with its nearest neighbours."""
    n = len(Z)
    pairs = neighbor_edges(nearest(Z, NEIGHBORS, random_state=seed))
    i, j = np.vstack([pairs, pairs[:, ::-1]]).T
    W = csr_array((np.ones(len(i)), (i, j)), shape=(n, n))
    root = 1 / np.sqrt(np.maximum(W.sum(axis=1), 1))
    return csr_array(W.multiply(root[:, None]).multiply(root[None, :]))


def spread(S: csr_array, parts: Sequence[tuple[Ints, Floats]]) -> list[Floats]:
    """(I − αS)⁻¹ Y for several label matrices Y, each given by its rows and their values.

    The eigenvalues of the matrix lie in [1 − α, 1 + α], which is all that Chebyshev's iteration
    needs to know: no inner products, all columns at once.
    """
    n_columns = [labels.shape[1] for _, labels in parts]
    Y = np.zeros((S.shape[0], sum(n_columns)))
    ends = np.cumsum(n_columns)
    for (rows, labels), end, width in zip(parts, ends, n_columns, strict=True):
        Y[rows, end - width : end] = labels
    n_steps = int(np.ceil(np.log(2 / TOLERANCE) * np.sqrt((1 + ALPHA) / (1 - ALPHA)) / 2))
    found, residual, step, rho = np.zeros_like(Y), Y, Y, ALPHA
    for _ in range(n_steps):
        found += step
        residual = residual - step + ALPHA * (S @ step)
        following = 1 / (2 / ALPHA - rho)
        step = following * rho * step + 2 * following / ALPHA * residual
        rho = following
    return np.split(found, ends[:-1], axis=1)


def shares(F: Floats, total: Floats) -> Floats:
    """What has been spread as probabilities; groups with more labels do not count for more.

    A row that no label reaches has equal probabilities. A group without labels has none.
    """
    F = np.maximum(F, 0) * np.divide(1, total, where=total > 0, out=np.zeros_like(total))
    reached = F.sum(axis=1, keepdims=True)
    even = (total > 0) / max(int(np.count_nonzero(total)), 1)
    return np.where(reached > 1e-12, F / np.maximum(reached, 1e-12), even)
