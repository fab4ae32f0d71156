"""Cost of a fit of a Dask array: measured for one block, extrapolated to many.

A block is read by the function that workers run. The estimate is the sum of the costs of blocks, of
tasks and of the client. A fit on this machine checks the estimate.
"""

from __future__ import annotations

import argparse
import os
import pickle
import re
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import dask
import dask.array as da
import numpy as np
from distributed import Client, LocalCluster
from measure import best_seconds
from threadpoolctl import threadpool_limits

from pairspace import BWDR, CFLD, Constraints
from pairspace._core.data import ClassMoments
from pairspace._core.data._dask import BRANCHES
from pairspace._core.data._dask_tasks import BlockTask, added, project_block, read_block
from pairspace._core.data._lazy import _column_sums
from pairspace._core.files import replacing
from pairspace._core.linalg import whiten, within

N_CLASSES = 10
STORE = 200e6  # assumed bytes a second that a core reads; stated on the page
MARKS = "<!-- measured by benchmarks/dask_cost.py -->", "<!-- end -->"


class Step(NamedTuple):
    """The cost of a task on a block, and the size of its result."""

    seconds: float
    n_bytes: int
    adding: float  # seconds for a result that is added to others


def measured_steps(n_rows: int, n_features: int, repeats: int) -> dict[str, Step]:
    block = np.random.default_rng(0).normal(size=(n_rows, n_features))
    codes = np.arange(n_rows) % N_CLASSES
    group = np.zeros(N_CLASSES, dtype=np.int64)
    none = np.empty(0, dtype=np.int64)
    parts: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
        "mean (BWDR, WBDR, DCA of pairs)": (_column_sums, ()),
        "mean and scatter (the others of pairs)": (ClassMoments.of_all, ()),
        f"scatters of {N_CLASSES} classes": (
            partial(ClassMoments.of, group=group),
            (codes.astype(np.int8),),
        ),
    }
    steps = {}
    for name, (part, by_row) in parts.items():
        task = BlockTask(0, True, none, by_row)
        read = partial(read_block, block, task, part)
        found = read()
        adding = best_seconds(partial(added, [found] * BRANCHES), repeats) / BRANCHES
        steps[name] = Step(best_seconds(read, repeats), len(pickle.dumps(found)), adding)
    project = partial(project_block, block, np.eye(2, n_features), np.zeros(n_features), (0, 0))
    steps["transform to 2 columns"] = Step(best_seconds(project, repeats), 16 * n_rows, 0.0)
    return steps


def client_seconds(n_features: int, repeats: int) -> float:
    """Two eigenproblems, as CFLD has them."""
    A = np.cov(np.random.default_rng(0).normal(size=(n_features, 3 * n_features)))
    return best_seconds(lambda: within(whiten(A), A, 2), repeats)


def client_bytes(n_rows: int) -> dict[str, float]:
    """The most memory that the client holds for a row, apart from blocks."""
    X = da.zeros((n_rows, 2), chunks=(10_000, 2)) + da.arange(n_rows, chunks=10_000)[:, None] % 7
    ends = np.random.default_rng(0).choice(n_rows, 400, replace=False).reshape(-1, 2)
    pairs = Constraints(n_rows, ends[:100], ends[100:])
    labels = (np.arange(n_rows) % 3).astype(np.int8)
    most = {}
    with dask.config.set(scheduler="synchronous"):
        BWDR(1).fit(X[:20_000], labels[:20_000])  # imports
        for name, given in (("pairs", pairs), ("labels", labels)):
            tracemalloc.start()
            BWDR(1).fit(X, given)
            most[name] = tracemalloc.get_traced_memory()[1] / n_rows
            tracemalloc.stop()
    return most


def load(seed: Any, n_rows: int, n_features: int, block_id: Any = None) -> Any:
    """A random block, made quickly."""
    return np.random.default_rng(block_id[0]).random((n_rows, n_features))


class Cluster(NamedTuple):
    """Seconds for a task, for a fit, and for loading one of its blocks."""

    n_workers: int
    task: float
    fitted: float
    loading: float


def on_a_cluster(n_workers: int, n_blocks: int, n_rows: int, n_features: int) -> Cluster:
    """A fit of so many blocks on worker processes of this machine, the fastest of five."""
    with (
        LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
        ) as machines,
        Client(machines),
    ):

        def fit(n_blocks: int, n_rows: int, n_features: int) -> float:
            seeds = da.zeros((n_blocks, 1), chunks=(1, 1))
            X = seeds.map_blocks(
                load,
                n_rows,
                n_features,
                chunks=((n_rows,) * n_blocks, (n_features,)),
                dtype=np.float64,
                meta=np.empty((0, 0)),
            )
            n = n_blocks * n_rows
            pairs = Constraints(n, [(0, 1), (2, n - 1)], [(0, n - 2), (3, 4)])
            start = time.perf_counter()
            CFLD(1).fit(X, pairs)
            return time.perf_counter() - start

        fit(4, 100, 8)  # imports
        few, many = fit(50, 20, 8), fit(450, 20, 8)
        seconds = min(fit(n_blocks, n_rows, n_features) for _ in range(5))
    loading = best_seconds(lambda: load(0, n_rows, n_features, (0, 0)), 3)
    return Cluster(n_workers, (many - few) / 400, seconds, loading)


def main(options: argparse.Namespace) -> None:
    with threadpool_limits(1):
        steps = measured_steps(options.block_rows, options.features, options.repeats)
        client = client_seconds(options.features, options.repeats)
    sizes = options.blocks, options.block_rows, options.features
    clusters = [on_a_cluster(n_workers, *sizes) for n_workers in options.workers]
    text = report(options, steps, client, client_bytes(options.client_rows), clusters[-1].task)
    text += check(options, steps, client, clusters)
    print(text)
    if options.page:
        page = options.page.read_text(encoding="utf-8")
        start, end = map(re.escape, MARKS)
        between = f"{MARKS[0]}\n{text}{MARKS[1]}"
        page, n_found = re.subn(f"{start}.*{end}", lambda _: between, page, flags=re.DOTALL)
        if n_found != 1:
            raise SystemExit(f"{options.page} has no place for the figures: {MARKS}")
        with replacing(options.page) as path:
            path.write_text(page, encoding="utf-8")


def report(
    options: argparse.Namespace,
    steps: dict[str, Step],
    client: float,
    most: dict[str, float],
    task: float,
) -> str:
    n, d, cores = options.samples, options.features, options.cores
    n_blocks = -(-n // options.block_rows)
    block_bytes = 8 * options.block_rows * d
    reading = block_bytes / STORE
    lines = [
        f"\nA block of {options.block_rows:,} × {d} in float64 is {block_bytes / 1e6:.0f} MB; "
        f"{n:,} rows are {n_blocks:,} blocks, {8 * n * d / 1e12:.1f} TB.\n",
        "| a block | seconds of a core | result | adding it up, seconds |",
        "|---|---|---|---|",
    ]
    for name, step in steps.items():
        lines.append(f"| {name} | {step.seconds:.2f} | {_size(step.n_bytes)} | {step.adding:.4f} |")
    lines += [
        f"\nBesides: {1e3 * task:.1f} ms of the scheduler for a block's tasks, {client:.2f} s of "
        f"the client for two eigenproblems of order {d}, "
        f"{most['pairs']:.0f} bytes of its memory for each row with pairs and "
        f"{most['labels']:.0f} with labels.\n",
        f"| {n:,} × {d} | hours of a core | on {cores} cores | sent between workers, at most "
        "| to the client |",
        "|---|---|---|---|---|",
    ]
    for name, step in steps.items():
        hours = n_blocks * (reading + step.seconds + step.adding) / 3600
        wall = max(hours / cores, n_blocks * task / 3600) + client / 3600
        lazy = name.startswith("transform")
        between = "nothing" if lazy else _size(n_blocks * step.n_bytes * BRANCHES / (BRANCHES - 1))
        here = "nothing" if lazy else _size(step.n_bytes)
        lines.append(f"| {name} | {hours:.1f} | {60 * wall:.0f} min | {between} | {here} |")
    lines.append(
        f"\nHours count reading at {STORE / 1e6:.0f} MB a second for a core, "
        f"{reading:.2f} s for a block, which is an assumption; everything else is measured.\n"
    )
    return "\n".join(lines)


def check(
    options: argparse.Namespace, steps: dict[str, Step], client: float, clusters: list[Cluster]
) -> str:
    """What fits on this machine should take by such sums, and what they took."""
    step = steps["mean and scatter (the others of pairs)"]
    lines = [
        f"\nTo see whether such sums hold: CFLD on {options.blocks} blocks, made in "
        f"{clusters[-1].loading:.2f} s each on worker processes of one machine with "
        f"{os.cpu_count()} cores, one thread each. The load of the machine was "
        f"{os.getloadavg()[0]:.1f}.\n",
        "| workers | should take | took | times as fast | share of the ideal |",
        "|---|---|---|---|---|",
    ]
    for each in clusters:
        work = options.blocks * (each.loading + step.seconds + step.adding) / each.n_workers
        foreseen = work + options.blocks * each.task + client
        faster = clusters[0].fitted / each.fitted
        ideal = each.n_workers / clusters[0].n_workers
        lines.append(
            f"| {each.n_workers} | {foreseen:.1f} s | {each.fitted:.1f} s | {faster:.2f} "
            f"| {faster / ideal:.2f} |"
        )
    return "\n".join(lines) + "\n"


def _size(n_bytes: float) -> str:
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n_bytes >= size:
            return f"{n_bytes / size:.1f} {unit}"
    return f"{n_bytes:.0f} B"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=10**9)
    parser.add_argument("--features", type=int, default=500)
    parser.add_argument(
        "--cores", type=int, default=100, help="cores of the cluster to extrapolate to"
    )
    parser.add_argument("--block-rows", type=int, default=25_000)
    parser.add_argument("--blocks", type=int, default=40, help="blocks of the fit on this machine")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="ascending")
    parser.add_argument("--client-rows", type=int, default=2_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--page", type=Path, help="the page to write the figures into")
    main(parser.parse_args())
