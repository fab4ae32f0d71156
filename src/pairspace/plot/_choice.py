"""Plots of the scores of candidates and of the spectrum of a model."""

from __future__ import annotations

from typing import Any

import numpy as np

from pairspace.plot import _style as style


def leaderboard(board: Any, *, ax: Any = None, n_shown: int = 20) -> Any:
    """Plot the pair AUC of each candidate with its standard error, best first.

    Parameters
    ----------
    board : AutoReducer or DataFrame
        A fitted search, or its ``leaderboard_``.
    ax : matplotlib axes, default=None
        The axes to draw on; by default new ones.
    n_shown : int, default=20
        The largest number of candidates to show. The chosen one and PCA are always shown.

    Returns
    -------
    matplotlib axes
        The axes of the plot.
    """
    board = getattr(board, "leaderboard_", board)
    names, mean = np.asarray(board["name"]), np.asarray(board["mean"], dtype=float)
    scored = np.isfinite(mean)
    if not scored.any():
        raise ValueError("no candidate was scored: there were too few pairs for cross-validation")
    chosen, folds = np.asarray(board["chosen"], dtype=bool), np.asarray(board["folds"])
    plain = np.asarray(board["method"]) == "PCA"
    kept = scored & ((np.cumsum(scored) <= n_shown) | chosen | plain)
    rows = np.flatnonzero(kept)
    ax = style.axes(ax, figsize=(7.5, 0.9 + 0.3 * len(rows)))
    at = np.arange(len(rows))[::-1]
    error = np.asarray(board["standard_error"], dtype=float)
    stayed = folds == folds[scored].max()
    for group, colour, marker, label in (
        (chosen, style.CHOSEN_COLOUR, "D", "chosen"),
        (~chosen & stayed, style.MUST_COLOUR, "o", "scored in all repeats"),
        (~chosen & ~stayed, style.OTHER_COLOUR, "o", "dropped earlier"),
    ):
        these = group[rows]
        if these.any():
            ax.errorbar(
                mean[rows][these],
                at[these],
                xerr=error[rows][these],
                fmt=marker,
                color=colour,
                markersize=7 if marker == "D" else 5,
                capsize=3,
                elinewidth=1.4,
                label=label,
            )
    best_plain = mean[scored & plain]
    if len(best_plain):
        ax.axvline(
            best_plain.max(), color=style.OTHER_COLOUR, linestyle="--", linewidth=1, zorder=0
        )
        ax.annotate(
            "PCA",
            (best_plain.max(), 1),
            xycoords=("data", "axes fraction"),
            ha="center",
            va="bottom",
            size="small",
            color=style.OTHER_COLOUR,
        )
    ax.set_yticks(at, [style.shortened(name, 40) for name in names[rows]], parse_math=False)
    ax.set_ylim(-0.7, len(rows) - 0.3)
    ax.set_xlabel("pair AUC on held-out answers, ± one standard error (½ is chance)")
    ax.grid(axis="x", alpha=0.3)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(fontsize="small", loc="lower right")
    return ax


def spectrum(model: Any, *, ax: Any = None) -> Any:
    """Plot the eigenvalue of each component, or the variance that it explains.

    Parameters
    ----------
    model : estimator or pipeline
        A fitted method, or a pipeline that ends in one.
    ax : matplotlib axes, default=None
        The axes to draw on; by default new ones.

    Returns
    -------
    matplotlib axes
        The axes of the plot.
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
    ax = style.axes(ax, figsize=(5, 3))
    numbers = np.arange(1, len(values) + 1)
    ax.vlines(numbers, 0, values, color=style.CHOSEN_COLOUR, linewidth=2)
    ax.plot(numbers, values, "o", color=style.CHOSEN_COLOUR)
    ax.axhline(0, color=style.MUST_COLOUR, linewidth=0.8)
    if len(numbers) <= 15:
        ax.set_xticks(numbers)
    ax.set(xlabel="component", ylabel=what, title=type(method).__name__)
    ax.set_xlim(0.4, len(values) + 0.6)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
