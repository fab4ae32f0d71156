"""The leading singular values of a table that is too large for an eigenproblem."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.sparse.linalg import LinearOperator

from pairspace._core.linalg._eigen import rank, spectrum
from pairspace._core.typing import Floats

N_BLOCKS = 16  # of the Krylov space: more find the leading values better, fewer the last ones
SPARE = 4 / 3  # the dimension of the Krylov space, in units of the values asked for
LEAST_WIDTH = 8  # of a block
EXHAUSTED = 1e-6  # a block that is so much smaller than it was has only rounding left


class Singular(NamedTuple):
    """Singular values, their right vectors V as columns, and A V."""

    values: Floats
    vectors: Floats
    products: Floats


def leading_singular(A: LinearOperator, k: int) -> Singular:
    """About the k largest singular values that are not zero, descending, and their right vectors.

    By the block Krylov iteration of Musco and Musco (2015) for AᵀA. The leading values are found to
    many digits; the last of them may be mixed with those that would come next. Each block is
    multiplied with once, so that all of it takes three products of A and k vectors.
    """
    order = min(A.shape)
    width = max(int(np.ceil(SPARE * k / N_BLOCKS)), LEAST_WIDTH)
    dimension = min(N_BLOCKS * width, order)
    random = np.random.default_rng(0)

    Q = np.empty((A.shape[1], dimension))  # orthonormal columns
    seen = np.empty((A.shape[0], dimension))
    block, done = np.zeros((A.shape[1], 0)), 0
    while done < dimension:
        new = _new_directions(Q[:, :done], block)
        if not new.shape[1]:
            # A singular value is repeated more often than a block is wide, or all has been seen.
            drawn = A.T @ random.normal(size=(A.shape[0], width))
            new = _new_directions(Q[:, :done], drawn)
            if not new.shape[1]:
                break
        now = slice(done, min(done + new.shape[1], dimension))
        Q[:, now] = new[:, : now.stop - done]
        seen[:, now] = A @ Q[:, now]
        block, done = A.T @ seen[:, now], now.stop
    if not done:
        return Singular(np.zeros(1), np.eye(A.shape[1], 1), np.zeros((A.shape[0], 1)))
    Q, seen = Q[:, :done], seen[:, :done]
    values, vectors = spectrum(seen.T @ seen)
    kept = max(min(k, rank(values)), 1)
    vectors = vectors[:, :kept]
    return Singular(np.sqrt(np.maximum(values[:kept], 0)), Q @ vectors, seen @ vectors)


def leading_of_scatter(
    times: Callable[[Floats], Floats], order: int, k: int
) -> tuple[Floats, Floats]:
    """About the k largest eigenvalues of a scatter matrix, descending, and its eigenvectors.

    The same as ``leading_singular`` where only the products of the matrix with vectors are known:
    ``times(vectors)``, each of which reads the rows once.
    """
    width = max(int(np.ceil(SPARE * k / N_BLOCKS)), LEAST_WIDTH)
    dimension = min(N_BLOCKS * width, order)
    random = np.random.default_rng(0)

    Q, images = np.empty((2, order, dimension))
    block, done = np.zeros((order, 0)), 0
    while done < dimension:
        new = _new_directions(Q[:, :done], block)
        if not new.shape[1]:
            new = _new_directions(Q[:, :done], times(random.normal(size=(order, width))))
            if not new.shape[1]:
                break
        now = slice(done, min(done + new.shape[1], dimension))
        Q[:, now] = new[:, : now.stop - done]
        block = images[:, now] = times(Q[:, now])
        done = now.stop
    if not done:
        return np.zeros(1), np.eye(order, 1)
    values, vectors = spectrum(Q[:, :done].T @ images[:, :done])
    kept = max(min(k, rank(values)), 1)
    return np.maximum(values[:kept], 0), Q[:, :done] @ vectors[:, :kept]


def _new_directions(Q: Floats, block: Floats) -> Floats:
    """An orthonormal basis of what the block has outside the span of Q."""
    least = EXHAUSTED * np.linalg.norm(block, axis=0).max(initial=0.0)
    for _ in range(2):  # once leaves the rounding of what is taken off, and of the first lengths
        if not block.shape[1]:
            break
        block = block - Q @ (Q.T @ block)
        values, vectors = spectrum(block.T @ block)  # lengths: QR would take far longer
        kept = values > least**2
        block, least = block @ (vectors[:, kept] / np.sqrt(values[kept])), EXHAUSTED
    return block
