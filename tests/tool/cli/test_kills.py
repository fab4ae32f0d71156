"""Commands killed while they write: under the final name is the whole file, or the old one."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pairspace
from pairspace.tool.cli import app

KILLED = 9
ROW = pd.DataFrame([[0.0, 1.0, 2.0]], columns=["a", "b", "c"])
EVENTS = ("open", "os.rename", "os.chmod", "os.remove", "tempfile.mkstemp")

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def killed_at(point: int, folder: Path, arguments: list[Any]) -> int:
    """Run a command in a process that dies before the so-many-th event in a folder; its status."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    left = point

    def count(event: str, values: tuple[Any, ...]) -> None:
        nonlocal left
        if event in EVENTS and values and str(values[0]).startswith(str(folder)):
            left -= 1
            if left < 0:
                os._exit(KILLED)

    try:
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (1, 2):
            os.dup2(null, stream)
        sys.addaudithook(count)
        app([str(each) for each in arguments], standalone_mode=False)
    except BaseException:
        os._exit(1)
    os._exit(0)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    y = np.arange(40) % 2
    X = np.random.default_rng(0).normal(size=(40, 3)) + 3 * y[:, None]
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(kind=y, id=[f"r{i}" for i in range(40)])
    frame.to_csv(folder / "data.csv", index=False)
    # Imports and first fits here, so that each child is quick.
    options = ["--id", "id", "--labels", "kind", "--method", "SSDR"]
    app(
        ["fit", str(folder / "data.csv"), *options, "-o", str(folder / "m.skops")],
        standalone_mode=False,
    )
    return folder


COMMANDS = {
    "fit": ["--id", "id", "--labels", "kind", "--method", "SSDR"],
    "transform": ["--id", "id"],
    "cluster": ["--id", "id", "--labels", "kind"],
    "compare": [
        "--id",
        "id",
        "--labels",
        "kind",
        "--methods",
        "SSDR",
        "--folds",
        2,
        "--repeats",
        1,
    ],
}
NAMES = {"fit": "out.skops", "transform": "out.csv", "cluster": "out.csv", "compare": "out.html"}


def is_whole(path: Path) -> bool:
    if path.suffix == ".skops":
        return bool(pairspace.load(path).transform(ROW).shape == (1, 2))
    if path.suffix == ".csv":
        return len(pd.read_csv(path)) == 40
    return path.read_text(encoding="utf-8").rstrip().endswith("</html>")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_kill_leaves_the_whole_file_or_the_old_one(
    command: str, data: Path, tmp_path: Path
) -> None:
    output = tmp_path / NAMES[command]
    given = [data / "m.skops"] if command == "transform" else []
    arguments = [command, *given, data / "data.csv", *COMMANDS[command], "-o", output, "--force"]
    point, status = 0, KILLED
    while status == KILLED:
        output.write_text("old")
        status = killed_at(point, tmp_path, arguments)
        assert status in (KILLED, 0)
        assert output.read_text(encoding="utf-8", errors="replace") == "old" or is_whole(output)
        point += 1
    assert is_whole(output)
    assert point > 3  # it was killed while it wrote
