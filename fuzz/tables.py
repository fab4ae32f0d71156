"""Tables: numbers of every kind, in containers of every kind."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import scipy.sparse as sp

Random = np.random.Generator

SCALES = [1e-300, 1e-150, 1e-90, 1e-30, 1e-8, 1e-3, 1e3, 1e8, 1e30, 1e90, 1e150, 1e300]
OFFSETS = [1.0, -1e3, 1e6, 1e8, 1e12]


@dataclass
class Table:
    """A table as it is given, and its numbers as an array if it has any."""

    given: Any
    numbers: np.ndarray | None
    classes: np.ndarray  # a class for each row, which the numbers follow
    kinds: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Whether it is a finite table of numbers with two rows or more."""
        return self.numbers is not None and bool(np.isfinite(self.numbers).all())

    def __repr__(self) -> str:
        shape = getattr(self.given, "shape", None)
        return f"{type(self.given).__name__} {shape}, {', '.join(self.kinds)}"


def any_table(random: Random) -> Table:
    """A table of any kind, good or bad."""
    if random.random() < 0.04:
        return _no_table(random)
    table = good_table(random)
    if random.random() < 0.25:
        _odd_scale(random, table)
    if random.random() < 0.04:
        _not_finite(random, table)
    return contained(random, table) if random.random() < 0.6 else table


def good_table(random: Random, *, most_rows: int = 80) -> Table:
    """An array of ordinary numbers, with odd columns and rows now and then."""
    n, d = _size(random, most_rows), int(random.integers(1, 13))
    if random.random() < 0.25:
        d = int(random.integers(1, 61))
    if random.random() < 0.05:
        n, d = int(random.integers(2, 16)), int(random.integers(60, 300))
    classes = random.integers(int(random.integers(1, 6)), size=n)
    X = _numbers(random, n, d) + random.choice([0, 1, 3]) * random.normal(size=(6, d))[classes]
    table = Table(X, X, classes, ["float64"])
    for chance, change in (
        (0.1, _columns),
        (0.08, _rows),
        (0.12, _offset),
        (0.1, _column_scales),
        (0.05, _integers),
    ):
        if random.random() < chance:
            change(random, table)
    table.given = table.numbers
    return table


def _size(random: Random, most: int) -> int:
    if random.random() < 0.15:
        return int(random.integers(1, 6))
    return int(random.integers(6, 40 if random.random() < 0.7 else most + 1))


def _numbers(random: Random, n: int, d: int) -> np.ndarray:
    kind = random.choice(["normal", "normal", "counts", "low rank", "heavy", "grid", "sparse"])
    if kind == "counts":
        return random.poisson(1.0, size=(n, d)).astype(float)
    if kind == "low rank":
        r = int(random.integers(1, min(n, d) + 1))
        return random.normal(size=(n, r)) @ random.normal(size=(r, d))
    if kind == "heavy":
        return random.standard_t(2, size=(n, d))
    if kind == "grid":
        return random.integers(3, size=(n, d)).astype(float)
    X = random.normal(size=(n, d))
    return X * (random.random((n, d)) < 0.3) if kind == "sparse" else X


# ---- Odd numbers -----------------------------------------------------------------------------


def _columns(random: Random, table: Table) -> None:
    X, d = table.numbers, table.numbers.shape[1]
    for _ in range(int(random.integers(1, 4))):
        kind = random.choice(["constant", "zero", "copy", "collinear", "nearly constant"])
        at = int(random.integers(d))
        table.kinds.append(f"{kind} column")
        if kind == "constant":
            X[:, at] = random.choice([1.0, 1e8 / 3, -7.1])
        elif kind == "zero":
            X[:, at] = 0
        elif kind == "copy":
            X[:, at] = X[:, int(random.integers(d))]
        elif kind == "collinear":
            X[:, at] = X @ random.normal(size=d)
        else:
            X[:, at] = 3.3 * (1 + np.finfo(float).eps * random.integers(-1, 2, size=len(X)))


def _rows(random: Random, table: Table) -> None:
    X = table.numbers
    kind = random.choice(["equal", "nearly equal", "copies", "zeros"])
    table.kinds.append(f"{kind} rows")
    if kind == "copies":
        X[:] = X[random.integers(max(len(X) // 2, 1), size=len(X))]
    elif kind == "zeros":
        X[:] = 0
    else:
        X[:] = X[0]
    if kind == "nearly equal":
        X *= 1 + np.finfo(float).eps * random.integers(-1, 2, size=X.shape)


def _offset(random: Random, table: Table) -> None:
    offset = random.choice(OFFSETS)
    table.numbers += offset
    table.kinds.append(f"offset {offset:g}")


def _column_scales(random: Random, table: Table) -> None:
    table.numbers *= 10.0 ** random.integers(-4, 5, size=table.numbers.shape[1])
    table.kinds.append("columns of several scales")


def _integers(random: Random, table: Table) -> None:
    table.numbers = np.round(table.numbers * random.choice([1, 10]))
    table.kinds.append("whole numbers")


def _odd_scale(random: Random, table: Table) -> None:
    scale = random.choice(SCALES)
    with np.errstate(over="ignore"):
        X = table.numbers * scale
    if np.isfinite(X).all():
        table.given = table.numbers = X
        table.kinds.append(f"times {scale:g}")


def _not_finite(random: Random, table: Table) -> None:
    X = table.numbers.copy()
    X.flat[int(random.integers(X.size))] = random.choice([np.nan, np.inf, -np.inf])
    table.given = table.numbers = X
    table.kinds.append("not finite")


# ---- Containers ------------------------------------------------------------------------------


def contained(random: Random, table: Table) -> Table:
    """The numbers in a container of any kind; some change their precision, some are no numbers."""
    kind = str(random.choice(sorted(CONTAINERS)))
    with np.errstate(all="ignore"):
        given, numbers = CONTAINERS[kind](random, table.numbers)
    return Table(given, numbers, table.classes, [*table.kinds, kind])


Contained = tuple[Any, np.ndarray | None]


def _plain(make: Callable[[np.ndarray], Any]) -> Callable[[Random, np.ndarray], Contained]:
    return lambda random, X: (make(X), X)


def _typed(dtype: Any) -> Callable[[Random, np.ndarray], Contained]:
    def make(random: Random, X: np.ndarray) -> Contained:
        if np.dtype(dtype).kind in "iub":
            X = np.clip(np.nan_to_num(X), 0, 100)
        given = X.astype(dtype)
        return given, given.astype(np.float64)

    return make


def _read_only(X: np.ndarray) -> np.ndarray:
    X = X.copy()
    X.flags.writeable = False
    return X


def _strided(X: np.ndarray) -> np.ndarray:
    wide = np.full((2 * X.shape[0], 3 * X.shape[1]), 7.0)
    wide[::2, ::3] = X
    return wide[::2, ::3]


def _odd_sparse(random: Random, X: np.ndarray) -> Contained:
    """CSR with 64-bit indices, read-only arrays, unsorted indices or explicit zeros."""
    A = sp.csr_array(X)
    kind = random.choice(["64 bit", "read-only", "unsorted", "zeros", "csr_matrix"])
    if kind == "64 bit":
        A.indices, A.indptr = A.indices.astype(np.int64), A.indptr.astype(np.int64)
    elif kind == "read-only":
        for part in (A.data, A.indices, A.indptr):
            part.flags.writeable = False
    elif kind == "unsorted":
        for start, stop in zip(A.indptr[:-1], A.indptr[1:], strict=True):
            A.indices[start:stop] = A.indices[start:stop][::-1].copy()
            A.data[start:stop] = A.data[start:stop][::-1].copy()
        A.has_sorted_indices = False
    elif kind == "zeros" and A.nnz:
        A.data[0] = 0.0
        X = A.toarray()
    elif kind == "csr_matrix":
        return sp.csr_matrix(X), X
    return A, X


def _diagonals(random: Random, X: np.ndarray) -> Contained:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sp.SparseEfficiencyWarning)
        return sp.dia_array(X), X


def _sparse_32(random: Random, X: np.ndarray) -> Contained:
    A = sp.csr_array(X.astype(np.float32))
    return A, A.toarray().astype(np.float64)


def _names(X: np.ndarray) -> list[str]:
    return [f"f{i}" for i in range(X.shape[1])]


def _frame(X: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(X, columns=_names(X))


def _text_frame(random: Random, X: np.ndarray) -> Contained:
    frame = _frame(X)
    text = ["a", *(str(v) for v in random.choice(["a", "b", "3"], size=len(X) - 1))]
    if random.random() < 0.5:
        frame["f0"] = pd.array(text, dtype="string[pyarrow]")
    else:
        frame["f0"] = pd.Categorical(text)
    return frame, None


def _date_frame(random: Random, X: np.ndarray) -> Contained:
    frame = _frame(X)
    kind = random.choice(["date", "time zone", "duration"])
    dates = pd.date_range("2020-01-01", periods=len(X))
    if kind == "time zone":
        dates = dates.tz_localize("UTC")
    frame["f0"] = dates - dates[0] if kind == "duration" else dates
    return frame, None


def _dates(random: Random, X: np.ndarray) -> Contained:
    days = np.nan_to_num(np.clip(X, -1e4, 1e4)).astype("int64")
    return days.astype(random.choice(["datetime64[D]", "timedelta64[s]"])), None


def _nullable(random: Random, X: np.ndarray) -> Contained:
    frame = _frame(X).astype("Float64")
    if random.random() < 0.5:
        frame.iloc[0, 0] = pd.NA
        return frame, None
    return frame, X


def _polars_text(random: Random, X: np.ndarray) -> Contained:
    frame = pl.DataFrame(X, schema=_names(X))
    return frame.with_columns(pl.lit("x").alias("f0")), None


CONTAINERS: dict[str, Callable[[Random, np.ndarray], Contained]] = {
    "column order": _plain(np.asfortranarray),
    "read-only": _plain(_read_only),
    "view": _plain(_strided),
    "reversed view": lambda random, X: (X[::-1][::-1], X),
    "list": _plain(lambda X: X.tolist()),
    "float32": _typed(np.float32),
    "float16": _typed(np.float16),
    "big-endian": _plain(lambda X: X.astype(">f8")),
    "int8": _typed(np.int8),
    "uint16": _typed(np.uint16),
    "int64": _typed(np.int64),
    "bool": _typed(bool),
    "object": _plain(lambda X: X.astype(object)),
    "longdouble": _plain(lambda X: X.astype(np.longdouble)),
    "csr": _plain(sp.csr_array),
    "csc": _plain(sp.csc_array),
    "coo": _plain(sp.coo_array),
    "bsr": _plain(sp.bsr_array),
    "lil": _plain(sp.lil_array),
    "dok": _plain(sp.dok_array),
    "dia": _diagonals,
    "odd csr": _odd_sparse,
    "float32 csr": _sparse_32,
    "pandas": _plain(_frame),
    "pandas arrow": _plain(lambda X: _frame(X).astype("double[pyarrow]")),
    "pandas nullable": _nullable,
    "pandas text": _text_frame,
    "pandas dates": _date_frame,
    "dates": _dates,
    "polars": _plain(lambda X: pl.DataFrame(X, schema=_names(X))),
    "polars text": _polars_text,
    "complex": lambda random, X: (X + 1j, None),
    "text": lambda random, X: (np.char.add(X.astype(str), "?"), None),
    "masked": _plain(lambda X: np.ma.MaskedArray(X)),
}


def _no_table(random: Random) -> Table:
    given = [
        None,
        3.0,
        "table",
        {},
        [],
        [[]],
        [[1.0, 2.0], [3.0]],
        np.empty((0, 3)),
        np.empty((5, 0)),
        np.ones(7),
        np.ones((2, 2, 2)),
        object(),
        [["a", 1.0], ["b", 2.0]],
        np.array([[None, 1.0], [2.0, 3.0]], dtype=object),
        pd.DataFrame(),
        {"a": [1.0, 2.0]},
        sp.csr_array((0, 4)),
        pd.Series([1.0, 2.0, 3.0]),
        [object(), object()],
    ][int(random.integers(19))]
    return Table(given, None, np.zeros(5, dtype=int), ["no table"])
