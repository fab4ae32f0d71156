"""Exact nearest neighbours."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.neighbors import NearestNeighbors

from pairspace._core.data import rows_of, slices
from pairspace._core.neighbors._products import ProductSearch
from pairspace._core.neighbors._ranking import (
    BLOCK,
    TIE,
    centred,
    ranked,
    rounding_margin,
)
from pairspace._core.threads import one_thread
from pairspace._core.typing import Ints

SPARE = 6  # extra candidates: a tie beyond them needs a second search
MORE = 4  # factor of the number of candidates in the next search
TREE_TO = 7  # features: for so few, trees are faster than matrix products
PRODUCTS_FROM = 12_000  # rows: for fewer, scikit-learn is faster
FEW = 4_000_000  # distances: threads would wait for each other longer than they work


def exact_neighbors(X: Any, k: int, rows: Ints, queries: Any = None) -> Ints:
    """The nearest other rows of some rows of X, or the nearest rows of X of some queries."""
    n = X.shape[0]
    points, length = centred(X)  # the search loses digits far from the origin
    if queries is None:
        queries, own, query_points, query_length = X, rows, points, length
    else:
        own = np.full(len(rows), -1)
        query_points, query_length = centred(queries, rows_of(X).mean)
    eps = float(np.finfo(np.float64).eps)
    if not issparse(points) and points.shape[1] > TREE_TO and n >= PRODUCTS_FROM <= len(rows):
        # Single precision is twice as fast. Rows it leaves undecided are searched again below.
        search: Any = ProductSearch(points)
        eps = float(np.finfo(np.float32).eps)
    else:
        search = _by_scikit_learn(points)
    found = np.empty((len(rows), k), dtype=np.int64)
    undecided, width = np.arange(len(rows)), k + 1 + SPARE  # a row finds itself, too
    while len(undecided):
        width = min(width, n)
        left = []
        for block in slices(len(undecided), BLOCK // width):
            some = undecided[block]
            with one_thread() if n * len(some) <= FEW else nullcontext():
                distance, candidates = search.kneighbors(query_points[rows[some]], width)
            found[some], kth = ranked(X, queries[rows[some]], own[some], candidates, k)
            last = distance[:, -1]
            # The next row is at most |x| + last from the centre, which bounds the rounding error.
            length_x = query_length[rows[some]]
            margin = rounding_margin(X, length_x, length_x + last, eps)
            left.append(some[kth >= (1 - TIE) * last**2 - margin])
        undecided = np.concatenate(left) if width < n else undecided[:0]
        if isinstance(search, ProductSearch):
            search, eps = _by_scikit_learn(points), float(np.finfo(np.float64).eps)
        width *= MORE
    return found


def _by_scikit_learn(points: Any) -> NearestNeighbors:
    """Its own choice is a tree up to 15 features, which takes up to five times as long."""
    tree = not issparse(points) and points.shape[1] <= TREE_TO
    return NearestNeighbors(algorithm="auto" if tree else "brute").fit(points)
