"""The right half of the page: map, progress and downloads."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

import panel as pn

from pairspace.tool.app.colours import by_cluster, by_column
from pairspace.tool.app.exports import Exports
from pairspace.tool.app.layout import html
from pairspace.tool.app.map import Map, legend_html
from pairspace.tool.app.progress import Curve, progress_html
from pairspace.tool.app.session import LabellingSession

CLUSTERS = "cluster"
DOWNLOAD_STYLE = """
:host a.bk-btn, :host .bk-btn {
  padding: 1px 7px; font-size: 12px; background: #fff; border: 1px solid #d9e0e7; color: #1b2733;
}
"""


class SidePanel:
    """The right half of the page: map, progress and downloads.

    Parameters
    ----------
    session : LabellingSession
        The state behind the page.
    n_rows : int
        The number of rows.
    columns : mapping of sequences
        The columns that the map can be coloured by.
    exports : Exports
        The files to download.
    on_select : callable
        Called with the row of a point that was clicked.
    """

    def __init__(
        self,
        session: LabellingSession,
        n_rows: int,
        columns: Mapping[str, Sequence[Any]],
        exports: Exports,
        on_select: Callable[[int], None],
    ) -> None:
        self._session = session
        self._columns = columns
        self._seen_view: Any = None
        self._map = Map(n_rows, on_select)
        self._curve = Curve()
        self._colour = pn.widgets.Select(options=[CLUSTERS, *columns], width=140, margin=0)
        self._colour.param.watch(lambda _: self._show_colours(), "value")
        self._legend, self._age, self._progress = html(), html(), html()
        self._plots = [
            pn.pane.Bokeh(self._map.figure, margin=0, sizing_mode="stretch_both"),
            pn.pane.Bokeh(self._curve.figure, margin=0, sizing_mode="stretch_width"),
        ]
        head = html(
            '<div class="title"><h2>Map</h2><span>click two points to compare them</span></div>'
        )
        self.chart = [
            pn.Row(head, self._colour, margin=0, sizing_mode="stretch_width"),
            self._plots[0],
            self._legend,
            self._age,
        ]
        self.progress = [self._progress, self._plots[1], _downloads(exports)]

    def mark(self, rows: tuple[int, ...]) -> None:
        """Mark the rows of the question on the map."""
        self._map.mark(rows)
        self._push()

    def show_age(self) -> None:
        """Show how old the map is."""
        self._age.object = age_html(self._session)

    def refresh(self) -> None:
        """Show the current answers and space."""
        questions = self._session.questions
        progress = questions.progress
        self._progress.object = progress_html(progress)
        self._curve.show(progress)
        if self._session.view is not self._seen_view:
            self._seen_view = self._session.view
            self._map.show_view(self._seen_view)
            self._show_colours()
        self._map.show_answers(questions.constraints, questions.space.embedding)
        self._push()

    def _show_colours(self) -> None:
        if self._colour.value == CLUSTERS:
            colours = by_cluster(self._session.view.clusters)
        else:
            colours = by_column(self._columns[self._colour.value])
        self._map.show_colours(colours)
        self._legend.object = legend_html(colours)

    def _push(self) -> None:
        # A server sends changes of a plot by itself; a notebook does not.
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
            stylesheets=[DOWNLOAD_STYLE],
        )
        for name, make in exports.files().items()
    ]
    title = html('<div class="title"><span>Download</span></div>', width=72, sizing_mode=None)
    return pn.FlexBox(title, *buttons, margin=(6, 0, 0, 0), sizing_mode="stretch_width")


def age_html(session: LabellingSession) -> str:
    """How old the map is, and whether a newer one is being fitted."""
    answers = session.questions.constraints
    n_answers = len(answers.must_link) + len(answers.cannot_link)
    n_used = session.questions.space.n_answers
    ago = _ago(time.monotonic() - session.fitted_at)
    text = f"Fitted to {n_used:,} of {n_answers:,} answers, {ago}"
    if session.failure:
        text += f". The last fit failed: {escape(session.failure)}"
    elif session.questions.outdated:
        text += "; updating …"
    return f'<p class="age">{text}</p>'


def _ago(seconds: float) -> str:
    if seconds < 10:
        return "just now"
    if seconds < 60:
        return f"{int(seconds // 10) * 10} s ago"
    return f"{int(seconds // 60)} min ago"
