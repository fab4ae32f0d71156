"""Values of an estimator's parameters: inside, at and beyond their limits."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from fuzz.tables import Random

FIXED = {"verbose", "random_state", "n_jobs"}
WRONG = [None, "wrong", -1, 0, 1.5, np.nan, np.inf, [], True, 10**30, object(), 1j]
# What takes long, needs a package or another kind of table.
LEFT_OUT = {"precomputed", "amg"}
MOST = {"n_init": 3, "max_iter": 20, "n_repeats": 3, "cv": 5}


def with_parameters(random: Random, estimator: Any, chance: float = 0.3) -> Any:
    """Set some of the parameters at random."""
    limits = type(estimator)._parameter_constraints
    for name in estimator.get_params(deep=False):
        if name in limits and name not in FIXED and random.random() < chance:
            estimator.set_params(**{name: _value(random, name, limits[name])})
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=int(random.integers(100)))
    return estimator


def _value(random: Random, name: str, limits: list[Any]) -> Any:
    if random.random() < 0.03:
        value = WRONG[int(random.integers(len(WRONG)))]
        return value if name not in MOST or value != 10**30 else 0  # so many runs take for ever
    limit = limits[int(random.integers(len(limits)))]
    if isinstance(limit, StrOptions):
        return str(random.choice(sorted(limit.options - LEFT_OUT)))
    if isinstance(limit, Interval):
        return _number(random, name, limit)
    return bool(random.integers(2)) if isinstance(limit, str) else None


def _number(random: Random, name: str, limit: Interval) -> Any:
    low, high = limit.left, limit.right
    if limit.type is Integral:
        low = 1 if low is None else int(low)
        high = low + 6 if high is None else int(high)
        if name in MOST:
            return int(random.integers(low, MOST[name]))
        odd = [low, high, high + 30, 1000, np.int32(low)]
        return random.choice(odd) if random.random() < 0.15 else int(random.integers(low, high + 1))
    if random.random() < 0.3:
        ends = [end for end in (low, high) if end is not None]
        near = [0.0, 1e-3, 1e-12, 1e-100, 1e-200, 1e-300, 5e-324, 1e3, 1e12, 1e100, 1e200, 1e308]
        value = float(random.choice(near))
        value = value if low is not None else -value
        return random.choice([*ends, value]) if random.random() < 0.5 else value
    if low is not None and high is not None and high - low < 100:
        return float(random.uniform(low, high))
    size = float(10 ** random.uniform(-2, 2))
    return size if low is not None else -size
