"""What PairSpace and DSP lose if only some rows are asked for their neighbours.

Datasets of both halves of the study with more than 1,200 rows, standardised, at their full size up
to 12,000 rows. Half of the rows are for training, with 5 must-links and 5 cannot-links a class. The
spaces have nine components and no teacher. "All rows" is ``n_queries=None``. The default, "auto",
takes all of up to 5,000 rows (DSP: 8,000) and at least 1,000 of more (DSP: 2,000): here fewer are
taken, to see a loss. DSP draws at least 20 for each feature: sets with fewer rows are left out. The
folder PAIRSPACE_DATA has the data.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np
from measure import cpu_seconds
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import KNeighborsClassifier

from pairspace import DSP, Constraints, PairSpace

NAMES = [
    "fashion_mnist",
    "isolet",
    "kdd99_10pct",
    "kdd99_3195",
    "kr_vs_kp",
    "madelon",
    "mfeat_fac",
    "mfeat_kar",
    "mnist6000",
    "musk_v2",
    "ozone8h",
    "pendigits",
    "secom",
    "segment",
    "semeion",
]
MOST_ROWS, N_COMPONENTS = 12_000, 9
ALL_ROWS = None
OF_FEATURE = {"PairSpace": 0, "DSP": 20}
METHODS = {"PairSpace": PairSpace(teacher=None), "DSP": DSP()}


def loaded(folder: Path, name: str) -> tuple[np.ndarray, np.ndarray]:
    with np.load(folder / f"{name}.npz", allow_pickle=False) as file:
        X, y = file["X"].astype(np.float64), np.unique(file["y"], return_inverse=True)[1]
    some = np.random.default_rng(0).permutation(len(y))[:MOST_ROWS]
    X, y = X[some], y[some]
    X = X[:, X.std(axis=0) > 0]
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def scores(
    method: str, X: np.ndarray, y: np.ndarray, n_queries: int | None, seed: int
) -> tuple[float, float, float, int]:
    """1-NN accuracy, ARI of k-means, seconds, and the number of queries."""
    order = np.random.default_rng(seed).permutation(len(y))
    train, test = order[: len(y) // 2], order[len(y) // 2 :]
    answers = Constraints.from_labels(y[train], per_class=5, random_state=seed)
    space = clone(METHODS[method]).set_params(n_queries=n_queries, random_state=seed)
    space.set_params(n_components=min(N_COMPONENTS, X.shape[1]))
    seconds = cpu_seconds(lambda: space.fit(X[train], answers), 1)
    Z, other = space.transform(X[train]), space.transform(X[test])
    found = KMeans(len(np.unique(y)), n_init=3, random_state=0).fit_predict(other[:3_000])
    accuracy = KNeighborsClassifier(1).fit(Z, y[train]).score(other[:3_000], y[test][:3_000])
    ari = adjusted_rand_score(y[test][:3_000], found)
    return accuracy, ari, seconds, space.n_queries_ or len(train)


def main(method: str, folder: Path, n_queries: int, n_seeds: int) -> None:
    print(f"## {method}, {n_queries:,} queries or more instead of all rows\n")
    print("| dataset | rows × features | 1-NN, all rows | 1-NN | ARI, all rows | ARI | seconds |")
    print("|---|---|---|---|---|---|---|")
    lost = []
    for name in NAMES:
        X, y = loaded(folder, name)
        some_rows = max(n_queries, OF_FEATURE[method] * X.shape[1])
        if len(y) // 2 <= some_rows:
            continue
        runs = np.array(
            [
                [scores(method, X, y, kind, seed) for kind in (ALL_ROWS, some_rows)]
                for seed in range(n_seeds)
            ]
        ).mean(axis=0)
        (whole, whole_ari, slow, _), (some, some_ari, fast, _) = runs
        lost.append((some - whole, some_ari - whole_ari))
        print(
            f"| {name} | {len(y) // 2:,} × {X.shape[1]} | {whole:.3f} | {some:.3f} "
            f"| {whole_ari:.3f} | {some_ari:.3f} | {slow:.2f} → {fast:.2f} |",
            flush=True,
        )
    for at, what in enumerate(("1-NN", "ARI")):
        difference = np.array(lost)[:, at]
        print(
            f"\n{what}: mean difference {difference.mean():+.3f}, median "
            f"{np.median(difference):+.3f}, worst {difference.min():+.3f}, best "
            f"{difference.max():+.3f}"
        )
    print()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--method", choices=METHODS, default="PairSpace")
    parser.add_argument("--queries", type=int, default=600)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    if "PAIRSPACE_DATA" not in os.environ:
        print("Queries: not run, because PAIRSPACE_DATA is not set\n")
        raise SystemExit
    main(options.method, Path(os.environ["PAIRSPACE_DATA"]), options.queries, options.seeds)
