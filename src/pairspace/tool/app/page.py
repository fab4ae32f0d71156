"""One tab: the question, the map, the progress, and what may be taken away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import panel as pn

from pairspace._core.typing import Pair
from pairspace.constraints import Constraints, Contradiction
from pairspace.constraints.answers_file import StoreError
from pairspace.tool.app.contradiction import Link, contradiction_html, links_of
from pairspace.tool.app.desk import SAID, Desk
from pairspace.tool.app.exports import Exports
from pairspace.tool.app.items import Items
from pairspace.tool.app.layout import arrange
from pairspace.tool.app.pad import ANSWERS, Pad
from pairspace.tool.app.side import Side

TICK_MS = 300
HEIGHT_UNDER_A_CELL = 760  # pixels; a cell has no height that a page could fill
SAYS = {"same": "are the same", "different": "are different", "skip": "were left open"}
KNOWN = {
    True: "Your answers so far say that these are the same",
    False: "Your answers so far say that these are different",
}
NOTHING_LEFT = (
    '<div class="stop"><h2>Nothing is left to ask</h2>'
    "<p>All other pairs follow from your answers, or you were not sure about them. "
    "Two points of the map, clicked one after the other, ask about any pair.</p></div>"
)


class Page(pn.viewable.Viewer):
    """What a person sees and does. All pages of a desk show the same answers and the same map.

    Parameters
    ----------
    desk : Desk
    items : Items
        What rows look like.
    columns : mapping of sequences
        What the map can be coloured by: a value for each row.
    exports : Exports
        What may be taken away.
    title : str
        What the data is called.
    ask : str
        The question.
    annotator : str
        Who answers, unless they say otherwise.
    in_notebook : bool
        Whether it stands under a cell: its height is fixed, and keys count only where the focus
        is, for a notebook has keys of its own.
    """

    def __init__(
        self,
        desk: Desk,
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
        self.desk = desk
        self.items = items
        self._ask = ask
        self._pair: Pair | None = None
        self._chosen = False  # whether the person wanted this pair, known or not
        self._picked: int | None = None
        self._links: list[Link] = []
        self._pending: tuple[Pair, str] | None = None
        self._seen_version = -1
        self._pad = Pad(self._on_message, everywhere=not in_notebook, sizing_mode="stretch_both")
        self._side = Side(desk, len(items.ids), columns, exports, self._on_pick)
        self._who = pn.widgets.TextInput(
            value=annotator, placeholder="your name", width=140, margin=(9, 0)
        )
        self._layout = arrange(
            title=title,
            who=self._who,
            pad=self._pad,
            chart=self._side.chart,
            progress=self._side.progress,
            height=HEIGHT_UNDER_A_CELL if in_notebook else None,
        )
        self._next()
        self._tick()
        pn.state.add_periodic_callback(self._tick, period=TICK_MS)
        pn.state.on_session_destroyed(lambda _: self.desk.leave(self))

    def __panel__(self) -> Any:
        return self._layout

    @property
    def constraints(self) -> Constraints:
        """The answers so far, as every estimator takes them."""
        return self.desk.questions.constraints

    @property
    def annotator(self) -> str:
        return self._who.value.strip() or "somebody"

    # ---- What the person does ----------------------------------------------------------------

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

    def _answer(self, pair: Pair, said: str) -> None:
        found = self.desk.answer(pair, said, self.annotator)
        if found is None:
            i, j = map(self.items.caption, pair)
            self._next(f"Saved: {i} and {j} {SAYS[said]}")
        else:
            self._pending = (pair, said)
            self._contradict(found)

    def _undo(self) -> None:
        if self._links:
            if self._pending is not None:
                self._question(self._pending[0], "Your last answer was not kept")
            return
        undone = self.desk.undo(self.annotator)
        if undone is None:
            self._show("There is no answer of yours to take back")
        else:
            self._question((undone.a_row, undone.b_row), f"Taken back: “{SAID[undone.same]}”")

    def _choose(self, choice: Any) -> None:
        """Which of the answers that can't all be true is the wrong one."""
        link = next((link for link in self._links if link.choice == choice), None)
        if link is None:
            return
        pending = self._pending
        if not link.answers:
            self._undo()
            return
        self.desk.take_back(answer.id for answer in link.answers)
        if pending is None:
            self._next("Taken back")
        else:
            self._answer(*pending)

    def _on_pick(self, row: int) -> None:
        if self._links:
            return
        if self._picked is None:
            self._picked = row
            self._show(
                f"{self.items.caption(row)} is picked: click another point to ask about both"
            )
        elif self._picked == row:
            self._picked = None
            self._show("")
        else:
            pair = (self._picked, row)
            known = self.desk.known(pair)
            self._question(pair, "" if known is None else KNOWN[known])

    # ---- What the person sees ----------------------------------------------------------------

    def _next(self, status: str = "") -> None:
        """The next question, or a contradiction that somebody else left in the file."""
        self._links, self._pending, self._picked = [], None, None
        conflict = self.desk.conflict()
        if conflict is not None:
            self._contradict(conflict.contradiction)
            return
        self._pair, self._chosen = self.desk.question_for(self), False
        self._show(status)

    def _question(self, pair: Pair, status: str) -> None:
        """A pair that the person wants to answer, known or not."""
        self._links, self._pending, self._picked = [], None, None
        self._pair, self._chosen = pair, True
        self.desk.hold(self, pair)
        self._show(status)

    def _contradict(self, found: Contradiction) -> None:
        self._links = links_of(found, self.desk.answers_to)
        self._show("Press z to go back to the question" if self._pending else "")

    def _show(self, status: str) -> None:
        undo = ["undo"] if self.desk.has_answers_of(self.annotator) else []
        if self._links:
            self._side.mark(self._links[-1].ends)
            self._pad.draw(
                instead=contradiction_html(self._links, self.items),
                status=status,
                allowed=["undo"] if self._pending else [],
            )
        elif self._pair is None:
            self._side.mark(())
            self._pad.draw(instead=NOTHING_LEFT, status=status, allowed=undo)
        else:
            left, right = self.items.side_by_side(*self._pair)
            self._side.mark(self._pair if self._picked is None else (self._picked,))
            self._pad.draw(
                ask=self._ask,
                left=left,
                right=right,
                left_caption=self.items.caption(self._pair[0]),
                right_caption=self.items.caption(self._pair[1]),
                status=status,
                allowed=[*ANSWERS, *undo],
            )

    def _tick(self) -> None:
        """Take in what changed meanwhile: the answers of others, a new space."""
        try:
            self.desk.tick()
        except StoreError as error:
            self._show(f'<span class="bad">{escape(str(error))}</span>')
            return
        self._side.show_age()
        if self.desk.version == self._seen_version:
            return
        self._seen_version = self.desk.version
        if not self._links:
            if self.desk.conflict() is not None:
                self._next()
            elif self._pair and not self._chosen and self.desk.known(self._pair) is not None:
                self._next("Somebody else answered that one meanwhile")
        self._side.refresh()
