"""Commands killed while they write: under the final name is the whole file, or the old one.

A killed process leaves what other processes see at that moment. So the file is looked at before
each call while a command writes, and `transform` is really killed at each access to its folder.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from threadpoolctl import threadpool_limits

import pairspace
from pairspace.constraints.answers_file import AnswerStore
from pairspace.tool.cli import app

KILLED = 9
N = 40
ROW = pd.DataFrame([[0.0, 1.0, 2.0]], columns=["a", "b", "c"])
EVENTS = ("open", "os.rename", "os.chmod", "os.remove", "tempfile.mkstemp")

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def run_forked(folder: Path, arguments: list[Any], before: Callable[[], None]) -> int:
    """Run a command in a process that calls ``before`` each access to a folder; its exit status."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    busy = False

    def hook(event: str, values: tuple[Any, ...]) -> None:
        nonlocal busy
        if busy or event not in EVENTS or not values or not str(values[0]).startswith(str(folder)):
            return
        busy = True
        before()
        busy = False

    try:
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (1, 2):
            os.dup2(null, stream)
        sys.addaudithook(hook)
        with threadpool_limits(1):  # a forked process has none of the threads it was forked with
            app([str(each) for each in arguments], standalone_mode=False)
    except BaseException:
        os._exit(1)
    os._exit(0)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    y = np.arange(N) % 2
    X = np.random.default_rng(0).normal(size=(N, 3)) + 3 * y[:, None]
    ids = [f"r{i}" for i in range(N)]
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(kind=y, id=ids)
    frame.to_csv(folder / "data.csv", index=False)
    # Imports and first fits here, so that each child is quick.
    options = ["--id", "id", "--labels", "kind", "--method", "SSDR"]
    app(
        ["fit", str(folder / "data.csv"), *options, "-o", str(folder / "m.skops")],
        standalone_mode=False,
    )
    with closing(AnswerStore(folder / "answers.sqlite", ids)) as store, store.writing():
        for pair in ((0, 2), (1, 3), (0, 1)):
            store.add(pair, bool(y[pair[0]] == y[pair[1]]), "ada")
    return folder


COMMANDS = {
    "fit": ["--id", "id", "--labels", "kind", "--method", "SSDR", "-o"],
    "transform": ["--id", "id", "-o"],
    "cluster": ["--id", "id", "--labels", "kind", "-o"],
    "compare": ["--id", "id", "--labels", "kind", "--methods", "SSDR", "--folds", "2", "-o"],
    "label": ["--id", "id", "--columns", "a,b,c", "--answers", "answers.sqlite", "--export"],
}
NAMES = {"fit": "out.skops", "compare": "out.html"}


def arguments_of(command: str, data: Path, output: Path) -> list[Any]:
    files = [data / "data.csv"]
    if command == "transform":
        files.insert(0, data / "m.skops")
    options = [data / each if each == "answers.sqlite" else each for each in COMMANDS[command]]
    return [command, *files, *options, output, "--force"]


def is_whole(path: Path) -> bool:
    if path.suffix == ".skops":
        return bool(pairspace.load(path).transform(ROW).shape == (1, 2))
    if path.suffix == ".csv":
        return len(pd.read_csv(path)) == N
    return path.read_text(encoding="utf-8").rstrip().endswith("</html>")


@pytest.mark.parametrize("command", COMMANDS)
def test_at_any_moment_the_file_is_whole_or_the_old_one(
    command: str, data: Path, tmp_path: Path
) -> None:
    folder, seen = tmp_path / "out", tmp_path / "seen"
    folder.mkdir()
    seen.mkdir()
    output = folder / NAMES.get(command, "out.csv")
    output.write_text("old")
    last: Any = None

    def look(*_: Any) -> None:
        nonlocal last
        found = output.stat()
        if (found.st_ino, found.st_size, found.st_mtime_ns) != last:
            last = (found.st_ino, found.st_size, found.st_mtime_ns)
            (seen / f"{found.st_mtime_ns}{output.suffix}").write_bytes(output.read_bytes())

    arguments = arguments_of(command, data, output)
    assert run_forked(folder, arguments, lambda: sys.setprofile(look)) == 0
    states = sorted(seen.iterdir())
    assert states[0].read_bytes() == b"old"
    assert len(states) == 2
    assert is_whole(states[1])
    assert is_whole(output)


def test_a_kill_leaves_the_whole_file_or_the_old_one(data: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.csv"
    point, status = 0, KILLED
    while status == KILLED:
        output.write_text("old")
        left = point

        def die() -> None:
            nonlocal left
            left -= 1
            if left < 0:
                os._exit(KILLED)

        status = run_forked(tmp_path, arguments_of("transform", data, output), die)
        assert status in (KILLED, 0)
        assert output.read_bytes() == b"old" or is_whole(output)
        point += 1
    assert is_whole(output)
    assert point > 3
