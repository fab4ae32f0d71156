"""Where the commands print: results on the output, notes and errors beside it."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

from rich.console import Console
from rich.status import Status
from rich.text import Text

# What comes from files is printed as it is: no markup, no colouring of numbers.
results = Console(markup=False, highlight=False)  # silent with --json
notes = Console(stderr=True, markup=False, highlight=False)


def note(text: str) -> None:
    """One line beside the result: what was done with the data."""
    notes.print(f"· {text}", style="dim", soft_wrap=True)


def result(text: str) -> None:
    results.print(text, soft_wrap=True)


@contextmanager
def busy(doing: str) -> Iterator[None]:
    """A turning sign beside the result, with what is said on the way: the last line of it.

    An estimator with ``verbose`` says it with ``print``; nothing of that gets to the output.
    """
    with notes.status(f"{doing} …") as status, redirect_stdout(_LastLine(status, doing)):
        yield


class _LastLine(io.TextIOBase):
    def __init__(self, status: Status, doing: str) -> None:
        self._status, self._doing = status, doing

    def write(self, text: str) -> int:
        if said := text.strip().split("\n")[-1]:
            said = re.sub(r"^\[\w+\] ", "", said)  # the estimator's name
            line = Text(f"{self._doing} … {said}")
            line.truncate(notes.width - 4, overflow="ellipsis")
            self._status.update(line)
        return len(text)
