"""What a person sees: the screen, the map, the groups and the history, in one component."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import panel as pn
import param
from panel.custom import Child, JSComponent

HERE = Path(__file__).parent / "static"
SCRIPTS = ("elements", "names", "board", "grid", "pair", "map", "side", "page")
STYLES = ("page", "items", "screens", "side")

# Messages about the page itself: they belong to no turn.
ALWAYS = ("name", "scheme", "colour", "tool", "zoom", "cursor")


def _read(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


class PageView(JSComponent):
    """Shows one turn: a question, or a notice in its place, and beside it what is known.

    All contents are JSON. Texts in it are HTML where the data may have a part in it, and the
    caller must escape what comes from the data. A message from the browser carries its turn;
    messages of earlier turns are ignored, so the browser may send a message again. It must do so
    with messages from before it was ready: they are ignored, too.
    """

    screen = param.String(default="{}", doc="The turn and what it shows.")
    side = param.String(default="{}", doc="The summary and the history.")
    groups = param.String(default="[]", doc="All groups, those used last first.")
    settings = param.String(default="{}", doc="Title, kind of questions, columns, ….")
    selection = param.String(default="null", doc="What is selected on the map.")
    legend = param.String(doc="The legend of the map, as HTML.")
    age = param.String(doc="How old the map is.")
    chart = Child()
    curve = Child()
    downloads = Child()

    _esm = "\n".join(_read(f"{name}.js") for name in SCRIPTS)

    def __init__(self, on_message: Callable[[dict[str, Any]], None], **params: Any) -> None:
        styles = [_read(f"{name}.css") for name in STYLES]
        super().__init__(stylesheets=styles, **params)
        self._on_message = on_message
        self.turn = 0
        self._ready = False
        pn.state.onload(self._on_ready)

    @classmethod
    def _patch_datamodel_ref(cls, props: Any, ref: str) -> None:
        """Tag the models of the page, once.

        Panel goes through all of them, with all their properties, at each change of a text: that
        took four fifths of the time of an answer. No model is added after the start.
        """
        if f"__ref:{ref}" not in props.tags:
            super()._patch_datamodel_ref(props, ref)

    def draw(self, screen: dict[str, Any]) -> None:
        """Draw the next turn."""
        self.turn += 1
        self.screen = json.dumps({**screen, "turn": self.turn})

    def _on_ready(self) -> None:
        """The browser has drawn the page. Panel does not send what has changed before."""
        self._ready = True
        if self.turn > 1:  # else the screen is the first one, in which a person may type already
            self.screen += " "  # the same, but sent again
        for name in ("side", "groups", "legend", "age"):
            setattr(self, name, f"{getattr(self, name)} ")

    def _handle_msg(self, data: Any) -> None:
        if not self._ready:
            return
        # Panel may pass on messages without the document's lock, and Bokeh refuses to change a plot
        # without it. A callback of the next tick has the lock.
        document = pn.state.curdoc
        if document is None or document.session_context is None:
            self._receive(data)
        else:
            document.add_next_tick_callback(partial(self._receive, data))

    def _receive(self, data: Any) -> None:
        if not isinstance(data, dict):
            return
        if data.get("action") in ALWAYS or data.get("turn") == self.turn:
            self._on_message(data)
