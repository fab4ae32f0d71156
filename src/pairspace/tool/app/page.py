"""The page of one tab: what a person does, and what follows from it."""

from __future__ import annotations

from html import escape
from typing import Any, get_args

from pairspace.active.kinds import (
    NEW,
    Kind,
    Marked,
    PairQuestion,
    PickQuestion,
    Question,
    Response,
    Step,
)
from pairspace.constraints import Contradiction
from pairspace.constraints.answers_file import StoreError, clean_name
from pairspace.tool.app.page_output import PageOutput
from pairspace.tool.app.responses import new_group, response_of
from pairspace.tool.app.words import IMPLIED, row_of


class Page(PageOutput):
    """One tab, or the output of one notebook cell: what a person does in it."""

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
                self._view.side = self._side
                self._resume()
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
                response = response_of(self._question, message, self._overview.now.groups)
                if response is not None:
                    self._answer(self._question, response)
            case {"action": "mode", "value": kind} if kind in get_args(Kind):
                self._kind = kind
                self._queue.clear()
                self._next()
                self._show_settings()
            case {"action": "blind", "value": bool(blind)}:
                self._blind = blind
                self._view.side = self._side
                self._show_settings()
                self._show("")
            case {"action": "review"}:
                self._queue.rows_to_place(self.session.unsure_rows(), "unsure rows")
                self._next()
            case {"action": "outvoted"}:
                self._queue.items_to_check(self._overview.now.summary.outvoted, "outvoted answers")
                self._next()
            case {"action": "disagreements"}:
                found = self._overview.now.disagreements
                self._queue.items_to_check(list(found), "disagreements", found)
                self._next()
            case {"action": "audit", "name": str(name)} if name in self._overview.now.audits:
                self._queue.answers_to_audit(name)
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
        if isinstance(response, Marked) and response.others_unknown:
            self._queue.skip(question.rows)
        if question.reason == "exam":
            self._next("Saved. Someone else was asked this, too: the answers are compared")
            return
        last = self._overview.now.history[:1]
        self._next(f"Saved: {self._words(last[0].step)}" if last else "Saved")

    def _resume(self) -> None:
        """Show the question at which the person stopped who is at the page now."""
        question = self.session.resumed(self, self.annotator)
        if question is None or self._links or self._open:
            return
        if self._question is None or set(question.rows) != set(self._question.rows):
            self._ask_about(question, "You stopped here")

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
            found = self.session.answer(question, new_group(name), self.annotator)
            if found is not None:
                self._pending = (question, new_group(name))
                self._contradict(found)
                return
            number = self._overview.now.group_of[first]
            rows = [row for row in rows if row != first]
        self._queue.rows_to_sweep(rows, int(number))
        self._next()


def _bold(title: str) -> str:
    return f'<b dir="auto">{escape(title)}</b>'
