"""The Markdown page of a table: our numbers and the paper's, made from the results file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from experiments.figures import Figure, Figures, Records, figures, mean_deviation

if TYPE_CHECKING:
    from experiments.table import Table

__all__ = ["figures", "folded", "markdown", "measured", "page", "verdict_of", "why_of"]


def page(table: Table, records: Records, pictures: Iterable[str] = ()) -> str:
    """The section of a table; ``pictures`` are the paths of its pictures."""
    found = Figures(figures(table, records))
    parts = [
        f"## {table.title}",
        f"**{verdict_of(table, records)}** {why_of(table, records)}".strip(),
    ]
    parts += [f"![{table.title}]({path})" for path in pictures]
    parts += [*table.notes, _what_ran(table, records)]
    parts += _claims(table, found) if _is_whole(table, records) else []
    parts += table.remarks(found) if table.remarks and found else []
    deviations = _deviation_rows(table, found)
    if deviations:
        parts += ["### Deviation from the paper", _deviation_grid(table, deviations)]
    grids = _grids(table, found) if table.show_grids else []
    if grids:
        parts += ["### Dataset by dataset", *grids]
    errors = _errors(table, records)
    if errors:
        parts += ["### Errors", folded("Cells that ended with an error", errors)]
    return "\n\n".join(parts) + "\n"


# ---- Verdicts --------------------------------------------------------------------------------


class Deviation(NamedTuple):
    """How far a method is from what the paper prints for it."""

    setting: str
    column: str
    method: str
    compared: Figures
    mean: float
    judged: float

    @property
    def largest(self) -> Figure:
        """Where it is farthest."""
        return max(self.compared, key=lambda figure: abs(figure.deviation or 0.0))


def verdict_of(table: Table, records: Records) -> str:
    """The verdict, in a sentence."""
    found = Figures(figures(table, records))
    if not _is_whole(table, records):
        n_done = sum(cell in records for cell in table.cells())
        return f"No verdict: {n_done:,} of {len(table.cells()):,} cells have run."
    parts = []
    rows = _deviation_rows(table, found)
    if rows and table.tolerance is not None:
        good = [row for row in rows if row.judged <= table.tolerance]
        bad = [row for row in rows if row.judged > table.tolerance]
        judged = np.mean([row.judged for row in rows])
        what = "deviation of the means" if table.judge_means else "mean deviation"
        word = "Does not reproduce" if not good else "Reproduces in part" if bad else "Reproduces"
        parts.append(
            f"{word}: the {what} from the paper is {judged:.3f}. It is at most "
            f"{table.tolerance} in {len(good)} of {len(rows)} columns."
        )
    held = [claim.holds(found)[0] for claim in table.claims]
    if held:
        parts.append(f"{sum(held)} of {len(held)} claims of the paper hold.")
    return " ".join(parts) or "The paper prints no numbers."


def why_of(table: Table, records: Records) -> str:
    """Known reasons for differences, if all cells have run."""
    return table.why if _is_whole(table, records) else ""


def _is_whole(table: Table, records: Records) -> bool:
    return all(cell in records for cell in table.cells())


def _claims(table: Table, found: Figures) -> list[str]:
    if not table.claims:
        return []
    rows = []
    for claim in table.claims:
        held, numbers = claim.holds(found)
        rows.append([claim.text, "holds" if held else "does not hold", numbers])
    return ["### Claims of the paper", markdown([["claim", "verdict", "our numbers"], *rows])]


def _deviation_rows(table: Table, found: Figures) -> list[Deviation]:
    rows = []
    for setting, column in table.paper:
        for method in table.methods:
            chosen = found.of(setting=setting, column=column, method=method)
            compared = Figures(figure for figure in chosen if figure.paper is not None)
            mean = mean_deviation(compared)
            if mean is not None:
                of_means = abs(compared.mean() - compared.paper_mean())
                judged = of_means if table.judge_means else mean
                rows.append(Deviation(setting, column, method, compared, mean, judged))
    return rows


def _deviation_grid(table: Table, rows: Sequence[Deviation]) -> str:
    head = ["", "method", "compared", "ours", "paper", "mean \\|ours − paper\\|", "largest"]
    which = ", of the means" if table.judge_means else ""
    verdicts = [] if table.tolerance is None else [f"at most {table.tolerance}{which}?"]
    body = []
    for row in rows:
        worst = row.largest
        line = [
            _named(table, row.setting, row.column),
            row.method,
            str(len(row.compared)),
            f"{row.compared.mean():.3f}",
            f"{row.compared.paper_mean():.3f}",
            f"{row.mean:.3f}",
            f"{worst.dataset} {worst.deviation:+.3f}",
        ]
        if table.tolerance is not None:
            line.append("reproduces" if row.judged <= table.tolerance else "does not reproduce")
        body.append(line)
    return markdown([[*head, *verdicts], *body])


# ---- Grids -----------------------------------------------------------------------------------


def _what_ran(table: Table, records: Records) -> str:
    done = [cell for cell in table.cells() if cell in records]
    ran = (
        f"{len(done):,} of {len(table.cells()):,} cells ran (repeats × folds × datasets: "
        f"{table.repeats} × {table.folds} × {len(table.datasets)})."
    )
    if not table.show_grids:
        return ran
    return f"{ran} Each entry is *ours* / the paper's (difference). – means not printed or not run."


def _grids(table: Table, found: Figures) -> list[str]:
    parts = []
    for setting in table.settings:
        for column in dict.fromkeys(figure.column for figure in found):
            chosen = found.of(setting=setting, column=column)
            if len(chosen):
                title = _named(table, setting, column) or table.title
                parts.append(folded(title, _grid(table, chosen)))
    return parts


def _named(table: Table, setting: str, column: str) -> str:
    return ", ".join(filter(None, (setting, column)))


def _grid(table: Table, chosen: Figures) -> str:
    by_place = {(figure.dataset, figure.method): figure for figure in chosen}
    datasets = list(
        dict.fromkeys([*table.datasets, *table.quick_datasets, *(f.dataset for f in chosen)])
    )
    rows = [
        [dataset, *(_entry(by_place.get((dataset, method))) for method in table.methods)]
        for dataset in datasets
        if any((dataset, method) in by_place for method in table.methods)
    ]
    if len(rows) > 1:
        means = [
            f"*{np.mean([f.ours for f in chosen if f.method == method] or [np.nan]):.3f}*"
            for method in table.methods
        ]
        rows.append(["mean", *means])
    return markdown([["", *table.methods], *rows])


def _entry(figure: Figure | None) -> str:
    if figure is None:
        return "–"
    if figure.paper is None:
        return f"*{figure.ours:.3f}*"
    return f"*{figure.ours:.3f}* / {figure.paper:.3f} ({figure.deviation:+.3f})"


def _errors(table: Table, records: Records) -> str:
    counted: dict[tuple[str, str, str], int] = defaultdict(int)
    for cell, record in records.items():
        if "error" in record and cell.method in table.methods:
            counted[cell.split.dataset, cell.method, str(record["error"])] += 1
    return "\n".join(
        f"- {dataset}, {method}, {count} cell{'s' * (count > 1)}: {error}"
        for (dataset, method, error), count in counted.items()
    )


def measured(table: Table, records: Records) -> list[str]:
    """How a study was made, and how much of it ran."""
    n_done = sum(cell in records for cell in table.cells())
    ran = f"{n_done:,} of {len(table.cells()):,} cells ran."
    return ["### How it was measured", *table.notes, ran]


def folded(summary: str, *parts: str) -> str:
    """A part of a page that opens by a click, for long tables; it may have no headings."""
    return "\n\n".join([f"<details>\n<summary>{summary}</summary>", *parts, "</details>"])


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first row is the head."""
    head, *body = rows
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *body])
