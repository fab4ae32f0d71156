"""The figures of the page, embedded as data URLs."""

from __future__ import annotations

import base64
import io
import warnings
from typing import Any

import numpy as np
from scipy.sparse import issparse

from pairspace import plot
from pairspace.constraints import Constraints


def _figure(width: float, height: float, columns: int = 1) -> tuple[Any, Any]:
    from matplotlib.figure import Figure  # not pyplot: no window, no state

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(1, columns)


def _image(figure: Any, kind: str) -> str:
    file = io.BytesIO()
    with warnings.catch_warnings():
        # A font may lack the letters of a name; the tables show it.
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        figure.savefig(file, format=kind, dpi=130)
    mime = "image/svg+xml" if kind == "svg" else f"image/{kind}"
    return f"data:{mime};base64,{base64.b64encode(file.getvalue()).decode()}"


def board_figure(search: Any) -> str | None:
    if search is None or not np.isfinite(np.asarray(search.leaderboard_["mean"], float)).any():
        return None
    figure, ax = _figure(8, 1.2 + 0.27 * min(len(search.leaderboard_), 22))
    plot.leaderboard(search, ax=ax)
    return _image(figure, "svg")


def space_figure(Z: Any, pairs: Constraints, labels: Any, color: Any) -> str:
    figure, ax = _figure(8, 5.6)
    plot.scatter(Z, pairs, labels, color=color, ax=ax)
    return _image(figure, "png")


def pca_figure(Z: Any, X: Any, model: Any, pairs: Constraints, labels: Any) -> str | None:
    """The space next to PCA of the same columns, if there are pairs of both kinds."""
    from sklearn.decomposition import PCA

    if not len(pairs.must_link) or not len(pairs.cannot_link):
        return None
    if isinstance(getattr(model, "steps", [("", model)])[-1][1], PCA):
        return None
    front = model[:-1] if hasattr(model, "steps") and len(model.steps) > 1 else None
    before = X if front is None else front.transform(X)
    if issparse(before):
        before = before.tocsr()  # of the sparse formats, PCA takes this one
        most = min(before.shape) - 1
    else:
        before = np.asarray(before)
        most = min(before.shape)
    plain = PCA(min(Z.shape[1], most), random_state=0).fit_transform(before)
    figure, axes = _figure(9, 4.2, columns=2)
    name = type(model.steps[-1][1] if hasattr(model, "steps") else model).__name__
    plot.compare({"PCA": plain, name: Z}, pairs, labels, axes=axes)
    return _image(figure, "png")


def spectrum_figure(model: Any) -> str | None:
    figure, ax = _figure(5, 2.6)
    try:
        plot.spectrum(model, ax=ax)
    except ValueError:  # a method without eigenvalues
        return None
    return _image(figure, "svg")
