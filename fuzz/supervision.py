"""Labels and pairs, good and bad."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from fuzz.tables import Random
from pairspace import Constraints


@dataclass
class Known:
    """What is passed as ``y`` and as ``constraints``."""

    y: Any
    constraints: Any
    kind: str
    is_good: bool = True

    def permuted(self, order: np.ndarray) -> Known:
        """The same about rows in another order; for good ones only."""
        y, pairs = (None if part is None else part[order] for part in (self.y, self.constraints))
        return Known(y, pairs, self.kind)

    def renamed(self) -> Known:
        """The same with other names of the classes; for good ones only."""
        y = self.y
        if isinstance(y, np.ndarray):
            names = np.array(["m", "c", "x", "b", "z", "a", None], dtype=object)
            y = names[np.where(y < 0, 6, y)]
        return Known(y, self.constraints, f"{self.kind}, renamed")

    def __repr__(self) -> str:
        pairs = "" if self.constraints is None else f", constraints={self.constraints!r:.80}"
        return f"{self.kind}: y={self.y!r:.120}{pairs}"


def any_supervision(random: Random, classes: np.ndarray) -> Known:
    """Supervision of any kind for rows of these classes."""
    return bad(random, classes) if random.random() < 0.15 else good(random, classes)


def good(random: Random, classes: np.ndarray) -> Known:
    """None, integer labels, pairs, or both, which agree."""
    kind = random.choice(["none", "labels", "labels", "some labels", "pairs", "pairs", "both"])
    labels = classes.copy()
    if kind == "none":
        return Known(None, None, kind)
    if kind != "labels":
        labels[random.random(len(labels)) < random.random()] = -1
    if kind in ("labels", "some labels"):
        return Known(labels, None, kind)
    pairs = pairs_of(random, classes)
    return Known(pairs, None, kind) if kind == "pairs" else Known(labels, pairs, kind)


def pairs_of(random: Random, classes: np.ndarray) -> Constraints:
    """Random pairs that the classes make, some with weights."""
    n = len(classes)
    pairs = random.integers(n, size=(int(random.integers(1, 4 * n + 2)), 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    same = classes[pairs[:, 0]] == classes[pairs[:, 1]]
    if random.random() < 0.2:  # one kind only
        pairs, same = pairs[same], same[same]
    weight = np.ones(len(pairs))
    if random.random() < 0.25:
        weight = 10.0 ** random.uniform(-3, 3, size=len(pairs))
    return Constraints(
        n,
        pairs[same],
        pairs[~same],
        must_weight=weight[same],
        cannot_weight=weight[~same],
    )


def bad(random: Random, classes: np.ndarray) -> Known:
    """Labels or pairs that are odd or wrong in one way."""
    n = len(classes)
    labels = bad_labels(random, classes)
    if random.random() < 0.6:
        return Known(labels, None, "odd labels", is_good=False)
    shifted = np.roll(classes, 1)
    wrong = [
        Constraints(n + 1, [(0, 1)]),
        Constraints(max(n - 1, 0)),
        Constraints(n),
        [(0, 1)],
        np.array([[0, 1]]),
        "pairs",
        3,
        Constraints.from_labels(shifted, fraction=1.0),
        _extreme_weights(random, classes),
        pairs_of(random, random.permutation(classes)) | pairs_of(random, classes)
        if len(np.unique(classes)) == 1
        else _chain(n),
    ][int(random.integers(10))]
    y = classes if random.random() < 0.5 else None
    return Known(y, wrong, "odd pairs", is_good=False)


def bad_labels(random: Random, classes: np.ndarray) -> Any:
    """Labels that are odd or wrong in one way."""
    n = len(classes)
    text = np.array([f"c{c}" for c in classes], dtype=object)
    missing = text.copy()
    missing[: n // 2] = None
    options: list[Any] = [
        classes + 0.5,
        classes.astype(float),
        classes.astype(np.float32) * 1e30,
        np.where(classes == 0, np.nan, classes),
        np.where(classes == 0, np.inf, classes),
        np.where(classes == 0, -2, classes),
        np.full(n, -1),
        np.zeros(n, dtype=int),
        np.arange(n),
        text,
        text.tolist(),
        missing,
        missing.tolist(),
        text.astype(str),
        missing.astype(str),
        [*text[: n // 2].tolist(), *classes[n // 2 :].tolist()],
        [None] * n,
        [np.nan] * n,
        [pd.NA] * n,
        [object()] * n,
        [[1, 2]] * n,
        [[1], [2, 3]] * (n // 2),
        [(0,)] * n,
        classes[:, None],
        np.column_stack([classes, classes]),
        classes[:-1],
        np.append(classes, 0),
        [],
        "labels",
        3,
        object(),
        {"a": 1},
        {0, 1},
        classes.astype(bool),
        classes.astype(complex),
        classes.astype("datetime64[D]"),
        classes.astype("timedelta64[s]"),
        text.astype("S"),
        pd.Series(text),
        pd.Series(missing),
        pd.Series(text, index=np.arange(n)[::-1]),
        pd.Series(classes).astype("Int64").mask(pd.Series(classes) == 0),
        pd.Series(text).astype("category"),
        pd.Series(text).astype("string"),
        pd.Series(missing).astype("string[pyarrow]"),
        pd.Series(pd.date_range("2020", periods=n)),
        pl.Series(text.tolist()),
        pl.Series(missing.tolist()),
        np.where(classes == 0, 2**60, classes),
        classes.astype(np.uint64) + 2**63,
        [2**70 + int(c) for c in classes],
        [True, 2, "x"] * (n // 3) + ["x"] * (n % 3),
        np.ma.MaskedArray(classes, mask=classes == 0),
        [b"a"] * n,
    ]
    return options[int(random.integers(len(options)))]


def _extreme_weights(random: Random, classes: np.ndarray) -> Constraints:
    pairs = pairs_of(random, classes)
    scale = random.choice([1e-75, 1e-30, 1e30, 1e75])
    return Constraints(
        len(pairs),
        pairs.must_link,
        pairs.cannot_link,
        must_weight=np.full(len(pairs.must_link), scale),
        cannot_weight=np.full(len(pairs.cannot_link), random.choice([1.0, scale])),
    )


def _chain(n: int) -> Constraints:
    """A chain of must-links with a cannot-link between its ends."""
    if n < 3:
        return Constraints(n)
    return Constraints(n, [(i, i + 1) for i in range(n - 1)], [(0, n - 1)])
