"""Growth of the time and memory of each method over rows and features, as a table and a picture.

Sizes grow by about three until a fit would take more than ``--seconds``. An exponent is the slope
of log time, or log memory, over log size, on the largest sizes that were measured; 1 is linear.
Times are CPU times with one thread. Memory is the peak of NumPy's arrays beyond the data, of a fit
of its own: compiled code of other libraries, such as faiss, is not counted.
"""

from __future__ import annotations

import argparse
import gc
import inspect
import os
import sys
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from fit import data
from measure import cpu_times, print_machine
from sklearn.decomposition import PCA
from threadpoolctl import threadpool_limits

from pairspace import (
    AutoReducer,
    Constraints,
    KernelKMeans,
    PairClusters,
    SKKMeans,
    linear,
    manifold,
)

N_COMPONENTS, N_PAIRS = 9, 500
ROWS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
FEATURES = (10, 30, 100, 300, 1_000, 3_000, 10_000)
N_ROWS, N_FEATURES = 3_000, 30  # while the other grows
SLOPE = 3  # of the largest sizes: below, what does not depend on the size counts
LEAST_SECONDS = 0.005  # of a size that counts: shorter times are those of validation
EXPECTED_STEP = 4.0  # times the last seconds: what the next size may take
CLUSTERERS = SKKMeans, KernelKMeans, PairClusters


class Curve(NamedTuple):
    sizes: list[int]
    seconds: list[float]
    megabytes: list[float]

    def exponent(self, values: list[float]) -> float:
        """The slope on the last sizes; NaN with fewer than two."""
        at = [i for i, seconds in enumerate(self.seconds) if seconds >= LEAST_SECONDS][-SLOPE:]
        if len(at) < 2:
            return float("nan")
        size, value = (np.log([each[i] for i in at]) for each in (self.sizes, values))
        return float(np.polyfit(size, value, 1)[0])


def methods() -> dict[str, Callable[[], Any]]:
    """Each with nine components or clusters, and a seed if it takes one."""
    classes = PCA, *linear.METHODS, *manifold.METHODS, *CLUSTERERS
    return {each.__name__: _maker(each) for each in classes} | {
        "PairSpace(teacher=None)": lambda: linear.PairSpace(
            N_COMPONENTS, teacher=None, random_state=0
        ),
        "AutoReducer": lambda: AutoReducer(N_COMPONENTS, random_state=0),
    }


def _maker(method: type) -> Callable[[], Any]:
    names = inspect.signature(method).parameters
    size = {"n_components": N_COMPONENTS, "n_clusters": N_COMPONENTS + 1}
    chosen = {name: value for name, value in size.items() if name in names}
    seed = {"random_state": 0} if "random_state" in names else {}
    return lambda: method(**chosen, **seed)


def fitted(make: Callable[[], Any], X: np.ndarray, y: np.ndarray, c: Constraints) -> None:
    method = make()
    if isinstance(method, PCA | KernelKMeans):
        method.fit(X)
    elif isinstance(method, CLUSTERERS):
        method.fit(X, constraints=c)
    else:
        # Labels of some rows, for methods that need them, and pairs.
        method.fit(X, np.where(np.arange(len(y)) < N_PAIRS, y, -1), constraints=c)


def curve(make: Callable[[], Any], sizes: tuple[int, ...], growing: str, most: float) -> Curve:
    """Of a method, as far as a fit takes about so many seconds."""
    found = Curve([], [], [])
    for size in sizes:
        n, d = (size, N_FEATURES) if growing == "rows" else (N_ROWS, size)
        if found.seconds and found.seconds[-1] * EXPECTED_STEP > most:
            break
        X, y = data(n, d)
        answers = Constraints.from_labels(y, n_pairs=N_PAIRS, random_state=0)
        work = lambda X=X, y=y, answers=answers: fitted(make, X, y, answers)  # noqa: E731
        try:
            times = cpu_times(work, 1)
            if times[0] < most / 20:
                times += cpu_times(work, 2)
            found.seconds.append(min(times))
            found.megabytes.append(_peak(work))
        except (ValueError, MemoryError) as error:
            print(f"{n} × {d}: {error}"[:200], file=sys.stderr)
            break
        found.sizes.append(size)
    return found


def _peak(work: Callable[[], Any]) -> float:
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def draw(found: dict[str, tuple[Curve, Curve]], path: Path) -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 2, figsize=(10, 8), layout="constrained", sharey="row")
    colours = plt.get_cmap("tab20").colors
    for place, (name, curves) in enumerate(found.items()):
        style = ("-", "--")[place // len(colours) % 2]
        for column, each in enumerate(curves):
            for row, values in enumerate((each.seconds, each.megabytes)):
                axes[row, column].loglog(
                    each.sizes,
                    values[: len(each.sizes)],
                    style,
                    color=colours[place % len(colours)],
                    marker=".",
                    label=name,
                )
    for column, growing in enumerate(
        (f"rows, {N_FEATURES} features", f"features, {N_ROWS:,} rows")
    ):
        axes[1, column].set_xlabel(growing)
    axes[0, 0].set_ylabel("CPU seconds of a fit")
    axes[1, 0].set_ylabel("peak memory beyond X, MB")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right upper", frameon=False, fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)


HEAD = (
    "| method | most rows | seconds | MB | time ~ rows^ | memory ~ rows^ | most features "
    "| seconds | MB | time ~ features^ | memory ~ features^ |\n" + "|---" * 11 + "|"
)


def line(name: str, curves: tuple[Curve, Curve]) -> str:
    cells = [name]
    for each in curves:
        if not each.sizes:
            cells += ["–"] * 5
            continue
        last = f"{each.sizes[-1]:,}", f"{each.seconds[-1]:.2f}", f"{each.megabytes[-1]:.0f}"
        slopes = (each.exponent(values) for values in (each.seconds, each.megabytes))
        cells += [*last, *("–" if np.isnan(slope) else f"{slope:.2f}" for slope in slopes)]
    return f"| {' | '.join(cells)} |"


def main(options: argparse.Namespace) -> None:
    print(
        f"## Growth with {N_PAIRS:,} pairs and {N_PAIRS:,} labels, {N_COMPONENTS} components\n\n"
        f"Rows from {ROWS[0]:,} to {ROWS[-1]:,} at {N_FEATURES} features, and features from "
        f"{FEATURES[0]} to {FEATURES[-1]:,} at {N_ROWS:,} rows, as far as a fit takes about "
        f"{options.seconds:g} s. CPU seconds with one thread; MB of NumPy's arrays beyond X. "
        f"Exponents are fitted on the largest {SLOPE} sizes that take at least "
        f"{1e3 * LEAST_SECONDS:.0f} ms; 1 is linear. The load of the machine was "
        f"{os.getloadavg()[0]:.1f}.\n"
    )
    print_machine()
    found = {}
    print(HEAD)
    for name, make in methods().items():
        if options.methods and name not in options.methods:
            continue
        found[name] = (
            curve(make, ROWS, "rows", options.seconds),
            curve(make, FEATURES, "features", options.seconds),
        )
        print(line(name, found[name]), flush=True)
    draw(found, options.picture)
    print(f"\n![time and memory of a fit](images/{options.picture.name})\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("methods", nargs="*", help="some of the methods; all by default")
    parser.add_argument("--seconds", type=float, default=20.0, help="about the longest fit")
    parser.add_argument("--picture", type=Path, default=Path("build/growth.png"))
    warnings.simplefilter("ignore")  # about disconnected graphs
    with threadpool_limits(1):
        main(parser.parse_args())
