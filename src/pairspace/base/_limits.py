"""Ranges of parameters that several methods have."""

from __future__ import annotations

from numbers import Real

from sklearn.utils._param_validation import Interval

from pairspace._core.limits import LARGEST, SMALLEST

# Widths of Gaussians, which are squared as distances are.
WIDTH = Interval(Real, SMALLEST, LARGEST, closed="both")
