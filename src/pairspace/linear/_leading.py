"""The threshold that BWDR and WBDR share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

EQUAL = 1e-9  # shares that differ by less do so by rounding, as half of two equal eigenvalues


def n_leading(values: NDArray[np.float64], rank: int, threshold: float, n_components: int) -> int:
    """How many leading eigenvectors to adjust: those within the threshold, but enough of them.

    The share of the first i eigenvalues in their sum (eq. 9) stays within the threshold; then i is
    at least ``n_components`` and at most the rank. 1 means all that are not zero.
    """
    if threshold >= 1:
        return rank
    share = np.cumsum(values[:rank]) / np.sum(values[:rank])
    within = int(np.searchsorted(share, threshold + EQUAL, side="right"))
    return min(max(within, n_components), rank)
