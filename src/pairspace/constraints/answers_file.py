"""The file of answers: one SQLite file, its tables, and how it is read and written."""

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
# Another page may hold the file while it waits for its disk; a person notices only much later.
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
    taken_back INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL,  -- who wanted to know: strategy, exam, person, given
    together INTEGER NULL  -- whether the clusters of that moment had the two together
);
"""


class StoreError(OSError):
    """The file of answers can't be used; the message names the file and the remedy."""


class Answer(NamedTuple):
    """One answer that was not taken back."""

    id: int
    a: str
    b: str
    a_row: int
    b_row: int
    same: bool | None
    time: str
    annotator: str
    reason: str
    together: bool | None

    @property
    def pair(self) -> tuple[int, int]:
        """The two rows, the smaller one first."""
        return min(self.a_row, self.b_row), max(self.a_row, self.b_row)


def fingerprint(ids: Iterable[str], content: bytes = b"") -> str:
    """What tells the rows of one set of data from those of another."""
    digest = hashlib.sha256(content)
    for name in ids:
        encoded = name.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()


class AnswerStore:
    """Answers in a file; each is on the disk when the call that gave it returns.

    Several stores, in one program or in many, may be open on the same file.

    Parameters
    ----------
    path : path
        The file; made if there is none. ``":memory:"`` keeps the answers in memory.
    ids : sequence of str
        The name of each row of the data.
    content : bytes, default=b""
        What else tells this data from other data: a digest of it where the names are but row
        numbers.
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
                self._refuse_other_databases()
                with self.writing():
                    self._set_up(fingerprint(ids, content))
                self._seen = self._data_version()
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        self._connection.close()

    # ---- Reading -----------------------------------------------------------------------------

    def answers(self) -> list[Answer]:
        """All answers that were not taken back, oldest first."""
        with self._explained("can't be read"):
            # First the version, then the rows: what comes between is read once more, never missed.
            self._seen = self._data_version()
            rows = self._connection.execute(
                f"SELECT {', '.join(Answer._fields)} FROM answers WHERE taken_back = 0 ORDER BY id"
            ).fetchall()
        found = [
            answer._replace(same=_truth(answer.same), together=_truth(answer.together))
            for answer in (Answer(*row) for row in rows)
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
        """Hold the file: what the block reads stays true until what it writes is on the disk."""
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
        together: bool | None = None,
    ) -> Answer:
        """Write an answer, inside :meth:`writing`."""
        i, j = map(int, pair)
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        values = (self._ids[i], self._ids[j], i, j, same, now, annotator, reason, together)
        with self._explained("can't be written, so nothing was saved"):
            cursor = self._connection.execute(
                f"INSERT INTO answers ({', '.join(Answer._fields[1:])}) "
                f"VALUES ({', '.join('?' * len(values))})",
                values,
            )
        assert cursor.lastrowid is not None
        return Answer(cursor.lastrowid, *values)

    def take_back(self, ids: Iterable[int]) -> None:
        """Mark answers as taken back, inside :meth:`writing`; the rows stay, for the record."""
        with self._explained("can't be written, so nothing was saved"):
            self._connection.executemany(
                "UPDATE answers SET taken_back = 1 WHERE id = ?", [(each,) for each in ids]
            )

    # ---- Details -----------------------------------------------------------------------------

    def _data_version(self) -> int:
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def _check_place(self) -> None:
        if self.path == ":memory:":
            return
        path = Path(self.path)
        if path.is_dir():
            raise StoreError(f"{path} is a folder; name a file for the answers")
        if not path.absolute().parent.is_dir():
            raise StoreError(f"{path}: there is no folder {path.absolute().parent}; make it first")

    def _refuse_other_databases(self) -> None:
        tables = {
            name
            for (name,) in self._connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'"
            )
        }
        if tables and not {"meta", "answers"} <= tables:
            raise StoreError(
                f"{self.path} holds other tables ({', '.join(sorted(tables))}), not answers; "
                "name another file"
            )

    def _set_up(self, mark: str) -> None:
        # executescript would commit what is under way.
        for statement in filter(str.strip, SCHEMA.split(";\n")):
            self._connection.execute(statement)
        meta = dict(self._connection.execute("SELECT key, value FROM meta").fetchall())
        if not meta:
            self._connection.executemany(
                "INSERT INTO meta VALUES (?, ?)",
                [("format", "1"), ("fingerprint", mark), ("rows", str(len(self._ids)))],
            )
            return
        if meta.get("format") != "1":
            raise StoreError(
                f"{self.path} has the format {meta.get('format')!r}, of a newer pairspace; upgrade"
            )
        if meta.get("fingerprint") != mark:
            raise StoreError(
                f"{self.path} holds answers about other data ({meta.get('rows')} rows; here are "
                f"{len(self._ids)}): name another file, or the data and the id column it was "
                "made with"
            )

    def _check_rows(self, answer: Answer) -> None:
        for row, name in ((answer.a_row, answer.a), (answer.b_row, answer.b)):
            if not 0 <= row < len(self._ids) or self._ids[row] != name:
                raise StoreError(
                    f"{self.path}: answer {answer.id} is about row {row}, {name!r}, which this "
                    "data has not; was the file changed by hand?"
                )

    @contextmanager
    def _explained(self, what: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} {what}: {error}. {_remedy(error)}") from error


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


def _truth(value: int | None) -> bool | None:
    return None if value is None else bool(value)


def _remedy(error: sqlite3.Error) -> str:
    text = str(error)
    if "readonly" in text or "unable to open" in text:
        return "Make the file and its folder writable, or name another file"
    if "full" in text or "disk I/O" in text:
        return "Make room on the disk, then answer again"
    if "locked" in text:
        return "Another program holds it; close that, then answer again"
    if "not a database" in text or "malformed" in text:
        return "It is damaged or no file of answers; name another one"
    return "Name another file if this one can't be mended"
