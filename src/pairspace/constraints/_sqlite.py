"""Answers in an SQLite file, as the labelling page keeps them, read as a table of pairs."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SUFFIXES = (".sqlite", ".sqlite3", ".db")


def read_answers(path: str | os.PathLike[str], *, by_row: bool) -> Mapping[str, Sequence[Any]]:
    """The answers that stand: not taken back, and not "not sure"; ends are rows or ids."""
    if not Path(path).is_file():
        raise FileNotFoundError(f"there is no file {path}")
    ends = "a_row, b_row" if by_row else "a, b"
    # as_uri quotes what would be read as an option; reading must not make or change a file.
    uri = f"{Path(path).absolute().as_uri()}?mode=ro"
    try:
        connection = sqlite3.connect(uri, uri=True)
        try:
            rows = connection.execute(
                f"SELECT {ends}, same FROM answers "
                "WHERE taken_back = 0 AND same IS NOT NULL ORDER BY id"
            ).fetchall()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise ValueError(
            f"{path}: {error}; answers are read from a file made by `pairspace label`"
        ) from None
    a, b, same = zip(*rows, strict=True) if rows else ((), (), ())
    return {"a": a, "b": b, "same": same}
