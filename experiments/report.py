"""The Markdown page of a table: ours beside the paper's, made from the results file alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from experiments.table import Cell, Table

Records = Mapping[Cell, Mapping[str, Any]]


class Figure(NamedTuple):
    """One figure of the report."""

    column: str
    setting: str
    dataset: str
    method: str
    ours: float
    paper: float | None

    @property
    def deviation(self) -> float | None:
        """Ours − the paper's."""
        return None if self.paper is None else self.ours - self.paper


def figures(table: Table, records: Records) -> list[Figure]:
    """Every figure, from those of its cells that are there."""
    grouped = defaultdict(list)
    for cell, record in records.items():
        declared = cell.method in table.all_methods and cell.split.setting in table.settings
        if declared and "metrics" in record:
            grouped[cell.split.setting, cell.split.dataset, cell.method].append(record["metrics"])
    return [
        Figure(column, setting, dataset, method, ours, _printed(table, column, dataset, method))
        for (setting, dataset, method), metrics in grouped.items()
        for column, ours in table.summarise(metrics).items()
    ]


def _printed(table: Table, column: str, dataset: str, method: str) -> float | None:
    return table.paper.get(column, {}).get(dataset, {}).get(method)


def page(table: Table, records: Records) -> str:
    """The section of a table."""
    found = figures(table, records)
    done = [cell for cell in table.cells() if cell in records]
    errors = {c: r["error"] for c, r in records.items() if "error" in r}
    parts = [
        f"## {table.title}",
        *table.notes,
        f"{len(done)} of {len(table.cells())} cells: {table.repeats} × {table.folds} folds. Each "
        "entry is *ours* / the paper's (the difference); – is not printed or not run.",
    ]
    for setting in table.settings:
        for column in dict.fromkeys(figure.column for figure in found):
            chosen = [f for f in found if (f.setting, f.column) == (setting, column)]
            parts += [f"### {', '.join(filter(None, (setting, column)))}", _grid(table, chosen)]
    deviations = _deviations(table, found)
    if deviations:
        parts += ["### Deviation from the paper", deviations]
    if errors:
        parts += ["### Cells that raised", _error_list(errors)]
    return "\n\n".join(parts) + "\n"


def mean_deviation(chosen: Iterable[Figure]) -> float | None:
    """Mean |ours − paper| over the figures that the paper prints."""
    gaps = [abs(figure.deviation) for figure in chosen if figure.deviation is not None]
    return float(np.mean(gaps)) if gaps else None


def _grid(table: Table, chosen: Sequence[Figure]) -> str:
    by_place = {(figure.dataset, figure.method): figure for figure in chosen}
    datasets = list(
        dict.fromkeys([*table.datasets, *table.quick_datasets, *(f.dataset for f in chosen)])
    )
    rows = [
        [dataset, *(_entry(by_place.get((dataset, method))) for method in table.methods)]
        for dataset in datasets
        if any((dataset, method) in by_place for method in table.methods)
    ]
    means = [
        f"*{np.mean([f.ours for f in chosen if f.method == method] or [np.nan]):.3f}*"
        for method in table.methods
    ]
    return markdown([["", *table.methods], *rows, ["mean", *means]])


def _entry(figure: Figure | None) -> str:
    if figure is None:
        return "–"
    if figure.paper is None:
        return f"*{figure.ours:.3f}*"
    return f"*{figure.ours:.3f}* / {figure.paper:.2f} ({figure.deviation:+.3f})"


def _deviations(table: Table, found: Sequence[Figure]) -> str:
    rows = []
    for column, method in product(table.paper, table.methods):
        compared = {
            figure: figure.deviation
            for figure in found
            if (figure.column, figure.method) == (column, method) and figure.deviation is not None
        }
        mean = mean_deviation(compared)
        if mean is None:
            continue
        worst, gap = max(compared.items(), key=lambda item: abs(item[1]))
        verdict = "reproduces" if mean <= table.tolerance else "does not reproduce"
        rows.append(
            [
                column,
                method,
                str(len(compared)),
                f"{mean:.3f}",
                f"{worst.dataset} {gap:+.3f}",
                f"{verdict} (≤ {table.tolerance})",
            ]
        )
    head = ["column", "method", "compared", "mean \\|ours − paper\\|", "largest", "verdict"]
    return markdown([head, *rows]) if rows else ""


def _error_list(errors: Mapping[Cell, str]) -> str:
    counted: dict[tuple[str, str, str], int] = defaultdict(int)
    for cell, error in errors.items():
        counted[cell.split.dataset, cell.method, error] += 1
    return "\n".join(
        f"- {dataset}, {method}, {count} cells: {error}"
        for (dataset, method, error), count in counted.items()
    )


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first row is the head."""
    head, *body = rows
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *body])
