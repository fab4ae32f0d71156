"""Two rings that no linear projection separates: linear methods with and without a kernel map.

The data is two concentric rings in six columns, four of which are noise. A simulated annotator says
of 150 pairs whether both rows are in the same ring. Every method is linear. A kernel map before it
in the pipeline makes it nonlinear: the full kernel (KernelPCA) or landmarks (Nystroem). Two scores
are computed on held-out rows: 1-NN, the share of rows whose nearest training row is in the same
ring; and pair AUC, the probability that two rows of one ring are closer than two rows of
different rings.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from sklearn.datasets import make_circles
from sklearn.decomposition import KernelPCA
from sklearn.kernel_approximation import Nystroem
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from threadpoolctl import threadpool_limits

from pairspace import LPPSI, SSDR, WBDR, Constraints
from pairspace.metrics import pair_auc

N_ROWS = 400
N_NOISE = 4
N_ANSWERS = 150
N_LANDMARKS = 50
N_PEOPLE = 5
GAMMA = 0.5
MAPS = {
    "the features": [],
    "KernelPCA": [KernelPCA(n_components=None, kernel="rbf", gamma=GAMMA)],
    f"Nystroem ({N_LANDMARKS})": [
        Nystroem(n_components=N_LANDMARKS, kernel="rbf", gamma=GAMMA, random_state=0)
    ],
}
METHODS = {
    "no method": None,
    "SSDR": SSDR(2),
    "WBDR": WBDR(2),
    "WBDR, shrunk": WBDR(2, shrinkage="auto"),
    "LPPSI": LPPSI(2),
}
DRAWN = "SSDR"
COLOURS = ("#0072b2", "#d55e00")
MUST, CANNOT = "#009e73", "#555555"


def main(output: Path) -> None:
    print(__doc__.splitlines()[0] + "\n")
    print(
        f"{N_ROWS // 2} training rows, {N_ROWS // 2} held-out rows, {2 + N_NOISE} columns, "
        f"{N_ANSWERS} answers, 2 components, mean of {N_PEOPLE} draws\n"
    )
    print(f"{'':>13} │" + "│".join(f"{name:^20}" for name in MAPS))
    print(f"{'':>13} │" + "│".join(["  1-NN    pair AUC  "] * len(MAPS)))
    print("─" * 14 + "┼" + "┼".join(["─" * 20] * len(MAPS)))
    for name, method in METHODS.items():
        cells = []
        for before in MAPS.values():
            scores = [judge(before, method, *rings(seed)) for seed in range(N_PEOPLE)]
            nearest, auc = np.mean(scores, axis=0)
            cells.append(f"  {nearest:.3f}     {auc:.3f}   ")
        print(f"{name:>13} │" + "│".join(cells))
    draw(output)
    print(f"\nThe picture: {output}")


def rings(seed):
    """Training and held-out rows, their rings, and the answers about the training rows."""
    X, ring = make_circles(N_ROWS, factor=0.5, noise=0.1, random_state=seed)
    noise = np.random.default_rng(seed).normal(scale=0.3, size=(N_ROWS, N_NOISE))
    X_train, X_test, y_train, y_test = train_test_split(
        np.hstack([X, noise]), ring, test_size=0.5, stratify=ring, random_state=seed
    )
    answers = Constraints.from_labels(y_train, n_pairs=N_ANSWERS, random_state=seed)
    return X_train, X_test, y_train, y_test, answers


def judge(before, method, X_train, X_test, y_train, y_test, answers):
    """1-NN accuracy and pair AUC on the held-out rows."""
    space = make_pipeline(*before, method or "passthrough").fit(X_train, answers)
    train, test = space.transform(X_train), space.transform(X_test)
    return KNeighborsClassifier(1).fit(train, y_train).score(test, y_test), pair_auc(test, y_test)


def draw(output):
    """The answers, and the held-out rows in the space of one method after each map."""
    data = X_train, X_test, y_train, y_test, answers = rings(0)
    figure, axes = plt.subplots(1, 4, figsize=(15, 4.3), layout="constrained")
    for pairs, colour, style in (
        (answers.cannot_link, CANNOT, ":"),
        (answers.must_link, MUST, "-"),
    ):
        lines = LineCollection(
            X_train[:, :2][pairs], colors=colour, linewidths=0.7, linestyles=style, alpha=0.4
        )
        axes[0].add_collection(lines)
    scatter(axes[0], X_train, y_train)
    axes[0].set_title(
        f"{N_ANSWERS} answers, in the two columns\nof {X_train.shape[1]} that are not noise"
    )
    handles = [
        plt.Line2D([], [], color=MUST, label=f"{len(answers.must_link)} × same"),
        plt.Line2D([], [], color=CANNOT, linestyle=":", label=f"{len(answers.cannot_link)} × not"),
    ]
    axes[0].legend(handles=handles, loc="upper right", fontsize=8, framealpha=0.9)
    for axis, (name, before) in zip(axes[1:], MAPS.items(), strict=True):
        space = make_pipeline(*before, METHODS[DRAWN]).fit(X_train, answers)
        scatter(axis, space.transform(X_test), y_test)
        nearest, auc = judge(before, METHODS[DRAWN], *data)
        title = f"{DRAWN} on {name}" if not before else f"{name} + {DRAWN}"
        axis.set_title(f"{title}\n1-NN {nearest:.2f}, pair AUC {auc:.2f}")
    output.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(output, dpi=110)


def scatter(axis, Z, y):
    for ring, colour in enumerate(COLOURS):
        axis.scatter(*Z[y == ring, :2].T, s=14, color=colour, alpha=0.75, linewidths=0, zorder=2)
    axis.set(xticks=[], yticks=[])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("kernels.png"))
    with threadpool_limits(1):  # small matrices: more threads would be slower
        main(parser.parse_args().output)
