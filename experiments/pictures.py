"""Pictures of a table as SVG: our numbers as dots and lines, the paper's as bars."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from experiments.figures import Figures, Records, figures

if TYPE_CHECKING:
    from experiments.table import Curves, Table

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555", "#8a5a44")
PAPER_COLOUR = "#c01515"
# No date and no version: the same data gives the same file.
NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))
DIGITS = re.compile(r"(\.\d\d)\d+")
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e5e5e5",
    "legend.frameon": False,
}


def pictures(table: Table, records: Records) -> dict[str, str]:
    """SVG by name: for each setting and column with printed numbers, and for each of the curves."""
    found = Figures(figures(table, records))
    made = {}
    for number, (setting, column) in enumerate(table.paper):
        chosen = found.of(setting=setting, column=column)
        if any(figure.paper is not None for figure in chosen):
            name = f"{table.name}_{number}"
            title = ", ".join(filter(None, (setting, column)))
            made[name] = _beside_the_paper(name, title, table, chosen)
    for number, curves in enumerate(table.curves):
        name = f"{table.name}_curves_{number}"
        panels = _panels(curves, table, found)
        if panels:
            made[name] = _lines(name, curves, table, panels)
    return made


@contextmanager
def drawing(name: str, made: list[str], **size: Any) -> Iterator[Any]:
    """Give a figure to draw on, and append its SVG to ``made``."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure as Canvas
    except ImportError:
        raise ImportError(
            "the pictures of the report need matplotlib: pip install 'pairspace[experiments]'"
        ) from None
    with mpl.rc_context({**STYLE, "svg.hashsalt": name}):
        canvas = Canvas(layout="constrained", **size)
        yield canvas
        buffer = io.StringIO()
        canvas.savefig(buffer, format="svg", metadata=NO_METADATA)
    text = buffer.getvalue()
    # Without the XML declaration, which is not allowed inside a page.
    made.append(_short(text[text.index("<svg") :]))


def _short(svg: str) -> str:
    """Remove indents and comments, and round coordinates to two digits; labels are kept."""
    lines = (line.strip() for line in svg.splitlines())
    kept = (line for line in lines if line and not line.startswith("<!--"))
    return "\n".join(line if "</text>" in line else DIGITS.sub(r"\1", line) for line in kept) + "\n"


def _beside_the_paper(name: str, title: str, table: Table, chosen: Figures) -> str:
    """A panel for each method, a row for each dataset: our number, the paper's, the gap."""
    methods = [
        method
        for method in table.methods
        if any(figure.paper is not None for figure in chosen.of(method=method))
    ]
    # A quick run has datasets that are not in the paper.
    known = dict.fromkeys([*table.datasets, *table.quick_datasets])
    datasets = [d for d in known if len(chosen.of(dataset=d))]
    made: list[str] = []
    height = 1.1 + 0.2 * max(len(datasets), 3)
    with drawing(name, made, figsize=(1.4 + 1.7 * len(methods), height)) as canvas:
        canvas.suptitle(title, fontsize=10)
        panels = canvas.subplots(1, len(methods), sharex=True, sharey=True, squeeze=False)[0]
        for panel, method in zip(panels, methods, strict=True):
            shown = chosen.of(method=method)
            rows = [datasets.index(figure.dataset) for figure in shown]
            compared = [
                (row, f.ours, f.paper)
                for row, f in zip(rows, shown, strict=True)
                if f.paper is not None
            ]
            at, ours, theirs = zip(*compared, strict=True)
            panel.hlines(at, ours, theirs, color="#bbbbbb", linewidth=1.5)
            panel.plot(theirs, at, "|", color=PAPER_COLOUR, markersize=10, mew=2)
            panel.plot([f.ours for f in shown], rows, "o", color=COLOURS[0], markersize=4.5)
            panel.set_title(_folded(method), fontsize=9)
            panel.set_yticks(range(len(datasets)), datasets)
            panel.tick_params(axis="y", length=0)
        panels[0].set_ylim(len(datasets) - 0.5, -0.5)
        handles = [
            panels[0].plot([], [], "o", color=COLOURS[0], markersize=4.5, label="ours")[0],
            panels[0].plot([], [], "|", color=PAPER_COLOUR, ms=10, mew=2, label="the paper's")[0],
        ]
        canvas.legend(handles=handles, loc="outside lower center", ncols=2)
    return made[0]


def _folded(text: str) -> str:
    return text.replace(", ", ",\n")


# ---- Curves ----------------------------------------------------------------------------------

Panel = tuple[str, dict[str, list[tuple[float, float]]]]


def _panels(curves: Curves, table: Table, found: Figures) -> list[Panel]:
    """For each dataset, and each setting if those are not the axis, the points of each method."""
    panels = []
    columns = curves.over == "columns"
    for dataset in dict.fromkeys(figure.dataset for figure in found):
        for setting in table.settings if columns else [""]:
            lines: dict[str, list[tuple[float, float]]] = {}
            for figure in found.of(dataset=dataset):
                label = figure.column if columns else figure.setting
                other = figure.setting == setting if columns else figure.column == curves.column
                if label in curves.x and other:
                    lines.setdefault(figure.method, []).append((curves.x[label], figure.ours))
            if lines:
                title = f"{dataset}, {setting}" if setting and len(table.settings) > 1 else dataset
                panels.append((title, {method: sorted(line) for method, line in lines.items()}))
    return panels


def _lines(name: str, curves: Curves, table: Table, panels: Sequence[Panel]) -> str:
    made: list[str] = []
    n_columns = min(len(panels), 4)
    n_rows = -(-len(panels) // n_columns)
    size = (max(1.0 + 2.3 * n_columns, 4.5), 0.6 + 2.0 * n_rows)
    with drawing(name, made, figsize=size) as canvas:
        drawn = canvas.subplots(n_rows, n_columns, squeeze=False).ravel()
        seen = {}
        for panel, (title, lines) in zip(drawn, panels, strict=False):
            for method, points in lines.items():
                place = list(table.methods).index(method)
                (seen[method],) = panel.plot(
                    *zip(*points, strict=True),
                    marker=".",
                    color=COLOURS[place % len(COLOURS)],
                    linewidth=1.2,
                    label=method,
                )
            panel.set_title(title, fontsize=9)
            if curves.logarithmic:
                panel.set_xscale("log")
        for panel in drawn[len(panels) :]:
            panel.set_axis_off()
        canvas.supxlabel(curves.x_label, fontsize=9)
        canvas.supylabel(curves.y_label, fontsize=9)
        canvas.legend(handles=list(seen.values()), loc="outside upper center", ncols=len(seen))
    return made[0]
