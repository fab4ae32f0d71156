"""The exact search."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.neighbors import NearestNeighbors

from pairspace._core.data import rows_of, slices
from pairspace._core.neighbors._products import ProductSearch
from pairspace._core.neighbors._ranking import (
    BLOCK,
    centred,
    ranked,
    rounding_margin,
)
from pairspace._core.typing import Ints

SPARE = 6  # candidates beyond those asked for: a tie past them costs a second search
MORE = 4  # times as many candidates where a tie reached past them
TREE_TO = 15  # features: up to here scikit-learn searches trees, which no product beats
PRODUCTS_FROM = 12_000  # rows: below, scikit-learn is faster


def exact_neighbors(X: Any, k: int, rows: Ints, asked: Any = None) -> Ints:
    """The nearest other rows of some rows; or of X, those nearest to some rows of ``asked``."""
    n = X.shape[0]
    points, length = centred(X)  # an offset costs the search digits
    if asked is None:
        asked, own, asked_points, asked_length = X, rows, points, length
    else:
        own = np.full(len(rows), -1)
        asked_points, asked_length = centred(asked, rows_of(X).mean)
    eps = float(np.finfo(np.float64).eps)
    if not issparse(points) and points.shape[1] > TREE_TO and n >= PRODUCTS_FROM <= len(rows):
        # single precision is twice as fast; where it does not decide the search goes on below
        search: Any = ProductSearch(points)
        eps = float(np.finfo(np.float32).eps)
    else:
        search = NearestNeighbors().fit(points)
    found = np.empty((len(rows), k), dtype=np.int64)
    unsure, width = np.arange(len(rows)), k + 1 + SPARE  # a row finds itself, too
    while len(unsure):
        width = min(width, n)
        left = []
        for block in slices(len(unsure), BLOCK // width):
            some = unsure[block]
            distance, candidates = search.kneighbors(asked_points[rows[some]], width)
            found[some], kth = ranked(X, asked[rows[some]], own[some], candidates, k)
            last = distance[:, -1]
            # a row beyond the candidates is at most |x| + last away from the centre
            reach = asked_length[rows[some]]
            left.append(some[kth >= last**2 - rounding_margin(X, reach, reach + last, eps)])
        unsure = np.concatenate(left) if width < n else unsure[:0]
        if isinstance(search, ProductSearch):
            search, eps = NearestNeighbors().fit(points), float(np.finfo(np.float64).eps)
        width *= MORE
    return found
