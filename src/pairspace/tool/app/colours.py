"""Colours of clusters and columns that colour-blind people can tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from bokeh.palettes import TolRainbow, Viridis256
from numpy.typing import NDArray

from pairspace.constraints import is_missing
from pairspace.tool.app.items import SHORT
from pairspace.tool.texts import as_text, cut

MAX_CATEGORIES = 20
OTHER = "#b8c1ca"
# Paul Tol's "muted" scheme.
FEW = ("#332288", "#88ccee", "#cc6677", "#44aa99", "#ddcc77", "#882255", "#117733", "#aa4499")

# His "light" scheme, for dark backgrounds.
FEW_ON_DARK = (
    "#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff", "#44bb99", "#bbcc33", "#aaaa00",
)  # fmt: skip
DARK_END = 72  # of the scale: its first colours can't be seen on a dark background


class Colours(NamedTuple):
    """The colours of all rows.

    ``values`` has a number for each row, and ``palette`` the colours of the numbers from ``low`` to
    ``high``. ``legend`` has the name and colour of each category, or of both ends of a scale.
    """

    values: NDArray[np.float32]
    palette: tuple[str, ...]
    low: float
    high: float
    legend: list[tuple[str, str]]


def by_cluster(clusters: NDArray[np.int64], titles: Mapping[int, str] | None = None) -> Colours:
    """A colour for each cluster, with the title of its group where it has one."""
    names = [
        (titles or {}).get(number, f"cluster {number + 1}")
        for number in range(int(clusters.max()) + 1)
    ]
    return _categories(clusters, names)


def by_column(cells: Sequence[Any]) -> Colours:
    """A scale for a column of many numbers, categories for any other column."""
    missing = np.array([is_missing(cell) for cell in cells], dtype=bool)
    names = [as_text(cell) for cell in cells]
    # Not np.unique of the names: in its array every name would take the space of the longest.
    distinct = sorted(set(names))
    number_of = {name: number for number, name in enumerate(distinct)}
    codes = np.array([number_of[name] for name in names], dtype=np.int64)
    count = np.bincount(codes, minlength=len(distinct))
    if len(distinct) > MAX_CATEGORIES and _are_numbers(cells, missing):
        return _scale(
            np.array([np.nan if m else float(c) for c, m in zip(cells, missing, strict=True)])
        )
    by_count = np.argsort(-count, kind="stable")
    kept = sorted(int(code) for code in by_count[:MAX_CATEGORIES] if distinct[code])
    number = np.full(len(distinct), len(kept))
    number[kept] = np.arange(len(kept))
    return _categories(number[codes], [cut(distinct[code], SHORT) for code in kept])


def on_dark(colours: Colours) -> Colours:
    """The same in colours that can be seen on a dark background."""
    if len(colours.palette) == len(Viridis256):
        palette = tuple(Viridis256[DARK_END:])
        names = [name for name, _ in colours.legend]
        ends = [(names[0], palette[0]), (names[-1], palette[-1])]
        return colours._replace(palette=palette, legend=ends)
    lighter = dict(zip(FEW, FEW_ON_DARK, strict=True))
    return colours._replace(
        palette=tuple(lighter.get(colour, colour) for colour in colours.palette),
        legend=[(name, lighter.get(colour, colour)) for name, colour in colours.legend],
    )


def _are_numbers(cells: Sequence[Any], missing: NDArray[np.bool_]) -> bool:
    return all(
        isinstance(cell, (int, float, np.number)) and not isinstance(cell, bool)
        for cell, is_gone in zip(cells, missing, strict=True)
        if not is_gone
    )


def _categories(numbers: NDArray[np.int64], names: list[str]) -> Colours:
    """Categories 0, 1, …; those without a name or a colour are grey."""
    names = names[:MAX_CATEGORIES]
    count = len(names)
    palette = FEW[:count] if count <= len(FEW) else tuple(TolRainbow[count])
    legend = list(zip(names, palette, strict=True))
    values = np.minimum(numbers, count).astype(np.float32)
    if (values == count).any():
        legend.append(("other", OTHER))
    return Colours(values, (*palette, OTHER), -0.5, count + 0.5, legend)


def _scale(values: NDArray[np.float64]) -> Colours:
    low, high = (float(v) for v in np.nanpercentile(values, [1, 99]))
    if low == high:
        high = low + 1.0
    ends = [(as_text(low), Viridis256[0]), (as_text(high), Viridis256[-1])]
    return Colours(values.astype(np.float32), tuple(Viridis256), low, high, ends)
