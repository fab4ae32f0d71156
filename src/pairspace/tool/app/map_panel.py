"""The map with its colours, its legend, and what is selected on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import panel as pn

from pairspace.tool.app.colours import by_cluster, by_column, on_dark
from pairspace.tool.app.map import ON_DARK, ON_LIGHT, Map, legend_html
from pairspace.tool.app.overview import Overview
from pairspace.tool.app.progress import Curve
from pairspace.tool.app.session import LabellingSession

BY_GROUP = -1  # the colours of the predicted groups; from 0 on those of a column
NEAREST = 24  # rows that a key selects around a row


class MapPanel:
    """The map of one tab, with its colours, legend and selection.

    Parameters
    ----------
    session : LabellingSession
        The state behind the page.
    overview : Overview
        What all tabs show.
    n_rows : int
        The number of rows.
    columns : mapping of sequences
        The columns that the map can be coloured by.
    on_select, on_lasso : callable
        Called with the row that was clicked, and with the rows that were selected.
    """

    def __init__(
        self,
        session: LabellingSession,
        overview: Overview,
        n_rows: int,
        columns: Mapping[str, Sequence[Any]],
        on_select: Callable[[int], None],
        on_lasso: Callable[[list[int]], None],
    ) -> None:
        self._session = session
        self._overview = overview
        self._columns = columns
        self._colour = BY_GROUP
        self._dark = False
        self._shown: Any = None  # the view and the titles that are drawn
        self.cursor: int | None = None
        self.selected: list[int] = []
        self.legend = ""
        self._map = Map(n_rows, on_select, on_lasso)
        self._curve = Curve()
        self.chart = pn.pane.Bokeh(self._map.figure, margin=0, sizing_mode="stretch_both")
        self.curve = pn.pane.Bokeh(self._curve.figure, margin=0, sizing_mode="stretch_width")

    def mark(self, rows: tuple[int, ...]) -> None:
        """Mark the rows of the question on the map."""
        self._map.mark(rows)
        self._push()

    def refresh(self) -> None:
        """Show the current answers and space."""
        now, view = self._overview.now, self._session.view
        self._curve.show(now.progress)
        before = self._shown
        if before is None or before[0] is not view:
            self._map.show_view(view)
        self._shown = (view, now.cluster_titles)
        if before is None or before[0] is not view or before[1] != now.cluster_titles:
            self._show_colours()
        self._map.show_answers(now.lines)
        self._push()

    def clear(self) -> None:
        """Select nothing."""
        self.cursor = None
        if self.selected:
            self.selected = []
            self._map.select([])

    def middle(self, rows: Sequence[int]) -> int:
        """The row in the middle of some rows."""
        return self._map.middle(rows)

    def on_message(self, message: dict[str, Any]) -> None:
        """What a person does to the map itself."""
        match message:
            case {"action": "tool", "value": str(name)}:
                self._map.use_tool(name)
            case {"action": "zoom", "value": str(direction)}:
                self._map.zoom(direction)
            case {"action": "colour", "value": int(at)} if BY_GROUP <= at < len(self._columns):
                self._colour = at
                self._show_colours()
            case {"action": "scheme", "value": bool(dark)}:
                self._dark = dark
                self._map.use_inks(ON_DARK if dark else ON_LIGHT)
                self._curve.use_scheme(dark)
                if self._shown is not None:
                    self._show_colours()
                    self._map.show_answers(self._overview.now.lines)
        self._push()

    def move(self, arrow: str) -> int | None:
        """Move the cursor to the next row in the direction of an arrow key."""
        self.cursor = self._map.neighbour(self.cursor, arrow)
        return self.cursor

    def select_around(self, row: int) -> list[int]:
        """Select the rows nearest to a row."""
        rows = self._map.nearest(row, NEAREST)
        self._map.select(rows)
        return rows

    def _show_colours(self) -> None:
        if self._colour == BY_GROUP:
            colours = by_cluster(self._session.view.clusters, self._overview.now.cluster_titles)
        else:
            colours = by_column(list(self._columns.values())[self._colour])
        if self._dark:
            colours = on_dark(colours)
        self._map.show_colours(colours)
        self.legend = legend_html(colours)

    def _push(self) -> None:
        # A server sends changes of a plot by itself; a notebook does not.
        if pn.state.curdoc is None or pn.state.curdoc.session_context is None:
            pn.io.push_notebook(self.chart, self.curve)
