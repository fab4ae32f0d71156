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
    """Singular values, descending, of A, the products A V with its right vectors, and V itself.

    V has a row for each feature, which may be very many: so there is only ``lift(c)``, the product
    of its first len(c) columns with c.
    """

    values: Floats
    products: Floats
    lift: Callable[[Floats], Floats]


def leading_singular(A: LinearOperator, k: int) -> Singular:
    """About the k largest singular values that are not zero, descending, and their right vectors.

    By the block Krylov iteration of Musco and Musco (2015) for AᵀA, or for AAᵀ if that is smaller.
    The leading values are found to many digits; the last of them may be mixed with those that
    would come next. Each block is multiplied with once, so that all of it takes about three
    products of A and k vectors.
    """
    n, d = A.shape
    return _of_fewer_rows(A, k) if n < d else _of_fewer_columns(A, k)


def _of_fewer_columns(A: LinearOperator, k: int) -> Singular:
    n, d = A.shape
    seen, random = np.empty((n, _sizes(d, k)[1])), np.random.default_rng(0)

    def times(new: Floats, at: slice) -> Floats:
        seen[:, at] = A @ new
        return A.T @ seen[:, at]

    Q, _ = _krylov(times, lambda width: A.T @ random.normal(size=(n, width)), d, k)
    if not Q.shape[1]:
        return _nothing(A)
    return _along(Q.__matmul__, seen[:, : Q.shape[1]], k)


def _of_fewer_rows(A: LinearOperator, k: int) -> Singular:
    """The same in the span of AᵀQ, with the Krylov space Q of AAᵀ, which is shorter."""
    n, d = A.shape
    random = np.random.default_rng(0)
    Q, images = _krylov(
        lambda new, _: A @ (A.T @ new), lambda width: A @ random.normal(size=(d, width)), n, k
    )
    # (AᵀQ)ᵀ(AᵀQ) = QᵀAAᵀQ, which makes an orthonormal basis of AᵀQ, and A times it.
    values, vectors = spectrum(Q.T @ images)
    kept = rank(values)
    if not kept:
        return _nothing(A)
    W = vectors[:, :kept] / np.sqrt(values[:kept])
    return _along(lambda c: A.T @ (Q @ (W @ c)), images @ W, k)


def _along(lift: Callable[[Floats], Floats], products: Floats, k: int) -> Singular:
    """The singular vectors in the span of an orthonormal basis, of the products of A with it."""
    values, vectors = spectrum(products.T @ products)
    kept = max(min(k, rank(values)), 1)
    R = vectors[:, :kept]
    return Singular(
        np.sqrt(np.maximum(values[:kept], 0)), products @ R, lambda c: lift(R[:, : len(c)] @ c)
    )


def _nothing(A: LinearOperator) -> Singular:
    """Of a table of zeros: one direction, along which there is nothing."""
    n, d = A.shape
    return Singular(np.zeros(1), np.zeros((n, 1)), np.eye(d, 1).__matmul__)


def leading_of_scatter(
    times: Callable[[Floats], Floats], order: int, k: int
) -> tuple[Floats, Floats]:
    """About the k largest eigenvalues of a scatter matrix, descending, and its eigenvectors.

    The same as ``leading_singular`` where only the products of the matrix with vectors are known:
    ``times(vectors)``, each of which reads the rows once.
    """
    random = np.random.default_rng(0)
    Q, images = _krylov(
        lambda new, _: times(new),
        lambda width: times(random.normal(size=(order, width))),
        order,
        k,
    )
    if not Q.shape[1]:
        return np.zeros(1), np.eye(order, 1)
    values, vectors = spectrum(Q.T @ images)
    kept = max(min(k, rank(values)), 1)
    return np.maximum(values[:kept], 0), Q @ vectors[:, :kept]


def _sizes(order: int, k: int) -> tuple[int, int]:
    """The width of a block, and the dimension of the Krylov space."""
    width = max(int(np.ceil(SPARE * k / N_BLOCKS)), LEAST_WIDTH)
    return width, min(N_BLOCKS * width, order)


def _krylov(
    times: Callable[[Floats, slice], Floats], drawn: Callable[[int], Floats], order: int, k: int
) -> tuple[Floats, Floats]:
    """An orthonormal basis Q of a block Krylov space of a matrix M, and M Q.

    ``times`` multiplies M with some columns of Q, which it is told; ``drawn`` are random vectors in
    the range of M, to start from.
    """
    width, dimension = _sizes(order, k)
    Q, images = np.empty((2, order, dimension))
    block, done = np.zeros((order, 0)), 0
    while done < dimension:
        new = _new_directions(Q[:, :done], block)
        if not new.shape[1]:
            # A singular value is repeated more often than a block is wide, or all has been seen.
            new = _new_directions(Q[:, :done], drawn(width))
            if not new.shape[1]:
                break
        now = slice(done, min(done + new.shape[1], dimension))
        Q[:, now] = new[:, : now.stop - done]
        block = images[:, now] = times(Q[:, now], now)
        done = now.stop
    return Q[:, :done], images[:, :done]


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
