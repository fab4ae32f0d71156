"""Where the commands print: results on the output, notes and errors beside it."""

from __future__ import annotations

from rich.console import Console

# What comes from files is printed as it is: no markup, no colouring of numbers.
results = Console(markup=False, highlight=False)  # silent with --json
notes = Console(stderr=True, markup=False, highlight=False)


def note(text: str) -> None:
    """One line beside the result: what was done with the data."""
    notes.print(f"· {text}", style="dim", soft_wrap=True)


def result(text: str) -> None:
    results.print(text, soft_wrap=True)
