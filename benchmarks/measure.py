"""Timing and memory of the benchmarks, as ratios to a floor of the same run."""

from __future__ import annotations

import gc
import json
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import scipy
import sklearn


def best_seconds(work: Callable[[], Any], repeats: int = 5) -> float:
    """The shortest of several runs, which is the least disturbed by other processes."""
    times = []
    for _ in range(repeats):
        gc.collect()
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def cpu_seconds(work: Callable[[], Any], repeats: int = 5) -> float:
    """The least CPU time of several runs: other processes disturb it less than the clock."""
    return min(cpu_times(work, repeats))


def cpu_times(work: Callable[[], Any], repeats: int = 5) -> list[float]:
    times = []
    for _ in range(repeats):
        gc.collect()
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return times


def peak_megabytes() -> float:
    """The peak memory of this process so far."""
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / (1e6 if sys.platform == "darwin" else 1e3)


def alone(script: str, *arguments: str, time_limit: float | None = None) -> dict[str, Any]:
    """The last line that a script prints, as JSON, from a process with its own peak memory.

    A process inherits the peak of its parent, so the parent must stay small. A failure returns
    {"error": …}.
    """
    command = [sys.executable, script, *arguments]
    try:
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=time_limit
        )
        return json.loads(done.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        return {"error": f"more than {time_limit:.0f} s"}
    except subprocess.CalledProcessError as error:
        return {"error": error.stderr.strip().splitlines()[-1][:120]}


def print_machine() -> None:
    print(
        f"Python {platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}, "
        f"scikit-learn {sklearn.__version__}, {platform.machine()}\n"
    )


def print_against(floor_name: str, floor: float, seconds: Mapping[str, float]) -> None:
    """A Markdown table of times and of their ratios to the floor."""
    print(f"| work | seconds | ÷ floor |\n|---|---|---|\n| *{floor_name}* | {floor:.3f} | 1.00 |")
    for name, value in seconds.items():
        print(f"| {name} | {value:.3f} | {value / floor:.2f} |")
    print()
