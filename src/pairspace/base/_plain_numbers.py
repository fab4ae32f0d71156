"""Parameters as plain numbers while a method works: those of NumPy have a range and a precision."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from numbers import Integral, Real
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from sklearn.utils._param_validation import Interval

Self = TypeVar("Self", bound=Any)
Given = ParamSpec("Given")
Result = TypeVar("Result")
NO_NUMBERS = ("random_state", "verbose", "n_jobs")


def with_plain_numbers(
    method: Callable[Concatenate[Self, Given], Result],
) -> Callable[Concatenate[Self, Given], Result]:
    """Let a method of an estimator see NumPy's numbers among its parameters as Python's.

    uint8(250) + 6 is 0, float32(1e-30) squared is 0, and float128 fails in LAPACK. The parameters
    are what they were when the method ends. True where a number belongs is 1.

    Parameters
    ----------
    method : callable
        The method; its estimator has ``_parameter_constraints``.

    Returns
    -------
    callable
        The method with plain parameters.
    """

    @wraps(method)
    def plainly(self: Self, /, *args: Given.args, **options: Given.kwargs) -> Result:
        given = {
            name: vars(self)[name]
            for name, limits in self._parameter_constraints.items()
            if name in vars(self) and isinstance(vars(self)[name], Real | np.bool_)
            if name not in NO_NUMBERS and _are_numbers(limits)
        }
        limits = self._parameter_constraints
        vars(self).update({name: _plain(name, each, limits[name]) for name, each in given.items()})
        try:
            return method(self, *args, **options)
        finally:
            vars(self).update(given)

    return plainly


def _are_numbers(limits: Any) -> bool:
    return isinstance(limits, list) and any(isinstance(each, Interval) for each in limits)


def _plain(name: str, value: Any, limits: list[Any]) -> int | float:
    kinds = [each.type for each in limits if isinstance(each, Interval)]
    if isinstance(value, Integral | np.bool_):
        if Integral not in kinds:
            _check_float(name, int(value))
        return int(value)
    return float(value)


def _check_float(name: str, value: int) -> None:
    try:
        float(value)
    except OverflowError:
        raise ValueError(f"{name} is an integer too large for a float: at most 1e308") from None
