"""A fit in the background, while the page answers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class BackgroundFit:
    """A thread that fits, or waits for another process to fit.

    Once ``done``, it has a ``space``, or the error as ``failure``.
    """

    def __init__(self, plan: Any, fit: Callable[[Any], Any]) -> None:
        self.space: Any = None
        self.failure = ""
        self.done = False
        self._plan = plan
        self._fit = fit
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until the fit is done."""
        self._thread.join()

    def _run(self) -> None:
        try:
            self.space = self._fit(self._plan)
        except Exception as error:
            self.failure = f"{type(error).__name__}: {error}"
        finally:
            self.done = True
