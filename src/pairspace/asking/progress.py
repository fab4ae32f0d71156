"""A progress bar, where rich is installed and someone can see it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


class Status(NamedTuple):
    """How far the questions are.

    Parameters
    ----------
    answers : int
        The number of answers so far, also of earlier runs on the same file.
    budget : int
        The number of answers to reach.
    cost : float
        What all replies cost, also failures.
    failures : int
        The number of failures in this run.
    groups : int
        The number of groups so far.
    """

    answers: int
    budget: int
    cost: float
    failures: int
    groups: int

    def __str__(self) -> str:
        parts = [f"{self.answers:,} of {self.budget:,} answers", f"{self.groups:,} groups"]
        parts += [f"cost {self.cost:.4g}"] * bool(self.cost)
        parts += [f"{self.failures:,} failure{'s' * (self.failures != 1)}"] * bool(self.failures)
        return ", ".join(parts)


Show = Callable[[Status], Any]


@contextmanager
def showing(progress: bool | Show | None) -> Iterator[Show]:
    """A function to call with each status: a bar on a terminal, the user's own, or nothing."""
    if callable(progress):
        yield progress
        return
    if progress is None:
        progress = sys.stderr.isatty() and _has_rich()
    if not progress:
        yield lambda status: None
        return
    if not _has_rich():
        raise ImportError("a progress bar needs rich: pip install 'pairspace[cli]'")
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("asking …", total=None)

        def show(status: Status) -> None:
            bar.update(task, description=str(status), total=status.budget, completed=status.answers)

        yield show


def _has_rich() -> bool:
    from importlib.util import find_spec

    return find_spec("rich") is not None
