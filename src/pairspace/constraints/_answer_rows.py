"""The tables of the answers file, and its rows, checked: anyone can edit a SQLite file."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import unicodedata
from collections.abc import Iterable
from typing import Any, NamedTuple

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS answers (
    id INTEGER PRIMARY KEY,
    a TEXT NOT NULL,
    b TEXT NOT NULL,
    a_row INTEGER NOT NULL,
    b_row INTEGER NOT NULL,
    same INTEGER NULL,  -- 1 same, 0 different, NULL not sure
    time TEXT NOT NULL,
    annotator TEXT NOT NULL,
    retracted INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL,  -- why it was asked: strategy, test, recheck, exam, person, given
    same_cluster INTEGER NULL  -- whether both were in one cluster when it was asked
);
"""
REASONS = ("strategy", "test", "recheck", "exam", "person", "given")


class StoreError(OSError):
    """The answers file can't be used; the message names the file and the remedy."""


class StoredAnswer(NamedTuple):
    """A row of the file."""

    id: int
    a: str
    b: str
    a_row: int
    b_row: int
    same: bool | None
    time: str
    annotator: str
    reason: str
    same_cluster: bool | None

    @property
    def pair(self) -> tuple[int, int]:
        """The two rows, the smaller one first."""
        return min(self.a_row, self.b_row), max(self.a_row, self.b_row)


COLUMNS = StoredAnswer._fields
KINDS: dict[str, type] = {"a": str, "b": str, "a_row": int, "b_row": int, "reason": str}
KINDS |= {"time": str, "annotator": str}


def ids_digest(ids: Iterable[str], content: bytes = b"") -> str:
    """A digest of the names of all rows; different data have different digests."""
    digest = hashlib.sha256(content)
    for name in ids:
        encoded = name.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()


def clean_name(name: str) -> str:
    """A person's name without what no file or page can hold: control characters, half characters.

    The name of a user in another encoding than UTF-8 has such halves (surrogates).
    """
    return "".join("�" if unicodedata.category(c) in ("Cc", "Cs") else c for c in name).strip()


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables that are missing, inside a transaction."""
    # executescript would commit what is under way.
    for statement in filter(str.strip, SCHEMA.split(";\n")):
        connection.execute(statement)


def check_tables(connection: sqlite3.Connection, path: str | os.PathLike[str]) -> None:
    """Refuse a database with other tables, or with other columns; an empty one is allowed."""
    found = "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view')"
    tables = dict(connection.execute(found))
    # A view could have rows without end.
    if tables and (tables.get("meta"), tables.get("answers")) != ("table", "table"):
        raise StoreError(
            f"{path} has other tables ({', '.join(sorted(tables))}) and no answers; "
            "choose another file"
        )
    columns = {row[1] for row in connection.execute("PRAGMA table_info(answers)")}
    missing = {"retracted", *COLUMNS} - columns
    if tables and missing:
        raise StoreError(
            f"{path} was written by a version of pairspace before 0.1.0: its table of answers has "
            f"no column {', '.join(sorted(missing))}. Choose another file"
        )


def check_triggers(connection: sqlite3.Connection, path: str | os.PathLike[str]) -> None:
    """Refuse triggers: they could change or remove what is written."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchone()
    if found is not None:
        raise StoreError(
            f"{path} has a trigger, {found[0]!r}, which can change answers as they are written; "
            f'remove it (DROP TRIGGER "{found[0]}") or choose another file'
        )


def read_rows(
    connection: sqlite3.Connection, path: str | os.PathLike[str]
) -> tuple[dict[int, StoredAnswer], set[int]]:
    """All answers by their id, oldest first, and the ids of those that were retracted."""
    # Text that is no UTF-8 is checked like any other, by the row that has it.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    rows = connection.execute(f"SELECT {', '.join(COLUMNS)}, retracted FROM answers ORDER BY id")
    answers: dict[int, StoredAnswer] = {}
    retracted = set()
    for *values, flag in rows:
        answer = _checked(path, values, flag)
        answers[answer.id] = answer
        if flag:
            retracted.add(answer.id)
    return answers, retracted


def _checked(path: str | os.PathLike[str], values: list[Any], flag: Any) -> StoredAnswer:
    answer = StoredAnswer(*values)
    problem = None
    for name, kind in KINDS.items():
        value = getattr(answer, name)
        if not isinstance(value, kind):
            problem = f"{name} must be {'text' if kind is str else 'a row number'}; got {value!r}"
            break
    else:
        if answer.a_row == answer.b_row:
            problem = f"it is about row {answer.a_row} and the same row again"
        elif min(answer.a_row, answer.b_row) < 0:
            problem = f"a row number must not be negative; got {min(answer.a_row, answer.b_row)}"
        elif answer.reason not in REASONS:
            problem = f"reason must be one of {', '.join(REASONS)}; got {answer.reason!r}"
        for name in ("same", "same_cluster"):
            if getattr(answer, name) not in (0, 1, None):
                problem = f"{name} must be 0, 1 or NULL; got {getattr(answer, name)!r}"
        if flag not in (0, 1):
            problem = f"retracted must be 0 or 1; got {flag!r}"
    if problem is not None:
        problem = problem if len(problem) < 300 else f"{problem[:300]}…"
        raise StoreError(
            f"{path}: answer {answer.id}: {problem}. Was the file changed by hand? Mend this row, "
            "or choose another file"
        )
    return answer._replace(same=_truth(answer.same), same_cluster=_truth(answer.same_cluster))


def _truth(value: int | None) -> bool | None:
    return None if value is None else bool(value)
