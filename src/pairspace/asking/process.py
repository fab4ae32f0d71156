"""A command that answers: questions and replies are lines of JSON, and the command is started once.

Nothing that comes back is run. A reply is taken only if it has the id of the question.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pairspace.asking.queries import Query
from pairspace.asking.replies import AnswerError

LONGEST_LINE = 1_000_000  # bytes; a longer line is no reply
MOST_STARTS = 50  # braces of a line at which JSON is looked for: a line may have a million
LARGEST_FILE = 10_000_000  # bytes of a file of the command that its version depends on
SHOWN = 200  # characters of what a program wrote, in messages
GRACE = 2.0  # seconds that a program has to end by itself


class Command:
    """Answers by a command: a callable for :func:`pairspace.ask`.

    Questions that are asked at the same time, from several threads, go to several processes of the
    command. Each is started once, and again only after it has crashed or was too slow.

    Parameters
    ----------
    command : str
        The command and its arguments, quoted as in a shell. It is not run by a shell.
    timeout : float, default=30.0
        The seconds that one answer may take.
    """

    def __init__(self, command: str, *, timeout: float = 30.0) -> None:
        try:
            self.words = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"the command {command!r} can't be read: {error}") from None
        if not self.words:
            raise ValueError("the command is empty: name a program that answers")
        if not timeout > 0:
            raise ValueError(f"timeout must be more than 0 seconds; got {timeout}")
        self.timeout = timeout
        self._idle: list[_Process] = []
        self._all: list[_Process] = []
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """A name for the answers: that of the last file of the command, or of the program."""
        files = [Path(word).name for word in self.words if Path(word).is_file()]
        return files[-1] if files else Path(self.words[0]).name

    def version(self, given: str = "") -> str:
        """Return a digest of the command and of the files it names: a changed script is asked anew.

        Parameters
        ----------
        given : str, default=""
            What else the answers depend on, for example the name of a model.

        Returns
        -------
        str
            The digest.
        """
        digest = hashlib.sha256("\0".join([*self.words, given]).encode("utf-8", "replace"))
        for word in self.words[1:]:
            with contextlib.suppress(OSError, ValueError):
                if Path(word).is_file() and Path(word).stat().st_size <= LARGEST_FILE:
                    digest.update(Path(word).read_bytes())
        return digest.hexdigest()[:12]

    def __call__(self, query: Query) -> Mapping[str, Any]:
        """Send a question and return the reply."""
        with self._lock:
            process = self._idle.pop() if self._idle else None
        if process is None:
            process = _Process(self.words)
            with self._lock:
                self._all.append(process)
        try:
            return _checked(process.ask(query, self.timeout))
        except AnswerError:
            raise
        except BaseException:
            process.kill()  # it still owes an answer
            raise
        finally:
            with self._lock:
                if not process.ended:
                    self._idle.append(process)
                elif process in self._all:
                    self._all.remove(process)

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            processes, self._all, self._idle = self._all, [], []
        for process in processes:
            process.end()


class _Process:
    """One process of the command, and threads that read what it writes."""

    def __init__(self, words: list[str]) -> None:
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # An interrupt is for pairspace, which then ends the program.
                start_new_session=True,
            )
        except OSError as error:
            raise ValueError(
                f"the command {words[0]!r} can't be started: {error.strerror or error}"
            ) from None
        self.ended = False
        self._questions: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._errors: deque[bytes] = deque(maxlen=20)
        # Also writing has its thread: a program that does not read would block it.
        self._threads = [
            threading.Thread(target=each, daemon=True)
            for each in (self._write, self._read, self._read_errors)
        ]
        for thread in self._threads:
            thread.start()

    def ask(self, query: Query, timeout: float) -> Any:
        """The reply to a question, or an error that says what came instead."""
        until = time.monotonic() + timeout
        line = json.dumps(query.as_json(), ensure_ascii=False) + "\n"
        self._questions.put(line.encode())
        instead = ""
        while True:
            try:
                raw = self._lines.get(timeout=max(until - time.monotonic(), 0))
            except queue.Empty:
                self.kill()
                raise AnswerError(
                    f"time-out: no answer in {timeout:g} seconds{instead}", retry=True
                ) from None
            if raw is None:
                raise self._crashed()
            text = raw.decode("utf-8", "replace").strip()
            reply = find_json(text)
            if reply is None and "{" not in text:
                instead = f"; it wrote {_shown(text)}" if text else instead
                continue  # a program may print something else, too
            if reply is None:
                raise AnswerError(
                    f"malformed line: {_shown(text)} is no JSON object",
                    retry=True,
                    retry_after=0,
                    raw=text,
                )
            if reply.get("id") != query.id:
                instead = f"; it answered another question, id {_shown(str(reply.get('id')))}"
                continue
            return {**reply, "raw": text}

    def kill(self) -> None:
        """End the process and all that it started at once."""
        self.ended = True
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        self._close()

    def end(self) -> None:
        """Close the input, which ends a program that reads lines; kill it if it stays."""
        self._questions.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        self.kill()

    def _close(self) -> None:
        self._questions.put(None)
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        for thread, pipe in zip(self._threads, pipes, strict=True):
            thread.join(GRACE)
            # A process that left the group may hold the pipe: then closing it would wait.
            if not thread.is_alive() and pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _crashed(self) -> AnswerError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        self._threads[-1].join(GRACE)
        code = self._process.poll()
        self.kill()
        ended = "closed its output" if code is None else f"ended with code {code}"
        said = [line.decode("utf-8", "replace").strip() for line in self._errors]
        last = next((line for line in reversed(said) if line), "")
        why = f": {_shown(last)}" if last else ""
        return AnswerError(
            f"the program {ended} before it answered{why}", retry=True, raw="\n".join(said)
        )

    def _write(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        with contextlib.suppress(OSError, ValueError):
            while line := self._questions.get():
                pipe.write(line)
                pipe.flush()
        with contextlib.suppress(OSError):
            pipe.close()

    def _read(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None
        with contextlib.suppress(OSError, ValueError):
            while line := pipe.readline(LONGEST_LINE):
                self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self) -> None:
        pipe = self._process.stderr
        assert pipe is not None
        with contextlib.suppress(OSError, ValueError):
            while line := pipe.readline(LONGEST_LINE):
                self._errors.append(line)


def find_json(text: str) -> dict[str, Any] | None:
    """The first JSON object in a text with other words around it; None if there is none."""
    decoder = json.JSONDecoder()
    at = -1
    for _ in range(MOST_STARTS):
        at = text.find("{", at + 1)
        if at < 0:
            break
        try:
            found, _ = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            continue
        return found if isinstance(found, dict) else None
    return None


def _checked(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """The reply, unless it says that there is no answer."""
    if "error" not in reply:
        return reply
    after = reply.get("retry_after")
    is_number = isinstance(after, int | float) and not isinstance(after, bool) and after >= 0
    cost = reply.get("cost")
    paid = isinstance(cost, int | float) and not isinstance(cost, bool) and 0 <= cost < 1e12
    raise AnswerError(
        f"the program reports: {_shown(str(reply['error']))}",
        retry=is_number,
        retry_after=float(after) if is_number else None,  # type: ignore[arg-type]
        cost=float(cost) if paid else 0.0,  # type: ignore[arg-type]
        raw=str(reply.get("raw", "")),
    )


def _shown(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…")
