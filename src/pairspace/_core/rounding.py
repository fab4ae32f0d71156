"""Numbers that are equal but for rounding, made equal, so that a choice among them is stable.

Another processor, or another number of threads, adds the terms of a sum in another order, and the
last digits differ. Where the smallest of some numbers is chosen, such digits must not decide:
the numbers are rounded first, and then the first of those that tie is taken.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

DIGITS = 24  # binary digits that are kept of each number: about 7 decimal ones
MOST_DIGITS = 40  # … counted from the largest number: what is smaller than that is a rounding error


def rounded(values: Any, axis: int | None = None) -> NDArray[np.float64]:
    """The values to 7 significant digits, and to at most 12 digits of the largest along the axis.

    The order stays: of two values, the larger is not rounded to less than the smaller.

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
    # Steps are powers of two: they have no rounding errors of their own.
    least = np.maximum(np.frexp(largest)[1] - MOST_DIGITS, -1_000)
    step = np.ldexp(1.0, np.maximum(np.frexp(values)[1] - DIGITS, least))
    return np.asarray(np.round(values / step) * step)
