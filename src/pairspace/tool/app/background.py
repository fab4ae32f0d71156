"""A fit in a background thread."""

from __future__ import annotations

import threading
from typing import Any


class BackgroundFit:
    """A fit in a thread. Once ``done``, it has a ``space``, or the error as ``failure``."""

    def __init__(self, plan: Any) -> None:
        self.space: Any = None
        self.failure = ""
        self.done = False
        self._plan = plan
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until the fit is done."""
        self._thread.join()

    def _run(self) -> None:
        try:
            self.space = self._plan.fit()
        except Exception as error:
            self.failure = f"{type(error).__name__}: {error}"
        finally:
            self.done = True
