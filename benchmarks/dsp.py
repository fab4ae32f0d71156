"""DSP against scikit-learn's exact ``kneighbors_graph`` and the approximate index it uses.

Targets: within three times the exact graph at 100,000 rows, growth from 25,000 rows close to
linear, less than 1.5 GB in all. The recall of the neighbours by d̂ is measured on pendigits, which
is read from the directory that PAIRSPACE_DATA names.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np
from measure import best_seconds, peak_megabytes, print_against, print_machine
from neighbors import clusters
from sklearn.neighbors import kneighbors_graph

from pairspace import DSP, Constraints
from pairspace._core.data import rows_of
from pairspace._core.kernels import Kernel, KernelNullSpace
from pairspace._core.kernels._null_neighbors import NullSearch
from pairspace._core.neighbors import farthest, nearest
from pairspace.base import Supervision
from pairspace.linear._width import best_width, median_distance

N_NEIGHBORS = 5
N_LINKS = 200  # of either kind


def made_up(n_samples: int, n_features: int) -> tuple[np.ndarray, Constraints]:
    """Fifty clusters; a link says whether the rows are nearest to the same of ten seeds."""
    X = clusters(n_samples, n_features)
    random = np.random.default_rng(1)
    pairs = random.integers(0, n_samples, (20 * N_LINKS, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    seeds = X[random.choice(n_samples, 10, replace=False)]
    ends = np.square(X[pairs][:, :, None] - seeds).sum(axis=-1).argmin(axis=-1)
    same = ends[:, 0] == ends[:, 1]
    return X, Constraints(n_samples, pairs[same][:N_LINKS], pairs[~same][:N_LINKS])


def fit(n_samples: int, n_features: int, with_floor: bool) -> float:
    X, c = made_up(n_samples, n_features)
    seconds = best_seconds(lambda: DSP(random_state=0).fit(X, c), 1)
    peak = peak_megabytes()
    known, random = Supervision(c, None, n_samples), np.random.RandomState(0)
    parts = {
        'DSP, sigma="auto"': seconds,
        "DSP, sigma given": best_seconds(lambda: DSP(sigma=10.0, random_state=0).fit(X, c), 1),
        "the search for sigma": best_seconds(lambda: best_width(rows_of(X), known, 2, random), 1),
        "farthest rows": best_seconds(lambda: farthest(X, N_NEIGHBORS), 1),
    }
    index = best_seconds(lambda: nearest(X, N_NEIGHBORS, method="approximate", random_state=0), 1)
    print(
        f"## DSP on {n_samples:,} × {n_features}, {N_LINKS} must-links and {N_LINKS} cannot-links\n"
    )
    if with_floor:
        floor = best_seconds(lambda: kneighbors_graph(X, N_NEIGHBORS), 1)
        parts["approximate neighbours"] = index
        print_against("scikit-learn's kneighbors_graph, exact", floor, parts)
    else:
        print_against("approximate neighbours", index, parts)
    print(f"Total peak memory: {peak:.0f} MB\n")
    return seconds


def recall(n_links: int) -> None:
    """Of the neighbours by d̂ that the fast way finds, on pendigits."""
    directory = os.environ.get("PAIRSPACE_DATA")
    if not directory:
        print("Recall on pendigits: not run, because PAIRSPACE_DATA is not set")
        return
    with np.load(Path(directory) / "pendigits.npz", allow_pickle=False) as file:
        X, y = file["X"].astype(np.float64), file["y"]
    rows, random = rows_of(X), np.random.RandomState(0)
    codes = Constraints.from_labels(y, per_class=n_links, random_state=0).components()
    for multiple in (2.0, 0.5, 0.125):
        sigma = multiple * median_distance(rows, random)
        space = KernelNullSpace(Kernel("rbf", 1 / (2 * sigma**2), X), X, codes)
        search = NullSearch(space, rows)
        true, largest = search.exact(N_NEIGHBORS)
        found = search.fast(N_NEIGHBORS, random)
        hit = (found[:, :, None] == true[:, None, :]).any(axis=2).mean()
        print(
            f"Recall on pendigits, {n_links} links a class, sigma {multiple} medians: {hit:.4f}; "
            f"largest d̂ {search.largest(random):.5f} of {largest:.5f}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--features", type=int, default=64)
    options = parser.parse_args()
    print_machine()
    few = fit(options.samples // 4, options.features, with_floor=False)
    many = fit(options.samples, options.features, with_floor=True)
    print(f"Four times the rows take {many / few:.1f} times as long\n")
    recall(20)
