"""WMVSearchCV, against a plain GridSearchCV over the same grid.

The plain search fits WMV and a nearest-neighbour classifier for each β, number of components and
fold. The data is random with the size of ozone8h, or an .npz file with X and y: ``--data PATH``.
The total scatter of WMVSearchCV includes the validation rows, that of the plain search does not. On
a busy machine run it with ``OPENBLAS_NUM_THREADS=1``: more threads are slower for matrices of
this size.
"""

from __future__ import annotations

import argparse

import numpy as np
from measure import best_seconds, print_against, print_machine
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline

from pairspace import WMV
from pairspace.linear.wmv_search import PAPER_BETAS, WMVSearchCV


def made_up(n_samples: int = 1_847, n_features: int = 72) -> tuple[np.ndarray, np.ndarray]:
    """Two overlapping classes, a fifteenth of the rows in one, in features of unequal scale."""
    random = np.random.default_rng(0)
    y = (random.random(n_samples) < 1 / 15).astype(np.int64)
    centres = random.normal(scale=0.5, size=(2, n_features))
    X = random.normal(size=(n_samples, n_features)) + centres[y]
    return X * np.linspace(3, 0.3, n_features), y


def plain(X: np.ndarray, y: np.ndarray, betas: list[float], most: int) -> GridSearchCV:
    steps = [("wmv", WMV()), ("nearest", KNeighborsClassifier(1))]
    grid = {"wmv__beta": betas, "wmv__n_components": range(1, min(most, X.shape[1]) + 1)}
    return GridSearchCV(Pipeline(steps), grid, cv=5).fit(X, y)


def compare(X: np.ndarray, y: np.ndarray, betas: list[float], most: int, repeats: int) -> None:
    n_candidates = len(betas) * min(most, X.shape[1])
    print(f"## {X.shape[0]:,} × {X.shape[1]}, {n_candidates} candidates, 5 folds\n")
    seconds = {
        f"WMVSearchCV(propagation={propagation!r})": best_seconds(
            lambda p=propagation: WMVSearchCV(betas, max_components=most, propagation=p).fit(X, y),
            repeats,
        )
        for propagation in (None, "neighbors")
    }
    floor = best_seconds(lambda: plain(X, y, betas, most), 1)
    print_against("plain GridSearchCV of WMV", floor, seconds)
    for name, value in seconds.items():
        print(f"{name}: 1/{floor / value:.0f} of the plain search")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="an .npz with X and y, in place of made-up data")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="3 betas and 5 components only")
    options = parser.parse_args()
    print_machine()
    if options.data:
        with np.load(options.data, allow_pickle=False) as file:
            X, y = file["X"], file["y"]
    else:
        X, y = made_up()
    betas, most = ([-2.0, -1.0, -0.1], 5) if options.quick else (list(PAPER_BETAS), 20)
    compare(X, y, betas, most, options.repeats)
