"""The page: one file, nothing from the network, everything from the data escaped."""

from __future__ import annotations

import base64
import io
import os
import warnings
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

import numpy as np

import pairspace
from pairspace import plot
from pairspace._atomic import replacing
from pairspace.answers import Answers
from pairspace.broken import lengths_of
from pairspace.constraints import UNKNOWN, Constraints, encode_labels
from pairspace.report._weights import feature_weights

N_BROKEN = 50  # pairs in the table
N_FEATURES = 10  # a component
N_COMPONENTS = 10  # whose features are listed
N_DRAWN = 500  # pairs, where only labels are known


def write_report(
    path: str | os.PathLike[str],
    model: Any,
    X: Any,
    *,
    labels: Any = None,
    constraints: Constraints | None = None,
    search: Any = None,
    ids: Sequence[Any] | None = None,
    title: str = "data",
    notes: Sequence[str] = (),
) -> None:
    """Write a page about a fitted model and what it was fitted on: one HTML file.

    Parameters
    ----------
    path : path
        Of the page.
    model : estimator or pipeline
        Fitted.
    X : DataFrame or array of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,), default=None
        Classes; −1, None or NaN is unknown.
    constraints : Constraints, default=None
        Pairs.
    search : AutoReducer, default=None
        The search that chose the model: its leaderboard is shown.
    ids : sequence, default=None
        The names of the rows; by default their numbers.
    title : str
        What the data is called.
    notes : sequence of str
        What else should be said about the data.
    """
    Z = np.asarray(model.transform(X))
    shown, drawn = _pairs_to_show(len(Z), labels, constraints)
    answers = None
    if constraints is not None:
        n_given = len(constraints.must_link) + len(constraints.cannot_link)
        answers = Answers(constraints, (), n_given, ids) if n_given else None
    page = _template().render(
        title=title,
        version=pairspace.__version__,
        created=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        summary=None if search is None else search.summary_,
        steps=[type(step).__name__ for _, step in getattr(model, "steps", [("", model)])],
        shape=(len(Z), X.shape[1], Z.shape[1]),
        notes=notes,
        labelled=_count_labels(labels),
        answers=None if answers is None else answers.lines(),
        board=_board(search),
        board_figure=_board_figure(search),
        space_figure=_space_figure(Z, shown, labels),
        plain_figure=_plain_figure(Z, X, model, shown, labels),
        spectrum_figure=_spectrum_figure(model),
        components=_components(model, X),
        pairs_drawn=drawn,
        broken=_broken(Z, shown, ids),
    )
    with replacing(path) as temporary:
        temporary.write_text(page, encoding="utf-8")


def _template() -> Any:
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError:
        raise ImportError("reports need Jinja: pip install 'pairspace[cli]'") from None
    text = files("pairspace.report").joinpath("page.html").read_text(encoding="utf-8")
    return Environment(autoescape=True, undefined=StrictUndefined).from_string(text)


def _pairs_to_show(n: int, labels: Any, constraints: Constraints | None) -> tuple[Constraints, int]:
    """The pairs that were given; where there are none, some of those that labels imply."""
    if constraints is not None and (len(constraints.must_link) or len(constraints.cannot_link)):
        return constraints, 0
    if labels is None:
        return Constraints(n), 0
    n_known = int((encode_labels(labels) != UNKNOWN).sum())
    n_pairs = min(N_DRAWN, n_known * (n_known - 1) // 2)
    return Constraints.from_labels(labels, n_pairs=n_pairs, random_state=0), n_pairs


def _count_labels(labels: Any) -> tuple[int, int] | None:
    if labels is None:
        return None
    codes = encode_labels(labels)
    return int((codes != UNKNOWN).sum()), int(codes.max(initial=UNKNOWN)) + 1


def _board(search: Any) -> list[dict[str, Any]]:
    return [] if search is None else search.leaderboard_.to_dict("records")


def _components(model: Any, X: Any) -> list[list[tuple[str, float, float]]] | None:
    """For each component its heaviest features, with their share of the heaviest for a bar."""
    weights = feature_weights(model, X)
    if weights is None:
        return None
    found = []
    for component in range(min(len(weights.values), N_COMPONENTS)):
        heaviest = weights.heaviest(component, N_FEATURES)
        largest = max((abs(value) for _, value in heaviest), default=1.0)
        found.append([(name, value, abs(value) / largest) for name, value in heaviest])
    return found


def _broken(Z: Any, pairs: Constraints, ids: Sequence[Any] | None) -> dict[str, Any] | None:
    """The pairs that the space does not keep, worst first."""
    n_pairs = len(pairs.must_link) + len(pairs.cannot_link)
    if not n_pairs:
        return None
    lengths = lengths_of(Z, pairs)
    rows: list[tuple[float, tuple[str, str], str, float]] = []
    for answer, links, found, broken in (
        ("same, but apart", pairs.must_link, lengths.must, lengths.must_broken),
        ("different, but together", pairs.cannot_link, lengths.cannot, lengths.cannot_broken),
    ):
        for (i, j), length in zip(links[broken].tolist(), found[broken], strict=True):
            names = (str(i), str(j)) if ids is None else (str(ids[i]), str(ids[j]))
            rows.append((-abs(float(length) - lengths.limit), names, answer, float(length)))
    rows.sort()
    return {
        "rows": [row[1:] for row in rows[:N_BROKEN]],
        "n_broken": len(rows),
        "n_pairs": n_pairs,
        "limit": lengths.limit,
    }


# ---- Figures ---------------------------------------------------------------------------------


def _figure(width: float, height: float, columns: int = 1) -> tuple[Any, Any]:
    from matplotlib.figure import Figure  # not pyplot: no window, no state

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(1, columns)


def _image(figure: Any, kind: str) -> str:
    file = io.BytesIO()
    with warnings.catch_warnings():
        # A font without the letters of some name draws boxes; the tables have the name.
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        figure.savefig(file, format=kind, dpi=130)
    mime = "image/svg+xml" if kind == "svg" else f"image/{kind}"
    return f"data:{mime};base64,{base64.b64encode(file.getvalue()).decode()}"


def _board_figure(search: Any) -> str | None:
    if search is None or not np.isfinite(np.asarray(search.leaderboard_["mean"], float)).any():
        return None
    figure, ax = _figure(8, 1.2 + 0.27 * min(len(search.leaderboard_), 22))
    plot.leaderboard(search, ax=ax)
    return _image(figure, "svg")


def _space_figure(Z: Any, pairs: Constraints, labels: Any) -> str:
    figure, ax = _figure(8, 5.6)
    plot.scatter(Z, pairs, labels, ax=ax)
    return _image(figure, "png")


def _plain_figure(Z: Any, X: Any, model: Any, pairs: Constraints, labels: Any) -> str | None:
    """The space beside plain PCA of the same columns, if the pairs can judge both."""
    from sklearn.decomposition import PCA

    if not len(pairs.must_link) or not len(pairs.cannot_link):
        return None
    if isinstance(getattr(model, "steps", [("", model)])[-1][1], PCA):
        return None
    front = model[:-1] if hasattr(model, "steps") and len(model.steps) > 1 else None
    before = np.asarray(X if front is None else front.transform(X))
    plain = PCA(min(Z.shape[1], *before.shape), random_state=0).fit_transform(before)
    figure, axes = _figure(9, 4.2, columns=2)
    name = type(model.steps[-1][1] if hasattr(model, "steps") else model).__name__
    plot.compare({"PCA": plain, name: Z}, pairs, labels, axes=axes)
    return _image(figure, "png")


def _spectrum_figure(model: Any) -> str | None:
    figure, ax = _figure(5, 2.6)
    try:
        plot.spectrum(model, ax=ax)
    except ValueError:  # a method without eigenvalues
        return None
    return _image(figure, "svg")
