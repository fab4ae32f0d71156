"""The answers file: its SQLite tables, and how it is read and written."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

SUFFIXES = (".sqlite", ".sqlite3", ".db")
# How long to wait while another program writes to the file.
WAIT_SECONDS = 10.0

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
    reason TEXT NOT NULL,  -- why it was asked: strategy, test, person, given
    same_cluster INTEGER NULL  -- whether both were in one cluster when it was asked
);
"""


class StoreError(OSError):
    """The answers file can't be used; the message names the file and the remedy."""


class StoredAnswer(NamedTuple):
    """A row of the file that was not retracted."""

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


def ids_digest(ids: Iterable[str], content: bytes = b"") -> str:
    """A digest of the names of all rows; different data have different digests."""
    digest = hashlib.sha256(content)
    for name in ids:
        encoded = name.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()


class AnswerStore:
    """Answers in a file; each is on the disk when :meth:`writing` ends.

    Several stores, in one program or in many, may be open on the same file.

    Parameters
    ----------
    path : path
        The file; created if it does not exist. ``":memory:"`` keeps the answers in memory.
    ids : sequence of str
        The name of each row of the data.
    content : bytes, default=b""
        A digest of the data, if the names are only row numbers and so do not identify it.
    """

    def __init__(
        self, path: str | os.PathLike[str], ids: Sequence[str], *, content: bytes = b""
    ) -> None:
        self.path = os.fspath(path)
        self._ids = ids
        self._check_place()
        with self._explained("can't be opened"):
            # Pages, fits and a notebook's cells run in different threads, one at a time.
            self._connection = sqlite3.connect(
                self.path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
            )
        try:
            with self._explained("can't be opened"):
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute("PRAGMA synchronous = FULL")
                _check_tables(self._connection, self.path)
                with self.writing():
                    self._set_up(ids_digest(ids, content))
                self._seen = self._data_version()
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    # ---- Reading -----------------------------------------------------------------------------

    def answers(self) -> list[StoredAnswer]:
        """All answers that were not retracted, oldest first."""
        with self._explained("can't be read"):
            # The version before the rows: an answer written in between is read again, never missed.
            self._seen = self._data_version()
            rows = self._connection.execute(
                f"SELECT {', '.join(StoredAnswer._fields)} FROM answers "
                "WHERE retracted = 0 ORDER BY id"
            ).fetchall()
        found = [
            answer._replace(same=_truth(answer.same), same_cluster=_truth(answer.same_cluster))
            for answer in (StoredAnswer(*row) for row in rows)
        ]
        for answer in found:
            self._check_rows(answer)
        return found

    def changed_by_others(self) -> bool:
        """Whether another program wrote to the file since :meth:`answers` read it."""
        with self._explained("can't be read"):
            return self._data_version() != self._seen

    # ---- Writing -----------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Lock the file for a block; what the block wrote is on the disk when it ends."""
        with self._explained("can't be written, so nothing was saved"):
            self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            with self._explained("can't be written, so nothing was saved"):
                self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def add(
        self,
        pair: tuple[int, int],
        same: bool | None,
        annotator: str,
        *,
        reason: str = "person",
        same_cluster: bool | None = None,
    ) -> StoredAnswer:
        """Write an answer, inside :meth:`writing`."""
        i, j = map(int, pair)
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        values = (self._ids[i], self._ids[j], i, j, same, now, annotator, reason, same_cluster)
        with self._explained("can't be written, so nothing was saved"):
            cursor = self._connection.execute(
                f"INSERT INTO answers ({', '.join(StoredAnswer._fields[1:])}) "
                f"VALUES ({', '.join('?' * len(values))})",
                values,
            )
        assert cursor.lastrowid is not None
        return StoredAnswer(cursor.lastrowid, *values)

    def retract(self, ids: Iterable[int]) -> None:
        """Mark answers as retracted, inside :meth:`writing`; they stay in the file."""
        with self._explained("can't be written, so nothing was saved"):
            self._connection.executemany(
                "UPDATE answers SET retracted = 1 WHERE id = ?", [(each,) for each in ids]
            )

    # ---- Details -----------------------------------------------------------------------------

    def _data_version(self) -> int:
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def _check_place(self) -> None:
        if self.path == ":memory:":
            return
        path = Path(self.path)
        if path.is_dir():
            raise StoreError(f"{path} is a folder; choose a file for the answers")
        if not path.absolute().parent.is_dir():
            raise StoreError(
                f"{path}: the folder {path.absolute().parent} does not exist; create it"
            )

    def _set_up(self, digest: str) -> None:
        # executescript would commit what is under way.
        for statement in filter(str.strip, SCHEMA.split(";\n")):
            self._connection.execute(statement)
        meta = dict(self._connection.execute("SELECT key, value FROM meta").fetchall())
        if not meta:
            self._connection.executemany(
                "INSERT INTO meta VALUES (?, ?)",
                [("format", "1"), ("ids_digest", digest), ("rows", str(len(self._ids)))],
            )
            return
        if meta.get("format") != "1":
            raise StoreError(
                f"{self.path} has format {meta.get('format')!r}, written by a newer version of "
                "pairspace; upgrade pairspace"
            )
        if meta.get("ids_digest") != digest:
            raise StoreError(
                f"{self.path} has answers about other data ({meta.get('rows')} rows; this data "
                f"has {len(self._ids)}). Choose another file, or pass the data and ids that it "
                "was made with"
            )

    def _check_rows(self, answer: StoredAnswer) -> None:
        for row, name in ((answer.a_row, answer.a), (answer.b_row, answer.b)):
            if not 0 <= row < len(self._ids) or self._ids[row] != name:
                raise StoreError(
                    f"{self.path}: answer {answer.id} is about row {row}, {name!r}, which is not "
                    "in this data; was the file changed by hand?"
                )

    @contextmanager
    def _explained(self, problem: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} {problem}: {error}. {_remedy(error)}") from error


def read_answers(path: str | os.PathLike[str], *, by_row: bool) -> Mapping[str, Sequence[Any]]:
    """All "same" and "different" answers that were not retracted, by row number or by id."""
    if not Path(path).is_file():
        raise FileNotFoundError(f"{path} does not exist")
    ends = "a_row, b_row" if by_row else "a, b"
    # as_uri escapes what would be read as an option; mode=ro never creates or changes a file.
    uri = f"{Path(path).absolute().as_uri()}?mode=ro"
    try:
        connection = sqlite3.connect(uri, uri=True)
        try:
            _check_tables(connection, path)
            rows = connection.execute(
                f"SELECT {ends}, same FROM answers "
                "WHERE retracted = 0 AND same IS NOT NULL ORDER BY id"
            ).fetchall()
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise StoreError(f"{path} is not a file of answers: {error}") from None
    a, b, same = zip(*rows, strict=True) if rows else ((), (), ())
    return {"a": a, "b": b, "same": same}


def _check_tables(connection: sqlite3.Connection, path: str | os.PathLike[str]) -> None:
    """Refuse a database with other tables, or with other columns; an empty one is allowed."""
    tables = {
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    if tables and not {"meta", "answers"} <= tables:
        raise StoreError(
            f"{path} has other tables ({', '.join(sorted(tables))}) and no answers; "
            "choose another file"
        )
    columns = {row[1] for row in connection.execute("PRAGMA table_info(answers)")}
    missing = {"retracted", *StoredAnswer._fields} - columns
    if tables and missing:
        raise StoreError(
            f"{path} was written by a version of pairspace before 0.1.0: its table of answers has "
            f"no column {', '.join(sorted(missing))}. Choose another file"
        )


def _truth(value: int | None) -> bool | None:
    return None if value is None else bool(value)


def _remedy(error: sqlite3.Error) -> str:
    text = str(error)
    if "readonly" in text or "unable to open" in text:
        return "Make the file and its folder writable, or choose another file"
    if "full" in text or "disk I/O" in text:
        return "Free some space on the disk, then answer again"
    if "locked" in text:
        return "Another program is using it; close that program, then answer again"
    if "not a database" in text or "malformed" in text:
        return "It is damaged or not an answers file; choose another file"
    return "Choose another file if this one can't be repaired"
