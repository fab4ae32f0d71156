"""Faults: files that vanish, locks, odd names, rows edited by hand, folders that are read-only."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pairspace import Constraints
from pairspace.constraints import answers_file
from pairspace.constraints.answers_file import AnswerStore, FileGoneError, StoreError, clean_name

IDS = [f"row {row}" for row in range(50)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[AnswerStore]:
    with closing(AnswerStore(path, IDS)) as opened:
        yield opened


def add(store: AnswerStore, pair: tuple[int, int], same: bool | None = True) -> int:
    with store.writing():
        return store.add(pair, same, "ada").id


def stored(path: Path) -> list[tuple[int, int]]:
    with closing(AnswerStore(path, IDS)) as store:
        return [answer.pair for answer in store.answers()]


def edit(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


# ---- Names -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Jos\udce9", "a\x00b", "\x1b[31mred", "a\nb"])
def test_a_name_in_another_encoding_is_cleaned_and_the_answer_saved(
    store: AnswerStore, path: Path, name: str
) -> None:
    with store.writing():
        given = store.add((0, 1), True, name)
    (answer,) = store.answers()
    assert answer == given
    assert answer.annotator == clean_name(name)
    assert answer.annotator.encode().decode().isprintable()
    assert stored(path) == [(0, 1)]


def test_names_of_people_stay_as_they_are() -> None:
    for name in ("Zoë 🎉", "李雷", "👩‍💻", "O'Brien-Müller"):
        assert clean_name(f" {name} ") == name


def test_ids_that_no_file_can_hold_are_refused_before_the_first_question(path: Path) -> None:
    with pytest.raises(StoreError, match=r"row 1 has the id .*UTF-8"):
        AnswerStore(path, ["a", "b\udce9"])
    assert not path.exists()


@pytest.mark.parametrize("error", [UnicodeError, KeyboardInterrupt, MemoryError, SystemExit])
def test_any_exception_leaves_nothing_behind(
    store: AnswerStore, path: Path, error: type[BaseException]
) -> None:
    kept = add(store, (0, 1))
    with pytest.raises(error), store.writing():  # noqa: PT012
        store.add((0, 2), True, "ada")
        store.retract([kept])
        raise error
    assert [answer.id for answer in store.answers()] == [kept]
    add(store, (0, 3))
    assert stored(path) == [(0, 1), (0, 3)]


def test_a_reason_that_could_not_be_read_again_is_not_written(store: AnswerStore) -> None:
    with pytest.raises(ValueError, match="reason must be one of"), store.writing():
        store.add((0, 1), True, "ada", reason="whim")
    assert store.answers() == []


# ---- The file removed or replaced ------------------------------------------------------------


def test_a_removed_file_is_an_error_and_all_answers_can_be_saved_elsewhere(
    store: AnswerStore, path: Path, tmp_path: Path
) -> None:
    first, second = add(store, (0, 1)), add(store, (0, 2), False)
    with store.writing():
        store.retract([second])
    path.unlink()
    with pytest.raises(FileGoneError, match=r"removed.*nothing was saved.*the 1 answers so far"):
        add(store, (0, 3))
    with pytest.raises(FileGoneError, match="removed"):
        store.changed_by_others()
    store.move_to(tmp_path / "new.sqlite")
    assert [answer.id for answer in store.answers()] == [first]
    add(store, (0, 4))
    assert stored(tmp_path / "new.sqlite") == [(0, 1), (0, 4)]
    rows = sqlite3.connect(tmp_path / "new.sqlite").execute("SELECT id, retracted FROM answers")
    assert rows.fetchall()[:2] == [(first, 0), (second, 1)]
    assert not path.exists()


def test_a_replaced_file_is_an_error(store: AnswerStore, path: Path, tmp_path: Path) -> None:
    before = tmp_path / "before.sqlite"
    store.save_copy(before)
    add(store, (0, 1))
    before.replace(path)
    with pytest.raises(FileGoneError, match=r"replaced by another file.*1 answers"):
        add(store, (0, 2))
    store.save_copy(tmp_path / "new.sqlite")
    assert stored(tmp_path / "new.sqlite") == [(0, 1)]
    assert stored(path) == []


def test_a_file_removed_while_an_answer_is_written_is_not_acknowledged(
    store: AnswerStore, path: Path
) -> None:
    def write_and_remove() -> None:
        with store.writing():
            store.add((0, 1), True, "ada")
            path.unlink()

    with pytest.raises(FileGoneError, match="nothing was saved"):
        write_and_remove()


def test_a_file_overwritten_with_an_older_one_is_an_error(
    store: AnswerStore, path: Path, tmp_path: Path
) -> None:
    add(store, (0, 1))
    older = tmp_path / "older.sqlite"
    shutil.copy(path, older)
    add(store, (0, 2))
    path.write_bytes(older.read_bytes())  # the same inode
    with pytest.raises(FileGoneError, match=r"no longer has answer 2.*the 2 answers so far"):
        store.answers()
    store.save_copy(tmp_path / "new.sqlite")
    assert stored(tmp_path / "new.sqlite") == [(0, 1), (0, 2)]


def test_a_damaged_file_can_be_saved_from_memory(
    store: AnswerStore, path: Path, tmp_path: Path
) -> None:
    add(store, (0, 1))
    path.write_bytes(b"a,b,same\n" * 2000)
    with pytest.raises(StoreError, match="damaged"):
        store.answers()
    store.save_copy(tmp_path / "new.sqlite")
    assert stored(tmp_path / "new.sqlite") == [(0, 1)]


def test_a_copy_never_overwrites(store: AnswerStore, path: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="exists"):
        store.save_copy(path)
    with pytest.raises(StoreError, match="choose another place"):
        store.save_copy(tmp_path / "nowhere" / "new.sqlite")
    assert os.listdir(tmp_path) == [path.name]


def test_other_tables_are_copied_too(store: AnswerStore, path: Path, tmp_path: Path) -> None:
    with store.writing():
        store.connection.execute("CREATE TABLE groups (name TEXT)")
        store.connection.execute("INSERT INTO groups VALUES ('red')")
        store.add((0, 1), True, "ada")
    path.unlink()
    store.move_to(tmp_path / "new.sqlite")
    assert store.connection.execute("SELECT name FROM groups").fetchall() == [("red",)]


# ---- One file --------------------------------------------------------------------------------


def test_a_copy_of_the_one_file_has_all_answers(
    store: AnswerStore, path: Path, tmp_path: Path
) -> None:
    for number in range(1, 20):
        add(store, (0, number))
        assert os.listdir(tmp_path) == [path.name]
    elsewhere = tmp_path / "copy.sqlite"
    shutil.copy(path, elsewhere)
    assert len(Constraints.read(elsewhere, IDS).must_link) == 19
    assert len(stored(elsewhere)) == 19


def old_file(path: Path) -> None:
    """A file with a write-ahead log that has not been written back, as after a crash."""
    AnswerStore(path, IDS).close()
    script = f"""
import os, sqlite3
connection = sqlite3.connect({str(path)!r})
connection.execute("PRAGMA journal_mode = WAL")
connection.execute("INSERT INTO answers (a, b, a_row, b_row, same, time, annotator, reason)"
    " VALUES ('row 0', 'row 1', 0, 1, 1, '2026', 'ada', 'person')")
connection.commit()
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", script], check=True)
    assert path.with_name(path.name + "-wal").stat().st_size > 0


def test_a_file_with_a_log_becomes_one_file(path: Path, tmp_path: Path) -> None:
    old_file(path)
    with closing(AnswerStore(path, IDS)) as store:
        assert [answer.pair for answer in store.answers()] == [(0, 1)]
        assert os.listdir(tmp_path) == [path.name]


READ = """
import os, sys
from pairspace import Constraints
from pairspace.constraints import answers_file
if os.geteuid() == 0:
    os.seteuid(65534)  # root may write to files that are read-only
print(Constraints.read(sys.argv[1], n_samples=50))
"""


@contextmanager
def read_only_folder() -> Iterator[Path]:
    # not in pytest's folder, into which only its owner may look
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        try:
            yield folder
        finally:
            folder.chmod(0o755)


@pytest.mark.parametrize("log", [False, True])
def test_answers_in_a_read_only_folder_can_be_read(log: bool) -> None:
    with read_only_folder() as folder:
        path = folder / "answers.sqlite"
        if log:
            old_file(path)
        else:
            with closing(AnswerStore(path, IDS)) as store:
                add(store, (0, 1))
        for file in folder.iterdir():
            file.chmod(0o444)
        before = sorted(os.listdir(folder))
        folder.chmod(0o555)
        run = [sys.executable, "-c", READ, str(path)]
        done = subprocess.run(run, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert "1 must-link" in done.stdout
        assert sorted(os.listdir(folder)) == before


# ---- Locks -----------------------------------------------------------------------------------


def test_a_lock_held_elsewhere_does_not_stop_the_page(
    store: AnswerStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answers_file.WAIT_SECONDS <= 3
    monkeypatch.setattr(answers_file, "WAIT_SECONDS", 0.2)
    add(store, (0, 1))
    store.answers()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for _ in range(20):
            assert not store.changed_by_others()
        with pytest.raises(StoreError, match="Another program is using it"):
            add(store, (0, 2))
        other.execute("ROLLBACK")
    add(store, (0, 2))
    assert stored(path) == [(0, 1), (0, 2)]


# ---- Rows edited by hand ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("a_row = 'seven'", "a_row must be a row number; got 'seven'"),
        ("b_row = x'00ff'", "b_row must be a row number; got b'"),
        ("b_row = 1.5", "b_row must be a row number; got 1.5"),
        ("b_row = a_row, b = a", "the same row again"),
        ("a_row = -1", "must not be negative"),
        ("a = x'00'", "a must be text"),
        ("same = 2", "same must be 0, 1 or NULL; got 2"),
        ("same = 'yes'", "same must be 0, 1 or NULL; got 'yes'"),
        ("same_cluster = 'no'", "same_cluster must be 0, 1 or NULL"),
        ("annotator = x'ff'", "annotator must be text"),
        (
            "reason = 'whim'",
            "reason must be one of strategy, test, recheck, exam, person, given; got 'whim'",
        ),
        ("retracted = 'no'", "retracted must be 0 or 1; got 'no'"),
        (f"reason = '{'x' * 5000}'", "…"),
    ],
)
def test_rows_edited_by_hand_name_the_file_and_the_row(path: Path, change: str, says: str) -> None:
    with closing(AnswerStore(path, IDS)) as store:
        add(store, (0, 1))
        add(store, (0, 2))
    edit(path, f"UPDATE answers SET {change} WHERE id = 2")
    with closing(AnswerStore(path, IDS)) as store, pytest.raises(StoreError) as raised:
        store.answers()
    message = str(raised.value)
    assert f"{path}: answer 2: " in message
    assert says in message
    assert len(message) < 600 + len(str(path))
    with pytest.raises(StoreError, match=r"answer 2: "):
        Constraints.read(path, n_samples=50)


def test_text_that_is_no_utf8_is_named_by_its_row(path: Path) -> None:
    with closing(AnswerStore(path, IDS)) as store:
        add(store, (0, 1))
    edit(path, "UPDATE answers SET a = CAST(x'72ff' AS TEXT)")
    with closing(AnswerStore(path, IDS)) as store, pytest.raises(StoreError, match="answer 1 is"):
        store.answers()


def test_triggers_are_refused(store: AnswerStore, path: Path) -> None:
    add(store, (0, 1))
    edit(
        path,
        "CREATE TRIGGER gone AFTER INSERT ON answers BEGIN DELETE FROM answers; END",
    )
    with pytest.raises(StoreError, match=r"answers\.sqlite has a trigger, 'gone'"):
        add(store, (0, 2))
    with pytest.raises(StoreError, match="trigger"):
        AnswerStore(path, IDS)
    assert len(Constraints.read(path, IDS).must_link) == 1


# ---- A full disk -----------------------------------------------------------------------------

FILL = """
import os, resource, signal, sys
from pairspace.constraints.answers_file import AnswerStore, StoreError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path = sys.argv[1]
store = AnswerStore(path, [f"row {number}" for number in range(3000)])
limit = os.path.getsize(path) + 8192
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
saved = 0
try:
    for other in range(1, 3000):
        with store.writing():
            store.add((0, other), True, "ada")
        saved += 1
except StoreError as error:
    print(saved, error)
"""


def test_a_full_disk_is_said_and_what_was_saved_stays(path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", FILL, str(path)], check=True, capture_output=True, text=True
    )
    saved, _, message = ran.stdout.partition(" ")
    assert "nothing was saved" in message
    assert "Free some space" in message
    assert int(saved) > 0
    rows = [f"row {number}" for number in range(3000)]
    with closing(AnswerStore(path, rows)) as store:
        assert [answer.pair for answer in store.answers()] == [
            (0, other) for other in range(1, int(saved) + 1)
        ]
        assert store.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
