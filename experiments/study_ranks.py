"""The page of the mean ranks of our study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from experiments.figures import Figures, Records, figures
from experiments.ranks import Ranking, critical_difference_picture, ranking
from experiments.report import folded, markdown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from experiments.table import Table

SETTINGS = tuple(
    f"{known}, standardised"
    for known in (
        "5 pairs a class",
        "20 pairs a class",
        "1 % of all pairs",
        "30 % of all pairs",
        "10 % of the labels",
    )
)
METRICS = {"accuracy": "1-NN", "ari": "ARI of k-means"}


def rankings(table: Table, records: Records, column: str) -> dict[str, Ranking]:
    """The ranking in each setting, of the methods with a result on every dataset."""
    found = Figures(figures(table, records)).of(column=column)
    ranked = {}
    for setting in table.settings:
        here = found.of(setting=setting)
        scores = {
            method: [by_dataset[dataset] for dataset in table.datasets]
            for method in table.methods
            for by_dataset in [{f.dataset: f.ours for f in here.of(method=method)}]
            if set(table.datasets) <= set(by_dataset)
        }
        if len(scores) >= 3:
            ranked[setting] = ranking(scores)
    return ranked


def pictures(table: Table, records: Records) -> dict[str, str]:
    """A picture for each metric, a diagram for each setting."""
    made = {}
    for column in METRICS:
        ranked = rankings(table, records, column)
        if ranked:
            name = f"{table.name}_{column}"
            made[name] = critical_difference_picture(name, ranked)
    return made


def page(table: Table, records: Records, paths: Iterable[str] = ()) -> str:
    """The pictures, and their numbers."""
    return (
        "\n\n".join([f"## {table.title}", *table.notes, *tables_of_ranks(table, records, paths)])
        + "\n"
    )


def tables_of_ranks(table: Table, records: Records, paths: Iterable[str] = ()) -> list[str]:
    """A section for each metric: its picture, and the mean ranks."""
    parts: list[str] = []
    shown = dict(zip(METRICS, paths, strict=False))
    for column, name in METRICS.items():
        ranked = rankings(table, records, column)
        if not ranked:
            continue
        parts.append(f"### By {name}")
        if column in shown:
            parts.append(f"![Critical differences by {name}]({shown[column]})")
        rows = [
            [method, *(_rank_of(method, found) for found in ranked.values())]
            for method in table.methods
            if any(method in found.methods for found in ranked.values())
        ]
        critical = [f"{found.critical_difference:.2f}" for found in ranked.values()]
        rows.append(["critical difference", *critical])
        parts.append(folded(f"Mean ranks by {name}", markdown([["mean rank", *ranked], *rows])))
    return parts


def _rank_of(method: str, found: Ranking) -> str:
    if method not in found.methods:
        return "–"
    return f"{found.ranks[list(found.methods).index(method)]:.1f}"
