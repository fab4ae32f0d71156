"""The card that asks: two items, the answers, the keys. What it says comes from the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param
from panel.custom import JSComponent

HERE = Path(__file__).parent
STYLE = (HERE / "style.css").read_text(encoding="utf-8")
TEXTS = ("ask", "left", "right", "left_caption", "right_caption", "instead", "status")
ANSWERS = ("same", "different", "skip")


class Pad(JSComponent):
    """Shows one turn: a question, or something else that needs an answer.

    All texts but ``ask`` are HTML: who sets them escapes what comes from the data. ``turn`` is
    set last, and only then the card is drawn; a message carries the turn it was given in.
    """

    ask = param.String()
    left = param.String()
    right = param.String()
    left_caption = param.String()
    right_caption = param.String()
    instead = param.String(doc="Shown in place of the two items.")
    status = param.String()
    allowed = param.List(default=[], item_type=str)
    everywhere = param.Boolean(default=True, doc="Whether keys count wherever the focus is.")
    turn = param.Integer(default=0)

    _esm = (HERE / "pad.js").read_text(encoding="utf-8")

    def __init__(self, on_message: Callable[[dict[str, Any]], None], **params: Any) -> None:
        super().__init__(stylesheets=[STYLE], **params)
        self._on_message = on_message

    def draw(self, **contents: Any) -> None:
        """Draw the next turn; texts that are not named are empty."""
        self.param.update(**{**dict.fromkeys(TEXTS, ""), **contents})
        self.turn += 1

    def _handle_msg(self, data: Any) -> None:
        if isinstance(data, dict) and data.get("turn") == self.turn:
            self._on_message(data)
