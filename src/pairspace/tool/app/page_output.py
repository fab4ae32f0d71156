"""What the page of one tab shows, and when it shows something else."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import panel as pn

from pairspace.active.kinds import (
    Kind,
    Question,
    Response,
    Step,
)
from pairspace.constraints import Constraints, Contradiction
from pairspace.constraints.answers_file import StoreError
from pairspace.tool.app.contradiction import Link, contradiction_html, links_of
from pairspace.tool.app.downloads import downloads_of
from pairspace.tool.app.exports import Exports
from pairspace.tool.app.items import Items
from pairspace.tool.app.map_panel import MapPanel
from pairspace.tool.app.overview import Overview, Snapshot
from pairspace.tool.app.page_view import PageView
from pairspace.tool.app.queue import Queue
from pairspace.tool.app.screens import Slots, group_screen, screen_of
from pairspace.tool.app.shared_session import SharedSession
from pairspace.tool.app.words import step_html

if TYPE_CHECKING:
    import pandas as pd

TICK_MS = 300  # between two looks for news
TABS = 4  # that look so often; more take turns, so that news do not keep answers waiting
HEIGHT_IN_NOTEBOOK = 860  # pixels; a cell has no height that a page could fill
TROUBLE = '<div class="dialog"><h2>The answers file can’t be used</h2><p>{}</p></div>'
NOTHING_LEFT = (
    '<div class="dialog"><h2>Nothing is left to ask</h2>'
    "<p>The answers place every row, or you were not sure about it. Review the unsure rows, look "
    "through the groups, or download the result.</p></div>"
)
# By the kind that the person wants and the kind that is asked.
INSTEAD = {
    ("pick", "board"): "There is too little to pick from yet: a board comes first",
    ("sweep", "board"): "There is no group to sweep yet: a board comes first",
}
DEFAULT_ASK = "Are these two the same?"


class PageOutput(pn.viewable.Viewer):
    """One tab, or the output of one notebook cell: what it shows.

    All pages of a session show the same answers and the same map.

    Parameters
    ----------
    session : SharedSession
        The state behind the page.
    overview : Overview
        What all pages of the session show beside the question.
    items : Items
        How rows are shown.
    columns : mapping of sequences
        The columns that the map can be coloured by.
    exports : Exports
        The files to download.
    title : str
        The title of the page.
    ask : str
        The question about two rows, which says what "the same" means.
    annotator : str
        The initial name of the person who answers.
    kind : {"mixed", "board", "pick", "sweep", "pair"}
        The kind of questions at the start.
    blind : bool
        Whether the map and all predictions are hidden at the start.
    in_notebook : bool
        Whether the page is in a notebook. Then its height is fixed, and keys work only inside the
        page, because a notebook has its own keys.
    audit : str, default=""
        The annotator whose answers are asked about first.
    """

    def __init__(
        self,
        session: SharedSession,
        overview: Overview,
        items: Items,
        columns: Mapping[str, Sequence[Any]],
        exports: Exports,
        *,
        title: str,
        ask: str,
        annotator: str,
        kind: Kind,
        blind: bool,
        in_notebook: bool,
        audit: str = "",
    ) -> None:
        super().__init__()
        self.session = session
        self.items = items
        self.annotator = annotator
        self._exports = exports
        self._overview = overview
        self._ask = ask
        self._kind: Kind = kind
        self._blind = blind
        self._question: Question | None = None
        self._open: tuple[int, int] | None = None  # a group that is looked at, its first row
        self._links: list[Link] = []
        self._pending: tuple[Question, Response] | None = None
        self._queue = Queue()
        self._slots = Slots()
        self._seen_version = -1
        self._ticked = -math.inf
        self._trouble = ""  # why the answers file can't be read at the moment
        self._map = MapPanel(
            session, overview, len(items.ids), columns, self._on_select, self._on_lasso
        )
        size: dict[str, Any] = {"sizing_mode": "stretch_width"}
        self._view = PageView(
            self._on_message,
            chart=self._map.chart,
            curve=self._map.curve,
            downloads=downloads_of(exports),
            margin=0,
            **size,
            **({"height": HEIGHT_IN_NOTEBOOK} if in_notebook else {}),
        )
        self._settings = {
            "title": title,
            "means": "" if ask == DEFAULT_ASK else ask,
            "columns": list(columns),
            "notebook": in_notebook,
        }
        if audit:
            self._queue.answers_to_audit(audit)
        self._next(resume=True)
        self._show_settings()
        self._overview.tabs.add(self)
        self._tick()
        pn.state.add_periodic_callback(self._tick_in_turn, period=TICK_MS)
        pn.state.on_session_destroyed(lambda _: self._leave())

    @property
    def groups_(self) -> pd.DataFrame:
        """All rows with their groups, as ``groups.csv`` has them."""
        return self._exports.groups()

    def __panel__(self) -> Any:
        return self._view

    @property
    def constraints(self) -> Constraints:
        """The answers so far, to pass to an estimator."""
        return self.session.questions.constraints

    def _on_message(self, message: dict[str, Any]) -> None:
        raise NotImplementedError

    def _on_select(self, row: int) -> None:
        raise NotImplementedError

    def _on_lasso(self, rows: list[int]) -> None:
        raise NotImplementedError

    # ---- Output ------------------------------------------------------------------------------

    def _next(self, status: str = "", *, resume: bool = False) -> None:
        """Show the next question, or a contradiction that another program wrote to the file.

        ``resume`` shows the question at which the person stopped, if it is still open.
        """
        self._reset()
        contradiction = self.session.stored_contradiction()
        if contradiction is not None:
            self._contradict(contradiction)
            return
        try:
            self._question = self._queue.next(self, self.session, self._overview.now)
            chosen = self._question is None
            if chosen:
                self._question = self.session.question_of(
                    self, self._kind, self.annotator, resume=resume
                )
                if self._question is not None:
                    who, question = self.annotator, self._question
                    self._later(lambda: self.session.keep_place(who, question))
        except StoreError as error:  # of this answer nothing is lost: it was saved before
            self._question, self._trouble = None, str(error)
        else:
            if (
                chosen
                and not status
                and self._question is not None
                and self._question.reason == "strategy"
            ):
                status = INSTEAD.get((self._kind, self._question.kind), "")
        self._show(status)

    def _ask_about(self, question: Question, status: str) -> None:
        """Show a question that the person chose."""
        self._reset()
        self._question = question
        self.session.reserve(self, question)
        self._show(status)

    def _reset(self) -> None:
        self._links, self._pending, self._open = [], None, None
        self._map.clear()

    def _contradict(self, found: Contradiction) -> None:
        self._links = links_of(found, self.session.answers_to)
        self._show("Press z to go back to the question without saving" if self._pending else "")

    def _show(self, status: str) -> None:
        now, question = self._overview.now, self._question
        allowed = ["undo"] if self.session.has_answers_of(self.annotator) else []
        marked: tuple[int, ...] = ()
        if self._links:
            marked = self._links[-1].ends
            screen = {"kind": "notice", "notice": contradiction_html(self._links, self.items)}
            allowed = ["undo"] if self._pending else []
        elif self._open is not None and self._open[0] in now.groups:
            number, first = self._open
            screen = group_screen(now.groups[number], now.titles[number], self.items, first)
        elif question is None:
            notice = TROUBLE.format(escape(self._trouble)) if self._trouble else NOTHING_LEFT
            screen = {"kind": "done", "notice": notice}
        else:
            if question.kind in ("pair", "board"):
                marked = question.rows
            own = self.session.rows_of(self.annotator) if self._blind else None
            screen = screen_of(question, self.items, now, self._slots, self._ask, own=own)
        self._map.mark(marked)
        self._show_selection()
        self._view.param.update(groups=now.groups_json, age=self._overview.age)
        self._view.draw({**screen, "status": status, "allowed": allowed, **self._queue_words(now)})

    def _queue_words(self, now: Snapshot) -> dict[str, str]:
        """What is gone through; who said what is hidden in blind mode."""
        note = "" if self._blind else self._queue.note
        return {"queue": self._queue.words(now), "note": note}

    @property
    def _side(self) -> str:
        return self._overview.now.side_json(self.annotator if self._blind else None)

    def _show_selection(self) -> None:
        rows, row = self._map.selected, self._map.cursor
        shown: dict[str, Any] | None = None
        if rows:
            shown = {"rows": len(rows)}
        elif row is not None:
            title = self._overview.now.titles.get(self._overview.now.group_of.get(row, 0), "")
            shown = {"brief": self.items.brief(row), "caption": self.items.caption(row)}
            shown["title"] = title
            self._map.mark((row,))
        self._view.selection = json.dumps(shown)

    def _show_settings(self) -> None:
        self._view.settings = json.dumps(
            {**self._settings, "kind": self._kind, "blind": self._blind, "name": self.annotator}
        )

    def _words(self, step: Step) -> str:
        return step_html(step, self.items, self._overview.now.titles)

    def _later(self, work: Any) -> None:
        """After the screen was sent: what stands beside the question can wait."""
        document = pn.state.curdoc
        if document is None or document.session_context is None:
            work()
        else:
            document.add_next_tick_callback(work)

    def _leave(self) -> None:
        self._overview.tabs.discard(self)
        self.session.release(self)

    def _tick_in_turn(self) -> None:
        """Look for news, but not before the other tabs had their turn."""
        pause = TICK_MS / 1000 * (len(self._overview.tabs) / TABS - 0.5)
        if time.monotonic() - self._ticked >= pause:
            self._tick()

    def _tick(self) -> None:
        """Show what has changed: answers of others, a new space."""
        self._ticked = time.monotonic()
        try:
            if self._trouble:
                self.session.tick()  # now, whether or not another tab has just looked
            self._overview.tick()
            self._show_news()
        except StoreError as error:
            if str(error) != self._trouble:  # a new turn each time would outrun the person
                self._trouble = str(error)
                self._show(f'<span class="bad">{escape(str(error))}</span>')

    def _show_news(self) -> None:
        version = self.session.version
        is_new = version != self._seen_version
        # Who said what is read from the file: if that fails, nothing has changed yet.
        side = self._side if is_new else ""
        if self._trouble:
            self._trouble = ""
            if self._question is None and not self._links:
                self._next()
        if not is_new:
            self._view.age = self._overview.age
            return
        if not self._links:
            if self.session.stored_contradiction() is not None:
                self._next()
            elif self._was_answered():
                self._next("The last question was answered by someone else")
        self._map.refresh()
        groups = self._overview.now.groups_json
        self._view.param.update(side=side, groups=groups, legend=self._map.legend)
        self._view.age = self._overview.age  # last, when the map is as new as it says
        self._seen_version = version

    def _was_answered(self) -> bool:
        """Whether someone else has answered the question that is shown."""
        question = self._question
        if question is None or question.reason == "person" or self._open:
            return False
        return self.session.is_answered(question)
