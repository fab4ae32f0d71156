"""Points, lines and names on axes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from pairspace._core.typing import Floats, Ints
from pairspace.constraints import UNKNOWN, Constraints, encode_labels, is_missing
from pairspace.metrics import PairDistances
from pairspace.plot import style

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

    for lines in lines_of(constraints, distances, max_lines):
        look: dict[str, Any] = {"colors": style.ink(), "linewidths": 0.9, "zorder": 3}
        look["alpha"] = 0.65 if lines.must else 0.4
        if lines.violated:
            look = {"colors": style.VIOLATED_COLOUR, "linewidths": 1.6, "zorder": 4}
        look["linestyles"] = "-" if lines.must else ":"
        ax.add_collection(
            LineCollection(list(places[lines.drawn]), label=lines.label, **look), autolim=False
        )


class Lines(NamedTuple):
    """Pairs to draw as lines of one look."""

    drawn: Ints
    label: str
    must: bool
    violated: bool


def lines_of(constraints: Constraints, distances: PairDistances, max_lines: int) -> Iterator[Lines]:
    """The pairs of each kind, violated and not, at most so many of each."""
    for must, links, violated in (
        (True, constraints.must_link, distances.must_violated),
        (False, constraints.cannot_link, distances.cannot_violated),
    ):
        name = "must-link" if must else "cannot-link"
        for these, what, broken in (
            (links[violated], f"violated {name}", True),
            (links[~violated], name, False),
        ):
            if len(these):
                drawn = these[np.linspace(0, len(these) - 1, min(len(these), max_lines), dtype=int)]
                some = f"{len(drawn)} of " if len(drawn) < len(these) else ""
                yield Lines(drawn, f"{what}s ({some}{len(these):,})", must, broken)


def write_names(ax: Any, across: Floats, up: Floats, labels: Any) -> None:
    """Write the name of each class at its median, moved so that no name covers another."""
    from pairspace.plot._names import Name, Names

    codes = encode_labels(labels)
    values = np.asarray(labels, dtype=object)
    n_classes = int(codes.max(initial=UNKNOWN)) + 1
    if n_classes > MAX_NAMED:
        return
    names = Names()
    for code in range(n_classes):
        rows = np.flatnonzero(codes == code)
        names.append(
            Name(
                names,
                float(np.median(across[rows])),
                float(np.median(up[rows])),
                style.shortened(values[rows[0]], 24),
                edge=style.of_class(code)[0],
            )
        )
    for name in names:
        ax.add_artist(name)
