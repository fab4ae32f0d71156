"""The scatter matrix of many edges, against one XᵀX and reading the rows of the pairs once.

Target: at most 1.5 times the floor and at most 300 MB beyond X.
"""

from __future__ import annotations

import argparse

import numpy as np
from measure import best_seconds, peak_megabytes, print_against, print_machine

from pairspace._core.data import Classes, rows_of
from pairspace._core.graphs import Blocks, Complete, Edges


def main(n_samples: int, n_features: int, n_edges: int, repeats: int) -> None:
    random = np.random.default_rng(0)
    X = random.standard_normal((n_samples, n_features))
    i = random.integers(0, n_samples, n_edges)
    j = (i + random.integers(1, n_samples, n_edges)) % n_samples
    pairs = np.unique(np.sort(np.column_stack([i, j]), axis=1), axis=0)
    edges = Edges(n_samples, pairs, np.ones(len(pairs)))
    labels = random.integers(0, 10, n_samples)

    before = peak_megabytes()
    edges.scatter(rows_of(X))
    beyond = peak_megabytes() - before

    def read_rows() -> None:
        for start in range(0, len(pairs), 10_000):
            i, j = pairs[start : start + 10_000].T
            X[i] - X[j]

    reading, product = best_seconds(read_rows, repeats), best_seconds(lambda: X.T @ X, repeats)

    print(f"## Scatter of {len(pairs):,} edges on {n_samples:,} × {n_features}\n")
    print_machine()
    print_against(
        "rows of the pairs + XᵀX",
        reading + product,
        {"edges": best_seconds(lambda: edges.scatter(rows_of(X)), repeats)},
    )
    print(f"Peak memory beyond X and the pairs: {beyond:.0f} MB\n")
    print_against(
        "XᵀX",
        product,
        {
            "all pairs": best_seconds(lambda: Complete(n_samples).scatter(rows_of(X)), repeats),
            "all pairs within and all between 10 classes": best_seconds(
                lambda: Blocks(Classes(labels), within=1, between=1).scatter(rows_of(X)), repeats
            ),
        },
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--features", type=int, default=200)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    main(options.samples, options.features, options.edges, options.repeats)
