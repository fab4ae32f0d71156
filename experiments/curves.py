"""The picture of our study: each method against the number of answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from experiments.figures import Figure, Records, figures
from experiments.halves import REPORTED_ON
from experiments.pictures import drawing

if TYPE_CHECKING:
    from experiments.table import Table

ANSWERS = (0, 2, 5, 10, 20, 50)
SHOWN = {
    "PCA": "#555555",
    "PairSpace": "#d55e00",
    "CFLD, shrunk": "#009e73",
    "WBDR, shrunk": "#e69f00",
    "SSDR": "#cc79a7",
    "BWDR": "#0072b2",
}
TITLES = {"accuracy": "1-NN accuracy", "ari": "ARI of k-means"}


def pictures(table: Table, records: Records) -> dict[str, str]:
    """Means over the held-out half against the pairs a class, standardised."""
    values = figures(table, records)
    made: list[str] = []
    with drawing(table.name, made, figsize=(10, 4.2)) as canvas:
        axes = canvas.subplots(1, 2)
        for axis, (metric, title) in zip(axes, TITLES.items(), strict=True):
            for method, colour in SHOWN.items():
                means = means_over_sets(values, metric, method)
                axis.plot(
                    [ANSWERS.index(answers) for answers in means],
                    list(means.values()),
                    "--" if method == "PCA" else "o-",
                    color=colour,
                    markersize=4,
                    linewidth=2.4 if method == "PairSpace" else 1.4,
                    label=method,
                )
            axis.set(
                title=f"{title}, {len(REPORTED_ON)} datasets",
                xlabel="must-links a class, and as many cannot-links",
                xticks=range(len(ANSWERS)),
                xticklabels=ANSWERS,
            )
            axis.grid(alpha=0.3)
        axes[0].legend(fontsize="small")
    return {table.name: made[0]}


def means_over_sets(values: Sequence[Figure], metric: str, method: str) -> dict[int, float]:
    """For each number of answers with which the method ran on the whole half, its mean there."""
    found = {}
    for answers in ANSWERS:
        setting = f"{answers} pairs{' a class' * (answers > 0)}, standardised"
        of_sets = [
            value.ours
            for value in values
            if (value.setting, value.column, value.method) == (setting, metric, method)
            and value.dataset in REPORTED_ON
        ]
        if len(of_sets) == len(REPORTED_ON):
            found[answers] = float(np.mean(of_sets))
    return found
