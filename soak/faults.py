"""Faults: a page is killed, the disk is full, the file is replaced, the clock is set back."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

from soak.page import Page

LASTS = 2.0  # seconds that a fault lasts


class Faults:
    """Random faults, one at a time."""

    def __init__(self, pages: list[Page], folder: Path, seed: int) -> None:
        self._pages, self._folder = pages, folder
        self._random = random.Random(seed)
        self._answers = folder / "answers.sqlite"
        self.counts: Counter[str] = Counter()

    async def happen_until(self, stop: asyncio.Event, every: float) -> None:
        """One after the other, each kind as often as the others."""
        kinds: list[Callable[[], Awaitable[None]]] = []
        while not stop.is_set():
            await asyncio.sleep(self._random.uniform(0.5, 1.5) * every)
            if not kinds:
                kinds = [self._kill, self._fill_disk, self._replace, self._set_clock_back]
                self._random.shuffle(kinds)
            fault = kinds.pop()
            await fault()
            self.counts[fault.__name__.strip("_").replace("_", " ")] += 1

    async def _kill(self) -> None:
        """The last page only: of the first one the memory is watched."""
        self._pages[-1].kill()
        await asyncio.to_thread(self._pages[-1].start)

    async def _fill_disk(self) -> None:
        for page in self._pages:
            page.limit_files(self._answers.stat().st_size)
        await asyncio.sleep(LASTS)
        for page in self._pages:
            page.limit_files(None)

    async def _replace(self) -> None:
        """Another file under the name; then the first one again."""
        aside = self._folder / "aside.sqlite"
        self._answers.rename(aside)
        shutil.copy(aside, self._answers)
        await asyncio.sleep(LASTS)
        aside.replace(self._answers)

    async def _set_clock_back(self) -> None:
        clock = self._folder / "clock"
        clock.write_text(str(-self._random.choice([1, 3600, 86_400 * 400])), encoding="ascii")
