"""Exact farthest rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse

from pairspace._core.data import slices, squared_norms
from pairspace._core.neighbors._ranking import (
    TIE,
    centred,
    ranked,
    rounding_margin,
    validated,
)
from pairspace._core.typing import Ints

TILE = 1_024  # rows and columns of a block of distances


def farthest(X: Any, n_neighbors: int, asked: Ints | None = None) -> Ints:
    """The farthest other rows of each row by Euclidean distance, the farthest first. Exact.

    Equal distances are ordered by index. There are ``min(n_neighbors, n − 1)`` columns, and a row
    for each that is asked: all, or some in ascending order.

    With the centre c, d(x, p) ≤ |x − c| + |p − c|. So rows p are visited in descending order of
    |p − c|, until no later row can be farther from x than those found.

    Examples
    --------
    >>> farthest([[0.0], [1.0], [3.0]], 1).ravel()
    array([2, 2, 0])
    """
    X, k = validated(X, n_neighbors)
    n = X.shape[0]
    points, radius = centred(X)
    order = np.argsort(-radius, kind="stable")
    points, radius = points[order], radius[order]
    half_squares = squared_norms(points) / 2
    margin = rounding_margin(X, np.sqrt(2 * half_squares), np.sqrt(2 * half_squares.max()))
    found = np.full((n, k), -1, dtype=np.int64)
    every = np.arange(n) if asked is None else np.flatnonzero(np.isin(order, asked))
    for rows in slices(len(every), TILE):  # of similar radius, so that they finish together
        active = every[rows]
        kth = np.full(len(active), -np.inf)
        start, width = 0, 2 * k + 2
        while len(active) and start < n:
            tile = slice(start, start + width)
            products = points[active] @ points[tile].T
            products = products.toarray() if issparse(products) else products
            products -= half_squares[tile]
            # |x|² + |p|² − 2 x·p ≥ the k-th best, solved for x·p − |p|²/2
            limit = half_squares[active] - ((1 - TIE) * kth - margin[active]) / 2
            one, other = np.divmod(np.flatnonzero(products <= limit[:, None]), products.shape[1])
            if len(one):
                count = np.bincount(one, minlength=len(active))
                hit = np.flatnonzero(count)
                column = np.arange(len(one)) - np.repeat(np.cumsum(count) - count, count)
                new = np.full((len(active), count.max()), -1)
                new[one, column] = order[tile][other]
                candidates = np.hstack([found[order[active[hit]]], new[hit]])
                rows_hit = order[active[hit]]
                best, key = ranked(X, X[rows_hit], rows_hit, candidates, k, sign=-1)
                found[order[active[hit]]] = best
                kth[hit] = -key
            start, width = start + width, min(2 * width, TILE)
            if start < n:
                # slightly above the bound, so that rounding does not exclude a tie
                bound = (1 + TIE) * (radius[active] + radius[start]) ** 2 + margin[active]
                active, kth = active[bound >= kth], kth[bound >= kth]
    return found if asked is None else found[asked]
