"""Printing: results go to standard output, notes and errors to standard error."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

from rich.console import Console
from rich.status import Status
from rich.text import Text

# Text from files is printed as it is: no markup, no highlighting.
results = Console(markup=False, highlight=False)  # silent with --json
notes = Console(stderr=True, markup=False, highlight=False)


def note(text: str) -> None:
    """Print a note on standard error."""
    notes.print(f"· {text}", style="dim", soft_wrap=True)


def result(text: str) -> None:
    """Print a line of the result."""
    results.print(text, soft_wrap=True)


@contextmanager
def busy(doing: str) -> Iterator[None]:
    """Show a spinner with the last line that is printed meanwhile.

    Estimators with ``verbose`` print their progress; none of it goes to standard output.
    """
    with notes.status(f"{doing} …") as status, redirect_stdout(_LastLine(status, doing)):
        yield


class _LastLine(io.TextIOBase):
    def __init__(self, status: Status, doing: str) -> None:
        self._status, self._doing = status, doing

    def write(self, text: str) -> int:
        if last := text.strip().split("\n")[-1]:
            last = re.sub(r"^\[\w+\] ", "", last)  # the estimator's name
            line = Text(f"{self._doing} … {last}")
            line.truncate(notes.width - 4, overflow="ellipsis")
            self._status.update(line)
        return len(text)
