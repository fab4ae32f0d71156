"""A table that costs nothing to run."""

import numpy as np
import pytest

from experiments.table import Table, printed


def seed_and_method(X, y, split, **setting):
    return split, len(X), setting


@pytest.fixture
def calls():
    return []


@pytest.fixture
def table(calls):
    """Three datasets × two settings × two repeats × two folds × two methods, at no cost."""

    def measure(prepared, make):
        split, n_rows, setting = prepared
        calls.append((split, make))
        return {"value": n_rows + setting["more"], "seed": split.pair_seed}

    return Table(
        name="toy",
        title="A toy",
        datasets=("iris", "wine", "rings"),
        methods={"one": lambda k: "one", "two": lambda k: "two"},
        settings={"few": {"more": 0.5}, "many": {"more": 1.0}},
        repeats=2,
        folds=2,
        prepare=seed_and_method,
        measure=measure,
        summarise=lambda metrics: {"value": float(np.mean([m["value"] for m in metrics]))},
        paper={("few", "value"): printed("one\n iris 150\n wine -\n rings 401")},
    )
