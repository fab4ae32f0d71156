"""Rounding of numbers that are equal except for rounding errors, so that ties are stable.

The order in which a sum is computed depends on the processor and the number of threads, so that the
last digits of results differ. These digits must not decide which of several numbers is the
smallest. So the numbers are rounded first, and the first of those that tie is chosen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

TIE = 2.0**-40  # the share by which values that tie may differ
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


def tied(values: Any, noise: float = 0.0) -> NDArray[np.float64]:
    """The values, where those that are equal to 12 digits are the same; along the last axis.

    So are those that differ by ``noise`` at most, the rounding error of differences. Each of
    several values with gaps of no more than that becomes the smallest of them. Unlike
    :func:`rounded` it has no boundaries at which two such values may be parted, and small values
    keep their digits beside large ones. Squared distances from differences of rows are as precise,
    also where the rows are given in other coordinates.

    Examples
    --------
    >>> a, b, c = tied([0.1 + 0.2, 0.3, 1e-17])
    >>> bool(a == b), float(c)
    (True, 1e-17)
    """
    values = np.asarray(values, dtype=np.float64)
    order = np.argsort(values, axis=-1)
    ascending = np.take_along_axis(values, order, axis=-1)
    with np.errstate(invalid="ignore"):  # ∞ − ∞
        apart = np.diff(ascending, axis=-1) > np.maximum(TIE * np.abs(ascending[..., :-1]), noise)
    first = np.zeros(values.shape, dtype=np.int64)
    first[..., 1:] = np.where(apart, np.arange(1, values.shape[-1]), 0)
    first = np.maximum.accumulate(first, axis=-1)
    result = np.empty_like(values)
    np.put_along_axis(result, order, np.take_along_axis(ascending, first, axis=-1), axis=-1)
    return result
