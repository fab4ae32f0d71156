"""The map: all rows in the current space, with the answers as lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

import numpy as np
from bokeh.core.property.descriptors import UnsetValueError
from bokeh.events import DoubleTap, Tap
from bokeh.models import ColumnDataSource, LinearColorMapper, Range1d
from bokeh.plotting import figure

from pairspace._core.typing import Floats
from pairspace.constraints import Constraints
from pairspace.tool.app.colours import OTHER, Colours
from pairspace.tool.app.items import cut
from pairspace.tool.app.view import View, lines_of

# With more lines nothing could be seen.
MAX_LINES = 400
USUAL_RATIO = 1.4  # of width and height, until the browser reports them
REACH = 2.0  # of the frame, in ranges of the middle 96 % of the rows: rows beyond are at its edge
MARGIN = 1.05  # so that no point is cut by the frame
CLICK_RADIUS = 12  # pixels between a click and the point it selects, at most
SAME, DIFFERENT, VIOLATED, INK = "#0072b2", "#b4530a", "#c1121f", "#1b2733"


class Map:
    """A scatter plot of all rows, drawn by the graphics card.

    An answer only changes lines and rings. Coordinates are sent to the browser, in single
    precision, when there is a new space.

    Parameters
    ----------
    n_rows : int
        The number of rows.
    on_click : callable
        Called with the row that was clicked.
    """

    def __init__(self, n_rows: int, on_click: Callable[[int], None]) -> None:
        nothing = np.zeros(n_rows, dtype=np.float32)
        self._points = ColumnDataSource({"x": nothing, "y": nothing, "colour": nothing})
        self._lines = ColumnDataSource(_no_lines())
        self._rings = ColumnDataSource({"x": [], "y": []})
        self._far = ColumnDataSource({"x": [], "y": []})
        self._mapper = LinearColorMapper(palette=[OTHER], low=0, high=1, nan_color=OTHER)
        self._places: Floats | None = None
        self._framed: list[tuple[float, float]] | None = None
        self._marked: tuple[int, ...] = ()
        self._on_click = on_click
        self.figure = self._draw(n_rows)
        self.figure.on_event(Tap, self._tapped)
        self.figure.on_event(DoubleTap, self._tapped)  # two points clicked quickly

    def show_view(self, view: View) -> None:
        """Move the rows to new coordinates; rows far from all others are drawn at the edge."""
        centre, half = self._frame(view.points)
        self._places = np.clip(view.points, centre - half, centre + half)
        x, y = self._places.T
        self._points.data.update(x=x.astype(np.float32), y=y.astype(np.float32))
        far = (self._places != view.points).any(axis=1)
        self._far.data = {"x": x[far], "y": y[far]}
        self.mark(self._marked)

    def _frame(self, points: Floats) -> tuple[Floats, Floats]:
        """The middle of the frame and half its size; zoom to it unless the person has zoomed.

        It has all rows, but not at any price: one row far away would make all others a blot.
        """
        low, high = np.percentile(points, [2, 98], axis=0)
        reach = REACH * max(float((high - low).max()), 1e-9)
        low, high = (
            np.maximum(points.min(axis=0), low - reach),
            np.minimum(points.max(axis=0), high + reach),
        )
        size = self._size()
        ratio = size[0] / size[1] if size else USUAL_RATIO
        across = float(max(*((high - low) * [1, ratio]), 1e-9)) / 2
        # A little more, so that rounding leaves no row outside.
        centre, half = (low + high) / 2, (1 + 1e-9) * np.array([across, across / ratio])
        ranges = self.figure.x_range, self.figure.y_range
        if self._framed in (None, [(each.start, each.end) for each in ranges]):
            self._framed = [
                (float(middle - MARGIN * away), float(middle + MARGIN * away))
                for middle, away in zip(centre, half, strict=True)
            ]
            for each, (start, end) in zip(ranges, self._framed, strict=True):
                each.update(start=start, end=end, reset_start=start, reset_end=end)
        return centre, half

    def show_colours(self, colours: Colours) -> None:
        """Colour the rows."""
        self._mapper.update(palette=colours.palette, low=colours.low, high=colours.high)
        self._points.data["colour"] = colours.values

    def show_answers(self, answers: Constraints, embedding: Any) -> None:
        """Show answers as lines, in red those that the space violates."""
        if self._places is None:
            return
        lines = lines_of(answers, embedding, MAX_LINES)
        ends = self._places[lines.pairs]
        colour = np.where(lines.violated, VIOLATED, np.where(lines.same, SAME, DIFFERENT))
        self._lines.data = {
            "x0": ends[:, 0, 0],
            "y0": ends[:, 0, 1],
            "x1": ends[:, 1, 0],
            "y1": ends[:, 1, 1],
            "colour": colour.tolist(),
            "dash": np.where(lines.same, "solid", "dashed").tolist(),
            "width": np.where(lines.violated, 2.5, 1.5),
        }

    def mark(self, rows: tuple[int, ...]) -> None:
        """Draw rings around the rows of the question, or around a selected row."""
        self._marked = rows
        if self._places is not None:
            x, y = self._places[list(rows)].reshape(-1, 2).T
            self._rings.data = {"x": x, "y": y}

    def _draw(self, n_rows: int) -> Any:
        plot = figure(
            output_backend="webgl",
            tools="pan,wheel_zoom,reset",
            active_scroll="wheel_zoom",
            toolbar_location="above",
            sizing_mode="stretch_both",
            min_height=180,
            x_range=Range1d(),
            y_range=Range1d(),
        )
        plot.toolbar.logo = None
        plot.toolbar.autohide = True
        plot.axis.visible = False
        plot.grid.visible = False
        plot.outline_line_color = None
        plot.background_fill_color = None
        plot.border_fill_color = None
        plot.min_border = 2
        size = float(np.clip(60 / np.sqrt(max(n_rows, 1)) * 4, 2.5, 8))
        plot.scatter(
            "x",
            "y",
            source=self._points,
            size=size,
            fill_color={"field": "colour", "transform": self._mapper},
            fill_alpha=0.75,
            line_color=None,
        )
        plot.scatter(
            "x", "y", source=self._far, marker="diamond", size=size + 8, fill_color=None,
            line_color=INK, line_width=1,
        )  # fmt: skip
        plot.segment(
            x0="x0",
            y0="y0",
            x1="x1",
            y1="y1",
            source=self._lines,
            line_color="colour",
            line_dash="dash",
            line_width="width",
            line_alpha=0.85,
        )
        plot.scatter(
            "x", "y", source=self._rings, size=16, fill_color=None, line_color=INK, line_width=2.5
        )
        return plot

    def _tapped(self, event: Any) -> None:
        """Select the row nearest to the click."""
        if self._places is None or event.x is None:
            return
        away = np.hypot(*(self._places - [event.x, event.y]).T)
        nearest = int(np.argmin(away))
        if away[nearest] <= CLICK_RADIUS * self._pixel():
            self._on_click(nearest)

    def _pixel(self) -> float:
        """The width of a pixel in units of the space."""
        size = self._size()
        shown = self.figure.x_range
        return abs(shown.end - shown.start) / size[0] if size else np.inf

    def _size(self) -> tuple[int, int] | None:
        """Width and height in pixels, once the browser has reported them."""
        try:
            width, height = self.figure.inner_width, self.figure.inner_height
        except UnsetValueError:
            return None
        return (width, height) if width and height else None


def legend_html(colours: Colours) -> str:
    """The legend of colours and lines."""
    entries = "".join(
        f'<span><i style="background:{colour}"></i><bdi>{escape(cut(name, 24))}</bdi></span>'
        for name, colour in colours.legend
    )
    lines = (
        f'<span><i class="line" style="color:{SAME}"></i>same</span>'
        f'<span><i class="line dashed" style="color:{DIFFERENT}"></i>different</span>'
        f'<span><i class="line" style="color:{VIOLATED}"></i>violated by the map</span>'
    )
    return f'<div class="legend">{entries}</div><div class="legend">{lines}</div>'


def _no_lines() -> Mapping[str, list[Any]]:
    return {name: [] for name in ("x0", "y0", "x1", "y1", "colour", "dash", "width")}
