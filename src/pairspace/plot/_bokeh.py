"""The plots as Bokeh figures: zoom, pan, and the record under the pointer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

try:
    from bokeh.layouts import gridplot
    from bokeh.models import ColumnDataSource, HoverTool, LinearColorMapper, Span, Whisker
    from bokeh.plotting import figure
except ImportError:
    raise ImportError("interactive plots need Bokeh: pip install 'pairspace[app]'") from None

from pairspace._core.typing import Floats
from pairspace.constraints import UNKNOWN, Constraints, encode_labels, is_missing
from pairspace.metrics import pair_distances
from pairspace.plot import style
from pairspace.plot._choice import SCORE_LABEL, ShownScores
from pairspace.plot._marks import MAX_NAMED, lines_of

# Bokeh's names of style.MARKERS.
MARKERS = ("circle", "triangle", "square", "diamond", "inverted_triangle", "plus", "x")
MAX_CELL, MAX_FIELDS = 200, 20
WEBGL_FROM = 2_000  # points, from which on the graphics card draws


def refuse_axes(axes: Any) -> None:
    """Raise an error: matplotlib axes can't take an interactive plot."""
    if axes is not None:
        raise ValueError("interactive=True makes a Bokeh figure: leave out ax and axes")


def scatter(
    Z: Floats,
    places: tuple[Floats, Floats],
    components: tuple[int, int],
    constraints: Constraints | None,
    colours: Any,
    scale: bool,
    max_lines: int,
    records: Any,
) -> Any:
    """Rows as points, pairs as lines."""
    n = len(Z)
    plot = _figure(
        x_axis_label=f"component {components[0] + 1}",
        y_axis_label=f"component {components[1] + 1}" if Z.shape[1] > 1 else "",
        height=500,
        sizing_mode="stretch_width",
        output_backend="webgl" if n > WEBGL_FROM else "canvas",
    )
    plot.yaxis.visible = Z.shape[1] > 1
    if constraints is not None:
        at = np.column_stack(places)
        for lines in lines_of(constraints, pair_distances(Z, constraints), max_lines):
            ends = at[lines.drawn]
            plot.segment(
                *(ends[:, end, axis] for end in (0, 1) for axis in (0, 1)),
                color=style.VIOLATED_COLOUR if lines.violated else style.INTERACTIVE_INK,
                line_alpha=0.9 if lines.violated else 0.4,
                line_dash="solid" if lines.must else "dotted",
                legend_label=lines.label,
            )
    size = float(np.sqrt(style.point_area(n)) * 1.6)
    cells = {"row": np.arange(n), "x": places[0], "y": places[1]}
    shown = _fields(records, n)
    look = {"size": size, "line_color": None, "fill_alpha": style.point_alpha(n)}
    if scale:
        values = [np.nan if is_missing(value) else float(value) for value in colours]
        _of_length(values, n)
        mapper = LinearColorMapper("Viridis256", nan_color=style.UNKNOWN_COLOUR)
        source = ColumnDataSource({**cells, **shown, "value": values})
        points = [
            plot.scatter(
                "x", "y", source=source, color={"field": "value", "transform": mapper}, **look
            )
        ]
        plot.add_layout(
            points[0].construct_color_bar(title=getattr(colours, "name", None) or ""), "right"
        )
    else:
        points = _classes(plot, cells, shown, colours, look)
    tips = [("row", "@row"), *[("value", "@value")] * scale]
    tips += [("class", "@class")] * (colours is not None and not scale)
    # Bokeh escapes what it puts for @{name}; names of columns would not be.
    tips += [(_plain(name), f"@{{field {at}}}") for at, name in enumerate(_names(records))]
    plot.add_tools(HoverTool(renderers=points, tooltips=tips))
    if plot.legend:
        plot.legend.click_policy = "hide"
        plot.legend[0].update(orientation="horizontal", ncols=4, border_line_color=None)
        plot.add_layout(plot.legend[0], "below")  # where it covers no row
    return plot


def _classes(plot: Any, cells: Any, shown: Any, labels: Any, look: Any) -> list[Any]:
    """A renderer for each class, in the legend if they are few; unknown rows are below."""
    n = len(cells["row"])
    codes = np.full(n, UNKNOWN) if labels is None else encode_labels(labels)
    _of_length(codes, n)
    table = {name: np.asarray(values) for name, values in {**cells, **shown}.items()}
    points = []
    for code in range(UNKNOWN, int(codes.max(initial=UNKNOWN)) + 1):
        rows = np.flatnonzero(codes == code)
        if not len(rows):
            continue
        name = "unknown" if code == UNKNOWN else str(np.asarray(labels, dtype=object)[rows[0]])
        source = ColumnDataSource({key: values[rows] for key, values in table.items()})
        source.add([name] * len(rows), "class")
        colour, marker = (style.UNKNOWN_COLOUR, 0) if code == UNKNOWN else style.of_class(code)
        at = 0 if code == UNKNOWN else style.MARKERS.index(str(marker))
        options = {**look, "line_color": colour} if MARKERS[at] in ("plus", "x") else look
        if labels is not None and codes.max() < MAX_NAMED:
            options = {**options, "legend_label": style.shortened(name, 24)}
        points.append(
            plot.scatter("x", "y", source=source, marker=MARKERS[at], fill_color=colour, **options)
        )
    return points


def leaderboard(shown: ShownScores) -> Any:
    """Candidates with their scores and errors."""
    names = [f"{at + 1}. {name}" for at, name in enumerate(shown.names)]  # all different
    plot = _figure(
        y_range=names[::-1],
        x_axis_label=SCORE_LABEL,
        height=90 + 24 * len(names),
        sizing_mode="stretch_width",
    )
    if shown.pca is not None:
        plot.add_layout(Span(location=shown.pca, dimension="height", line_dash="dashed"))
    colours = (style.CHOSEN_COLOUR, style.INTERACTIVE_INK, style.OTHER_COLOUR)
    points = []
    for (group, label), colour in zip(shown.groups, colours, strict=True):
        rows = np.flatnonzero(group)
        if not len(rows):
            continue
        mean, error = shown.mean[rows], np.nan_to_num(shown.error[rows], posinf=0.0)
        source = ColumnDataSource(
            {
                "name": [names[row] for row in rows],
                "mean": mean,
                "error": error,
                "low": mean - error,
                "high": mean + error,
            }
        )
        points.append(
            plot.scatter("mean", "name", source=source, size=9, color=colour, legend_label=label)
        )
        plot.add_layout(
            Whisker(
                base="name", lower="low", upper="high", source=source, dimension="width",
                line_color=colour,
            )
        )  # fmt: skip
    tips = [("", "@name"), ("pair AUC", "@mean{0.000} ± @error{0.000}")]
    plot.add_tools(HoverTool(renderers=points, tooltips=tips))
    return plot


def spectrum(values: Floats, what: str, title: str) -> Any:
    """A line for each eigenvalue."""
    plot = _figure(title=title, x_axis_label="component", y_axis_label=what, width=500, height=300)
    source = ColumnDataSource(
        {"number": np.arange(1, len(values) + 1), "value": values, "zero": np.zeros(len(values))}
    )
    plot.segment(
        "number", "zero", "number", "value", source=source, color=style.CHOSEN_COLOUR, line_width=2
    )
    points = plot.scatter("number", "value", source=source, size=8, color=style.CHOSEN_COLOUR)
    tips = [("component", "@number"), (what, "@value{0.0000}")]
    plot.add_tools(HoverTool(renderers=[points], tooltips=tips))
    return plot


def side_by_side(plots: Sequence[Any], titles: Sequence[str]) -> Any:
    """Figures in rows of four."""
    for plot, title in zip(plots, titles, strict=True):
        plot.title.text = title
        plot.update(height=380)
    return gridplot(
        list(plots), ncols=min(len(plots), 4), sizing_mode="stretch_width", merge_tools=False
    )


def _figure(**options: Any) -> Any:
    plot = figure(tools="pan,wheel_zoom,box_zoom,reset,save", active_scroll="wheel_zoom", **options)
    plot.toolbar.logo = None
    return plot


def _names(records: Any) -> list[str]:
    return [] if records is None else [str(name) for name in records.columns[:MAX_FIELDS]]


def _plain(name: str) -> str:
    """The name of a column without what Bokeh would take for HTML or for a field."""
    return "".join(" " if sign in "<>&@$\"'" else sign for sign in style.shortened(name, 40))


def _fields(records: Any, n: int) -> dict[str, list[str]]:
    """The cells of records as text."""
    if records is None:
        return {}
    _of_length(records, n)
    return {
        f"field {at}": [
            "" if is_missing(cell) else style.shortened(cell, MAX_CELL)
            for cell in records.iloc[:, at]
        ]
        for at in range(len(_names(records)))
    }


def _of_length(values: Any, n: int) -> None:
    if len(values) != n:
        raise ValueError(f"the embedding has {n} rows, but there are {len(values)} values for them")
