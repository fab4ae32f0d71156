"""No acknowledged answer is ever lost, and no unsaved answer is acknowledged."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from pairspace import Constraints
from pairspace.constraints.answers_file import AnswerStore, StoreError

IDS = [f"row {row}" for row in range(50)]


Open = Callable[..., AnswerStore]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers.sqlite"


@pytest.fixture
def opened(path: Path) -> Iterator[Open]:
    """Opens stores, on the same file if no other is named, and closes them."""
    with ExitStack() as stack:

        def open_store(ids: list[str] = IDS, at: Path = path, **options: bytes) -> AnswerStore:
            return stack.enter_context(closing(AnswerStore(at, ids, **options)))

        yield open_store


def add(store: AnswerStore, pair: tuple[int, int], same: bool | None, who: str = "ada") -> int:
    with store.writing():
        return store.add(pair, same, who).id


def test_answers_come_back_as_they_were_given(opened: Open) -> None:
    store = opened()
    with store.writing():
        store.add((3, 1), True, "ada", reason="test", same_cluster=False)
        store.add((1, 2), None, "Zoë 🎉")
    first, second = opened().answers()
    assert (first.a, first.b, first.pair, first.same) == ("row 3", "row 1", (1, 3), True)
    assert (first.annotator, first.reason, first.same_cluster) == ("ada", "test", False)
    assert (second.same, second.same_cluster, second.annotator) == (None, None, "Zoë 🎉")
    assert first.time <= second.time


def test_a_retracted_answer_does_not_count_but_stays_in_the_file(path: Path, opened: Open) -> None:
    store = opened()
    first, second = add(store, (0, 1), True), add(store, (1, 2), False)
    with store.writing():
        store.retract([first])
    assert [answer.id for answer in store.answers()] == [second]
    with closing(sqlite3.connect(path)) as other:
        rows = other.execute("SELECT id, retracted FROM answers").fetchall()
    assert rows == [(first, 1), (second, 0)]


def test_two_programs_see_each_others_answers(opened: Open) -> None:
    mine, yours = opened(), opened()
    assert not mine.changed_by_others()
    add(mine, (0, 1), True)
    assert not mine.changed_by_others()
    assert yours.changed_by_others()
    assert len(yours.answers()) == 1
    assert not yours.changed_by_others()
    with yours.writing():
        yours.retract([1])
    assert mine.changed_by_others()
    assert mine.answers() == []


def test_an_error_inside_leaves_nothing_behind(opened: Open) -> None:
    store = opened()
    with pytest.raises(IndexError), store.writing():  # noqa: PT012
        store.add((0, 1), True, "ada")
        store.add((0, len(IDS)), True, "ada")
    assert store.answers() == []
    assert add(store, (0, 1), True)


@pytest.mark.parametrize("suffix", ["", "-of-a-copy"])
def test_other_data_is_refused(opened: Open, suffix: str) -> None:
    opened(content=b"one")
    others = [f"{name}{suffix}" for name in IDS]
    with pytest.raises(StoreError, match="other data"):
        opened(others, content=b"one" if suffix else b"two")
    opened(content=b"one")


def test_ids_are_told_apart_wherever_one_ends(opened: Open) -> None:
    opened(["ab", "c"])
    with pytest.raises(StoreError, match="other data"):
        opened(["a", "bc"])


def test_files_that_hold_no_answers_are_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.sqlite"
    text.write_text("a,b,same\n" * 200)
    with pytest.raises(StoreError, match="not an answers file"):
        AnswerStore(text, IDS)
    assert text.read_text().startswith("a,b,same")

    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE customers (name TEXT)")
    with pytest.raises(StoreError, match="customers"):
        AnswerStore(other, IDS)
    with pytest.raises(StoreError, match="is a folder"):
        AnswerStore(tmp_path, IDS)
    with pytest.raises(StoreError, match="does not exist; create it"):
        AnswerStore(tmp_path / "nowhere" / "a.sqlite", IDS)


def test_a_newer_format_is_refused(path: Path) -> None:
    AnswerStore(path, IDS).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE meta SET value = '2' WHERE key = 'format'")
    with pytest.raises(StoreError, match="newer version"):
        AnswerStore(path, IDS)


def test_a_file_with_the_columns_of_an_older_version_is_refused(path: Path) -> None:
    AnswerStore(path, IDS).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("ALTER TABLE answers RENAME COLUMN retracted TO taken_back")
    with pytest.raises(StoreError, match=r"before 0\.1\.0: .* no column retracted"):
        AnswerStore(path, IDS)
    with pytest.raises(StoreError, match=r"before 0\.1\.0: .* no column retracted"):
        Constraints.read(path, IDS)


def test_rows_changed_by_hand_are_seen(path: Path, opened: Open) -> None:
    store = opened()
    add(store, (0, 1), True)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE answers SET b_row = 7")
    with pytest.raises(StoreError, match="changed by hand"):
        store.answers()


def test_a_full_disk_is_an_error_and_saves_nothing(opened: Open) -> None:
    store = opened()
    kept = add(store, (0, 1), True)
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match=r"nothing was saved.*full.*Free some space"):
        add(store, (0, 2), True, "x" * 20_000)
    assert [answer.id for answer in store.answers()] == [kept]
    store._connection.execute("PRAGMA max_page_count = 100000")
    assert add(store, (0, 2), True, "x" * 20_000)


READ_ONLY = """
import os, sys
from pairspace.constraints.answers_file import AnswerStore, StoreError
if os.geteuid() == 0:
    os.seteuid(65534)  # root may write to files that are read-only
try:
    AnswerStore(sys.argv[1], ["a", "b"])
except StoreError as error:
    print(error)
"""


def test_a_read_only_file_is_an_error() -> None:
    # not in pytest's folder, into which only its owner may look
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "answers.sqlite")
        AnswerStore(path, ["a", "b"]).close()
        path.chmod(0o444)
        path.parent.chmod(0o555)
        try:
            run = [sys.executable, "-c", READ_ONLY, str(path)]
            said = subprocess.run(run, capture_output=True, text=True, check=True).stdout
        finally:
            path.parent.chmod(0o755)
    assert "Make the file and its folder writable" in said


def test_a_locked_file_is_an_error(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pairspace.constraints.answers_file.WAIT_SECONDS", 0.05)
    store, other = opened(), opened()
    with other.writing():
        other.add((0, 1), True, "bob")
        with pytest.raises(StoreError, match="Another program is using it"):
            add(store, (0, 2), True)
    assert len(store.answers()) == 1


# ---- As pairs --------------------------------------------------------------------------------


def test_answers_are_pairs_by_name_and_by_row(path: Path, opened: Open) -> None:
    store = opened()
    add(store, (4, 2), True)
    add(store, (2, 5), False)
    add(store, (2, 6), None)
    with store.writing():
        store.retract([store.add((7, 8), True, "ada").id])
    expected = Constraints(50, [(2, 4)], [(2, 5)])
    assert Constraints.read(path, IDS) == expected
    assert Constraints.read(path, n_samples=50) == expected
    turned = Constraints.read(path, IDS[::-1])
    assert turned.must_link.tolist() == [[45, 47]]


def test_a_file_without_answers_is_no_pairs(path: Path) -> None:
    AnswerStore(path, IDS).close()
    assert Constraints.read(path, IDS) == Constraints(50)


def test_other_databases_are_no_pairs(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE customers (name TEXT)")
    with pytest.raises(StoreError, match=r"other tables \(customers\)"):
        Constraints.read(other, IDS)
    empty = tmp_path / "empty.sqlite"
    empty.touch()
    with pytest.raises(StoreError, match="not a file of answers"):
        Constraints.read(empty, IDS)
    with pytest.raises(FileNotFoundError):
        Constraints.read(tmp_path / "none.sqlite", IDS)
    assert not (tmp_path / "none.sqlite").exists()


# ---- Killed at any moment --------------------------------------------------------------------

# Imports once, then forks a process for each line it reads, which answers until it is killed.
ANSWERING = """
import os, sys
from pairspace.constraints.answers_file import AnswerStore

def answer():
    store = AnswerStore(sys.argv[1], [f"row {row}" for row in range(50)])
    print("ready", os.getpid(), flush=True)
    number = 0
    while True:
        number += 1
        with store.writing():
            answer = store.add((number % 50, (number + 1) % 50), bool(number % 2), "ada")
            if number % 7 == 0:
                store.retract([answer.id - 1])
        os.write(1, b"%d\\n" % answer.id)  # in one piece, unlike print

for _ in sys.stdin:
    process = os.fork()
    if process == 0:
        answer()
    _, status = os.waitpid(process, 0)
    print("killed" if os.WTERMSIG(status) == 9 else "failed", flush=True)
"""


def test_fifty_kills_lose_no_acknowledged_answer(path: Path, opened: Open) -> None:
    chance = random.Random(0)
    acknowledged: list[int] = []
    run = [sys.executable, "-c", ANSWERING, str(path)]
    with subprocess.Popen(
        run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as nursery:
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        for _ in range(50):
            nursery.stdin.write("go\n")
            ready, process = nursery.stdout.readline().split()
            assert ready == "ready"
            wait = chance.uniform(0, 0.15)
            threading.Timer(wait, os.kill, (int(process), signal.SIGKILL)).start()
            while (line := nursery.stdout.readline().strip()).isdecimal():
                acknowledged.append(int(line))
            assert line == "killed"
            with closing(sqlite3.connect(path)) as connection:
                kept = {row for (row,) in connection.execute("SELECT id FROM answers")}
                assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert kept.issuperset(acknowledged)
        nursery.stdin.close()
    assert len(acknowledged) > 25
    assert {answer.id for answer in opened().answers()} <= kept
