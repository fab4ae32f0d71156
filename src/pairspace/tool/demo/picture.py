"""The figure of the demo: ARI against placed rows, thumbnails of the groups, spaces, the shop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pairspace._core.files import replacing
from pairspace._core.typing import Floats, Ints
from pairspace.tool.demo.rivals import CLASSIFIERS, SPREADING

if TYPE_CHECKING:
    from pairspace.tool.demo import Results
    from pairspace.tool.demo.board import Board

OURS, BLUE, GREYS = "#d55e00", "#0072b2", ("#444444", "#777777", "#aaaaaa", "#cccccc")
STYLES = {
    "rows placed on the board": (OURS, "o", "rows placed, PairClusters"),
    SPREADING: (BLUE, "s", "random labels, LabelSpreading"),
    CLASSIFIERS: ("#009e73", "^", "random labels, best of\nfive classifiers"),
}
N_SHOWN, N_UNSURE = 21, 6  # thumbnails of a group, and those of them that are least sure
UNSURE, WRONG = "#e69f00", "#cc0000"


def draw(results: Results, X: Floats, y: Ints, output: Path) -> None:
    """Draw the figure to a file."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 8.4), layout="constrained")
    # Each half has columns of its own: names of bars need room that the curves do not.
    halves: Any = figure.subfigures(2, 1, height_ratios=(5, 3))
    above, below = halves
    left, right = above.subplots(1, 2, width_ratios=(5, 7))
    _curves(left, results)
    _wall(right, results.board, X, y)
    left, right = below.subplots(1, 2, width_ratios=(7, 4))
    _spaces(left, results)
    _shop(right, results)
    with replacing(output) as temporary:
        figure.savefig(temporary, dpi=100, format=output.suffix[1:] or "png")


def _curves(axis: Any, results: Results) -> None:
    for name, curves in results.curves.items():
        colour, marker, label = STYLES[name]
        numbers = sorted(curves[0])
        values = np.array([[curve[n] for n in numbers] for curve in curves])
        axis.plot(numbers, np.median(values, axis=0), marker=marker, color=colour, label=label)
        axis.fill_between(numbers, values.min(0), values.max(0), color=colour, alpha=0.15, lw=0)
    found = results.unsupervised
    best = max(found, key=found.__getitem__)
    for name, dashes in {"k-means": ":", best: "--"}.items():
        value = found[name]
        axis.axhline(value, color="#555555", linestyle=dashes, label=f"{name}, no answers")
    axis.set(xlabel="placed or labelled digits", ylabel="ARI, all digits", ylim=(None, 1))
    n = len(next(iter(results.curves.values())))
    axis.set_title("Groups of the digits" + (f": median and range of {n} people" if n > 1 else ""))
    axis.grid(alpha=0.3)
    axis.legend(loc="lower right", fontsize="small")


def _wall(axis: Any, board: Board, X: Floats, y: Ints) -> None:
    """Draw rows of each group, those of which the model is least sure last."""
    from matplotlib.patches import Rectangle

    side = int(np.sqrt(X.shape[1]))
    cell = side + 2
    groups = np.unique(board.groups)
    wall = np.zeros((len(groups) * cell, N_SHOWN * cell))
    random = np.random.RandomState(0)
    for line, group in enumerate(groups):
        members = np.flatnonzero(board.groups == group)
        by_doubt = members[np.argsort(board.confidence[members], kind="stable")]
        others = random.permutation(by_doubt[N_UNSURE:])[: N_SHOWN - N_UNSURE]
        for place, row in enumerate([*others, *by_doubt[:N_UNSURE][::-1]]):
            top, left = line * cell + 1, place * cell + 1
            wall[top : top + side, left : left + side] = X[row].reshape(side, side)
            wrong = y[row] != group
            if place >= N_SHOWN - N_UNSURE or wrong:
                frame = Rectangle(
                    (left - 1, top - 1), side + 1, side + 1, fill=False, lw=1.6,
                    ec=WRONG if wrong else UNSURE,
                )  # fmt: skip
                axis.add_patch(frame)
    axis.imshow(wall, cmap="gray_r", interpolation="nearest")
    axis.set_yticks(np.arange(len(groups)) * cell + cell / 2, [str(group) for group in groups])
    axis.set_xticks([])
    axis.tick_params(length=0)
    for spine in axis.spines.values():
        spine.set_visible(False)
    right, n_others = board.right(y)
    axis.set_title(
        f"After {len(board.placed)} placed digits, {right:.1%} of the other {n_others:,} are right"
    )
    axis.set_xlabel(
        f"{N_SHOWN - N_UNSURE} of each group, then the {N_UNSURE} least sure (orange; red: wrong)"
    )


def _spaces(axis: Any, results: Results) -> None:
    """Draw the scores of linear spaces on new digits."""
    names = ("1-NN, only placed\ndigits known", "1-NN, all fitted\ndigits known", "ARI of k-means")
    width = 0.8 / len(results.spaces)
    for at, (name, judged) in enumerate(results.spaces.items()):
        values = (judged.nearest_placed, judged.nearest_any, judged.ari)
        places = np.arange(len(values)) + (at - (len(results.spaces) - 1) / 2) * width
        colour = OURS if name == "PairSpace" else GREYS[at]
        bars = axis.bar(
            places, values, width, color=colour, label=f"{name}, {judged.columns} columns"
        )
        axis.bar_label(bars, fmt="%.2f", fontsize="x-small")
    axis.set_xticks(range(len(names)), names)
    axis.set(ylim=(0, 1.45), title=f"Linear spaces, {len(results.split.held_out)} new digits")
    axis.legend(loc="upper center", ncols=2, fontsize="small")


def _shop(axis: Any, results: Results) -> None:
    """Draw the groups of the customers."""
    names = list(results.customers)
    values = [float(np.median(results.customers[name])) for name in names]
    colours = [GREYS[2] if "no answers" in name else BLUE for name in names]
    colours[-2:] = [OURS, OURS]
    bars = axis.barh(names, values, color=colours)
    axis.bar_label(bars, fmt="%.2f", fontsize="small", padding=2)
    axis.invert_yaxis()
    axis.set(xlim=(0, 1), title="Customers, mixed columns: ARI")
