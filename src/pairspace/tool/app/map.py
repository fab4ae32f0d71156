"""The map: all rows in the current space, with the answers as lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np
from bokeh.core.property.descriptors import UnsetValueError
from bokeh.events import DoubleTap, Tap
from bokeh.models import (
    ColumnDataSource,
    LassoSelectTool,
    LinearColorMapper,
    PanTool,
    Range1d,
    WheelZoomTool,
)
from bokeh.plotting import figure

from pairspace._core.typing import Floats
from pairspace.tool.app.colours import OTHER, Colours
from pairspace.tool.app.view import Lines, View
from pairspace.tool.texts import cut

# With more lines nothing could be seen.
MAX_LINES = 400
USUAL_RATIO = 1.4  # of width and height, until the browser reports them
REACH = 2.0  # of the frame, in ranges of the middle 96 % of the rows: rows beyond are at its edge
MARGIN = 1.05  # so that no point is cut by the frame
CLICK_RADIUS = 12  # pixels between a click and the point it selects, at most
ZOOM = 1.5  # of one step
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}


class Inks(NamedTuple):
    """The colours of lines and rings."""

    same: str
    different: str
    violated: str
    ring: str


ON_LIGHT = Inks("#0072b2", "#b4530a", "#c1121f", "#1b2733")
ON_DARK = Inks("#6cb8ee", "#f0a35e", "#ff7b7b", "#eef2f6")


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
    on_lasso : callable
        Called with the rows that were selected by a lasso.
    """

    def __init__(
        self,
        n_rows: int,
        on_click: Callable[[int], None],
        on_lasso: Callable[[list[int]], None],
    ) -> None:
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
        self._on_lasso = on_lasso
        self._inks = ON_LIGHT
        self._pan, self._lasso = PanTool(), LassoSelectTool(continuous=False)
        self.figure = self._draw(n_rows)
        self._points.selected.on_change("indices", self._lassoed)
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

    def show_answers(self, lines: Lines) -> None:
        """Show answers as lines, in red those that the space violates."""
        if self._places is None:
            return
        ends, inks = self._places[lines.pairs], self._inks
        colour = np.where(
            lines.violated, inks.violated, np.where(lines.same, inks.same, inks.different)
        )
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

    def use_tool(self, name: str) -> None:
        """Dragging moves the map ("pan") or selects rows ("lasso")."""
        self.figure.toolbar.active_drag = self._lasso if name == "lasso" else self._pan

    def zoom(self, direction: str) -> None:
        """Zoom "in" or "out", or show "all"."""
        ranges = self.figure.x_range, self.figure.y_range
        if direction == "all" and self._framed is not None:
            for each, (start, end) in zip(ranges, self._framed, strict=True):
                each.update(start=start, end=end)
            return
        factor = {"in": 1 / ZOOM, "out": ZOOM}.get(direction, 1.0)
        middle = [(each.start + each.end) / 2 for each in ranges]
        if self._places is not None and len(self._marked) == 1:
            middle = self._places[self._marked[0]].tolist()
        for each, centre in zip(ranges, middle, strict=True):
            half = factor * (each.end - each.start) / 2
            each.update(start=centre - half, end=centre + half)

    def neighbour(self, row: int | None, arrow: str) -> int | None:
        """The nearest row in the direction of an arrow key; the row itself if there is none."""
        if self._places is None or arrow not in ARROWS:
            return row
        if row is None:
            shown = self.figure.x_range, self.figure.y_range
            middle = [(each.start + each.end) / 2 for each in shown]
            return int(np.argmin(np.hypot(*(self._places - middle).T)))
        away = self._places - self._places[row]
        along = away @ ARROWS[arrow]
        across = np.abs(away @ ARROWS[arrow][::-1])
        there = np.flatnonzero((along > 0) & (across <= along))
        if not len(there):
            return row
        return int(there[np.argmin(along[there] + 2 * across[there])])

    def nearest(self, row: int, count: int) -> list[int]:
        """The rows nearest to a row on the map, itself first."""
        if self._places is None:
            return [row]
        away = np.hypot(*(self._places - self._places[row]).T)
        away[row] = -1
        return [int(each) for each in np.argsort(away, kind="stable")[:count]]

    def middle(self, rows: Sequence[int]) -> int:
        """The row in the middle of some rows."""
        if self._places is None:
            return rows[0]
        places = self._places[list(rows)]
        return rows[int(np.argmin(np.hypot(*(places - places.mean(axis=0)).T)))]

    def select(self, rows: Sequence[int]) -> None:
        """Draw some rows as selected, and all others pale; all alike if there are none."""
        self._points.selected.indices = list(rows)

    def use_inks(self, inks: Inks) -> None:
        """Draw lines and rings in other colours; the lines change when they are shown again."""
        self._inks = inks
        for drawn in self._rings_drawn:
            drawn.glyph.line_color = inks.ring

    def _draw(self, n_rows: int) -> Any:
        wheel = WheelZoomTool()
        plot = figure(
            output_backend="webgl",
            tools=[self._pan, self._lasso, wheel],
            active_scroll=wheel,
            active_drag=self._pan,
            toolbar_location=None,
            sizing_mode="stretch_both",
            min_height=180,
            x_range=Range1d(),
            y_range=Range1d(),
        )
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
            nonselection_fill_alpha=0.15,
            line_color=None,
        )
        far = plot.scatter(
            "x", "y", source=self._far, marker="diamond", size=size + 8, fill_color=None,
            line_color=self._inks.ring, line_width=1,
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
        ring = plot.scatter(
            "x", "y", source=self._rings, size=16, fill_color=None,
            line_color=self._inks.ring, line_width=2.5,
        )  # fmt: skip
        self._rings_drawn = (far, ring)
        return plot

    def _lassoed(self, _: str, __: list[int], rows: list[int]) -> None:
        if rows:
            self._on_lasso([int(row) for row in rows])

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
        '<span><i class="line same"></i>same</span>'
        '<span><i class="line different"></i>different</span>'
        '<span><i class="line violated"></i>violated by the map</span>'
    )
    return f'<div class="legend">{entries}</div><div class="legend">{lines}</div>'


def _no_lines() -> Mapping[str, list[Any]]:
    return {name: [] for name in ("x0", "y0", "x1", "y1", "colour", "dash", "width")}
