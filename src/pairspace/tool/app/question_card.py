"""The question card: two items, the answer buttons and their keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param
from panel.custom import JSComponent

HERE = Path(__file__).parent
STYLE = (HERE / "style.css").read_text(encoding="utf-8")
TEXTS = ("ask", "left", "right", "left_caption", "right_caption", "notice", "status")
ANSWERS = ("same", "different", "skip")


class QuestionCard(JSComponent):
    """Shows one turn: a question, or a notice in its place.

    All texts except ``ask`` are HTML: the caller must escape what comes from the data. ``turn`` is
    set last, which makes the browser draw the card. A message from the browser carries its turn;
    messages of earlier turns are ignored.
    """

    ask = param.String()
    left = param.String()
    right = param.String()
    left_caption = param.String()
    right_caption = param.String()
    notice = param.String(doc="Shown in place of the two items.")
    status = param.String()
    allowed = param.List(default=[], item_type=str)
    global_keys = param.Boolean(default=True, doc="Whether keys work wherever the focus is.")
    turn = param.Integer(default=0)

    _esm = (HERE / "question_card.js").read_text(encoding="utf-8")

    def __init__(self, on_message: Callable[[dict[str, Any]], None], **params: Any) -> None:
        super().__init__(stylesheets=[STYLE], **params)
        self._on_message = on_message

    def draw(self, **contents: Any) -> None:
        """Draw the next turn; texts that are not passed are empty."""
        self.param.update(**{**dict.fromkeys(TEXTS, ""), **contents})
        self.turn += 1

    def _handle_msg(self, data: Any) -> None:
        if isinstance(data, dict) and data.get("turn") == self.turn:
            self._on_message(data)
