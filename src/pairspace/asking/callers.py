"""Calls a program: one question at a time, in threads, async or in batches; tries again."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import Any, NamedTuple

from pairspace.asking.queries import Query
from pairspace.asking.replies import AnswerError, Reply, reply_of

AT_ONCE = 8  # questions of a batch, or to an async function, by default


class Patience(NamedTuple):
    """How often to ask again, and how long to wait before.

    Parameters
    ----------
    tries : int, default=3
        How often a question is asked, at most.
    pause : float, default=1.0
        The seconds before the second try; each later pause is twice as long.
    longest : float, default=60.0
        The longest pause in seconds. A program that asks for a longer one has failed.
    sleep : callable, default=None
        Waits for some seconds; ``time.sleep`` by default.
    """

    tries: int = 3
    pause: float = 1.0
    longest: float = 60.0
    sleep: Callable[[float], Any] | None = None


Got = tuple[Query, Reply | AnswerError]


class Caller:
    """Asks a program, several questions at once if it can.

    Parameters
    ----------
    answer : callable
        A function, an async function, or an object with a method ``batch``.
    workers : int or None
        How many questions are under way at once.
    patience : Patience
        How often to ask again.
    """

    def __init__(self, answer: Any, workers: int | None, patience: Patience) -> None:
        self._answer, self._patience = answer, patience
        self._batch = getattr(answer, "batch", None)
        if self._batch is None and not callable(answer):
            raise TypeError(f"answer must be a function of a question; got {answer!r}")
        self._is_async = any(
            inspect.iscoroutinefunction(each)
            for each in (self._batch or answer, getattr(answer, "__call__", None))  # noqa: B004
        )
        default = AT_ONCE if self._is_async or self._batch is not None else 1
        self.at_once = default if workers is None else workers
        self._loop = _Loop() if self._is_async else None
        self._threads: ThreadPoolExecutor | None = None
        if self._loop is None and self._batch is None and self.at_once > 1:
            self._threads = ThreadPoolExecutor(self.at_once, thread_name_prefix="ask")

    def close(self) -> None:
        """Stop what is under way."""
        if self._loop is not None:
            self._loop.close()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
        if hasattr(self._answer, "close"):
            self._answer.close()

    def __call__(self, queries: Sequence[Query]) -> Iterator[Got]:
        """Each reply and each failure as it comes; the last one of a query counts."""
        todo = list(queries)
        for attempt in range(1, self._patience.tries + 1):
            failed: list[tuple[Query, AnswerError]] = []
            for query, got in self._once(todo):
                yield query, got
                if isinstance(got, AnswerError) and self._may_try_after(got):
                    failed.append((query, got))
            if not failed or attempt == self._patience.tries:
                return
            pause = max(self._pause(attempt, failure) for _, failure in failed)
            if pause > 0:
                (self._patience.sleep or time.sleep)(pause)
            todo = [query for query, _ in failed]

    def _may_try_after(self, failure: AnswerError) -> bool:
        return failure.retry and (failure.retry_after or 0) <= self._patience.longest

    def _pause(self, attempt: int, failure: AnswerError) -> float:
        if failure.retry_after is not None:
            return failure.retry_after
        return min(self._patience.pause * 2 ** (attempt - 1), self._patience.longest)

    def _once(self, queries: Sequence[Query]) -> Iterator[Got]:
        if self._batch is not None:
            yield from self._in_batch(queries)
        elif self._loop is not None:
            yield from _finished({self._loop.start(self._answer(each)): each for each in queries})
        elif self._threads is not None:
            submit = self._threads.submit
            yield from _finished({submit(self._answer, each): each for each in queries})
        else:
            for query in queries:
                yield query, _checked(query, lambda query=query: self._answer(query))  # type: ignore[misc]

    def _in_batch(self, queries: Sequence[Query]) -> Iterator[Got]:
        assert self._batch is not None
        try:
            found = self._batch(list(queries))
            if self._loop is not None:
                found = self._loop.start(found).result()
            found = list(found)
        except AnswerError as error:
            yield from ((query, error) for query in queries)
            return
        if len(found) != len(queries):
            raise ValueError(
                f"answer.batch must return one answer for each of {len(queries)} questions; "
                f"got {len(found)}"
            )
        for query, returned in zip(queries, found, strict=True):
            yield query, _checked(query, lambda returned=returned: returned)  # type: ignore[misc]


class _Loop:
    """An event loop in a thread: a notebook has one of its own, which can't be waited in."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def start(self, coroutine: Any) -> Future[Any]:
        """Start a coroutine."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def close(self) -> None:
        """Cancel what is under way, and end the thread."""
        self.start(_cancel_others()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


def _finished(futures: dict[Future[Any], Query]) -> Iterator[Got]:
    for future in as_completed(futures):
        yield futures[future], _checked(futures[future], future.result)


def _checked(query: Query, call: Callable[[], Any]) -> Reply | AnswerError:
    """The reply; failures to answer are returned, errors in a program's code are raised."""
    try:
        return reply_of(query, call())
    except AnswerError as error:
        return error
