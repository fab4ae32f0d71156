"""Beside the question: the map, the progress, and what may be taken away."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

import panel as pn

from pairspace.tool.app.colours import by_cluster, by_column
from pairspace.tool.app.desk import Desk
from pairspace.tool.app.exports import Exports
from pairspace.tool.app.layout import html
from pairspace.tool.app.map import Map, legend_html
from pairspace.tool.app.progress import Curve, progress_html

CLUSTERS = "cluster"
DOWNLOAD = """
:host a.bk-btn, :host .bk-btn {
  padding: 1px 7px; font-size: 12px; background: #fff; border: 1px solid #d9e0e7; color: #1b2733;
}
"""


class Side:
    """The right half of a page: what the answers have made of the data.

    Parameters
    ----------
    desk : Desk
    n_rows : int
    columns : mapping of sequences
        What the map can be coloured by: a value for each row.
    exports : Exports
        What may be taken away.
    on_pick : callable
        Gets the row of a point that was clicked.
    """

    def __init__(
        self,
        desk: Desk,
        n_rows: int,
        columns: Mapping[str, Sequence[Any]],
        exports: Exports,
        on_pick: Callable[[int], None],
    ) -> None:
        self._desk = desk
        self._columns = columns
        self._seen_view: Any = None
        self._map = Map(n_rows, on_pick)
        self._curve = Curve()
        self._colour = pn.widgets.Select(options=[CLUSTERS, *columns], width=140, margin=0)
        self._colour.param.watch(lambda _: self._show_colours(), "value")
        self._legend, self._age, self._progress = html(), html(), html()
        self._plots = [
            pn.pane.Bokeh(self._map.figure, margin=0, sizing_mode="stretch_both"),
            pn.pane.Bokeh(self._curve.figure, margin=0, sizing_mode="stretch_width"),
        ]
        head = html('<div class="title"><h2>Map</h2><span>click two points to ask</span></div>')
        self.chart = [
            pn.Row(head, self._colour, margin=0, sizing_mode="stretch_width"),
            self._plots[0],
            self._legend,
            self._age,
        ]
        self.progress = [self._progress, self._plots[1], _downloads(exports)]

    def mark(self, rows: tuple[int, ...]) -> None:
        """Show on the map which rows the question is about."""
        self._map.mark(rows)
        self._push()

    def show_age(self) -> None:
        self._age.object = age_html(self._desk)

    def refresh(self) -> None:
        """Show the answers and the space as they are now."""
        questions = self._desk.questions
        progress = questions.progress
        self._progress.object = progress_html(progress)
        self._curve.show(progress)
        if self._desk.view is not self._seen_view:
            self._seen_view = self._desk.view
            self._map.show_view(self._seen_view)
            self._show_colours()
        self._map.show_answers(questions.constraints, questions.space.embedding)
        self._push()

    def _show_colours(self) -> None:
        if self._colour.value == CLUSTERS:
            colours = by_cluster(self._desk.view.clusters)
        else:
            colours = by_column(self._columns[self._colour.value])
        self._map.show_colours(colours)
        self._legend.object = legend_html(colours)

    def _push(self) -> None:
        # A server sends what changed in a plot; a notebook has to be asked to.
        if pn.state.curdoc is None or pn.state.curdoc.session_context is None:
            pn.io.push_notebook(*self._plots)


def _downloads(exports: Exports) -> Any:
    buttons = [
        pn.widgets.FileDownload(
            callback=make,
            filename=name,
            label=name,
            embed=False,
            auto=True,
            margin=(0, 5, 5, 0),
            height=26,
            stylesheets=[DOWNLOAD],
        )
        for name, make in exports.files().items()
    ]
    what = html('<div class="title"><span>Take away</span></div>', width=72, sizing_mode=None)
    return pn.FlexBox(what, *buttons, margin=(6, 0, 0, 0), sizing_mode="stretch_width")


def age_html(desk: Desk) -> str:
    """How old the map is, and whether a newer one is on its way."""
    answers = desk.questions.constraints
    told = len(answers.must_link) + len(answers.cannot_link)
    seen = desk.questions.space.answers_seen
    text = f"Made from {seen:,} of {told:,} answers, {_ago(time.monotonic() - desk.fitted_at)}"
    if desk.failure:
        text += f". The last fit failed: {escape(desk.failure)}"
    elif desk.questions.outdated:
        text += "; a newer one is being made …"
    return f'<p class="age">{text}</p>'


def _ago(seconds: float) -> str:
    if seconds < 10:
        return "just now"
    if seconds < 60:
        return f"{int(seconds // 10) * 10} s ago"
    return f"{int(seconds // 60)} min ago"
