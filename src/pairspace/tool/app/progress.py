"""The curve of the progress."""

from __future__ import annotations

from typing import Any

from bokeh.models import ColumnDataSource, NumeralTickFormatter, Range1d
from bokeh.plotting import figure

from pairspace.active import Progress

LINE, LINE_ON_DARK = "#0072b2", "#6cb8ee"
SOFT, SOFT_ON_DARK = "#5b6b7a", "#a5b3c1"
GRID, GRID_ON_DARK = "#e6ebf0", "#3a4654"


class Curve:
    """The estimated quality against the number of answers, with its uncertainty."""

    def __init__(self) -> None:
        self._points = ColumnDataSource({"answers": [], "mean": [], "low": [], "high": []})
        self.figure = self._draw()

    def show(self, progress: Progress) -> None:
        """Draw the curve of the latest progress."""
        self._points.data = {
            "answers": [point.answers for point in progress.curve],
            "mean": [point.mean for point in progress.curve],
            # Two standard errors on each side.
            "low": [max(0.0, point.mean - 2 * point.standard_error) for point in progress.curve],
            "high": [min(1.0, point.mean + 2 * point.standard_error) for point in progress.curve],
        }
        self.figure.x_range.end = 1.03 * max(progress.answers, 1)
        self.figure.visible = bool(progress.curve)

    def use_scheme(self, dark: bool) -> None:
        """Colours for a light or a dark page."""
        for renderer in self.figure.renderers:
            renderer.glyph.line_color = LINE_ON_DARK if dark else LINE
        self.figure.renderers[-1].glyph.fill_color = LINE_ON_DARK if dark else LINE
        self.figure.ygrid.grid_line_color = GRID_ON_DARK if dark else GRID
        self.figure.axis.major_label_text_color = SOFT_ON_DARK if dark else SOFT

    def _draw(self) -> Any:
        plot = figure(
            height=92,
            sizing_mode="stretch_width",
            tools="",
            toolbar_location=None,
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1.02),
            visible=False,
        )
        ends = {"x0": "answers", "y0": "low", "x1": "answers", "y1": "high"}
        plot.segment(**ends, source=self._points, line_color=LINE, line_alpha=0.4, line_width=5)
        plot.line("answers", "mean", source=self._points, line_color=LINE, line_width=2)
        plot.scatter("answers", "mean", source=self._points, size=5, color=LINE)
        plot.outline_line_color = None
        plot.background_fill_color = plot.border_fill_color = None
        plot.xgrid.visible = False
        plot.ygrid.grid_line_color = GRID
        plot.yaxis.ticker = [0, 0.5, 1]
        plot.yaxis.formatter = NumeralTickFormatter(format="0%")
        plot.axis.axis_line_color = plot.axis.minor_tick_line_color = None
        plot.axis.major_tick_line_color = None
        plot.axis.major_label_text_color = SOFT
        plot.min_border_left, plot.min_border_right = 38, 10
        plot.min_border_top = plot.min_border_bottom = 4
        return plot
