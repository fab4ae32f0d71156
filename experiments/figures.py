"""The figures of a table: one for each column, setting, dataset and method, from its cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from experiments.table import Cell, Table

Records = Mapping["Cell", Mapping[str, Any]]


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
        if _is_declared(table, cell) and "metrics" in record:
            grouped[cell.split.setting, cell.split.dataset, cell.method].append(record["metrics"])
    return [
        Figure(
            column,
            setting,
            dataset,
            method,
            ours,
            _printed(table, setting, column, dataset, method),
        )
        for (setting, dataset, method), metrics in grouped.items()
        for column, ours in table.summarise(metrics).items()
    ]


def _is_declared(table: Table, cell: Cell) -> bool:
    dataset, setting, repeat, _ = cell.split
    # Its own results may have datasets that were named on the command line.
    shown = not table.results or dataset in {*table.datasets, *table.quick_datasets}
    known = cell.method in table.all_methods and setting in table.settings
    return shown and known and repeat < table.repeats


def _printed(table: Table, setting: str, column: str, dataset: str, method: str) -> float | None:
    return table.paper.get((setting, column), {}).get(dataset, {}).get(method)


def mean_deviation(chosen: Iterable[Figure]) -> float | None:
    """Mean |ours − paper| over the figures that the paper prints."""
    gaps = [abs(figure.deviation) for figure in chosen if figure.deviation is not None]
    return float(np.mean(gaps)) if gaps else None


class Figures(Sequence[Figure]):
    """Figures to choose from by name."""

    def __init__(self, found: Iterable[Figure]) -> None:
        self._found = list(found)

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Figure]:
        return iter(self._found)

    def __getitem__(self, index: Any) -> Any:
        return self._found[index]

    def of(self, **where: str) -> Figures:
        """Those with this ``method``, ``column``, ``setting`` and ``dataset``."""
        return Figures(
            figure
            for figure in self._found
            if all(getattr(figure, name) == value for name, value in where.items())
        )

    def mean(self, **where: str) -> float:
        """The mean of ours."""
        return float(np.mean([figure.ours for figure in self._chosen(where)]))

    def paper_mean(self, **where: str) -> float:
        """The mean of the paper's, where it has one."""
        printed = [f.paper for f in self._chosen(where) if f.paper is not None]
        return float(np.mean(printed)) if printed else np.nan

    def by_dataset(self, **where: str) -> dict[str, float]:
        """Ours for each dataset."""
        return {figure.dataset: figure.ours for figure in self._chosen(where)}

    def wins(self, method: str, others: Sequence[str], *, smaller: bool = False) -> tuple[int, int]:
        """In how many places a method is at least as good as the best of others, and of how many.

        A place is a column, a setting and a dataset.
        """
        sign = -1 if smaller else 1
        best: dict[tuple[str, str, str], float] = {}
        for figure in self._found:
            if figure.method in others:
                place = (figure.column, figure.setting, figure.dataset)
                best[place] = max(best.get(place, -np.inf), sign * figure.ours)
        own = {(f.column, f.setting, f.dataset): sign * f.ours for f in self.of(method=method)}
        compared = [place for place in own if place in best]
        return sum(own[place] >= best[place] for place in compared), len(compared)

    def _chosen(self, where: Mapping[str, str]) -> Figures:
        chosen = self.of(**where)
        if not len(chosen):
            raise LookupError(f"no figure has {dict(where)}")
        return chosen
