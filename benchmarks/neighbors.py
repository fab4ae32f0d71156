"""Nearest neighbours against scikit-learn's: time of exact and approximate search, and recall.

Target: exact within 1.3 times ``kneighbors_graph``.
"""

from __future__ import annotations

import argparse

import numpy as np
from measure import best_seconds, peak_megabytes, print_against, print_machine
from numpy.typing import NDArray
from sklearn.neighbors import kneighbors_graph

from pairspace._core.neighbors import farthest, nearest

N_NEIGHBORS = 10


def clusters(n_samples: int, n_features: int) -> NDArray[np.float64]:
    """Fifty clusters of ten dimensions each, and noise in all the others."""
    random = np.random.default_rng(0)
    centres = 3 * random.standard_normal((50, n_features))
    within = random.standard_normal((n_samples, 10)) @ random.standard_normal((10, n_features))
    noise = 0.3 * random.standard_normal((n_samples, n_features))
    return centres[random.integers(0, 50, n_samples)] + within + noise


def recall(found: NDArray[np.int64], X: NDArray[np.float64], n_sampled: int = 500) -> float:
    """The share of true neighbours found, on a sample of the rows."""
    rows = np.random.default_rng(1).choice(len(X), n_sampled, replace=False)
    shares = []
    for row in rows:
        distances = np.square(X - X[row]).sum(axis=1)
        distances[row] = np.inf
        true = np.argpartition(distances, N_NEIGHBORS)[:N_NEIGHBORS]
        shares.append(len(np.intersect1d(true, found[row])) / N_NEIGHBORS)
    return float(np.mean(shares))


def compare_exact(n_samples: int, n_features: int, repeats: int) -> None:
    X = np.random.default_rng(0).standard_normal((n_samples, n_features))
    print(f"## {N_NEIGHBORS} nearest of {n_samples:,} × {n_features}, exact\n")
    print_machine()
    print_against(
        "scikit-learn's kneighbors_graph",
        best_seconds(lambda: kneighbors_graph(X, N_NEIGHBORS), repeats),
        {
            "nearest": best_seconds(lambda: nearest(X, N_NEIGHBORS, method="exact"), repeats),
            "farthest": best_seconds(lambda: farthest(X, N_NEIGHBORS), repeats),
        },
    )


def compare_approximate(n_samples: int, n_features: int, repeats: int) -> None:
    X = clusters(n_samples, n_features)
    before = peak_megabytes()
    found = nearest(X, N_NEIGHBORS, method="approximate", random_state=0)
    beyond = peak_megabytes() - before

    def approximate() -> None:
        nearest(X, N_NEIGHBORS, method="approximate", random_state=0)

    print(f"## {N_NEIGHBORS} nearest of {n_samples:,} × {n_features} in clusters, approximate\n")
    print_against(
        "scikit-learn's kneighbors_graph",
        best_seconds(lambda: kneighbors_graph(X, N_NEIGHBORS), 1),
        {
            "nearest": best_seconds(approximate, repeats),
            "farthest": best_seconds(lambda: farthest(X, N_NEIGHBORS), 1),
        },
    )
    print(f"Recall {recall(found, X):.3f}, peak memory beyond X {beyond:.0f} MB\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--exact-samples", type=int, default=20_000)
    parser.add_argument("--exact-features", type=int, default=200)
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--features", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    compare_exact(options.exact_samples, options.exact_features, options.repeats)
    compare_approximate(options.samples, options.features, options.repeats)
