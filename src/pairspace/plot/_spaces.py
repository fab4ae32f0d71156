"""Scatter plots of embeddings, with pairs as lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import check_array

from pairspace._core.typing import Floats
from pairspace.constraints import Constraints, is_missing
from pairspace.metrics import pair_auc, pair_distances
from pairspace.plot import style
from pairspace.plot._marks import draw_pairs, draw_points, draw_scale, is_scale, write_names


def scatter(
    embedding: Any,
    constraints: Constraints | None = None,
    labels: Any = None,
    *,
    color: Any = None,
    components: tuple[int, int] = (0, 1),
    max_lines: int = 100,
    ax: Any = None,
    interactive: bool = False,
    records: Any = None,
) -> Any:
    """Plot rows on two components, with pairs as lines and violated pairs in red.

    A must-link is violated if it is longer than the distance that separates must-links from
    cannot-links best, a cannot-link if it is not; see :class:`pairspace.metrics.PairDistances`.
    Distances are measured in all components.

    Parameters
    ----------
    embedding : array-like of shape (n_samples, n_components)
        The rows after ``transform``. With one component, the other axis is random.
    constraints : Constraints, default=None
        Pairs to draw: must-links as solid lines, cannot-links as dotted lines.
    labels : array-like of shape (n_samples,), default=None
        Classes, shown by colour and name; −1, None or NaN is unknown and grey.
    color : array-like of shape (n_samples,), default=None
        What to colour the rows by, instead of ``labels``: classes, or numbers, of which more than
        20 different ones are shown on a scale.
    components : pair of int, default=(0, 1)
        The two components to plot, numbered from 0.
    max_lines : int, default=100
        The largest number of violated, and of other, lines of each kind; the legend shows the
        total number.
    ax : matplotlib axes, default=None
        The axes to draw on; by default new ones.
    interactive : bool, default=False
        Return a Bokeh figure instead, to zoom and to point at rows; needs the extra ``app``.
    records : DataFrame, default=None
        What an interactive plot shows of the row under the pointer, besides its number and class.

    Returns
    -------
    matplotlib axes or Bokeh figure
        The plot.
    """
    Z = check_array(embedding, dtype=(np.float64, np.float32))
    across, up = _coordinates(Z, components)
    scale = color is not None and is_scale(color)
    classes = labels if color is None else _as_classes(color)
    if interactive:
        from pairspace.plot import _bokeh

        _bokeh.refuse_axes(ax)
        return _bokeh.scatter(
            Z, (across, up), components, constraints, color if scale else classes, scale,
            max_lines, records,
        )  # fmt: skip
    ax = style.axes(ax, figsize=(7, 5.5))
    if scale:
        draw_scale(ax, across, up, color)
    else:
        draw_points(ax, across, up, classes)
    if constraints is not None:
        draw_pairs(
            ax,
            np.column_stack([across, up]),
            constraints,
            pair_distances(Z, constraints),
            max_lines,
        )
    if classes is not None and not scale:
        write_names(ax, across, up, classes)
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
    color: Any = None,
    axes: Any = None,
    interactive: bool = False,
    records: Any = None,
) -> Any:
    """Plot several embeddings of the same rows side by side, each with its pair AUC.

    Parameters
    ----------
    embeddings : mapping of names to arrays of shape (n_samples, n_components)
        The rows after ``transform``, for each method.
    constraints : Constraints, default=None
        Pairs to draw.
    labels : array-like of shape (n_samples,), default=None
        Classes. The pair AUC is computed on the labels or, without labels, on the pairs.
    color : array-like of shape (n_samples,), default=None
        What to colour the rows by, instead of ``labels``.
    axes : sequence of matplotlib axes, default=None
        One for each embedding; by default new ones.
    interactive : bool, default=False
        Return Bokeh figures instead; needs the extra ``app``.
    records : DataFrame, default=None
        What interactive plots show of the row under the pointer.

    Returns
    -------
    array of matplotlib axes, or Bokeh grid of figures
        The plots.
    """
    if not embeddings:
        raise ValueError("embeddings must have at least one entry; got none")
    reference = constraints if labels is None else labels
    titles = [_title(name, Z, reference) for name, Z in embeddings.items()]
    if interactive:
        from pairspace.plot import _bokeh

        _bokeh.refuse_axes(axes)
        return _bokeh.side_by_side(
            [
                scatter(Z, constraints, labels, color=color, interactive=True, records=records)
                for Z in embeddings.values()
            ],
            titles,
        )
    if axes is None:
        axes = _row_of_axes(len(embeddings))
    axes = np.ravel(axes)
    if len(axes) < len(embeddings):
        raise ValueError(f"{len(embeddings)} embeddings need as many axes; got {len(axes)}")
    for at, (ax, Z) in enumerate(zip(axes, embeddings.values(), strict=False)):
        scatter(Z, constraints, labels, color=color, ax=ax)
        ax.set_title(titles[at], parse_math=False)
        ax.set(xticks=[], yticks=[])
        if at and ax.get_legend() is not None:
            ax.get_legend().remove()  # the first has it
    return axes


def _title(name: str, Z: Any, reference: Any) -> str:
    score = None if reference is None else pair_auc(np.asarray(Z), reference)
    return style.shortened(name, 32) + ("" if score is None else f": pair AUC {score:.2f}")


def _as_classes(color: Any) -> list[Any]:
    """Any values as classes, which are text."""
    return [None if is_missing(value) else str(value) for value in color]


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
            raise ValueError(
                f"components={components} must be between 0 and {Z.shape[1] - 1}: the embedding "
                f"has {Z.shape[1]} components"
            )
    return Z[:, components[0]], Z[:, components[1]]
