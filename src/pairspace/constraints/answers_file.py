"""The answers file, a SQLite database: how it is read and written."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pairspace._core.files import replacing
from pairspace.constraints._answer_rows import (
    COLUMNS,
    REASONS,
    StoredAnswer,
    StoreError,
    check_tables,
    check_triggers,
    clean_name,
    create_tables,
    ids_digest,
    read_rows,
)

__all__ = [
    "SUFFIXES",
    "AnswerStore",
    "FileGoneError",
    "StoreError",
    "StoredAnswer",
    "clean_name",
    "read_answers",
    "read_rows",
    "reading",
]

SUFFIXES = (".sqlite", ".sqlite3", ".db")
# How long to wait while another program writes to the file; the page stands still meanwhile.
WAIT_SECONDS = 2.0
NOTHING_SAVED = "can't be written, so nothing was saved"


class FileGoneError(StoreError):
    """The file was removed or replaced; :meth:`AnswerStore.move_to` saves the answers elsewhere."""


class AnswerStore:
    """Answers in a file; each is on the disk when :meth:`writing` ends.

    Several stores, in one program or in many, may be open on the same file. A stored answer is
    never changed or deleted, only marked as retracted.

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
        self._meta = {
            "format": "1",
            "ids_digest": ids_digest(ids, content),
            "rows": str(len(ids)),
        }
        # What this store has read or written, as long as it is the same in the file.
        self._known: dict[int, StoredAnswer] = {}
        self._retracted: set[int] = set()
        # What the block that is writing has done so far.
        self._added: list[int] = []
        self._newly_retracted: set[int] = set()
        self._newly_restored: set[int] = set()
        _check_ids(ids)
        self._open()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, for other tables of the same file; write inside :meth:`writing`."""
        return self._connection

    # ---- Reading -----------------------------------------------------------------------------

    def answers(self) -> list[StoredAnswer]:
        """All answers that were not retracted, oldest first."""
        with self._explained("can't be read"):
            # The version before the rows: an answer written in between is read again, never missed.
            seen = self._data_version()
            known, retracted = read_rows(self._connection, self.path)
        for answer in known.values():
            self._check_rows(answer)
        for number, answer in self._known.items():
            if known.get(number) != answer:
                raise FileGoneError(
                    f"{self.path} no longer has answer {number} as it was saved: the file was "
                    f"overwritten or changed by hand. {self._rescue}"
                )
        self._seen, self._known, self._retracted = seen, known, retracted
        return [answer for number, answer in known.items() if number not in retracted]

    def all_answers(self) -> dict[int, StoredAnswer]:
        """All answers that :meth:`answers` read or :meth:`add` wrote, also retracted ones."""
        return dict(self._known)

    def changed_by_others(self) -> bool:
        """Whether another program wrote to the file since :meth:`answers` read it.

        False while another program keeps the file locked: it is seen at the next call.
        """
        self._check_same_file()
        with self._explained("can't be read"):
            self._connection.execute("PRAGMA busy_timeout = 0")
            try:
                return self._data_version() != self._seen
            except sqlite3.OperationalError as error:
                if "locked" in str(error):
                    return False
                raise
            finally:
                self._connection.execute(f"PRAGMA busy_timeout = {round(1000 * WAIT_SECONDS)}")

    @contextmanager
    def one_state(self) -> Iterator[None]:
        """All that a block reads is of one state of the file, even if others write meanwhile."""
        if self._connection.in_transaction:
            yield
            return
        with self._explained("can't be read"):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            if self._connection.in_transaction:
                self._connection.execute("COMMIT")

    # ---- Writing -----------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Lock the file for a block; what the block wrote is on the disk when it ends.

        After any exception, nothing that the block wrote is kept.
        """
        self._added, self._newly_retracted, self._newly_restored = [], set(), set()
        self._check_same_file()
        with self._explained(NOTHING_SAVED):
            self._connection.execute("BEGIN IMMEDIATE")
        try:
            with self._explained(NOTHING_SAVED):
                check_triggers(self._connection, self.path)
            yield
            self._check_same_file()
            with self._explained(NOTHING_SAVED):
                self._connection.execute("COMMIT")
            # The file may have been removed in between: then nobody would find the answer.
            self._check_same_file()
        except BaseException:
            for number in self._added:
                self._known.pop(number, None)
            self._retracted -= self._newly_retracted
            self._retracted |= self._newly_restored
            if self._connection.in_transaction:
                with self._explained(NOTHING_SAVED):
                    self._connection.execute("ROLLBACK")
            raise

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
        if reason not in REASONS:
            raise ValueError(f"reason must be one of {', '.join(REASONS)}; got {reason!r}")
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        who = clean_name(annotator)
        values = (self._ids[i], self._ids[j], i, j, same, now, who, reason, same_cluster)
        with self._explained(NOTHING_SAVED):
            cursor = self._connection.execute(
                f"INSERT INTO answers ({', '.join(COLUMNS[1:])}) "
                f"VALUES ({', '.join('?' * len(values))})",
                values,
            )
        assert cursor.lastrowid is not None
        answer = StoredAnswer(cursor.lastrowid, *values)
        self._known[answer.id] = answer
        self._added.append(answer.id)
        return answer

    def retract(self, ids: Iterable[int]) -> None:
        """Mark answers as retracted, inside :meth:`writing`; they stay in the file."""
        retracted = {int(each) for each in ids}
        with self._explained(NOTHING_SAVED):
            self._connection.executemany(
                "UPDATE answers SET retracted = 1 WHERE id = ?", [(each,) for each in retracted]
            )
        self._newly_retracted |= retracted - self._retracted
        self._retracted |= retracted

    def restore(self, ids: Iterable[int]) -> None:
        """Let retracted answers count again, inside :meth:`writing`."""
        again = {int(each) for each in ids}
        with self._explained(NOTHING_SAVED):
            self._connection.executemany(
                "UPDATE answers SET retracted = 0 WHERE id = ?", [(each,) for each in again]
            )
        self._newly_restored |= again & self._retracted
        self._retracted -= again

    # ---- Saving elsewhere --------------------------------------------------------------------

    def save_copy(self, path: str | os.PathLike[str]) -> None:
        """Write all answers to a new file, also if the file of this store was removed.

        Other tables of the file are copied too, if it can still be read.
        """
        if os.path.lexists(path):
            raise StoreError(f"{path} exists; choose a name that is not used yet")
        try:
            with replacing(path) as temporary:
                self._write_copy(temporary)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{path} can't be written: {error}; choose another place") from error

    def move_to(self, path: str | os.PathLike[str]) -> None:
        """Write all answers to a new file, and go on there."""
        self.save_copy(path)
        self.close()
        self.path = os.fspath(path)
        self._open()

    def _write_copy(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as copy:
            try:
                self._connection.backup(copy)
                check_tables(copy, path)
                known, _ = read_rows(copy, path)
                complete = self._known.items() <= known.items()
            except (sqlite3.Error, StoreError):
                complete = False
        if complete:
            return
        # The old file has lost answers: what this program remembers has them.
        path.write_bytes(b"")
        with closing(sqlite3.connect(path)) as copy, copy:
            create_tables(copy)
            copy.executemany("INSERT INTO meta VALUES (?, ?)", self._meta.items())
            copy.executemany(
                f"INSERT INTO answers ({', '.join(COLUMNS)}, retracted) "
                f"VALUES ({', '.join('?' * len(COLUMNS))}, ?)",
                [(*answer, number in self._retracted) for number, answer in self._known.items()],
            )

    # ---- Details -----------------------------------------------------------------------------

    def _open(self) -> None:
        self._file = None if self.path == ":memory:" else Path(self.path).absolute()
        self._check_place()
        with self._explained("can't be opened"):
            # Pages, fits and a notebook's cells run in different threads, one at a time.
            self._connection = sqlite3.connect(
                self.path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
            )
        try:
            with self._explained("can't be opened"):
                # One file, which can be copied between two answers; a WAL would be a second one.
                self._connection.execute("PRAGMA journal_mode = DELETE")
                # Also the folder is on the disk when a commit ends.
                self._connection.execute("PRAGMA synchronous = EXTRA")
                check_tables(self._connection, self.path)
                self._identity = _identity(self._file)
                with self.writing():
                    self._set_up()
                self._seen = self._data_version()
        except BaseException:
            self._connection.close()
            raise

    def _data_version(self) -> int:
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def _check_place(self) -> None:
        if self._file is None:
            return
        if self._file.is_dir():
            raise StoreError(f"{self.path} is a folder; choose a file for the answers")
        if not self._file.parent.is_dir():
            raise StoreError(
                f"{self.path}: the folder {self._file.parent} does not exist; create it"
            )

    def _check_same_file(self) -> None:
        if self._file is None:
            return
        now = _identity(self._file)
        if now != self._identity:
            what = "removed or renamed" if now is None else "replaced by another file"
            raise FileGoneError(
                f"{self.path} was {what} while it was in use, so nothing was saved. {self._rescue}"
            )

    @property
    def _rescue(self) -> str:
        n = len(self._known) - len(self._retracted)
        return f"Put it back, or save the {n:,} answers so far to a new file"

    def _set_up(self) -> None:
        create_tables(self._connection)
        meta = dict(self._connection.execute("SELECT key, value FROM meta").fetchall())
        if not meta:
            self._connection.executemany("INSERT INTO meta VALUES (?, ?)", self._meta.items())
            return
        if meta.get("format") != "1":
            raise StoreError(
                f"{self.path} has format {meta.get('format')!r}, written by a newer version of "
                "pairspace; upgrade pairspace"
            )
        if meta.get("ids_digest") != self._meta["ids_digest"]:
            raise StoreError(
                f"{self.path} has answers about other data ({meta.get('rows')} rows; this data "
                f"has {len(self._ids)}). Choose another file, or pass the data and ids that it "
                "was made with"
            )
        # Nothing new, but a file or folder that is read-only is seen now, not at the first answer.
        self._connection.execute("UPDATE meta SET value = '1' WHERE key = 'format'")

    def _check_rows(self, answer: StoredAnswer) -> None:
        for row, name in ((answer.a_row, answer.a), (answer.b_row, answer.b)):
            if not 0 <= row < len(self._ids) or self._ids[row] != name:
                raise StoreError(
                    f"{self.path}: answer {answer.id} is about row {row}, {name!r}, which is not "
                    "in this data; was the file changed by hand?"
                )

    def explained(self) -> AbstractContextManager[None]:
        """Errors of the database inside a block name the file and the remedy."""
        return self._explained("can't be used")

    @contextmanager
    def _explained(self, problem: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeError, OverflowError) as error:
            raise StoreError(f"{self.path} {problem}: {error}. {_remedy(error)}") from error


def read_answers(path: str | os.PathLike[str], *, by_row: bool) -> Mapping[str, Sequence[Any]]:
    """All "same" and "different" answers that were not retracted, by row number or by id."""
    with reading(path) as connection:
        known, retracted = read_rows(connection, path)
    answers = [
        answer
        for number, answer in known.items()
        if number not in retracted and answer.same is not None
    ]
    return {
        "a": [answer.a_row if by_row else answer.a for answer in answers],
        "b": [answer.b_row if by_row else answer.b for answer in answers],
        "same": [answer.same for answer in answers],
    }


@contextmanager
def reading(path: str | os.PathLike[str]) -> Iterator[sqlite3.Connection]:
    """A connection that only reads an answers file, whose data need not be known."""
    if not Path(path).is_file():
        raise FileNotFoundError(f"{path} does not exist")
    with ExitStack() as stack:
        try:
            try:
                connection = stack.enter_context(_read_only(Path(path), path))
            except sqlite3.OperationalError as error:
                if "unable to open" not in str(error) and "readonly" not in str(error):
                    raise
                copy = stack.enter_context(_completed_copy(Path(path)))
                connection = stack.enter_context(_read_only(copy, path))
            yield connection
        except sqlite3.Error as error:
            raise StoreError(f"{path} is not a file of answers: {error}") from None


@contextmanager
def _read_only(path: Path, shown: str | os.PathLike[str]) -> Iterator[sqlite3.Connection]:
    # as_uri escapes what would be read as an option; mode=ro never creates or changes a file.
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        check_tables(connection, shown)
        yield connection


@contextmanager
def _completed_copy(path: Path) -> Iterator[Path]:
    """A copy: in a folder that is read-only, SQLite can't finish what a crash left undone."""
    with tempfile.TemporaryDirectory() as folder:
        for end in ("", "-wal", "-journal"):
            part = path.with_name(path.name + end)
            if part.exists():
                shutil.copyfile(part, Path(folder, path.name + end))
        copy = Path(folder, path.name)
        with closing(sqlite3.connect(copy)) as connection:
            # Reading is enough to complete it.
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        yield copy


def _identity(path: Path | None) -> tuple[int, int] | None:
    """What stays the same while a file is renamed or written, and not when it is replaced."""
    if path is None:
        return None
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise StoreError(f"{path} can't be reached, so nothing was saved: {error}") from error
    return found.st_dev, found.st_ino


def _check_ids(ids: Sequence[str]) -> None:
    for row, name in enumerate(ids):
        try:
            name.encode()
        except UnicodeEncodeError:
            raise StoreError(
                f"row {row} has the id {name!r}, which is no text in UTF-8; choose other ids"
            ) from None


def _remedy(error: Exception) -> str:
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
