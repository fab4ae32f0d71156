"""The number of components for ``n_components="auto"``."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from pairspace.base import Supervision, fitted
from pairspace.model_selection._candidates import Candidate

MOST = 32
SHARE = 0.9


def choose_n_components(make: Callable[[int], Candidate], X: Any, known: Supervision) -> int:
    """The fewest components, at least two, with 90 % of the variance of the first 32.

    Held-out pairs would choose too few: their distances depend mostly on the first components,
    but nearest neighbours on later ones too.
    """
    space = _largest(make, min(MOST, *X.shape), X, known)
    spread = np.asarray(space.transform(X), dtype=np.float64).var(axis=0)
    enough = 1 + int(np.searchsorted(np.cumsum(spread), SHARE * spread.sum()))
    return min(max(enough, 2), len(spread))


def _largest(make: Callable[[int], Candidate], n: int, X: Any, known: Supervision) -> Any:
    """The fitted candidate with n components, or half as many until the fit succeeds."""
    while True:
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "n_components=.* is more than the rank")
                return fitted(make(n).pipeline, X, known)
        except ValueError:
            if n == 1:
                raise
            n //= 2
