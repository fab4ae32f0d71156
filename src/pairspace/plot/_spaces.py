"""Rows in a space, with the pairs that are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import check_array

from pairspace._core.typing import Floats
from pairspace.constraints import Constraints
from pairspace.metrics import lengths_of, pair_auc
from pairspace.plot import _style as style
from pairspace.plot._marks import draw_pairs, draw_points, write_names


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
    broken cannot-link shorter; see :class:`pairspace.metrics.Lengths`. All components count there.

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
    draw_points(ax, across, up, labels)
    if constraints is not None:
        draw_pairs(
            ax, np.column_stack([across, up]), constraints, lengths_of(Z, constraints), max_lines
        )
    if labels is not None:
        write_names(ax, across, up, labels)
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
