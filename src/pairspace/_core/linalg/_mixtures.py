"""Many eigenproblems A w = μ B w of one A, where all B mix the same few matrices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pairspace._core.linalg._eigen import rank, some_smallest, spectrum
from pairspace._core.typing import Floats

SNAPSHOTS = 6  # mixtures that are solved exactly, far from each other
SPARE = 3  # vectors of each beyond those asked for
SMALL = 0.5  # share of the order: with fewer vectors of snapshots, these are used


class MixtureProblems:
    """The k largest μ of A w = μ B w, wᵀBw = 1, for B = Σ share · part.

    A is whitened once, in its range or in its leading directions; the ranges of the parts, apart
    from multiples of the identity, must be in that of A. Then each B is a symmetric eigenproblem.
    Its eigenvectors change slowly with the shares. So a few mixtures are solved in full, and the
    others in the span of their eigenvectors.
    """

    def __init__(self, A: Floats, n_leading: int | None = None) -> None:
        values, vectors = spectrum(A)
        kept = min(rank(values), len(values) if n_leading is None else n_leading)
        self.basis = vectors[:, :kept] / np.sqrt(values[:kept])

    def reduced(self, part: Floats) -> Floats:
        """A part in the coordinates in which A is the identity."""
        found = self.basis.T @ part @ self.basis
        return (found + found.T) / 2

    def solve(
        self, parts: Sequence[Floats], shares: Floats, k: int, *, exact: bool = False
    ) -> list[Floats]:
        """The directions for each row of shares, over the features; the parts are reduced.

        Unless ``exact``, those of most mixtures are sought among the directions of a few.
        """
        order = len(self.basis.T)
        k = min(k, order)
        n_snapshots = len(shares) if exact else min(SNAPSHOTS, len(shares))
        if n_snapshots * (k + SPARE) > SMALL * order:
            n_snapshots = len(shares)
        chosen = farthest_first(_positions(shares), n_snapshots)
        width = k if n_snapshots == len(shares) else min(k + SPARE, order)
        found: dict[int, Floats] = {}
        seen = []
        for at in chosen:
            values, vectors = some_smallest(_mixed(parts, shares[at]), width)
            seen.append(vectors)
            found[at] = self.basis @ (vectors[:, :k] / np.sqrt(values[:k]))
        if len(found) < len(shares):
            U = np.linalg.qr(np.hstack(seen))[0]
            inside, lifted = [U.T @ part @ U for part in parts], self.basis @ U
            for at in set(range(len(shares))) - found.keys():
                values, vectors = some_smallest(_mixed(inside, shares[at]), k)
                found[at] = lifted @ (vectors[:, :k] / np.sqrt(values[:k]))
        return [found[at] for at in range(len(shares))]


def farthest_first(positions: Floats, n: int) -> list[int]:
    """Choose n positions, each the farthest from those before it, starting from the first."""
    chosen = [0]
    distance = np.linalg.norm(positions - positions[0], axis=1)
    while len(chosen) < n:
        distance[chosen] = -1.0  # of equal positions each is chosen once
        chosen.append(int(np.argmax(distance)))
        distance = np.minimum(distance, np.linalg.norm(positions - positions[chosen[-1]], axis=1))
    return chosen


def _positions(shares: Floats) -> Floats:
    """The logarithm of the last share, and how the others divide the rest."""
    last, others = shares[:, -1], shares[:, :-1]
    rest = np.maximum(others.sum(axis=1, keepdims=True), 1e-12)
    return np.column_stack([np.log(np.maximum(last, 1e-6)), 2 * others / rest])


def _mixed(parts: Sequence[Floats], shares: Floats) -> Floats:
    mixed = shares[0] * parts[0]
    for share, part in zip(shares[1:], parts[1:], strict=True):
        if share:
            mixed += share * part
    return mixed
