"""The array types that signatures name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Pair = tuple[int, int]
# What random_state may be.
Seed = int | np.random.RandomState | None
