"""Time of a fit against a floor, the work that no method of its kind can avoid.

With labels or pairs the floor is XᵀX, one eigenproblem of its order, and reading the rows of the
pairs or of the classes once. With more features than rows it is XXᵀ and one eigenproblem of its
order.
"""

from __future__ import annotations

import argparse

import numpy as np
from measure import best_seconds, print_against, print_machine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import kneighbors_graph

import pairspace
from pairspace import Constraints, PairSpace

ONE_EIGENPROBLEM = ("SSDR", "MMC", "WMMC", "WMV")
METHODS = {
    name: getattr(pairspace, name)
    for name in (*ONE_EIGENPROBLEM, "BWDR", "WBDR", "CFLD", "RCA", "DCA", "SLPP")
}
NEIGHBOURS = {name: getattr(pairspace, name) for name in ("LPP", "LPPSI", "SSWMV")}


def data(n_samples: int, n_features: int, n_classes: int = 10) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    y = random.integers(0, n_classes, n_samples)
    centres = random.normal(size=(n_classes, n_features))
    X = random.standard_normal((n_samples, n_features))
    for start in range(0, n_samples, 10_000):  # in place, so that peak memory is that of a fit
        X[start : start + 10_000] += centres[y[start : start + 10_000]]
    return X, y


def read_rows(X: np.ndarray, rows: np.ndarray) -> None:
    """Read rows in some order, a block that fits the cache at a time."""
    size = max(4_000_000 // (8 * X.shape[1]), 1)
    for start in range(0, len(rows), size):
        X[rows[start : start + size]]


def read_pairs(X: np.ndarray, pairs: np.ndarray) -> None:
    """The differences of pairs, a block at a time."""
    size = max(4_000_000 // (8 * X.shape[1]), 1)
    for start in range(0, len(pairs), size):
        i, j = pairs[start : start + size].T
        X[i] - X[j]


def tall(n_samples: int, n_features: int, n_pairs: int, repeats: int) -> None:
    X, y = data(n_samples, n_features)
    answers = Constraints.from_labels(y, n_pairs=n_pairs, random_state=0)
    links = np.vstack([answers.must_link, answers.cannot_link])
    by_class = np.argsort(y, kind="stable")
    solving = best_seconds(lambda: np.linalg.eigh(X.T @ X), repeats)
    with_classes = solving + best_seconds(lambda: read_rows(X, by_class), repeats)
    with_pairs = solving + best_seconds(lambda: read_pairs(X, links), repeats)

    print(f"## {n_samples:,} × {n_features}, labels, 9 components\n")
    peers = {
        "scikit-learn PCA": best_seconds(lambda: PCA(9).fit(X), repeats),
        "scikit-learn LDA (eigen)": best_seconds(
            lambda: LinearDiscriminantAnalysis(solver="eigen", n_components=9).fit(X, y), repeats
        ),
    }
    ours = {name: best_seconds(lambda m=m: m(9).fit(X, y), repeats) for name, m in METHODS.items()}
    peers["XᵀX + eigh"] = solving
    print_against("XᵀX + eigh + rows of the classes", with_classes, ours | peers)

    print(f"## {n_samples:,} × {n_features}, {n_pairs:,} pairs, 9 components\n")
    ours = {
        name: best_seconds(lambda m=m: m(9).fit(X, answers), repeats) for name, m in METHODS.items()
    }
    print_against("XᵀX + eigh + rows of the pairs", with_pairs, ours)

    print(f"## {n_samples:,} × {n_features}, neighbours, 9 components\n")
    graph = best_seconds(lambda: kneighbors_graph(X, 5), min(repeats, 2))
    ours = {
        name: best_seconds(lambda m=m: m(9).fit(X, answers), min(repeats, 2))
        for name, m in NEIGHBOURS.items()
    }
    print_against("scikit-learn kneighbors_graph", graph, ours)

    print(f"## {n_samples:,} × {n_features}, PairSpace, {n_pairs:,} pairs, 9 components\n")
    ours = {
        "PairSpace(ridge=0.5, shrinkage=0.5)": PairSpace(9, ridge=0.5, shrinkage=0.5),
        "PairSpace(), weights by cross-validation": PairSpace(9, random_state=0),
    }
    print_against(
        "scikit-learn kneighbors_graph + XᵀX + eigh",
        graph + solving,
        {name: best_seconds(lambda m=m: m.fit(X, answers), 2) for name, m in ours.items()},
    )


def square(n: int, repeats: int) -> None:
    X, y = data(n, n)
    full = best_seconds(lambda: np.linalg.eigh(X.T @ X), min(repeats, 2))
    print(f"## {n:,} × {n:,}, labels, 2 components\n")
    ours = {
        name: best_seconds(lambda m=METHODS[name]: m(2).fit(X, y), repeats)
        for name in ONE_EIGENPROBLEM
    }
    pca = best_seconds(lambda: PCA(2, random_state=0).fit(X), repeats)
    print_against("scikit-learn PCA", pca, ours | {"XᵀX and a full eigh": full})


def wide(n_samples: int, n_features: int, repeats: int) -> None:
    X, y = data(n_samples, n_features, 20)
    floor = best_seconds(lambda: np.linalg.eigh(X @ X.T), repeats)
    print(f"## {n_samples:,} × {n_features:,}, labels, 9 components\n")
    ours = {name: best_seconds(lambda m=m: m(9).fit(X, y), repeats) for name, m in METHODS.items()}
    peers = {"scikit-learn PCA": best_seconds(lambda: PCA(9).fit(X), repeats)}
    print_against("XXᵀ + eigh", floor, ours | peers)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="fewer sizes, in half a minute")
    options = parser.parse_args()
    print_machine()
    tall(
        5_000 if options.quick else 20_000,
        200,
        20_000 if options.quick else 100_000,
        options.repeats,
    )
    if options.quick:
        raise SystemExit
    square(2_000, min(options.repeats, 3))
    wide(1_440, 16_384, min(options.repeats, 3))
