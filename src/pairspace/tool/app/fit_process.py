"""Fits in a process of their own: a thread would take turns with the page, which then answers late.

The process is started with the first fit. It gets the rows once, then each plan, and sends back
spaces, as pickles through two pipes that nobody else has. When the program ends, however it ends,
its pipe ends, and the process with it.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from queue import SimpleQueue
from typing import IO, Any

from pairspace.active.refit import Refit, TableCache
from pairspace.active.space import Space
from pairspace.tool.app.memory import give_back_memory

PROTOCOL = 5  # of pickle: arrays are written as they are


class FitProcess:
    """Runs the fits of one session, one at a time, in a process of their own."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._lock = threading.Lock()

    def fit(self, plan: Refit) -> Space:
        """What ``plan.fit()`` returns or raises; an error if the process ends."""
        process, is_new = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            if is_new:
                _send(plan.X, process.stdin)
            _send(replace(plan, X=None, cache=TableCache()), process.stdin)
            found = pickle.load(process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            raise RuntimeError(
                f"the process that fits has ended with {_end(process)}, perhaps for lack of "
                "memory; the next answer starts another"
            ) from None
        except BaseException:
            _end(process)  # what is left in the pipes would be taken for the next space
            raise
        if isinstance(found, Exception):
            raise found
        assert isinstance(found, Space)
        return found

    def close(self) -> None:
        """End the process, also in the middle of a fit: nothing is lost but the fit."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                _end(self._process)

    def _started(self) -> tuple[subprocess.Popen[bytes], bool]:
        """The process, and whether it is new and has no rows yet."""
        with self._lock:
            if self._closed:
                raise RuntimeError("the page is closed")
            if self._process is not None:
                if self._process.poll() is None:
                    return self._process, False
                _end(self._process)
            # It finds modules where this program does; with -P not in the folder of the data.
            path = os.pathsep.join(each for each in sys.path if each)
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": path},
                start_new_session=True,  # ctrl-C is for this program alone
            )
            return self._process, True


def _end(process: subprocess.Popen[bytes]) -> int:
    """Kill a process, unless it has ended; its exit code."""
    process.kill()
    code = process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):  # of what was not sent
                pipe.close()
    return code


def main() -> None:
    """Fit what comes in by stdin, until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    spaces = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get between the spaces
    give_back_memory()
    received: SimpleQueue[Any] = SimpleQueue()
    # A thread of its own sees at once that the page has ended, also during a fit.
    threading.Thread(target=_receive, args=(sys.stdin.buffer, received), daemon=True).start()
    X, cache = received.get(), TableCache()
    while True:
        found = _fitted(replace(received.get(), X=X, cache=cache))
        try:
            _send(found, spaces)
        except OSError:
            os._exit(0)
        except MemoryError:  # the page says so
            os._exit(1)


def _receive(file: IO[bytes], received: SimpleQueue[Any]) -> None:
    code = 1
    try:
        while True:
            received.put(pickle.load(file))
    except EOFError:
        code = 0
    finally:
        os._exit(code)


def _fitted(plan: Refit) -> Space | Exception:
    try:
        return plan.fit()
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return RuntimeError(f"{type(error).__name__}: {error}")
        return error


def _send(what: Any, file: IO[bytes]) -> None:
    pickle.dump(what, file, protocol=PROTOCOL)
    file.flush()


if __name__ == "__main__":
    main()
