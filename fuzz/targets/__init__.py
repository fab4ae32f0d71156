"""What is tried: a function for each kind of public name, by its share of all cases."""

from collections.abc import Callable
from typing import Any

from fuzz.tables import Random
from fuzz.targets import (
    constraints,
    estimators,
    files,
    groups,
    metrics,
    questions,
    recipes,
    selection,
)

Target = Callable[[Random, list[Any]], None]

TARGETS: dict[Target, float] = {
    estimators.reducer: 0.54,
    estimators.clusterer: 0.08,
    groups.predicted: 0.01,
    constraints.constructed: 0.05,
    constraints.implied: 0.04,
    constraints.tables: 0.05,
    metrics.clusterings: 0.05,
    metrics.spaces: 0.06,
    files.models: 0.03,
    files.batches: 0.03,
    questions.asked: 0.01,
    questions.sorted_out: 0.02,
    recipes.made: 0.02,
    selection.validated: 0.015,
    selection.searched: 0.01,
    selection.chosen: 0.005,
}
