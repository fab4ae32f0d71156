"""Larger than memory: a file of float32, by default of 20 GB, fitted with less than 2 GB.

The file is written to ``--folder`` and removed at the end. Each method runs in its own process. The
floor is one pass over the file that computes the scatter matrix block by block. Memory is the
anonymous memory of the process, because the system caches pages of the file as it has room.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
from measure import best_seconds, print_machine

import pairspace
from pairspace import Constraints

METHODS = ("BWDR", "WBDR", "MMC", "SSDR", "RCA", "PairSpace")
N_CLASSES = 10
ROWS = 20_000  # written at a time


def write(path: Path, gigabytes: float, n_features: int) -> None:
    n_samples = int(gigabytes * 1e9 / (4 * n_features))
    X = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(n_samples, n_features))
    random = np.random.default_rng(0)
    means = random.normal(size=(N_CLASSES, n_features), scale=0.5).astype(np.float32)
    for start in range(0, n_samples, ROWS):
        rows = np.arange(start, min(start + ROWS, n_samples))
        noise = random.normal(size=(len(rows), n_features)).astype(np.float32)
        X[rows[0] : rows[-1] + 1] = noise + means[rows % N_CLASSES]


def megabytes(what: str) -> float:
    """From /proc/self/status: the peak of ``resource`` includes that of the parent process."""
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith(what))
    return int(line.split()[1]) * 1024 / 1e6


class PeakOfOwnMemory(threading.Thread):
    """The largest RssAnon of this process, sampled twenty times a second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.megabytes, self._done = 0.0, threading.Event()

    def run(self) -> None:
        while not self._done.wait(0.05):
            self.megabytes = max(self.megabytes, megabytes("RssAnon"))

    def stop(self) -> float:
        self._done.set()
        self.join()
        return self.megabytes


def scatter(X: np.ndarray) -> np.ndarray:
    total = np.zeros((X.shape[1], X.shape[1]))
    for start in range(0, len(X), ROWS):
        block = X[start : start + ROWS].astype(np.float64)
        total += block.T @ block
    return total


def one(name: str, path: Path) -> None:
    X = np.load(path, mmap_mode="r")
    labels = np.arange(len(X)) % N_CLASSES
    answers = Constraints.from_labels(labels, n_pairs=2_000, random_state=0)
    peak = PeakOfOwnMemory()
    peak.start()
    if name == "floor":
        fitted, seconds = "*scatter in blocks*", best_seconds(lambda: scatter(X), 1)
        moved = "–"
    else:
        known = answers if name in ("SSDR", "PairSpace") else labels
        space = getattr(pairspace, name)(n_components=N_CLASSES - 1)
        fitted = f"{name}, {'pairs' if known is answers else 'labels'}"
        seconds = best_seconds(lambda: space.fit(X, known), 1)
        moved = f"{best_seconds(lambda: space.transform(X), 1):.1f}"
    own = peak.stop()
    print(
        f"| {fitted} | {seconds:.1f} | {moved} | {own:.0f} | {megabytes('VmHWM'):.0f} |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=20.0)
    parser.add_argument("--features", type=int, default=500)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--alone", nargs=2, help="a method and the file, in this process")
    given = parser.parse_args()
    if given.alone:
        one(given.alone[0], Path(given.alone[1]))
        return
    free = shutil.disk_usage(given.folder).free / 1e9
    if free < given.gigabytes + 1:
        sys.exit(
            f"{given.folder} has only {free:.0f} GB free: choose another --folder or --gigabytes"
        )
    print_machine()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        path = Path(folder) / "X.npy"
        start = time.perf_counter()
        write(path, given.gigabytes, given.features)
        print(f"## {given.gigabytes:g} GB of float32, {given.features} features\n")
        print(f"Written in {time.perf_counter() - start:.0f} s.\n")
        print("| method | fit, s | transform, s | own peak MB | with pages of the file, MB |")
        print("|---|---|---|---|---|", flush=True)
        for name in ("floor", *given.methods):
            command = [sys.executable, __file__, "--alone", name, str(path)]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
