"""Plots of the scores of candidates and of the spectrum of a model."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pairspace._core.typing import Bools, Floats
from pairspace.plot import style

SCORE_LABEL = "pair AUC on held-out answers, ± one standard error (½ is chance)"


class ShownScores(NamedTuple):
    """The candidates to show, best first."""

    names: list[str]
    mean: Floats
    error: Floats
    groups: list[tuple[Bools, str]]  # which are in it, and what it is called
    pca: float | None


def leaderboard(board: Any, *, ax: Any = None, n_shown: int = 20, interactive: bool = False) -> Any:
    """Plot the pair AUC of each candidate with its standard error, best first.

    Parameters
    ----------
    board : AutoReducer or DataFrame
        A fitted search, or its ``leaderboard_``.
    ax : matplotlib axes, default=None
        The axes to draw on; by default new ones.
    n_shown : int, default=20
        The largest number of candidates to show. The chosen one and PCA are always shown.
    interactive : bool, default=False
        Return a Bokeh figure instead; needs the extra ``app``.

    Returns
    -------
    matplotlib axes or Bokeh figure
        The plot.
    """
    shown = _shown(getattr(board, "leaderboard_", board), n_shown)
    if interactive:
        from pairspace.plot import _bokeh

        _bokeh.refuse_axes(ax)
        return _bokeh.leaderboard(shown)
    ax = style.axes(ax, figsize=(7.5, 0.9 + 0.3 * len(shown.names)))
    at = np.arange(len(shown.names))[::-1]
    for (group, label), colour, marker in zip(
        shown.groups, (style.CHOSEN_COLOUR, style.ink(), style.OTHER_COLOUR), "Doo", strict=True
    ):
        if group.any():
            ax.errorbar(
                shown.mean[group],
                at[group],
                xerr=shown.error[group],
                fmt=marker,
                color=colour,
                markersize=7 if marker == "D" else 5,
                capsize=3,
                elinewidth=1.4,
                label=label,
            )
    if shown.pca is not None:
        ax.axvline(shown.pca, color=style.OTHER_COLOUR, linestyle="--", linewidth=1, zorder=0)
        ax.annotate(
            "PCA",
            (shown.pca, 1),
            xycoords=("data", "axes fraction"),
            ha="center",
            va="bottom",
            size="small",
            color=style.OTHER_COLOUR,
        )
    ax.set_yticks(at, [style.shortened(name, 40) for name in shown.names], parse_math=False)
    ax.set_ylim(-0.7, len(shown.names) - 0.3)
    ax.set_xlabel(SCORE_LABEL)
    ax.grid(axis="x", alpha=0.3)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(fontsize="small", loc="lower right")
    return ax


def _shown(board: Any, n_shown: int) -> ShownScores:
    names, mean = np.asarray(board["name"]), np.asarray(board["mean"], dtype=float)
    scored = np.isfinite(mean)
    if not scored.any():
        raise ValueError("no candidate was scored: there were too few pairs for cross-validation")
    chosen, folds = np.asarray(board["chosen"], dtype=bool), np.asarray(board["folds"])
    plain = np.asarray(board["method"]) == "PCA"
    rows = np.flatnonzero(scored & ((np.cumsum(scored) <= n_shown) | chosen | plain))
    stayed = folds == folds[scored].max()
    return ShownScores(
        [str(name) for name in names[rows]],
        mean[rows],
        np.asarray(board["standard_error"], dtype=float)[rows],
        [
            (chosen[rows], "chosen"),
            ((~chosen & stayed)[rows], "scored in all repeats"),
            ((~chosen & ~stayed)[rows], "dropped earlier"),
        ],
        float(mean[scored & plain].max()) if (scored & plain).any() else None,
    )


def spectrum(model: Any, *, ax: Any = None, interactive: bool = False) -> Any:
    """Plot the eigenvalue of each component, or the variance that it explains.

    Parameters
    ----------
    model : estimator or pipeline
        A fitted method, or a pipeline that ends in one.
    ax : matplotlib axes, default=None
        The axes to draw on; by default new ones.
    interactive : bool, default=False
        Return a Bokeh figure instead; needs the extra ``app``.

    Returns
    -------
    matplotlib axes or Bokeh figure
        The plot.
    """
    model = getattr(model, "best_estimator_", model)
    method = model.steps[-1][1] if hasattr(model, "steps") else model
    values, what = getattr(method, "explained_variance_ratio_", None), "share of variance"
    if values is None:
        values, what = getattr(method, "eigenvalues_", None), "eigenvalue"
    if values is None:
        raise ValueError(
            f"{type(method).__name__} has no eigenvalues_: fit it first, or plot another method"
        )
    if interactive:
        from pairspace.plot import _bokeh

        _bokeh.refuse_axes(ax)
        return _bokeh.spectrum(np.asarray(values), what, type(method).__name__)
    ax = style.axes(ax, figsize=(5, 3))
    numbers = np.arange(1, len(values) + 1)
    ax.vlines(numbers, 0, values, color=style.CHOSEN_COLOUR, linewidth=2)
    ax.plot(numbers, values, "o", color=style.CHOSEN_COLOUR)
    ax.axhline(0, color=style.ink(), linewidth=0.8)
    if len(numbers) <= 15:
        ax.set_xticks(numbers)
    ax.set(xlabel="component", ylabel=what, title=type(method).__name__)
    ax.set_xlim(0.4, len(values) + 0.6)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
