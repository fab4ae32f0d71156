"""Points, lines and names on axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from pairspace._core.typing import Floats
from pairspace.constraints import UNKNOWN, Constraints, encode_labels, is_missing
from pairspace.metrics import PairDistances
from pairspace.plot import _style as style

MAX_NAMED = 20  # classes whose names are written into the picture


def draw_points(ax: Any, across: Floats, up: Floats, labels: Any) -> None:
    n = len(across)
    look = {"s": style.point_area(n), "alpha": style.point_alpha(n), "linewidths": 0}
    look["rasterized"] = n > 2_000  # as lines in a file, that many points are slow to show
    codes = np.full(n, UNKNOWN) if labels is None else encode_labels(labels)
    if len(codes) != n:
        raise ValueError(f"the embedding has {n} rows, but there are {len(codes)} labels")
    unknown = codes == UNKNOWN
    if unknown.any():
        ax.scatter(across[unknown], up[unknown], color=style.UNKNOWN_COLOUR, zorder=1, **look)
    # In one call for each marker, in the order of the rows: no class hides another.
    known = np.flatnonzero(~unknown)
    looks = np.array([style.of_class(code) for code in codes[known]], dtype=object).reshape(-1, 2)
    for marker in dict.fromkeys(looks[:, 1]):
        these = looks[:, 1] == marker
        rows = known[these]
        ax.scatter(
            across[rows], up[rows], c=looks[these, 0].tolist(), marker=marker, zorder=2, **look
        )


def is_scale(values: Any) -> bool:
    """Whether values to colour by are numbers on a scale, and not classes."""
    known = np.asarray([value for value in values if not is_missing(value)])
    return known.dtype.kind in "fiu" and len(np.unique(known)) > MAX_NAMED


def draw_scale(ax: Any, across: Floats, up: Floats, values: Any) -> None:
    """Points coloured by numbers, with a bar that explains them."""
    number = np.array([np.nan if is_missing(value) else float(value) for value in values])
    n, known = len(across), np.isfinite(number)
    if len(number) != n:
        raise ValueError(f"the embedding has {n} rows, but there are {len(number)} colours")
    look = {"s": style.point_area(n), "linewidths": 0, "rasterized": n > 2_000}
    ax.scatter(across[~known], up[~known], color=style.UNKNOWN_COLOUR, zorder=1, **look)
    drawn = ax.scatter(
        across[known], up[known], c=number[known], cmap="viridis", alpha=0.8, zorder=2, **look
    )
    ax.figure.colorbar(drawn, ax=ax, label=style.shortened(getattr(values, "name", None) or "", 40))


def draw_pairs(
    ax: Any, places: Floats, constraints: Constraints, distances: PairDistances, max_lines: int
) -> None:
    from matplotlib.collections import LineCollection

    violated_look: dict[str, Any] = {
        "colors": style.VIOLATED_COLOUR,
        "linewidths": 1.6,
        "zorder": 4,
    }
    for name, links, violated, colour, dashes in (
        ("must-link", constraints.must_link, distances.must_violated, style.MUST_COLOUR, "-"),
        (
            "cannot-link",
            constraints.cannot_link,
            distances.cannot_violated,
            style.CANNOT_COLOUR,
            ":",
        ),
    ):
        look: dict[str, Any] = {"colors": colour, "linewidths": 0.9, "alpha": 0.65, "zorder": 3}
        for these, what, kind in (
            (links[violated], f"violated {name}", violated_look),
            (links[~violated], name, look),
        ):
            if not len(these):
                continue
            drawn = these[np.linspace(0, len(these) - 1, min(len(these), max_lines), dtype=int)]
            some = f"{len(drawn)} of " if len(drawn) < len(these) else ""
            label = f"{what}s ({some}{len(these):,})"
            ax.add_collection(
                LineCollection(list(places[drawn]), linestyles=dashes, label=label, **kind),
                autolim=False,
            )


def write_names(ax: Any, across: Floats, up: Floats, labels: Any) -> None:
    codes = encode_labels(labels)
    values = np.asarray(labels, dtype=object)
    n_classes = int(codes.max(initial=UNKNOWN)) + 1
    if n_classes > MAX_NAMED:
        return
    for code in range(n_classes):
        rows = np.flatnonzero(codes == code)
        ax.text(
            np.median(across[rows]),
            np.median(up[rows]),
            style.shortened(values[rows[0]], 24),
            parse_math=False,  # a name with two $ is no formula
            ha="center",
            va="center",
            size="small",
            weight="bold",
            zorder=5,
            bbox={
                "boxstyle": "round,pad=0.2",
                "fc": "white",
                "ec": style.of_class(code)[0],
                "alpha": 0.85,
            },
        )
