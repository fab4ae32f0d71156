"""Python's search for garbage, where it takes time and finds none.

A command imports some thousand modules. While they are imported, Python looks at all of their
objects again and again, and once more when it ends: a third of the time of a short command.
"""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

USUAL = gc.get_threshold()  # 700 or 2,000 new objects, after which Python looks for garbage
NEW_OBJECTS = 50_000


@contextmanager
def fewer_searches() -> Iterator[None]:
    """Look for garbage less often in the block, and not at the end of the program."""
    _none_at_the_end()
    before = gc.get_threshold()
    gc.set_threshold(NEW_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def usual_searches() -> Iterator[None]:
    """Look for garbage as often as Python does: in what runs for hours it would pile up."""
    before = gc.get_threshold()
    gc.set_threshold(*USUAL)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@cache
def _none_at_the_end() -> None:
    """What is left then, the system takes back with the memory of the process."""
    atexit.register(gc.freeze)
