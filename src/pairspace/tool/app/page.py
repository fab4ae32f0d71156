"""The page: the question card, and the side panel with map, progress and downloads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import panel as pn

from pairspace._core.typing import Pair
from pairspace.constraints import Constraints, Contradiction
from pairspace.constraints.answers_file import StoreError
from pairspace.tool.app.contradiction import Link, contradiction_html, links_of
from pairspace.tool.app.exports import Exports
from pairspace.tool.app.items import Items
from pairspace.tool.app.layout import arrange
from pairspace.tool.app.question_card import ANSWERS, QuestionCard
from pairspace.tool.app.session import VALUE, LabellingSession
from pairspace.tool.app.side_panel import SidePanel

TICK_MS = 300
HEIGHT_IN_NOTEBOOK = 760  # pixels; a cell has no height that a page could fill
# As on the buttons.
LABELS = {"same": "Same", "different": "Different", "skip": "Not sure"}
SAVED = {
    "same": "{} and {} are the same",
    "different": "{} and {} are different",
    "skip": "not sure about {} and {}",
}
IMPLIED = {
    True: "The answers so far imply that these two are the same",
    False: "The answers so far imply that these two are different",
}
NOTHING_LEFT = (
    '<div class="dialog"><h2>No questions left</h2>'
    "<p>The answers imply the answer to every other pair, or you were not sure about it. "
    "Click two points of the map to compare any pair.</p></div>"
)


class Page(pn.viewable.Viewer):
    """One tab, or the output of one notebook cell.

    All pages of a session show the same answers and the same map.

    Parameters
    ----------
    session : LabellingSession
        The state behind the page.
    items : Items
        How rows are shown.
    columns : mapping of sequences
        The columns that the map can be coloured by.
    exports : Exports
        The files to download.
    title : str
        The title of the page.
    ask : str
        The question above the two items.
    annotator : str
        The initial name of the person who answers.
    in_notebook : bool
        Whether the page is in a notebook. Then its height is fixed, and keys work only inside the
        question card, because a notebook has its own keys.
    """

    def __init__(
        self,
        session: LabellingSession,
        items: Items,
        columns: Mapping[str, Sequence[Any]],
        exports: Exports,
        *,
        title: str,
        ask: str,
        annotator: str,
        in_notebook: bool,
    ) -> None:
        super().__init__()
        self.session = session
        self.items = items
        self._ask = ask
        self._pair: Pair | None = None
        self._chosen = False  # whether the person chose this pair, known or not
        self._selected: int | None = None
        self._links: list[Link] = []
        self._pending: tuple[Pair, str] | None = None
        self._seen_version = -1
        self._card = QuestionCard(
            self._on_message, global_keys=not in_notebook, sizing_mode="stretch_both"
        )
        self._side = SidePanel(session, len(items.ids), columns, exports, self._on_select)
        self._name = pn.widgets.TextInput(
            value=annotator, placeholder="your name", width=140, margin=(9, 0)
        )
        self._layout = arrange(
            title=title,
            annotator=self._name,
            card=self._card,
            chart=self._side.chart,
            progress=self._side.progress,
            height=HEIGHT_IN_NOTEBOOK if in_notebook else None,
        )
        self._next()
        self._tick()
        pn.state.add_periodic_callback(self._tick, period=TICK_MS)
        pn.state.on_session_destroyed(lambda _: self.session.release(self))

    def __panel__(self) -> Any:
        return self._layout

    @property
    def constraints(self) -> Constraints:
        """The answers so far, to pass to an estimator."""
        return self.session.questions.constraints

    @property
    def annotator(self) -> str:
        """The name of the person who answers."""
        return self._name.value.strip() or "anonymous"

    # ---- Input -------------------------------------------------------------------------------

    def _on_message(self, message: dict[str, Any]) -> None:
        action = message.get("action")
        try:
            if action == "undo":
                self._undo()
            elif action == "choose" and self._links:
                self._choose(message.get("choice"))
            elif action in ANSWERS and self._pair is not None and not self._links:
                self._answer(self._pair, action)
        except StoreError as error:
            self._show(f'<span class="bad">Not saved. {escape(str(error))}</span>')
        self._tick()

    def _answer(self, pair: Pair, value: str) -> None:
        found = self.session.answer(pair, value, self.annotator)
        if found is None:
            captions = map(self.items.caption, pair)
            self._next(f"Saved: {SAVED[value].format(*captions)}")
        else:
            self._pending = (pair, value)
            self._contradict(found)

    def _undo(self) -> None:
        if self._links:
            if self._pending is not None:
                self._question(self._pending[0], "Your answer was discarded")
            return
        undone = self.session.undo(self.annotator)
        if undone is None:
            self._show("You have no answer to undo")
        else:
            self._question((undone.a_row, undone.b_row), f"Undone: “{LABELS[VALUE[undone.same]]}”")

    def _choose(self, choice: Any) -> None:
        """Undo the answer that the person says is wrong."""
        link = next((link for link in self._links if link.choice == choice), None)
        if link is None:
            return
        pending = self._pending
        if not link.answers:
            self._undo()
            return
        self.session.retract(answer.id for answer in link.answers)
        if pending is None:
            self._next("Answer undone")
        else:
            self._answer(*pending)

    def _on_select(self, row: int) -> None:
        if self._links:
            return
        if self._selected is None:
            self._selected = row
            self._show(
                f"{self.items.caption(row)} is selected: click another point to compare the two"
            )
        elif self._selected == row:
            self._selected = None
            self._show("")
        else:
            pair = (self._selected, row)
            implied = self.session.entails(pair)
            self._question(pair, "" if implied is None else IMPLIED[implied])

    # ---- Output ------------------------------------------------------------------------------

    def _next(self, status: str = "") -> None:
        """Show the next question, or a contradiction that another program wrote to the file."""
        self._links, self._pending, self._selected = [], None, None
        contradiction = self.session.stored_contradiction()
        if contradiction is not None:
            self._contradict(contradiction)
            return
        self._pair, self._chosen = self.session.question_for(self), False
        self._show(status)

    def _question(self, pair: Pair, status: str) -> None:
        """Show a pair that the person chose, known or not."""
        self._links, self._pending, self._selected = [], None, None
        self._pair, self._chosen = pair, True
        self.session.reserve(self, pair)
        self._show(status)

    def _contradict(self, found: Contradiction) -> None:
        self._links = links_of(found, self.session.answers_to)
        self._show("Press z to go back to the question without saving" if self._pending else "")

    def _show(self, status: str) -> None:
        undo = ["undo"] if self.session.has_answers_of(self.annotator) else []
        if self._links:
            self._side.mark(self._links[-1].ends)
            self._card.draw(
                notice=contradiction_html(self._links, self.items),
                status=status,
                allowed=["undo"] if self._pending else [],
            )
        elif self._pair is None:
            self._side.mark(())
            self._card.draw(notice=NOTHING_LEFT, status=status, allowed=undo)
        else:
            left, right = self.items.side_by_side(*self._pair)
            self._side.mark(self._pair if self._selected is None else (self._selected,))
            self._card.draw(
                ask=self._ask,
                left=left,
                right=right,
                left_caption=self.items.caption(self._pair[0]),
                right_caption=self.items.caption(self._pair[1]),
                status=status,
                allowed=[*ANSWERS, *undo],
            )

    def _tick(self) -> None:
        """Show what has changed: answers of others, a new space."""
        try:
            self.session.tick()
        except StoreError as error:
            self._show(f'<span class="bad">{escape(str(error))}</span>')
            return
        self._side.show_age()
        if self.session.version == self._seen_version:
            return
        self._seen_version = self.session.version
        if not self._links:
            if self.session.stored_contradiction() is not None:
                self._next()
            elif self._pair and not self._chosen and self.session.entails(self._pair) is not None:
                self._next("The last question was answered by someone else")
        self._side.refresh()
