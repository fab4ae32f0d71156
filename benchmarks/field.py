"""Time of the fit of SDA, LFDA, SELF, MFA, NPE and S2PPCA against a floor.

The floor of a method with neighbours is a search for them, XᵀX and one eigenproblem of its order.
The floor of LFDA and SELF is, for each class, the distances of all its rows, their exponentials and
the product XᵀAX with these, and one eigenproblem. That of S2PPCA is XᵀX, one eigenproblem, and
reading the rows of the classes once.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from importlib.util import find_spec

import numpy as np
from fit import data, read_rows
from measure import best_seconds, print_against, print_machine
from sklearn.metrics import euclidean_distances
from sklearn.neighbors import kneighbors_graph

from pairspace import LFDA, MFA, NPE, S2PPCA, SDA, SELF

N_COMPONENTS = 9


def weigh_classes(X: np.ndarray, y: np.ndarray) -> None:
    """What weights by distances within classes cost at least."""
    total = np.zeros((X.shape[1], X.shape[1]))
    for c in np.unique(y):
        rows = X[y == c]
        A = euclidean_distances(rows, squared=True)
        np.exp(np.negative(A, out=A), out=A)
        total += rows.T @ (A @ rows)
    np.linalg.eigh(total)


def within_classes(X: np.ndarray, y: np.ndarray, title: str, repeats: int) -> None:
    print(f"## {title}, all labels, distances within classes\n")
    floor = best_seconds(lambda: weigh_classes(X, y), repeats)
    methods = {"LFDA": LFDA(N_COMPONENTS), "SELF": SELF(N_COMPONENTS)}
    if find_spec("metric_learn"):  # in the environment of benchmarks/peers.txt
        theirs = import_module("metric_learn").LFDA
        methods["metric-learn LFDA"] = theirs(n_components=N_COMPONENTS)
    print_against(
        "distances, exp and XᵀAX of the classes + eigh", floor, times(methods, X, y, repeats)
    )


def sums_and_neighbours(X: np.ndarray, y: np.ndarray, title: str, repeats: int) -> None:
    some = np.where(np.arange(len(y)) % 10 == 0, y, -1)
    solving = best_seconds(lambda: np.linalg.eigh(X.T @ X), repeats)
    by_class = np.argsort(y, kind="stable")
    print(f"## {title}, labels, sums over classes\n")
    reading = best_seconds(lambda: read_rows(X, by_class), repeats)
    ours = times({"S2PPCA, all labels": S2PPCA(N_COMPONENTS)}, X, y, repeats)
    ours |= times({"S2PPCA, one label in ten": S2PPCA(N_COMPONENTS)}, X, some, repeats)
    print_against("XᵀX + eigh + rows of the classes", solving + reading, ours)

    repeats = min(repeats, 2)
    print(f"## {title}, neighbours\n")
    graph = best_seconds(lambda: kneighbors_graph(X, 5), repeats)
    ours = times({"NPE": NPE(N_COMPONENTS)}, X, None, repeats)
    ours |= times({"SDA, one label in ten": SDA(N_COMPONENTS)}, X, some, repeats)
    ours |= times({"MFA, all labels": MFA(N_COMPONENTS)}, X, y, repeats)
    print_against("scikit-learn kneighbors_graph + XᵀX + eigh", graph + solving, ours)


def times(methods: dict, X: np.ndarray, y: np.ndarray | None, repeats: int) -> dict[str, float]:
    return {
        name: best_seconds(lambda m=method: m.fit(X, y), repeats)
        for name, method in methods.items()
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--features", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--lfda", action="store_true", help="LFDA and SELF only")
    options = parser.parse_args()
    print_machine()
    X, y = data(options.rows, options.features)
    title = f"{options.rows:,} × {options.features}, {N_COMPONENTS} components"
    within_classes(X, y, title, options.repeats)
    if not options.lfda:
        sums_and_neighbours(X, y, title, options.repeats)
