"""The parameter ``shrinkage`` of the methods that divide by a scatter within classes."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from pairspace._core.data import Rows
from pairspace._core.typing import Floats
from pairspace._within import ledoit_wolf
from pairspace.base import Needs, Supervision
from pairspace.linear._partial_fit import IncrementalReducer

Shrinkage = float | str | None

SHRINKAGE: list[Any] = [None, StrOptions({"auto"}), Interval(Real, 0, 1, closed="both")]


class ShrinkageReducer(IncrementalReducer):
    """Base of the methods with a parameter ``shrinkage``.

    The identity that a scatter is shrunk to leads out of the span of the links. Ledoit and Wolf's
    share needs fourth moments, which batches do not keep.
    """

    shrinkage: Shrinkage

    def _current_needs(self) -> Needs:
        if self.shrinkage is None:
            return self.needs
        return replace(self.needs, span="rows", class_sums=self.shrinkage != "auto")


def shrunk(S: Floats, shrinkage: Shrinkage, Z: Rows, known: Supervision) -> Floats:
    """(1 − s)·S + s·tr(S)/d·I, where s is a number, the Ledoit–Wolf one ("auto") or 0 (None)."""
    if shrinkage is None:
        return S
    s = ledoit_wolf(Z, known.chunklets) if shrinkage == "auto" else float(shrinkage)
    return (1 - s) * S + s * np.trace(S) / len(S) * np.eye(len(S))
