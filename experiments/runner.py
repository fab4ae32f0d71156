"""Run the missing cells of a table in parallel, and write each result immediately."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from experiments import results
from experiments.table import Cell, Split, Table

Outcome = dict[str, Any]


class Ran(NamedTuple):
    """How many cells ran, and which datasets were not available, with the remedy."""

    n_cells: int
    absent: dict[str, str]


def run(
    table: Table,
    file: Path,
    cells: Sequence[Cell] | None = None,
    *,
    n_jobs: int = 2,
    progress: bool = False,
    retry_errors: bool = False,
) -> Ran:
    """Run the cells that are not in ``file``, by default of all cells of the table.

    A method that raises does not stop the others: its cell keeps the error, and runs again only
    with ``retry_errors``. Cells whose data is not available are skipped.
    """
    done = results.read(file)
    if retry_errors:
        done = {cell: record for cell, record in done.items() if "error" not in record}
    todo = [cell for cell in (table.cells() if cells is None else cells) if cell not in done]
    by_split = [
        (split, [cell.method for cell in group])
        for split, group in groupby(todo, key=lambda cell: cell.split)
    ]
    # One split is one task: its methods share loading, imputation, scaling and pairs.
    parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
    tasks = (delayed(run_split)(table, split, methods) for split, methods in by_split)
    n_cells, absent = 0, {}
    with results.appending(file) as write, _bar(table.name, len(todo), progress) as advance:
        for finished in parallel(tasks):
            for cell, outcome in finished:
                if "absent" in outcome:
                    absent[cell.split.dataset] = outcome["absent"]
                else:
                    write(cell, outcome)
                    n_cells += 1
                advance(cell)
    return Ran(n_cells, absent)


def run_split(table: Table, split: Split, methods: Sequence[str]) -> list[tuple[Cell, Outcome]]:
    """The outcome of each method: its metrics or its error, and how long it took."""
    cells = [Cell(split, method) for method in methods]
    # Splits run in parallel, so threads inside them would compete for the cores.
    with threadpool_limits(limits=1):
        try:
            X, y = _loaded(table.load, split.dataset)
        except OSError as error:
            return [(cell, {"absent": str(error)}) for cell in cells]
        try:
            prepared = table.prepare(X, y, split, **table.settings[split.setting])
        except Exception as error:
            return [(cell, {"error": _said(error)}) for cell in cells]
        return [(cell, _measured(table, prepared, cell.method)) for cell in cells]


def _measured(table: Table, prepared: Any, method: str) -> Outcome:
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            outcome: Outcome = {"metrics": table.measure(prepared, table.all_methods[method])}
        except Exception as error:
            outcome = {"error": _said(error)}
    outcome["seconds"] = time.perf_counter() - start
    if warned:
        outcome["warnings"] = sorted({_said(warning.message) for warning in warned})
    return outcome


def _said(what: object) -> str:
    """The first line: below it scikit-learn's warnings have tracebacks with the machine's paths."""
    first = str(what).strip().partition("\n")[0]
    return f"{type(what).__name__}: {first}"


@lru_cache(maxsize=1)
def _loaded(load: Callable[[str], Any], dataset: str) -> Any:
    """A dataset, kept for the next split: the splits of a dataset come one after another."""
    return load(dataset)


@contextmanager
def _bar(name: str, total: int, wanted: bool) -> Iterator[Callable[[Cell], None]]:
    """A progress bar with the time left, or nothing."""
    if not wanted:
        yield lambda cell: None
        return
    try:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
    except ImportError:
        raise ImportError(
            "the progress bar needs rich: pip install 'pairspace[experiments]', or run with --quiet"
        ) from None
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    # The speed of the last ten minutes: datasets differ too much for that of the last seconds.
    with Progress(*columns, speed_estimate_period=600) as bar:
        task = bar.add_task(name, total=total)
        yield lambda cell: bar.update(task, advance=1, description=f"{name} {cell.split.dataset}")
