"""make_recipe: frames with columns of every kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

import pairspace
from fuzz.judges import Refused, Unchanged, require, run
from fuzz.supervision import good
from fuzz.tables import Random
from pairspace.preprocessing import describe_recipe

WORDS = ["red", "green", "blue", "a", "", " ", "Ärger", "🙂", "1", "nan", "x" * 50]


def made(random: Random, log: list[Any]) -> None:
    """It refuses, or turns the frame into finite numbers, and new rows, too."""
    frame = _frame(random)
    options = _options(random, list(frame.columns) if hasattr(frame, "columns") else [])
    log += [frame.dtypes.to_dict() if isinstance(frame, pd.DataFrame) else frame, options]
    watched = Unchanged(frame=frame)
    recipe = run(lambda: pairspace.make_recipe(frame, **options))
    watched.check()
    if isinstance(recipe, Refused):
        return
    require(all(isinstance(line, str) for line in describe_recipe(recipe)), "no lines of text")
    numbers = run(lambda: clone(recipe).fit_transform(frame))
    watched.check()
    if isinstance(numbers, Refused):
        return
    _judge(numbers, len(frame), finite=options.get("impute", True))
    model = make_pipeline(recipe, pairspace.PairSpace(n_components=1, random_state=0))
    pairs = good(random, random.integers(3, size=len(frame)))
    known = pairs.y if pairs.y is not None else pairs.constraints
    if isinstance(run(lambda: model.fit(frame, known)), Refused):
        return
    new = _emptied(random, frame)
    found = run(lambda: model.transform(new))
    if options.get("impute", True):
        require(not isinstance(found, Refused), f"refuses rows with missing values: {found!r}")
        require(np.isfinite(found).all(), "not finite")


def _judge(numbers: Any, n: int, *, finite: bool) -> None:
    values = numbers.data if issparse(numbers) else np.asarray(numbers, dtype=np.float64)
    require(numbers.shape[0] == n, f"{numbers.shape[0]} rows of {n}")
    require(not finite or np.isfinite(values).all(), "not finite")


def _emptied(random: Random, frame: pd.DataFrame) -> pd.DataFrame:
    """The same types, in another order of rows, with more missing values."""
    new = frame.iloc[random.permutation(len(frame))].reset_index(drop=True)
    for name in new.columns:
        if new[name].dtype.kind not in "iub":
            new[name] = new[name].mask(random.random(len(new)) < 0.3)
    return new


def _options(random: Random, columns: list[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in ("text", "categories", "ignore"):
        if random.random() < 0.25 and columns:
            chosen = random.integers(len(columns), size=int(random.integers(1, 3)))
            found[name] = [columns[at] for at in chosen]
        elif random.random() < 0.02:
            found[name] = [["missing"], "text", 3, [None]][int(random.integers(4))]
    for name in ("impute", "scale"):
        if random.random() < 0.2:
            found[name] = False
    return found


def _frame(random: Random) -> Any:
    n = int(random.integers(1, 6)) if random.random() < 0.15 else int(random.integers(6, 60))
    if random.random() < 0.05:
        odd = [
            None, [[1.0]], "frame", np.ones((n, 2)), pd.DataFrame(), pd.Series([1.0] * n),
            pl.DataFrame({"a": [1.0] * n}), pd.DataFrame(np.ones((n, 2))),
            pd.DataFrame(np.ones((n, 2)), columns=["a", "a"]), pd.DataFrame({"a": []}),
        ]  # fmt: skip
        return odd[int(random.integers(len(odd)))]
    frame = pd.DataFrame({f"c{at}": _column(random, n) for at in range(int(random.integers(1, 6)))})
    if random.random() < 0.1:
        frame.columns = [f"{name}__ü'\"<b>" for name in frame.columns]
    if random.random() < 0.1:
        frame.index = pd.Index(random.permutation(n) + 7)
    return frame


def _column(random: Random, n: int) -> Any:
    numbers = random.normal(size=n) * random.choice([1.0, 1e-3, 1e6, 1e30])
    words = random.choice(np.array(WORDS, dtype=object), size=n)
    few = random.choice(np.array(["a", "b", "c"], dtype=object), size=n)
    dates = pd.Series(
        pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(9999, size=n), "h")
    )
    gaps = random.random(n) < random.choice([0.02, 0.3, 1.0])
    columns = [
        lambda: pd.Series(numbers),
        lambda: pd.Series(numbers).mask(gaps),
        lambda: pd.Series(numbers.astype(np.float32)),
        lambda: pd.Series(np.zeros(n)),
        lambda: pd.Series(random.integers(5, size=n)),
        lambda: pd.Series(random.integers(5, size=n)).astype("Int64").mask(gaps),
        lambda: pd.Series(numbers).astype("double[pyarrow]").mask(gaps),
        lambda: pd.Series(numbers > 0),
        lambda: pd.Series(numbers > 0).astype("boolean").mask(gaps),
        lambda: dates,
        lambda: dates.mask(gaps),
        lambda: dates.dt.tz_localize("UTC"),
        lambda: dates.astype("datetime64[s]"),
        lambda: pd.Series(words),
        lambda: pd.Series(words).mask(gaps),
        lambda: pd.Series(few),
        lambda: pd.Series(few).mask(gaps),
        lambda: pd.Series(few).astype("category").mask(gaps),
        lambda: pd.Series(few).astype("string").mask(gaps),
        lambda: pd.Series(few).astype("string[pyarrow]").mask(gaps),
        lambda: pd.Series([" ".join(map(str, random.choice(WORDS, size=4))) for _ in range(n)]),
        lambda: pd.Series([None] * n),
        lambda: pd.Series([np.nan] * n),
        lambda: pd.Series([1, "a", None, 2.5] * n).iloc[:n],
        lambda: pd.Series([[1]] * n),
        lambda: pd.Series(pd.to_timedelta(random.integers(9, size=n), "h")),
        lambda: pd.Series(numbers + 1j),
        lambda: pd.Series(np.where(gaps, np.inf, numbers)),
    ]
    return columns[int(random.integers(len(columns)))]()
