"""From answers to a space: handwritten digits, and a simulated person who says "same" or "not".

Half of the digits are for training: the person is asked about pairs of them, and the methods learn
from the answers. The other half judges: how often the nearest training digit in the learned space
is the right one (1-NN), and how often two of the same digit lie closer than two different ones
(pair AUC).
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

from pairspace import BWDR, WBDR, Constraints
from pairspace.metrics import pair_auc

N_COMPONENTS = 2
ANSWERS = (60, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
N_PEOPLE = 5
METHODS = {
    "PCA": PCA(N_COMPONENTS),
    "BWDR": BWDR(N_COMPONENTS),
    "WBDR": WBDR(N_COMPONENTS),
    "WBDR, shrunk": WBDR(N_COMPONENTS, shrinkage="auto"),
}
COLOURS = {"PCA": "#555555", "BWDR": "#0072b2", "WBDR": "#e69f00", "WBDR, shrunk": "#d55e00"}
SHOWN = 10_000  # answers in the pictures of the spaces


def main(output: Path) -> None:
    X, digit = load_digits(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(
        X, digit, test_size=0.5, stratify=digit, random_state=0
    )
    data = X_train, X_test, y_train, y_test
    print(__doc__.splitlines()[0] + "\n")
    print(
        f"{len(X_train)} digits to learn from, {len(X_test)} to judge by, {X.shape[1]} pixels, "
        f"{N_COMPONENTS} components, mean of {N_PEOPLE} simulated people\n"
    )

    print(f"{'answers':>9} │" + "│".join(f"{name:^26}" for name in METHODS))
    print(f"{'':>9} │" + "│".join("  1-NN   pair AUC    ms   " for _ in METHODS))
    print("─" * 10 + "┼" + "┼".join(["─" * 26] * len(METHODS)))
    curves: dict[str, list[float]] = {name: [] for name in METHODS}
    for n_answers in ANSWERS:
        cells = []
        for name, method in METHODS.items():
            scores = np.mean([judge(method, n_answers, seed, *data) for seed in range(N_PEOPLE)], 0)
            curves[name].append(scores[0])
            cells.append(f"  {scores[0]:.3f}    {scores[1]:.3f} {1000 * scores[2]:>6.1f}   ")
        print(f"{n_answers:>9,} │" + "│".join(cells))

    first_win = {
        name: next(
            (n for n, a, b in zip(ANSWERS, curves[name], curves["PCA"], strict=True) if a > b), None
        )
        for name in METHODS
        if name != "PCA"
    }
    print()
    for name, n_answers in first_win.items():
        print(
            f"{name} beats PCA from {n_answers:,} answers on."
            if n_answers
            else f"{name} does not beat PCA with any of these numbers of answers."
        )
    print(
        "With fewer answers PCA, which uses none, is the better space: the scatter of a few dozen\n"
        "pairs in 64 dimensions is mostly noise. Shrinkage takes out most of it."
    )
    draw(curves, data, output)
    print(f"\nThe picture: {output}")


def judge(method, n_answers, seed, X_train, X_test, y_train, y_test):
    """1-NN accuracy and pair AUC on the held-out rows, and seconds to fit."""
    answers = Constraints.from_labels(y_train, n_pairs=n_answers, random_state=seed)
    reducer = clone(method)
    start = time.perf_counter()
    reducer.fit(X_train, None if isinstance(method, PCA) else answers)
    seconds = time.perf_counter() - start
    train, test = reducer.transform(X_train), reducer.transform(X_test)
    nearest = KNeighborsClassifier(1).fit(train, y_train)
    return nearest.score(test, y_test), pair_auc(test, y_test, max_pairs=100_000), seconds


def draw(curves, data, output):
    """The learning curve, and the held-out digits in the space of each method."""
    X_train, X_test, y_train, y_test = data
    answers = Constraints.from_labels(y_train, n_pairs=SHOWN, random_state=0)
    figure, axes = plt.subplots(1, 4, figsize=(16, 4.4), layout="constrained")

    for name, scores in curves.items():
        style = "--" if name == "PCA" else "-"
        axes[0].plot(
            ANSWERS, scores, style, color=COLOURS[name], marker="o", markersize=4, label=name
        )
    axes[0].set(xscale="log", xlabel="answers", title="1-NN accuracy on held-out digits")
    axes[0].legend(loc="lower right")
    axes[0].grid(alpha=0.3)

    colours = plt.get_cmap("tab10")
    for axis, name in zip(axes[1:], ("PCA", "BWDR", "WBDR, shrunk"), strict=True):
        reducer = clone(METHODS[name]).fit(X_train, None if name == "PCA" else answers)
        Z = reducer.transform(X_test)
        for digit in range(10):
            x, y = Z[y_test == digit].T
            axis.scatter(x, y, s=6, color=colours(digit), alpha=0.5, linewidths=0)
            axis.text(
                np.median(x),
                np.median(y),
                str(digit),
                color="black",
                weight="bold",
                ha="center",
                va="center",
                bbox={"boxstyle": "circle,pad=0.15", "fc": colours(digit), "lw": 0},
            )
        told = "no answers" if name == "PCA" else f"{SHOWN:,} answers"
        axis.set(title=f"{name}, {told}: AUC {pair_auc(Z, y_test):.2f}", xticks=[], yticks=[])
    output.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(output, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("digits.png"))
    main(parser.parse_args().output)
