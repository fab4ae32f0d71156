"""From a few answers to a space: handwritten digits, and simulated people who answer.

Half of the digits are for training: a simulated person says of pairs of them whether they are the
same digit, and the methods learn from the answers. The other half is for testing: the accuracy of
the nearest training digit (1-NN), and the agreement of k-means clusters with the digits (ARI).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from pairspace._core.files import replacing
from pairspace.constraints import Constraints
from pairspace.linear import BWDR, WBDR, PairSpace
from pairspace.metrics import pair_auc

N_COMPONENTS = 9
# Must-links inside each digit, and cannot-links with another digit.
PER_DIGIT = (1, 3, 10, 30, 100, 300)
SHOWN = 3  # for each digit: 60 answers, in the scatter plots
N_PEOPLE = 5
UNSUPERVISED = ("PCA", "no answers")  # do not use the answers
METHODS = {
    "PCA": PCA(N_COMPONENTS, svd_solver="full"),
    "no answers": PairSpace(N_COMPONENTS, random_state=0),
    "PairSpace": PairSpace(N_COMPONENTS, random_state=0),
    "WBDR, shrunk": WBDR(N_COMPONENTS, shrinkage="auto"),
    "BWDR": BWDR(N_COMPONENTS),
}
Data = tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]  # X and digits, twice
Curves = dict[str, list[NDArray[np.float64]]]
COLOURS = dict(zip(METHODS, ("#555555", "#d55e00", "#d55e00", "#e69f00", "#0072b2"), strict=True))


def run(output: Path | None = None, print_line: Callable[[str], None] = print) -> Curves:
    """Print the table line by line, and draw a figure if a path is given.

    Parameters
    ----------
    output : Path or None
        The figure to write.
    print_line : callable
        Prints a line.

    Returns
    -------
    dict of lists
        For each method and each number of answers, the 1-NN accuracy and the ARI.
    """
    X, digit = load_digits(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(
        X, digit, test_size=0.5, stratify=digit, random_state=0
    )
    scaler = StandardScaler().fit(X_train)
    data = scaler.transform(X_train), scaler.transform(X_test), y_train, y_test
    print_line(f"{(__doc__ or '').splitlines()[0]}\n")
    print_line(
        f"{len(X_train)} training digits, {len(X_test)} test digits, {X.shape[1]} pixels, "
        f"{N_COMPONENTS} components, mean of {N_PEOPLE} simulated people\n"
    )

    print_line(f"{'answers':>9} │" + "│".join(f"{name:^17}" for name in METHODS))
    print_line(f"{'':>9} │" + "│".join("   1-NN    ARI   " for _ in METHODS))
    print_line("─" * 10 + "┼" + "┼".join(["─" * 17] * len(METHODS)))
    curves: Curves = {name: [] for name in METHODS}
    for per_digit in PER_DIGIT:
        for name in METHODS:
            people = [evaluate(name, per_digit, person, *data) for person in range(N_PEOPLE)]
            curves[name].append(np.mean(people, axis=0))
        cells = [f"   {curves[name][-1][0]:.3f}   {curves[name][-1][1]:.3f} " for name in METHODS]
        print_line(f"{20 * per_digit:>9,} │" + "│".join(cells))

    print_line("")
    for other in UNSUPERVISED:
        wins = [
            f"{20 * n:,}"
            for n, ours, theirs in zip(PER_DIGIT, curves["PairSpace"], curves[other], strict=True)
            if (ours > theirs).all()
        ]
        what = "PCA" if other == "PCA" else "PairSpace without answers"
        numbers = f"with {', '.join(wins)} answers" if wins else "with no number of answers"
        print_line(f"PairSpace beats {what} in both scores {numbers}.")
    if output is not None:
        draw(curves, data, output)
        print_line(f"\nFigure: {output}")
    return curves


def answers_for(
    name: str, y_train: NDArray[Any], per_digit: int, person: int
) -> Constraints | None:
    """The answers of a person, or None for a method that does not use them."""
    if name in UNSUPERVISED:
        return None
    return Constraints.from_labels(y_train, per_class=per_digit, random_state=person)


def evaluate(
    name: str,
    per_digit: int,
    person: int,
    X_train: NDArray[Any],
    X_test: NDArray[Any],
    y_train: NDArray[Any],
    y_test: NDArray[Any],
) -> tuple[float, float]:
    """The 1-NN accuracy and the ARI of k-means on the test digits."""
    answers = answers_for(name, y_train, per_digit, person)
    reducer = clone(METHODS[name]).fit(X_train, answers)
    train, test = reducer.transform(X_train), reducer.transform(X_test)
    nearest = KNeighborsClassifier(1).fit(train, y_train)
    clusters = KMeans(10, n_init=5, random_state=0).fit_predict(test)
    return nearest.score(test, y_test), adjusted_rand_score(y_test, clusters)


def draw(curves: Curves, data: Data, output: Path) -> None:
    """Draw the learning curves, and the test digits on the first two components of two spaces."""
    import matplotlib
    from matplotlib.figure import Figure

    X_train, X_test, y_train, y_test = data
    figure = Figure(figsize=(16, 4.4), layout="constrained")
    axes = figure.subplots(1, 4)
    for axis, at, title in zip(axes, (0, 1), ("1-NN accuracy", "ARI of k-means"), strict=False):
        for name, scores in curves.items():
            axis.plot(
                [20 * n for n in PER_DIGIT],
                [score[at] for score in scores],
                "--" if name in UNSUPERVISED else "-",
                color=COLOURS[name],
                marker=None if name in UNSUPERVISED else "o",
                markersize=4,
                label="PairSpace, no answers" if name == "no answers" else name,
            )
        axis.set(xscale="log", xlabel="answers", title=f"{title}, test digits")
        axis.set_xticks([20 * n for n in PER_DIGIT], [f"{20 * n:,}" for n in PER_DIGIT])
        axis.minorticks_off()
        axis.grid(alpha=0.3)
    axes[0].legend(loc="lower right", fontsize="small")

    colours = matplotlib.colormaps["tab10"]
    for axis, name in zip(axes[2:], ("PCA", "PairSpace"), strict=True):
        answers = answers_for(name, y_train, SHOWN, person=0)
        two = clone(METHODS[name]).set_params(n_components=2)
        Z = two.fit(X_train, answers).transform(X_test)
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
        used = "no answers" if name == "PCA" else f"{20 * SHOWN} answers"
        axis.set(title=f"{name}, {used}: pair AUC {pair_auc(Z, y_test):.2f}", xticks=[], yticks=[])
    with replacing(output) as temporary:
        figure.savefig(temporary, dpi=110, format=output.suffix[1:] or "png")
