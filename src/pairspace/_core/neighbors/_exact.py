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
from pairspace._core.typing import Bools, Floats, Ints

SPARE = 6  # extra candidates: a tie beyond them needs a second search
MORE = 4  # factor of the number of candidates in the next search
TREE_TO = 7  # features: for so few, trees are faster than matrix products
PRODUCTS_FROM = 9_000  # rows: for fewer, scikit-learn is faster
FEW = 4_000_000  # distances: threads would wait for each other longer than they work


def exact_neighbors(X: Any, k: int, rows: Ints, given: Any = None) -> Ints:
    """The nearest other rows of some rows of X, or the nearest rows of X of some queries."""
    n = X.shape[0]
    points, length = centred(X)  # the search loses digits far from the origin
    if given is None:
        queries, own, query_points, query_length = X, rows, points, length
    else:
        queries, own = given, np.full(len(rows), -1)
        query_points, query_length = centred(queries, rows_of(X).mean)
    eps = float(np.finfo(np.float64).eps)
    if not issparse(points) and points.shape[1] > TREE_TO and n >= PRODUCTS_FROM <= len(rows):
        # Single precision is twice as fast. Rows it leaves undecided are searched again below.
        search: Any = ProductSearch(points)
        eps = float(np.finfo(np.float32).eps)
    else:
        search = _by_scikit_learn(points)
    found = np.empty((len(rows), k), dtype=np.int64)
    first = int(given is None)  # the column of the nearest, which comes after the row itself
    undecided, width = np.arange(len(rows)), k + 1 + SPARE  # a row finds itself, too
    while len(undecided):
        width = min(width, n)
        left = []
        for block in slices(len(undecided), BLOCK // width):
            some = undecided[block]
            with one_thread() if n * len(some) <= FEW else nullcontext():
                distance, candidates = search.kneighbors(query_points[rows[some]], width)
            # The next row is at most |x| + last from the centre, which bounds the rounding error.
            length_x, last = query_length[rows[some]], distance[:, -1]
            margin = rounding_margin(X, length_x, length_x + last, eps)
            sure = _in_order(distance[:, : first + k + 1], margin)
            if first:
                sure &= candidates[:, 0] == own[some]
            found[some[sure]] = candidates[sure, first : first + k]
            if sure.all():
                continue
            some, candidates, margin = some[~sure], candidates[~sure], margin[~sure]
            found[some], kth = ranked(X, queries[rows[some]], own[some], candidates, k)
            left.append(some[kth >= (1 - TIE) * last[~sure] ** 2 - margin])
        undecided = np.concatenate(left) if left and width < n else undecided[:0]
        if isinstance(search, ProductSearch):
            search, eps = _by_scikit_learn(points), float(np.finfo(np.float64).eps)
        width *= MORE
    return found


def _in_order(distance: Floats, margin: Floats) -> Bools:
    """The rows each of whose distances is less than the next one, beyond rounding errors.

    Their neighbours are as the search has them. Of other rows the distances must be computed again,
    from differences.
    """
    squared = distance**2
    apart = np.diff(squared, axis=1) > TIE * squared[:, 1:] + 2 * margin[:, None]
    return np.asarray(apart.all(axis=1))


def _by_scikit_learn(points: Any) -> NearestNeighbors:
    """Its own choice is a tree up to 15 features, which takes up to five times as long."""
    tree = not issparse(points) and points.shape[1] <= TREE_TO
    return NearestNeighbors(algorithm="auto" if tree else "brute").fit(points)
