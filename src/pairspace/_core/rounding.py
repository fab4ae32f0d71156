"""Rounding of numbers that are equal except for rounding errors, so that ties are stable.

The order in which a sum is computed depends on the processor and the number of threads, so that the
last digits of results differ. These digits must not decide which of several numbers is the
smallest. So the numbers are rounded first, and the first of those that tie is chosen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

DISTANCE_DIGITS = 40  # significant binary digits of a squared distance, about 12 decimal digits
DIGITS = 24  # significant binary digits of each number, about 7 decimal digits
MAX_DIGITS = 40  # binary digits relative to the largest number: smaller values become 0


def rounded(values: Any, axis: int | None = None) -> NDArray[np.float64]:
    """The values rounded to 7 significant digits, and to 12 digits of the largest along the axis.

    The order is kept: the larger of two values is never rounded to less than the smaller.

    Examples
    --------
    >>> a, b, c = rounded([0.1 + 0.2, 0.3, 1e-17])
    >>> bool(a == b), float(c)
    (True, 0.0)
    """
    values = np.asarray(values, dtype=np.float64)
    largest = np.max(
        np.abs(values), axis=axis, where=np.isfinite(values), initial=0.0, keepdims=True
    )
    # Steps are powers of two, which are exact.
    least = np.maximum(np.frexp(largest)[1] - MAX_DIGITS, -1_000)
    step = np.ldexp(1.0, np.maximum(np.frexp(values)[1] - DIGITS, least))
    return np.asarray(np.round(values / step) * step)


def rounded_distances(squared: Any) -> NDArray[np.float64]:
    """Squared distances rounded to 12 significant digits, each by itself.

    The order is kept. Distances from differences of rows have more digits than this, also where
    the rows are given in other coordinates.

    Examples
    --------
    >>> a, b, c = rounded_distances([0.1 + 0.2, 0.3, 1e-17])
    >>> bool(a == b), bool(c > 0)
    (True, True)
    """
    squared = np.asarray(squared, dtype=np.float64)
    step = np.ldexp(1.0, np.maximum(np.frexp(squared)[1] - DISTANCE_DIGITS, -1_000))
    return np.asarray(np.round(squared / step) * step)
