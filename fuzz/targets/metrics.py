"""All metrics."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzz.judges import Refused, Unchanged, require, run
from fuzz.supervision import any_supervision, bad_labels
from fuzz.tables import Random, any_table
from pairspace import metrics


def clusterings(random: Random, log: list[Any]) -> None:
    """Labels of every kind: a number between 0 and 1, or a refusal."""
    n = int(random.integers(0, 20))
    true, found = random.integers(4, size=(2, n))
    a = bad_labels(random, true) if random.random() < 0.5 else true
    b = bad_labels(random, found) if random.random() < 0.4 else found
    name = str(random.choice(["normalized_rand_index", "pair_f_score", "purity"]))
    metric = getattr(metrics, name)
    log += [name, a, b]
    watched = Unchanged(a=a, b=b)
    value = run(lambda: metric(a, b))
    watched.check()
    if isinstance(value, Refused):
        require(a is not true or b is not found or not n, f"refused: {value!r}")
        return
    require(isinstance(value, float) and 0 <= value <= 1 + 1e-12, f"{name} is {value!r}")
    if a is true and b is found:
        names = np.array(["x", "b", "q", "a"])
        require(metric(names[a], b) == value, "renamed classes change the value")
        order = random.permutation(n)
        require(abs(metric(a[order], b[order]) - value) < 1e-12, "another order changes the value")


def spaces(random: Random, log: list[Any]) -> None:
    """Tables and supervision of every kind."""
    table = any_table(random)
    known = any_supervision(random, table.classes)
    y = known.y if known.constraints is None or random.random() < 0.5 else known.constraints
    name = str(random.choice(["pair_auc", "cumulative_purity", "pair_distances"]))
    log += [name, table, known]
    watched = Unchanged(X=table.given, y=y)
    value = run(lambda: getattr(metrics, name)(table.given, y))
    watched.check()
    if isinstance(value, Refused):
        return
    require(table.is_good, "it took what is no table of finite numbers")
    if name == "pair_distances":
        require(np.isfinite([*value.must, *value.cannot, value.threshold]).all(), "not finite")
        require(value.n_violations >= 0, "n_violations")
    else:
        # pair_auc is NaN, with a warning, if pairs of one kind are missing.
        value = np.nan_to_num(np.atleast_1d(value)) if name == "pair_auc" else value
        require(np.all((value >= 0) & (value <= 1 + 1e-12)), f"{name} is {value!r}")
