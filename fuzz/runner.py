"""Run cases by their number, and print those that fail."""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from fuzz.judges import Failure
from fuzz.targets import TARGETS, Target

MEMORY = 8 * 2**30  # of addresses: a case that takes more fails
PRINTED = 25  # failures in full; of the others only the number
SAY_EVERY = 5_000  # cases, how far it is


class Outcome(NamedTuple):
    """What became of a case."""

    target: str
    failure: str | None
    log: list[str]


def target_of(seed: int, number: int) -> tuple[Target, np.random.Generator]:
    """What a case tries, and what it draws its input with."""
    random = np.random.default_rng([seed, number])
    shares = np.array(list(TARGETS.values()))
    return list(TARGETS)[random.choice(len(shares), p=shares / shares.sum())], random


def run_case(seed: int, number: int) -> Outcome:
    """A case, which depends on the seed and its number alone."""
    target, random = target_of(seed, number)
    name = f"{target.__module__.rsplit('.', 1)[-1]}.{target.__name__}"
    log: list[Any] = []
    failure = None
    with stderr() as printed:
        try:
            target(random, log)
        except Failure as error:
            failure = str(error)
        except Exception:  # the fuzzer itself, or a call that is not judged
            failure = traceback.format_exc(limit=-4)
        except MemoryError:
            failure = "MemoryError"
    if failure is None and printed:
        failure = f"printed to stderr: {printed[0][:300]}"
    return Outcome(name, failure, [_shown(one) for one in log])


def run_cases(seed: int, numbers: Iterable[int], seconds: float) -> int:
    """Run cases until they or the seconds are over; the number of failures."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    start, done, failed = time.monotonic(), Counter[str](), 0
    for number in numbers:
        if time.monotonic() - start > seconds:
            break
        outcome = run_case(seed, number)
        done[outcome.target] += 1
        if outcome.failure is not None:
            failed += 1
            print_failure(seed, number, outcome, short=failed > PRINTED)
        if done.total() % SAY_EVERY == 0:
            print(f"{done.total():,} cases, to number {number}: {failed} failed", flush=True)
    counts = ", ".join(f"{name} {count}" for name, count in sorted(done.items()))
    print(
        f"seed {seed}: {done.total():,} cases in {time.monotonic() - start:.0f} s, "
        f"{failed} failed ({counts})"
    )
    return failed


def print_failure(seed: int, number: int, outcome: Outcome, *, short: bool) -> None:
    """A failing case, with the command that repeats it."""
    print(f"FAILED {outcome.target}: make fuzz SEED={seed} ONLY={number}")
    if not short:
        for line in outcome.log:
            print(f"  {line}")
    print(f"  {str(outcome.failure)[:1500]}", flush=True)


def _shown(value: Any) -> str:
    try:
        return repr(value)[:300]
    except Exception as error:
        return f"<{type(value).__name__}: {error}>"


@contextmanager
def stderr() -> Any:
    """What is printed to stderr in the block, by LAPACK, too: a list with one text, or none."""
    found: list[str] = []
    sys.stderr.flush()
    with tempfile.TemporaryFile() as file:
        before = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield found
        finally:
            sys.stderr.flush()
            os.dup2(before, 2)
            os.close(before)
            file.seek(0)
            text = file.read().decode(errors="replace")
            if text:
                found.append(text)
