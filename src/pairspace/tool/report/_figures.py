"""The figures of the page, embedded as data URLs."""

from __future__ import annotations

import base64
import io
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from pairspace import plot
from pairspace.constraints import Constraints

DARK: Any = {
    **dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "#15191d"),
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor"), "#e6eaed"),
    **dict.fromkeys(("xtick.color", "ytick.color"), "#a3adb6"),
    "legend.facecolor": "#15191d",
}


class Images(NamedTuple):
    """A picture on a light and on a dark page, as data URLs."""

    light: str
    dark: str


def _images(
    draw: Callable[[Any], Any], kind: str, width: float, height: float, columns: int = 1
) -> Images:
    """Draw twice: on a light and on a dark page."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure  # not pyplot: no window, no state

    found = []
    for look in (None, DARK):
        with rc_context(look):
            figure = Figure(figsize=(width, height), layout="constrained")
            draw(figure.subplots(1, columns))
            found.append(_image(figure, kind))
    return Images(*found)


def _image(figure: Any, kind: str) -> str:
    file = io.BytesIO()
    with warnings.catch_warnings():
        # A font may lack the letters of a name; the tables show it.
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        figure.savefig(file, format=kind, dpi=110)
    if kind == "png":
        file = _with_few_colours(file)
    mime = "image/svg+xml" if kind == "svg" else f"image/{kind}"
    return f"data:{mime};base64,{base64.b64encode(file.getvalue()).decode()}"


def _with_few_colours(file: io.BytesIO) -> io.BytesIO:
    """A PNG file of a third of the size."""
    from PIL import Image  # which matplotlib needs

    smaller = io.BytesIO()
    Image.open(file).convert("RGB").quantize(128).save(smaller, "PNG", optimize=True)
    return smaller


def board_figure(search: Any) -> Images | None:
    if search is None or not np.isfinite(np.asarray(search.leaderboard_["mean"], float)).any():
        return None
    height = 1.2 + 0.27 * min(len(search.leaderboard_), 22)
    return _images(lambda ax: plot.leaderboard(search, ax=ax), "svg", 8, height)


def space_figure(Z: Any, pairs: Constraints, labels: Any, color: Any) -> Images:
    return _images(lambda ax: plot.scatter(Z, pairs, labels, color=color, ax=ax), "png", 8, 5.6)


def pca_of(Z: Any, X: Any, model: Any) -> Any:
    """PCA of the columns that the model reduces; None if the model is a PCA."""
    from sklearn.decomposition import PCA

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
    return PCA(min(Z.shape[1], most), random_state=0).fit_transform(before)


def pca_figure(
    Z: Any, plain: Any, name: str, pairs: Constraints, labels: Any, color: Any
) -> Images | None:
    """The space next to PCA, if there are pairs of both kinds."""
    if plain is None or not len(pairs.must_link) or not len(pairs.cannot_link):
        return None
    return _images(
        lambda axes: plot.compare({"PCA": plain, name: Z}, pairs, labels, color=color, axes=axes),
        "png", 9, 4.2, columns=2,
    )  # fmt: skip


def spectrum_figure(model: Any) -> Images | None:
    """The eigenvalues, if the method has some."""
    try:
        return _images(lambda ax: plot.spectrum(model, ax=ax), "svg", 5, 2.6)
    except ValueError:  # a method without eigenvalues
        return None
