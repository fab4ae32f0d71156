"""The real command in a process of its own."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

Start = Callable[..., AbstractContextManager[str]]


def apart(work: Coroutine[Any, Any, Any]) -> Any:
    """Run it in a thread of its own: Playwright leaves a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


@contextmanager
def running(*arguments: Any) -> Iterator[str]:
    """``pairspace label …`` on a free port; gives the address it prints."""
    command = [sys.executable, "-m", "pairspace.tool.cli", "label", *map(str, arguments)]
    with subprocess.Popen(
        [*command, "--no-browser"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        said = []
        try:
            for line in process.stdout:
                said.append(line)
                found = re.search(r"http://\S+", line)
                if found:
                    yield found[0]
                    break
            else:
                pytest.fail(f"the command said no address, but: {''.join(said)}")
        finally:
            process.send_signal(signal.SIGTERM)
            said += process.stdout.readlines()
        assert process.wait(60) == 0, "".join(said)
        assert not re.search("Traceback|Error", "".join(said)), "".join(said)


@pytest.fixture(scope="session")
def start() -> Start:
    return running
