"""Printing: results go to standard output, notes and errors to standard error."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

from rich.console import Console
from rich.status import Status
from rich.text import Text

# Control characters but tabs and line ends, halves of characters, and changes of direction: in
# names and ids from files they could command the terminal.
COMMANDS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


def printable(text: str) -> str:
    """Text without characters that command a terminal: these are shown as ``\\x1b``."""
    return COMMANDS.sub(lambda found: ascii(found[0])[1:-1], text)


def printable_json(text: str) -> str:
    """JSON, whose strings have such characters as ``\\u001b``."""
    return COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class _SafeConsole(Console):
    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(printable(text), **options)


# Text from files is printed without markup and highlighting.
results = _SafeConsole(markup=False, highlight=False)  # silent with --json
notes = _SafeConsole(stderr=True, markup=False, highlight=False)


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
            line = Text(printable(f"{self._doing} … {last}"))
            line.truncate(notes.width - 4, overflow="ellipsis")
            self._status.update(line)
        return len(text)
