"""The labelling page in a process of its own, with a clock that can be set.

``python -m soak.page CLOCK label data.csv …`` is ``pairspace label …`` in which the time is off by
the seconds that stand in the file CLOCK.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pairspace.active import step_store
from pairspace.constraints import answers_file
from pairspace.tool.cli import app

PATIENCE = 600.0  # seconds until it prints its address, on a busy machine


class Page:
    """A page that can be started, killed, and kept from writing."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder
        self.log = folder / f"{name}.stderr"
        self.url = ""
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the command, and wait for its address."""
        folder = self.folder
        said = folder / f"{self.name}.stdout"
        command = [
            sys.executable,
            "-m",
            "soak.page",
            folder / "clock",
            "label",
            folder / "data.csv",
        ]
        options = ["--id", "id", "--answers", folder / "answers.sqlite", "--no-browser"]
        with said.open("wb") as out, self.log.open("ab") as err:
            self._process = subprocess.Popen([*command, *options], stdout=out, stderr=err)
        until = time.monotonic() + PATIENCE
        while not (found := re.search(r"http://\S+", said.read_text(encoding="utf-8"))):
            if self._process.poll() is not None:
                code = self._process.returncode
                raise RuntimeError(f"{self.name} ended with {code}: {self.log.read_text()}")
            if time.monotonic() > until:
                raise RuntimeError(f"{self.name} did not start: {self.log.read_text()}")
            time.sleep(0.05)
        self.url = found[0]

    def kill(self) -> None:
        """End it without a word."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> int:
        """End it as ctrl-C does; its exit code."""
        self._running.send_signal(signal.SIGINT)
        return self._running.wait(PATIENCE)

    def limit_files(self, size: int | None) -> None:
        """Let no file become larger: a full disk."""
        _, hard = resource.prlimit(self._running.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self._running.pid, resource.RLIMIT_FSIZE, (size or hard, hard))

    def memory(self) -> float:
        """The megabytes that it takes."""
        pages = Path(f"/proc/{self._running.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def cpu_seconds(self) -> float:
        """The CPU time that it took so far."""
        stat = Path(f"/proc/{self._running.pid}/stat").read_text(encoding="ascii")
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    @property
    def _running(self) -> subprocess.Popen[bytes]:
        assert self._process is not None
        return self._process


def _set_clock(file: Path) -> None:
    class Clock(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.now(tz) + timedelta(seconds=float(file.read_text(encoding="ascii")))

    for module in (step_store, answers_file):
        module.datetime = Clock  # type: ignore[attr-defined]


if __name__ == "__main__":
    _set_clock(Path(sys.argv[1]))
    app(sys.argv[2:])
