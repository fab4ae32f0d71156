"""The section on other libraries: each against PairSpace on the datasets where both ran."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from experiments.gains import Gain, Place, Values
from experiments.halves import CHOSEN_ON, REPORTED_ON
from experiments.report import figures, folded, markdown

if TYPE_CHECKING:
    from experiments.table import Cell, Table

METRICS = {"accuracy": "1-NN", "ari": "ARI"}
HALVES = {"development": CHOSEN_ON, "held-out": REPORTED_ON}
OURS = ("PCA", "PairSpace")


def page(table: Table, records: Mapping[Cell, Any]) -> str:
    """A table for each setting."""
    values = {
        Place(figure.setting, figure.column, figure.method, figure.dataset): figure.ours
        for figure in figures(table, records)
    }
    parts = [f"## {table.title}", *table.notes]
    for setting in table.settings:
        rows = [
            [method, half, *_beside_ours(values, setting, method, datasets)]
            for method in table.methods
            if method not in OURS
            for half, datasets in HALVES.items()
            if Gain(values, setting, "accuracy", method, datasets).of
        ]
        if rows:
            columns = [
                f"{name}, {who}" for name in METRICS.values() for who in ("the method", "PairSpace")
            ]
            head = ["method", "half", *columns, "sets"]
            parts.append(folded(f"Other libraries, {setting}", markdown([head, *rows])))
    return "\n\n".join(parts) + "\n"


def _beside_ours(values: Values, setting: str, method: str, datasets: tuple[str, ...]) -> list[str]:
    ran = tuple(Gain(values, setting, "accuracy", method, datasets).of)
    cells = [
        str(Gain(values, setting, metric, who, ran))
        for metric in METRICS
        for who in (method, "PairSpace")
    ]
    return [*cells, str(len(ran))]
