"""Rows in a space, with the pairs that are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from pairspace.broken import Lengths, lengths_of
from pairspace.constraints import UNKNOWN, Constraints, encode_labels
from pairspace.metrics import pair_auc
from pairspace.plot import _style as style

Floats = NDArray[np.float64]
MAX_NAMED = 20  # classes whose names are written into the picture


def scatter(
    embedding: Any,
    constraints: Constraints | None = None,
    labels: Any = None,
    *,
    components: tuple[int, int] = (0, 1),
    max_lines: int = 100,
    ax: Any = None,
) -> Any:
    """Draw rows on two components, and pairs as lines: broken ones in red.

    A broken must-link is longer than the length that tells must-links from cannot-links best, a
    broken cannot-link shorter; see :class:`pairspace.broken.Lengths`. All components count there.

    Parameters
    ----------
    embedding : array-like of shape (n_samples, n_components)
        The rows after ``transform``. With one component the other axis only spreads the points.
    constraints : Constraints, default=None
        Pairs to draw: must-links are solid lines, cannot-links dotted.
    labels : array-like of shape (n_samples,), default=None
        Classes, by colour and name; −1, None or NaN is unknown, and grey.
    components : pair of int, default=(0, 1)
        Which two to draw.
    max_lines : int, default=100
        At most so many broken and so many kept lines of each kind; the legend says how many there
        are.
    ax : matplotlib axes, default=None
        Where to draw; by default new ones.

    Returns
    -------
    matplotlib axes
    """
    Z = check_array(embedding, dtype=(np.float64, np.float32))
    across, up = _coordinates(Z, components)
    ax = style.axes(ax, figsize=(7, 5.5))
    _draw_points(ax, across, up, labels)
    if constraints is not None:
        _draw_pairs(
            ax, np.column_stack([across, up]), constraints, lengths_of(Z, constraints), max_lines
        )
    if labels is not None:
        _write_names(ax, across, up, labels)
    ax.set_xlabel(f"component {components[0] + 1}")
    if Z.shape[1] > 1:
        ax.set_ylabel(f"component {components[1] + 1}")
    else:
        ax.set_yticks([])
    ax.spines[["top", "right"]].set_visible(False)
    if ax.get_legend_handles_labels()[0]:
        ax.legend(
            fontsize="small", framealpha=0.85, loc="best" if len(Z) < 5_000 else "upper right"
        )
    return ax


def compare(
    embeddings: Mapping[str, Any],
    constraints: Constraints | None = None,
    labels: Any = None,
    *,
    axes: Any = None,
) -> Any:
    """Draw several spaces of the same rows side by side, each with its pair AUC.

    Parameters
    ----------
    embeddings : mapping of names to arrays of shape (n_samples, n_components)
        The rows after ``transform`` in each space.
    constraints : Constraints, default=None
        Pairs to draw.
    labels : array-like of shape (n_samples,), default=None
        Classes. The pair AUC is that of the labels, or else of the pairs.
    axes : sequence of matplotlib axes, default=None
        One for each space; by default new ones.

    Returns
    -------
    array of matplotlib axes
    """
    if not embeddings:
        raise ValueError("there is no space to draw: give compare a dict of embeddings")
    if axes is None:
        axes = _row_of_axes(len(embeddings))
    axes = np.ravel(axes)
    if len(axes) < len(embeddings):
        raise ValueError(f"{len(embeddings)} spaces, but {len(axes)} axes")
    judge = constraints if labels is None else labels
    for at, (ax, (name, Z)) in enumerate(zip(axes, embeddings.items(), strict=False)):
        scatter(Z, constraints, labels, ax=ax)
        score = None if judge is None else pair_auc(np.asarray(Z), judge)
        title = style.shortened(name, 32) + (f": pair AUC {score:.2f}" if score is not None else "")
        ax.set_title(title, parse_math=False)
        ax.set(xticks=[], yticks=[])
        if at and ax.get_legend() is not None:
            ax.get_legend().remove()  # the first has it
    return axes


def _row_of_axes(n: int) -> Any:
    style.axes(ax=object())  # names the extra if matplotlib is missing
    import matplotlib.pyplot as plt

    columns = min(n, 4)
    rows = -(-n // columns)
    size = (4.2 * columns, 3.9 * rows)
    grid = np.ravel(
        plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)[1]
    )
    for ax in grid[n:]:
        ax.set_axis_off()
    return grid


def _coordinates(Z: Floats, components: tuple[int, int]) -> tuple[Floats, Floats]:
    if Z.shape[1] == 1:
        return Z[:, 0], np.random.default_rng(0).uniform(-1, 1, len(Z))
    for component in components:
        if not 0 <= component < Z.shape[1]:
            raise ValueError(f"components={components}, but the space has {Z.shape[1]}, from 0")
    return Z[:, components[0]], Z[:, components[1]]


def _draw_points(ax: Any, across: Floats, up: Floats, labels: Any) -> None:
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


def _draw_pairs(
    ax: Any, places: Floats, constraints: Constraints, lengths: Lengths, max_lines: int
) -> None:
    from matplotlib.collections import LineCollection

    kinds = (
        ("same", constraints.must_link, lengths.must_broken, style.MUST_COLOUR, "-"),
        ("different", constraints.cannot_link, lengths.cannot_broken, style.CANNOT_COLOUR, ":"),
    )
    for name, links, broken, colour, dashes in kinds:
        looks: list[tuple[bool, dict[str, Any]]] = [
            (True, {"colors": style.BROKEN_COLOUR, "linewidths": 1.6, "zorder": 4}),
            (False, {"colors": colour, "linewidths": 0.9, "alpha": 0.65, "zorder": 3}),
        ]
        for wrong, look in looks:
            these = links[broken == wrong]
            if not len(these):
                continue
            drawn = these[np.linspace(0, len(these) - 1, min(len(these), max_lines), dtype=int)]
            some = f"{len(drawn)} of " if len(drawn) < len(these) else ""
            what = (
                f"{name}, {'but ' + ('apart' if name == 'same' else 'together')}" if wrong else name
            )
            label = f"{what} ({some}{len(these):,})"
            ax.add_collection(
                LineCollection(places[drawn], linestyles=dashes, label=label, **look),
                autolim=False,
            )


def _write_names(ax: Any, across: Floats, up: Floats, labels: Any) -> None:
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
