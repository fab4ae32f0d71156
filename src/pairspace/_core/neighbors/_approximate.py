"""Approximate nearest neighbours, with faiss."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from pairspace._core.neighbors._exact import SPARE, exact_neighbors
from pairspace._core.neighbors._ranking import (
    centred,
    ranked,
)
from pairspace._core.typing import Ints, Seed

RECALL = 0.99  # the target, measured on a sample of the rows
SAMPLE = 500  # rows of this sample
WORTHWHILE = 0.25  # share of the cells: if more must be searched, the exact search is as fast


def approximate_neighbors(X: Any, k: int, random_state: Seed) -> Ints:
    """Search the nearest cells of each row, as many as a sample of rows needs for the recall."""
    faiss = _import_faiss()
    random = check_random_state(random_state)
    n, d = X.shape
    points, radius = centred(X)
    points = (points / (radius.max() or 1.0)).astype(np.float32)  # squares must not overflow
    n_cells = min(n, int(2 * np.sqrt(n)))
    cells = faiss.IndexFlatL2(d)
    index = faiss.IndexIVFFlat(cells, d, n_cells)
    index.cp.seed = int(random.randint(2**31 - 1))
    index.cp.niter, index.cp.min_points_per_centroid, index.cp.max_points_per_centroid = 5, 1, 32
    index.train(points)
    index.add(points)

    sample = np.sort(random.choice(n, min(SAMPLE, n), replace=False))
    true = exact_neighbors(X, k, sample)
    cell_of_true = cells.search(points[true.ravel()], 1)[1].reshape(true.shape)
    rank_of_cell = np.argsort(cells.search(points[sample], n_cells)[1], axis=1)
    rank = np.take_along_axis(rank_of_cell, cell_of_true, axis=1)
    index.nprobe = 1 + int(np.quantile(rank, RECALL, method="higher"))
    if index.nprobe > WORTHWHILE * n_cells:
        return exact_neighbors(X, k, np.arange(n))
    candidates = index.search(points, min(k + 1 + SPARE, n))[1]
    found, kth = ranked(X, X, np.arange(n), candidates, k)
    incomplete = np.flatnonzero(np.isinf(kth))  # fewer than k rows in their cells
    if len(incomplete):
        found[incomplete] = exact_neighbors(X, k, incomplete)
    return found


def _import_faiss() -> Any:
    try:
        return import_module("faiss")
    except ImportError as error:
        raise ImportError(
            "method='approximate' needs faiss: pip install 'pairspace[neighbors]'"
        ) from error
