"""Targets of speed, as a table: target, found, met? The last run is kept, to compare a later one.

All figures are CPU times with one thread of BLAS, so that other processes on the machine disturb
them little. A ratio is to a floor of the same run: both are measured in turn, and the least time of
each counts. The spread is from the least to the median ratio of the pairs of runs.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.request import HTTPCookieProcessor, build_opener

import numpy as np
import pandas as pd
from dsp import made_up
from eigenmaps import N_COMPONENTS, digits_like, scikit_learn
from fit import data
from measure import cpu_times
from sklearn.base import clone
from sklearn.datasets import load_digits, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits
from wide import documents

from pairspace import (
    DSP,
    AutoReducer,
    Constraints,
    LaplacianEigenmaps,
    PairSpace,
    fold_scaler,
)
from pairspace._core.neighbors import nearest

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
LAST = Path("build/benchmarks-last.json")


class Found(NamedTuple):
    """A figure with its target, in units of a floor or in seconds."""

    name: str
    target: float
    found: float
    median: float
    unit: str

    @property
    def met(self) -> bool:
        return self.found <= self.target


def ratio(
    name: str, target: float, work: Callable[[], Any], floor: Callable[[], Any], unit: str, n: int
) -> Found:
    times, floors = [], []
    for _ in range(n):
        floors += cpu_times(floor, 1)
        times += cpu_times(work, 1)
    pairs = [time / base for time, base in zip(times, floors, strict=True)]
    return Found(name, target, min(times) / min(floors), statistics.median(pairs), unit)


def seconds(name: str, target: float, work: Callable[[], Any], n: int) -> Found:
    times = cpu_times(work, n)
    return Found(name, target, min(times), statistics.median(times), "s")


def child_seconds(name: str, target: float, n: int, *command: str) -> Found:
    """CPU time of a Python process of its own."""
    times = []
    for _ in range(n):
        before = os.times()
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([sys.executable, *command], check=True, **quiet)
        times.append(_child_seconds_since(before))
    return Found(name, target, min(times), statistics.median(times), "s")


def pair_space(n: int) -> list[Found]:
    found = []
    X, y = data(20_000, 200)
    for n_pairs in (200, 100_000):
        answers = Constraints.from_labels(y, n_pairs=n_pairs, random_state=0)
        for target, what, given in (
            (6, "ridge and shrinkage given", {"ridge": 0.5, "shrinkage": 0.5}),
            (12, "ridge and shrinkage weighted", {}),
        ):
            space = PairSpace(9, teacher=None, random_state=0, **given)
            found.append(
                ratio(
                    f"PairSpace, 20,000 × 200, {n_pairs:,} pairs, {what}",
                    target,
                    lambda space=space, answers=answers: space.fit(X, answers),
                    lambda: np.linalg.eigh(X.T @ X),
                    "XᵀX + eigh",
                    n,
                )
            )
    return found


def transform(n: int) -> list[Found]:
    X, y = data(20_000, 200)
    answers = Constraints.from_labels(y, n_pairs=200, random_state=0)
    narrow, space = X.astype(np.float32), PairSpace(9, teacher=None, random_state=0)
    scaled = make_pipeline(StandardScaler(), clone(space)).fit(narrow, answers)
    models = {
        "transform, 20,000 × 200 in float32": space.fit(narrow, answers),
        "the same with a StandardScaler folded into it": fold_scaler(scaled),
    }
    components = space.components_.T
    found = []
    for name, model in models.items():
        work = lambda model=model: model.transform(narrow)  # noqa: E731
        floor = lambda: narrow @ components  # noqa: E731
        found.append(ratio(name, 1.1, work, floor, "a product", 10 * n))
    return found


def dsp(n: int) -> list[Found]:
    found = []
    for n_samples in (25_000, 100_000):
        X, answers = made_up(n_samples, 64)
        found.append(
            ratio(
                f"DSP, {n_samples:,} × 64, 200 must-links and 200 cannot-links",
                5,
                lambda X=X, answers=answers: DSP(random_state=0).fit(X, answers),
                lambda X=X: nearest(X, 5, method="approximate", random_state=0),
                "approximate neighbours",
                n,
            )
        )
    return found


def eigenmaps(n: int) -> list[Found]:
    X = digits_like(5_000)
    solvers = ["arpack", "lobpcg", *(["amg"] if find_spec("pyamg") else [])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about disconnected graphs
        theirs = [cpu_times(lambda each=each: scikit_learn(each).fit(X), n) for each in solvers]
        ours = cpu_times(lambda: LaplacianEigenmaps(N_COMPONENTS, random_state=0).fit(X), n)
    best = min(theirs, key=min)
    return [
        Found(
            "Laplacian eigenmaps, 5,000 × 64",
            1.0,
            min(ours) / min(best),
            statistics.median(ours) / statistics.median(best),
            "scikit-learn's best solver",
        )
    ]


def million(n: int) -> list[Found]:
    X, y = data(1_000_000, 100)
    answers = Constraints.from_labels(y, n_pairs=200, random_state=0)
    space = PairSpace(9, teacher=None, ridge=0.5, shrinkage=0.5, random_state=0)
    name = "PairSpace, 1,000,000 × 100, 200 pairs, ridge and shrinkage given"
    return [ratio(name, 3, lambda: space.fit(X, answers), lambda: X.T @ X, "XᵀX", n)]


def auto_reducer(n: int) -> list[Found]:
    found = []
    tables = {"digits": load_digits(return_X_y=True), "100,000 × 50": data(100_000, 50)}
    for (name, (X, y)), target in zip(tables.items(), (2, 15), strict=True):
        answers = Constraints.from_labels(y, n_pairs=200, random_state=0)
        work = lambda X=X, answers=answers: AutoReducer(9, random_state=0).fit(X, answers)  # noqa: E731
        found.append(seconds(f"AutoReducer, {name}, 200 pairs", target, work, n))
    return found


def of_documents(n: int) -> list[Found]:
    found = []
    for n_rows, n_terms, target in ((4_000, 20_000, 3), (50_000, 100_000, 10)):
        X, y = documents(n_rows, n_terms)
        answers = Constraints.from_labels(y, n_pairs=200, random_state=0)
        space = PairSpace(9, teacher=None, random_state=0)
        work = lambda X=X, answers=answers, space=space: space.fit(X, answers)  # noqa: E731
        found.append(seconds(f"PairSpace, {n_rows:,} documents × {n_terms:,}", target, work, n))
    return found


def starting(n: int) -> list[Found]:
    clock = "import time; a = time.perf_counter(); import pairspace; print(time.perf_counter() - a)"
    times = [
        float(subprocess.run([sys.executable, "-c", clock], capture_output=True, check=True).stdout)
        for _ in range(3 * n)
    ]
    name = "import pairspace (by the clock)"
    command = ("-m", "pairspace.tool.cli", "--help")
    return [
        Found(name, 0.005, min(times), statistics.median(times), "s"),
        child_seconds("pairspace --help", 0.25, n, *command),
    ]


def commands(n: int) -> list[Found]:
    """``pairspace fit``, and ``pairspace label`` until its page has come, with all imports."""
    wine, y = load_wine(return_X_y=True, as_frame=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        wine.assign(kind=y).to_csv(folder / "wine.csv", index=False)
        rows = pd.DataFrame(data(10_000, 20)[0]).add_prefix("x")
        rows.to_csv(folder / "rows.csv", index=False)
        fit = "fit", str(folder / "wine.csv"), "--labels", "kind", "--force"
        model = "-o", str(folder / "wine.skops")
        found = [
            child_seconds(
                "pairspace fit of wine.csv", 3, n, "-m", "pairspace.tool.cli", *fit, *model
            )
        ]
        times = [_until_page(folder, at) for at in range(n)]
    for unit, at in (("CPU time", 0), ("by the clock", 1)):
        every = [time[at] for time in times]
        what = f"labelling page of 10,000 × 20 is there ({unit})"
        found.append(Found(what, 3, min(every), statistics.median(every), "s"))
    return found


def _until_page(folder: Path, at: int) -> tuple[float, float]:
    """CPU seconds and seconds until the page has been read."""
    words = ["label", str(folder / "rows.csv"), "--answers", str(folder / f"{at}.sqlite")]
    command = [sys.executable, "-m", "pairspace.tool.cli", *words, "--no-browser", "--port", "0"]
    start, before = time.perf_counter(), os.times()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        try:
            line = next(line for line in process.stdout if "http://" in line)
            address = next(word for word in line.split() if word.startswith("http://"))
            # The address sets a cookie, and leads to the page.
            build_opener(HTTPCookieProcessor()).open(address).read()
            seconds, used = time.perf_counter() - start, _seconds_of(process.pid)
        finally:
            process.terminate()
            process.stdout.read()
    return _child_seconds_since(before) if used is None else used, seconds


def _seconds_of(process: int) -> float | None:
    """CPU time of a process so far, with the processes it has waited for; None if unknown.

    It is asked for when the page is there: what the program does when it ends is no part of that.
    """
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # not Linux
        return None
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _child_seconds_since(before: os.times_result) -> float:
    after = os.times()
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system


def threads(n: int) -> list[Found]:
    """AutoReducer with two threads of BLAS, in units of its CPU time with one."""
    script = (
        "import time; from sklearn.datasets import load_digits; "
        "from pairspace import AutoReducer, Constraints; X, y = load_digits(return_X_y=True); "
        "c = Constraints.from_labels(y, n_pairs=200, random_state=0); "
        "a = AutoReducer(9, random_state=0); a.fit(X, c); t = time.process_time(); a.fit(X, c); "
        "print(time.process_time() - t)"
    )

    def used(n_threads: int) -> float:
        environment = os.environ | dict.fromkeys(THREADS, str(n_threads))
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, capture_output=True, check=True, env=environment)
        return float(done.stdout)

    both = [(used(1), used(2)) for _ in range(n)]
    found = min(two for _, two in both) / min(one for one, _ in both)
    median = statistics.median(two / one for one, two in both)
    return [Found("AutoReducer, digits, two threads of BLAS", 1.3, found, median, "one thread")]


PARTS = {
    "pair_space": pair_space,
    "transform": transform,
    "dsp": dsp,
    "eigenmaps": eigenmaps,
    "auto_reducer": auto_reducer,
    "documents": of_documents,
    "starting": starting,
    "commands": commands,
    "threads": threads,
    "million": million,
}


def table(found: list[Found]) -> str:
    lines = ["| target | at most | found | median | met? |", "|---|---|---|---|---|"]
    for each in found:
        digits = 3 if each.target < 0.1 else 2
        unit = " s" if each.unit == "s" else f" × {each.unit}"
        lines.append(
            f"| {each.name} | {each.target:g}{unit} | {each.found:.{digits}f} "
            f"| {each.median:.{digits}f} | {'yes' if each.met else '**no**'} |"
        )
    return "\n".join(lines) + "\n"


def compared(found: list[Found], before: dict[str, list[float]]) -> str:
    """What got slower, or faster, by more than its noise: the spread of either run."""
    lines = []
    for each in found:
        if each.name not in before:
            lines.append(f"{each.name}: new")
            continue
        old, old_median = before[each.name]
        noise = max(each.median - each.found, old_median - old, 0.05 * old)
        change = "slower" if each.found > old + noise else "faster"
        if abs(each.found - old) > noise:
            lines.append(f"{each.name}: {change}, {old:.3g} → {each.found:.3g}")
    return "\n".join(lines) or "nothing changed by more than its noise"


def main(options: argparse.Namespace) -> None:
    found = [each for name in options.parts or PARTS for each in PARTS[name](options.repeats)]
    print("## Targets\n\nCPU times with one thread of BLAS; the least and the median of ", end="")
    print(f"{options.repeats} runs or more.\n")
    print(table(found))
    before = json.loads(LAST.read_text()) if LAST.exists() else {}
    if options.compare:
        print(compared(found, before), end="\n\n")
    LAST.parent.mkdir(parents=True, exist_ok=True)
    now = before | {each.name: [each.found, each.median] for each in found}
    LAST.write_text(json.dumps(now, indent=1) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"some of {', '.join(PARTS)}; all by default")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--compare", action="store_true", help="with the last run that was kept")
    for variable in THREADS:
        os.environ[variable] = "1"  # of the processes that are started
    with threadpool_limits(1):
        main(parser.parse_args())
