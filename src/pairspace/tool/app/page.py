"""The page of one tab: what a person does, and what is shown next."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import panel as pn

from pairspace.active.kinds import (
    BOARD_WORDS,
    NEW,
    Kind,
    Marked,
    PairQuestion,
    PickQuestion,
    Question,
    Response,
    Step,
)
from pairspace.constraints import Constraints, Contradiction
from pairspace.constraints.answers_file import StoreError, clean_name
from pairspace.tool.app.contradiction import Link, contradiction_html, links_of
from pairspace.tool.app.downloads import downloads_of
from pairspace.tool.app.exports import Exports
from pairspace.tool.app.items import Items
from pairspace.tool.app.map_panel import MapPanel
from pairspace.tool.app.overview import Overview
from pairspace.tool.app.page_view import PageView
from pairspace.tool.app.queue import Queue
from pairspace.tool.app.screens import Slots, group_screen, screen_of
from pairspace.tool.app.session import LabellingSession
from pairspace.tool.app.words import IMPLIED, row_of, step_html

TICK_MS = 300
HEIGHT_IN_NOTEBOOK = 860  # pixels; a cell has no height that a page could fill
KINDS: tuple[Kind, ...] = ("mixed", "board", "pick", "sweep", "pair")
NOTHING_LEFT = (
    '<div class="dialog"><h2>Nothing is left to ask</h2>'
    "<p>The answers place every row, or you were not sure about it. Review the unsure rows, look "
    "through the groups, or download the result.</p></div>"
)
TROUBLE = '<div class="dialog"><h2>The answers file can’t be used</h2><p>{}</p></div>'
DEFAULT_ASK = "Are these two the same?"


class Page(pn.viewable.Viewer):
    """One tab, or the output of one notebook cell.

    All pages of a session show the same answers and the same map.

    Parameters
    ----------
    session : LabellingSession
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
    """

    def __init__(
        self,
        session: LabellingSession,
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
    ) -> None:
        super().__init__()
        self.session = session
        self.items = items
        self.annotator = annotator
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
        self._next()
        self._show_settings()
        self._tick()
        pn.state.add_periodic_callback(self._tick, period=TICK_MS)
        pn.state.on_session_destroyed(lambda _: self.session.release(self))

    def __panel__(self) -> Any:
        return self._view

    @property
    def constraints(self) -> Constraints:
        """The answers so far, to pass to an estimator."""
        return self.session.questions.constraints

    # ---- Input -------------------------------------------------------------------------------

    def _on_message(self, message: dict[str, Any]) -> None:
        try:
            self._act(message)
        except StoreError as error:
            self._show(f'<span class="bad">Not saved. {escape(str(error))}</span>')
        except (ValueError, KeyError) as error:  # another tab has changed the groups meanwhile
            self._show(f'<span class="bad">{escape(str(error))}</span>')
        self._later(self._tick)

    def _act(self, message: dict[str, Any]) -> None:
        match message:
            case {"action": "name", "value": str(name)}:
                self.annotator = clean_name(name) or "anonymous"
            case {"action": "scheme" | "colour" | "tool" | "zoom"}:
                self._map.on_message(message)
                self._view.legend = self._map.legend
            case {"action": "cursor", "value": str(arrow)}:
                self._move(arrow)
            case {"action": "choose", "choice": choice} if self._links:
                self._choose(choice)
            case {"action": "undo"}:
                self._undo()
            case _ if self._links:
                return
            case {"action": "answer"} if self._question is not None and self._open is None:
                response = _response(self._question, message, self._overview.now.groups)
                if response is not None:
                    self._answer(self._question, response)
            case {"action": "mode", "value": kind} if kind in KINDS:
                self._kind = kind
                self._queue.clear()
                self._next()
                self._show_settings()
            case {"action": "blind", "value": bool(blind)}:
                self._blind = blind
                self._show_settings()
                self._show("")
            case {"action": "review"}:
                self._queue.rows_to_place(self.session.unsure_rows(), "unsure rows")
                self._next()
            case {"action": "outvoted"}:
                self._queue.rows_to_check(self._overview.now.summary.outvoted, "outvoted answers")
                self._next()
            case {"action": "next"}:
                self._queue.clear()
                self._next()
            case {"action": "clear"}:
                self._map.clear()
                self._show_selection()
            case {"action": "place"} if self._map.cursor is not None:
                self._ask_about(self.session.board_for(self, self._map.cursor), "")
            case {"action": "lasso", "number": number} if self._map.selected:
                self._sweep_into(number, str(message.get("name", "")))
            case _:
                self._act_on_groups(message)

    def _act_on_groups(self, message: dict[str, Any]) -> None:
        titles = self._overview.now.titles
        match message:
            case {"action": "rename", "number": int(number), "name": str(name)}:
                self.session.rename(number, " ".join(name.split()), self.annotator)
                self._show("Renamed")
            case {"action": "merge", "target": int(target), "source": int(source)}:
                found = self.session.merge(target, source, self.annotator)
                if isinstance(found, Contradiction):
                    self._contradict(found)
                else:
                    self._next(f"{_bold(titles[source])} is now a part of {_bold(titles[target])}")
            case {"action": "open", "number": int(number)} if number in titles:
                self._open = (number, max(0, int(message.get("first", 0))))
                self._show("")
            case {"action": "split", "number": int(number), "rows": list(rows)} if rows:
                new = self.session.split(number, [int(row) for row in rows], self.annotator)
                count = f"{len(rows)} row{'s' * (len(rows) != 1)}"
                title = _bold(self._overview.now.titles.get(new, f"Group {new}"))
                self._next(f"{count} split off from {_bold(titles[number])}: {title}")
            case {"action": "sweep", "number": int(number)} if number in titles:
                self._ask_about(self.session.sweep_for(self, number), "")
            case {"action": "take_back", "id": int(step), "change": change}:
                self._take_back(step, bool(change))

    def _answer(self, question: Question, response: Response) -> None:
        found = self.session.answer(question, response, self.annotator)
        if found is not None:
            self._pending = (question, response)
            self._contradict(found)
            return
        last = self._overview.now.history[:1]
        self._next(f"Saved: {self._words(last[0].step)}" if last else "Saved")

    def _undo(self) -> None:
        if self._links:
            if self._pending is not None:
                self._ask_about(self._pending[0], "Your answer was discarded")
            return
        undone = self.session.undo(self.annotator)
        if undone is None:
            self._show("You have nothing to undo")
        else:
            self._again(undone, f"Undone: {self._words(undone)}")

    def _take_back(self, step_id: int, change: bool) -> None:
        entry = next((each for each in self._overview.now.history if each.id == step_id), None)
        if entry is None:
            return
        status = f"Taken back: {self._words(entry.step)}"
        found = self.session.take_back(step_id)
        if found is not None:
            self._contradict(found)
        elif change:
            self._again(entry.step, status)
        else:
            self._next(status)

    def _again(self, step: Step, status: str) -> None:
        """Ask the question of a step again."""
        question: Question | None = None
        row = row_of(step)
        pairs = [answer.question.pair for answer in step.answers]
        if isinstance(self._question, tuple) and self._question.kind == "board":
            self._queue.put_back(self._question.row)
        if step.kind == "pair" and pairs:
            question = PairQuestion(pairs[0], "person")
        elif step.kind == "board" and row is not None:
            question = self.session.board_for(self, row)
        elif step.kind == "pick" and row is not None:
            others = [each for pair in pairs for each in pair if each != row]
            question = PickQuestion(row, tuple(dict.fromkeys(others)), "person")
        elif step.kind == "sweep" and step.number in self._overview.now.groups:
            rows = list(dict.fromkeys(each for pair in pairs for each in pair))
            question = self.session.sweep_for(self, step.number, rows)
        if question is None:
            self._next(status)
        else:
            self._ask_about(question, status)

    def _choose(self, choice: Any) -> None:
        """Undo the answer that the person says is wrong."""
        link = next((link for link in self._links if link.choice == choice), None)
        if link is None:
            return
        pending = self._pending
        if not link.answers:
            self._undo()
            return
        self.session.retract((answer.id for answer in link.answers), self.annotator)
        if pending is None:
            self._next("Answer undone")
        else:
            self._links, self._pending = [], None
            self._answer(*pending)

    # ---- The map -----------------------------------------------------------------------------

    def _on_select(self, row: int) -> None:
        if self._links or self._blind:
            return
        first = self._map.cursor
        if first is None or self._map.selected:
            self._map.clear()
            self._map.cursor = row
        elif first == row:
            self._map.clear()
        else:
            implied = self.session.entails((first, row))
            question = PairQuestion((first, row), "person")
            self._ask_about(question, "" if implied is None else IMPLIED[implied])
            return
        self._show_selection()

    def _on_lasso(self, rows: list[int]) -> None:
        if not self._links and not self._blind:
            self._map.selected, self._map.cursor = rows, None
            self._show_selection()

    def _move(self, key: str) -> None:
        """Keys on the map: arrows move from row to row, "around" selects the nearest rows."""
        if self._blind or self._links:
            return
        if key == "around" and self._map.cursor is not None:
            self._on_lasso(self._map.select_around(self._map.cursor))
            return
        self._map.move(key)
        self._show_selection()

    def _sweep_into(self, number: Any, name: str) -> None:
        """Ask which of the selected rows belong to a group, or to a new one."""
        rows, now = self._map.selected, self._overview.now
        if number == NEW:
            free = [row for row in rows if row not in now.group_of]
            if not free:
                self._show("All these rows are in groups: choose one of the groups")
                return
            first = self._map.middle(free)
            question = self.session.board_for(self, first)
            found = self.session.answer(question, _new(name), self.annotator)
            if found is not None:
                self._pending = (question, _new(name))
                self._contradict(found)
                return
            number = self._overview.now.group_of[first]
            rows = [row for row in rows if row != first]
        self._queue.rows_to_sweep(rows, int(number))
        self._next()

    # ---- Output ------------------------------------------------------------------------------

    def _next(self, status: str = "") -> None:
        """Show the next question, or a contradiction that another program wrote to the file."""
        self._reset()
        contradiction = self.session.stored_contradiction()
        if contradiction is not None:
            self._contradict(contradiction)
            return
        try:
            self._question = self._queue.next(self, self.session, self._overview.now)
            if self._question is None:
                self._question = self.session.question_for(self, self._kind)
        except StoreError as error:  # of this answer nothing is lost: it was saved before
            self._question, self._trouble = None, str(error)
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
            screen = screen_of(question, self.items, now, self._slots, self._ask, blind=self._blind)
        self._map.mark(marked)
        self._show_selection()
        self._view.groups = now.groups_json
        self._view.draw(
            {**screen, "status": status, "allowed": allowed, "queue": self._queue.words}
        )

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

    def _tick(self) -> None:
        """Show what has changed: answers of others, a new space."""
        try:
            if self._trouble:
                self.session.tick()  # now, whether or not another tab has just looked
            self._overview.tick()
        except StoreError as error:
            if str(error) != self._trouble:  # a new turn each time would outrun the person
                self._trouble = str(error)
                self._show(f'<span class="bad">{escape(str(error))}</span>')
            return
        if self._trouble:
            self._trouble = ""
            if self._question is None and not self._links:
                self._next()
        self._view.age = self._overview.age
        if self.session.version == self._seen_version:
            return
        self._seen_version = self.session.version
        now = self._overview.now
        if not self._links:
            if self.session.stored_contradiction() is not None:
                self._next()
            elif self._was_answered():
                self._next("The last question was answered by someone else")
        self._map.refresh()
        self._view.param.update(side=now.side_json, groups=now.groups_json, legend=self._map.legend)

    def _was_answered(self) -> bool:
        """Whether someone else has answered the question that is shown."""
        question = self._question
        if question is None or question.reason == "person" or self._open:
            return False
        return self.session.is_answered(question)


def _response(question: Question, message: dict[str, Any], groups: Mapping[int, Any]) -> Response:
    """What the browser says as an answer to the question; None if it is none."""
    match question.kind, message:
        case "pair", {"value": "same" | "different" | "skip" as value}:
            return value
        case "board", {"value": "new"}:
            return _new(str(message.get("name", "")))
        case "board", {"value": str(value)} if value in BOARD_WORDS:
            return value
        case "board", {"value": int(number)} if number in groups:
            return number
        case "pick" | "sweep", {"rows": list(rows)} if set(rows) <= set(question.rows):
            return Marked(tuple(rows), bool(message.get("unknown")))
    return None


def _new(name: str) -> Response:
    name = " ".join(name.split())
    return (NEW, name) if name else NEW


def _bold(title: str) -> str:
    return f'<b dir="auto">{escape(title)}</b>'
