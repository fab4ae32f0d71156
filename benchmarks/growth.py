"""Growth of the time of each method: exponents over rows and features, and a picture.

An exponent is the slope of log seconds over log size. BLAS has one thread, because the smallest
sizes can't use two.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
from fit import METHODS, NEIGHBOURS, data
from measure import best_seconds
from sklearn.decomposition import PCA
from threadpoolctl import threadpool_limits

from pairspace import Constraints, LaplacianEigenmaps, PairSpace

N_COMPONENTS, N_PAIRS = 9, 5_000
ROWS, FEATURES = (5_000, 10_000, 20_000, 40_000), (50, 100, 200, 400)
OF_GROWING = {"rows": ROWS, "features": FEATURES}


def seconds_of(method: type, n_samples: int, n_features: int, repeats: int) -> float:
    X, y = data(n_samples, n_features)
    if method is PCA:
        return best_seconds(lambda: PCA(N_COMPONENTS).fit(X), repeats)
    answers = Constraints.from_labels(y, n_pairs=N_PAIRS, random_state=0)
    return best_seconds(lambda: method(N_COMPONENTS).fit(X, answers), repeats)


def curves(repeats: int) -> dict[str, dict[str, list[float]]]:
    slow = {**NEIGHBOURS, "PairSpace": PairSpace, "LaplacianEigenmaps": LaplacianEigenmaps}
    found = {}
    for name, method in ({"PCA": PCA} | METHODS | slow).items():
        # Neighbour searches are slow, and their times vary less between runs.
        times, rows = (1, ROWS[:3]) if name in slow else (repeats, ROWS)
        found[name] = {
            "rows": [seconds_of(method, n, FEATURES[1], times) for n in rows],
            "features": [seconds_of(method, ROWS[1], d, times) for d in FEATURES],
        }
    return found


def exponent(sizes: tuple[int, ...], seconds: list[float]) -> float:
    return float(np.polyfit(np.log(sizes[: len(seconds)]), np.log(seconds), 1)[0])


def draw(found: dict[str, dict[str, list[float]]], path: Path) -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained", sharey=True)
    for axis, (growing, sizes) in zip(axes, OF_GROWING.items(), strict=True):
        for place, (name, curve) in enumerate(found.items()):
            style = "-" if place < 10 else "--"
            axis.loglog(sizes[: len(curve[growing])], curve[growing], style, marker=".", label=name)
        axis.set_xlabel(growing)
        axis.set_xticks(sizes, [f"{size:,}" for size in sizes], minor=False)
        axis.minorticks_off()
    axes[0].set_ylabel("seconds of a fit")
    axes[1].legend(loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False, fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--picture", type=Path, default=Path("build/growth.png"))
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # about disconnected graphs
    with threadpool_limits(1, user_api="blas"):
        found = curves(options.repeats)
    draw(found, options.picture)
    print(f"## Growth with {N_PAIRS:,} pairs, {N_COMPONENTS} components\n")
    print(
        "Exponents of time over size; 1 is linear. Rows",
        " to ".join(f"{n:,}" for n in (ROWS[0], ROWS[-1])),
        end="",
    )
    print(
        f" (to {ROWS[2]:,} for methods with neighbours) at {FEATURES[1]} features; features",
        end=" ",
    )
    print(f"{FEATURES[0]} to {FEATURES[-1]} at {ROWS[1]:,} rows.\n")
    print("| method | over rows | over features |\n|---|---|---|")
    for name, curve in found.items():
        over = [exponent(sizes, curve[growing]) for growing, sizes in OF_GROWING.items()]
        print(f"| {name} | {over[0]:.2f} | {over[1]:.2f} |")
    print(f"\n![seconds of a fit over rows and over features](images/{options.picture.name})\n")
