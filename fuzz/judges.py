"""What a call may do: return, or refuse with a clear error."""

from __future__ import annotations

import copy
import linecache
import re
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import sklearn
from scipy.sparse import issparse

import pairspace

PAIRSPACE = str(Path(pairspace.__file__).parent)
SKLEARN = Path(sklearn.__file__).parent
# Where scikit-learn checks what it is given. Its messages are those that people know.
CHECKS = tuple(
    str(SKLEARN / name)
    for name in (
        "utils/validation.py",
        "utils/_param_validation.py",
        "utils/_available_if.py",
        "metrics/pairwise.py",  # kernels of negative values
        "model_selection/_search.py",  # grids
        "base.py",
    )
)
REFUSALS = (ValueError, TypeError)


class Failure(Exception):  # noqa: N818 (it is no error of the fuzzer)
    """A call did what it must not do."""


class Refused:
    """What a refused call returns here."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __repr__(self) -> str:
        return f"{type(self.error).__name__}: {str(self.error)[:200]}"


def run(call: Callable[[], Any], *, also: tuple[type[BaseException], ...] = ()) -> Any:
    """The result of a call, or ``Refused``; ``Failure`` if it fails otherwise, or warns by NumPy.

    Errors of the types ``also`` are refusals, too, if pairspace raises them.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = call()
        except Failure:
            raise
        except Exception as error:
            if not isinstance(error, REFUSALS + also) or not _is_clear(error):
                raise Failure(f"{type(error).__name__}: {error}\n{_where(error)}") from error
            result = Refused(error)
    for warning in caught:
        if warning.category in (RuntimeWarning, np.exceptions.ComplexWarning):
            raise Failure(
                f"{warning.category.__name__}: {warning.message} "
                f"({_short(warning.filename)}:{warning.lineno}), then {result!r:.200}"
            )
    return result


def require(condition: Any, message: str) -> None:
    """``Failure`` with a message if the condition does not hold."""
    if not condition:
        raise Failure(message)


def require_finite(name: str, array: Any, shape: tuple[int, ...]) -> None:
    """``Failure`` if a result has another shape, or is not finite."""
    array = np.asarray(array)
    require(array.shape == shape, f"{name} has the shape {array.shape}, not {shape}")
    require(np.isfinite(array).all(), f"{name} is not finite")


class Unchanged:
    """Watches what the caller passes: it must stay as it was."""

    def __init__(self, **given: Any) -> None:
        self._given = given
        self._before = {name: copy.deepcopy(value) for name, value in given.items()}

    def check(self) -> None:
        """``Failure`` if something was changed."""
        for name, value in self._given.items():
            require(_same(value, self._before[name]), f"the caller's {name} was changed")


def _is_clear(error: BaseException) -> bool:
    """Whether pairspace raised it, or scikit-learn's checks did: not something they called."""
    if not str(error).strip():
        return False
    frames = list(traceback.walk_tb(error.__traceback__))
    ours = [
        at
        for at, (frame, _) in enumerate(frames)
        if _file(frame).startswith(PAIRSPACE) or _file(frame) in CHECKS
    ]
    if not ours:
        return False
    frame, line = frames[ours[-1]]
    if _file(frame) in CHECKS:  # they convert with NumPy and pandas, whose messages name the value
        return True
    is_last = ours[-1] == len(frames) - 1
    return is_last and linecache.getline(_file(frame), line).strip().startswith("raise")


def _where(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    kept = [f for f in frames if f"{Path(__file__).parent}" not in f.filename][-4:]
    return "\n".join(f"    {_short(f.filename)}:{f.lineno} {f.line}" for f in kept)


def _short(name: str) -> str:
    return "/".join(Path(name).parts[-3:])


def _file(frame: FrameType) -> str:
    return frame.f_code.co_filename


def _same(a: Any, b: Any) -> bool:
    if issparse(a):
        if a.shape != b.shape or a.dtype != b.dtype:
            return False
        a, b = a.tocoo(), b.tocoo()
        return all(_same(*pair) for pair in ((a.row, b.row), (a.col, b.col), (a.data, b.data)))
    if isinstance(a, np.ndarray):
        if a.dtype.kind == "O":
            a, b = a.tolist(), b.tolist()
        else:
            return a.dtype == b.dtype and a.tobytes() == b.tobytes()
    if isinstance(a, pd.DataFrame | pd.Series | pl.DataFrame | pl.Series):
        return bool(a.equals(b))
    if isinstance(a, pairspace.Constraints):
        return a == b
    return _without_addresses(a) == _without_addresses(b)


def _without_addresses(value: Any) -> str:
    return re.sub(" at 0x[0-9a-f]+", "", repr(value))
