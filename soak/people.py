"""Scripted people: they answer by known classes, err now and then, undo, and reload the page."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from soak.page import Page
from soak.tab import Closed, Tab

WRONG, UNDO, MODE = 0.05, 0.06, 0.03  # chances
WAIT = 0.3  # seconds until a page that could not be opened is tried again
PATIENCE = 60.0  # seconds for the next screen


@dataclass
class Visit:
    """What one person did in one tab, under a name of its own."""

    name: str
    saved: int = 0  # answers that the page said it had saved
    undone: int = 0
    unknown: int = 0  # answers and undos without a reply that names them
    refused: Counter[str] = field(default_factory=Counter)
    waits: list[float] = field(default_factory=list)  # seconds from each answer to the next screen


class Person:
    """Answers questions in tabs of a page until it is told to stop.

    Parameters
    ----------
    name : str
        The name; a number for each tab is added.
    page : Page
        The page.
    seconds : float
        How long the person looks at a screen, on average.
    seed : int
        Of what the person does.
    reload : float, default=0.03
        The chance that the person opens another tab instead of giving the next answer.
    """

    def __init__(
        self, name: str, page: Page, seconds: float, seed: int, reload: float = 0.03
    ) -> None:
        self.name, self.page, self.seconds, self.reload = name, page, seconds, reload
        self.visits: list[Visit] = []
        self._random = random.Random(seed)

    async def answer_until(self, stop: asyncio.Event, tab: Tab | None = None) -> None:
        """Answer in a tab that is open, and then open one after the other."""
        while not stop.is_set():
            try:
                open_tab, tab = tab or await Tab.open(self.page.url), None
                await self._visit(open_tab, stop)
            except (Closed, OSError, TimeoutError):
                await asyncio.sleep(WAIT)  # the page was killed: it starts again

    async def _visit(self, tab: Tab, stop: asyncio.Event) -> None:
        visit = Visit(f"{self.name}-{len(self.visits)}")
        self.visits.append(visit)
        if self._random.random() < 0.3:  # a key before the browser is ready is not taken
            await tab.send("undo")
        await tab.ready()
        await tab.send("name", value=visit.name)
        try:
            while not stop.is_set() and self._random.random() > self.reload:
                await asyncio.sleep(self._random.expovariate(1 / self.seconds))
                await self._act(tab, visit)
        finally:
            tab.close()

    async def _act(self, tab: Tab, visit: Visit) -> None:
        screen = tab.screen
        done = screen["kind"] == "done" and self._random.random() < 0.5
        if done or screen["kind"] == "notice" or self._random.random() < UNDO:
            action, values = "undo", {}
        elif screen["kind"] == "done" or self._random.random() < MODE:
            modes = ["mixed", "board", "pair", "pick", "sweep"]
            action, values = "mode", {"value": self._random.choice(modes)}
        else:
            action, values = "answer", self._answer(screen)
        if action != "mode":
            visit.unknown += 1
        start = time.monotonic()
        await tab.send(action, **values)
        if self._random.random() < 0.2:
            await tab.send(action, **values)  # as the browser does while it has no reply
        status = (await asyncio.wait_for(tab.next_screen(), PATIENCE))["status"]
        if action == "answer":
            visit.waits.append(time.monotonic() - start)
        _count(visit, action, status, tab.screen)

    def _answer(self, screen: dict[str, Any]) -> dict[str, Any]:
        wrong = self._random.random() < WRONG
        if screen["kind"] == "pair":
            same = _class(screen["left_caption"]) == _class(screen["right_caption"])
            return {"value": "same" if same != wrong else "different"}
        if screen["kind"] == "board":
            name = _class(screen["caption"])
            cards = [card for card in screen["cards"] if card]
            if wrong and cards:
                return {"value": self._random.choice(cards)["number"]}
            found = [card["number"] for card in cards if card["title"] == name]
            return {"value": found[0]} if found else {"value": "new", "name": name}
        same_as = screen["title"] if screen["kind"] == "sweep" else _class(screen["caption"])
        same = [_class(cell["caption"]) == same_as for cell in screen["cells"]]
        marked = [each == (screen["kind"] == "pick") for each in same]
        rows = [cell["row"] for cell, mark in zip(screen["cells"], marked, strict=True) if mark]
        return {"rows": rows}


def _class(caption: str) -> str:
    found = re.search(r"class \d+", caption)
    assert found, caption
    return found[0]


def _count(visit: Visit, action: str, status: str, screen: dict[str, Any]) -> None:
    """What a reply says about an answer or an undo."""
    if action == "mode":
        return
    if action == "answer" and status.startswith("Saved"):
        visit.saved, visit.unknown = visit.saved + 1, visit.unknown - 1
    elif action == "undo" and status.startswith("Undone"):
        visit.undone, visit.unknown = visit.undone + 1, visit.unknown - 1
    elif "Not saved" in status:
        visit.unknown -= 1
        visit.refused[re.sub("<[^>]+>", "", status)] += 1
    elif screen["kind"] == "notice" or status in (
        "You have nothing to undo",
        "Your answer was discarded",
    ):
        visit.unknown -= 1
