"""Shrinkage of the scatter within classes towards a multiple of the identity."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval, StrOptions

from pairspace.graphs import Classes
from pairspace.rows import Rows
from pairspace.supervision import Supervision

Floats = NDArray[np.float64]
Shrinkage = float | str | None

SHRINKAGE: list[Any] = [None, StrOptions({"auto"}), Interval(Real, 0, 1, closed="both")]


def shrunk(S: Floats, shrinkage: Shrinkage, Z: Rows, known: Supervision) -> Floats:
    """(1 − s)·S + s·tr(S)/d·I, where s is a number, the Ledoit–Wolf one ("auto") or 0 (None)."""
    if shrinkage is None:
        return S
    s = ledoit_wolf(Z, known.chunklets) if shrinkage == "auto" else float(shrinkage)
    return (1 - s) * S + s * np.trace(S) / len(S) * np.eye(len(S))


def ledoit_wolf(Z: Rows, chunklets: Classes) -> float:
    """The share of the identity that estimates the covariance within chunklets best.

    The sample is each row's deviation from the mean of its chunklet. A chunklet of c rows counts as
    c − 1 independent ones and not as its c(c − 1)/2 pairs, which follow from each other.
    """
    degrees_of_freedom = n_rows = 0
    fourth_moment = 0.0
    S = np.zeros((Z.shape[1], Z.shape[1]))
    for _, members in chunklets.members():
        size = members.shape[1]
        if size == 1:
            continue
        gram, means = Z.class_gram(members)
        S += gram
        squared = Z.squared_deviations(members, means) * size / (size - 1)
        fourth_moment += float(np.sum(squared**2))
        n_rows += members.size
        degrees_of_freedom += members.size - len(members)
    if not degrees_of_freedom:
        return 1.0  # nothing is known about the covariance
    S /= degrees_of_freedom
    distance = np.sum(S**2) - np.trace(S) ** 2 / len(S)  # ‖S − tr(S)/d·I‖²
    noise = (fourth_moment / n_rows - np.sum(S**2)) / degrees_of_freedom
    return float(np.clip(noise / distance, 0, 1)) if distance > 0 else 1.0
