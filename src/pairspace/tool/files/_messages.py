"""Counts and lists of names in messages."""

from __future__ import annotations

SHOWN = 6  # names in a message


def counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"


def named(names: list[str]) -> str:
    """The first names, and the number of further ones."""
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
