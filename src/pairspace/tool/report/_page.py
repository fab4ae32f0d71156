"""The page: one file that loads nothing from the network and escapes what comes from the data."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer

from pairspace._core.files import replacing
from pairspace._version import __version__
from pairspace.constraints import UNKNOWN, Constraints, encode_labels
from pairspace.constraints.summary import AnswerSummary
from pairspace.metrics import pair_distances
from pairspace.preprocessing import describe_recipe
from pairspace.tool.report import _figures as figures
from pairspace.tool.report._weights import feature_weights

N_VIOLATIONS = 50  # in the table
N_FEATURES = 10  # listed for each component
N_COMPONENTS = 10  # whose features are listed
N_DRAWN = 500  # pairs, if there are only labels


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
    color: Any = None,
) -> None:
    """Write a report on a fitted model and its data as one HTML file.

    Parameters
    ----------
    path : path
        The HTML file to write.
    model : estimator or pipeline
        Fitted.
    X : DataFrame or array of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,), default=None
        Classes; −1, None or NaN is unknown.
    constraints : Constraints, default=None
        The must-links and cannot-links.
    search : AutoReducer, default=None
        The search that chose the model; the report shows its leaderboard.
    ids : sequence, default=None
        The names of the rows; by default their numbers.
    title : str, default="data"
        The name of the data.
    notes : sequence of str, default=()
        Remarks on the data to show.
    color : array-like of shape (n_samples,), default=None
        What to colour the map by, instead of ``labels``; a pandas column has a name.
    """
    Z = np.asarray(model.transform(X))
    shown, drawn = _pairs_to_show(len(Z), labels, constraints)
    answers = None
    if constraints is not None:
        n_given = len(constraints.must_link) + len(constraints.cannot_link)
        answers = AnswerSummary(constraints, (), n_given, ids) if n_given else None
    page = _template().render(
        title=title,
        version=__version__,
        created=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        summary=None if search is None else search.summary_,
        color=None if color is None else getattr(color, "name", None) or "the given values",
        recipe=[
            line
            for _, step in getattr(model, "steps", [])
            if isinstance(step, ColumnTransformer)
            for line in describe_recipe(step)
        ],
        steps=[type(step).__name__ for _, step in getattr(model, "steps", [("", model)])],
        shape=(len(Z), X.shape[1], Z.shape[1]),
        notes=notes,
        labelled=_count_labels(labels),
        answers=None if answers is None else answers.lines(),
        board=_board(search),
        board_figure=figures.board_figure(search),
        space_figure=figures.space_figure(Z, shown, labels, color),
        pca_figure=figures.pca_figure(Z, X, model, shown, labels),
        spectrum_figure=figures.spectrum_figure(model),
        components=_components(model, X),
        pairs_drawn=drawn,
        violations=_violations(Z, shown, ids),
    )
    with replacing(path) as temporary:
        temporary.write_text(page, encoding="utf-8")


def _template() -> Any:
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError:
        raise ImportError("reports need Jinja: pip install 'pairspace[cli]'") from None
    text = files("pairspace.tool.report").joinpath("page.html").read_text(encoding="utf-8")
    return Environment(autoescape=True, undefined=StrictUndefined).from_string(text)


def _pairs_to_show(n: int, labels: Any, constraints: Constraints | None) -> tuple[Constraints, int]:
    """The given pairs; without them, some pairs drawn from the labels."""
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
    """The heaviest features of each component: name, weight, and length of its bar."""
    weights = feature_weights(model, X)
    if weights is None:
        return None
    found = []
    for component in range(min(len(weights.values), N_COMPONENTS)):
        heaviest = weights.heaviest(component, N_FEATURES)
        largest = max((abs(value) for _, value in heaviest), default=1.0)
        found.append([(name, value, abs(value) / largest) for name, value in heaviest])
    return found


def _violations(Z: Any, pairs: Constraints, ids: Sequence[Any] | None) -> dict[str, Any] | None:
    """The pairs that the space violates, farthest from the threshold first."""
    n_pairs = len(pairs.must_link) + len(pairs.cannot_link)
    if not n_pairs:
        return None
    distances = pair_distances(Z, pairs)
    rows: list[tuple[float, tuple[str, str], str, float]] = []
    for answer, links, found, violated in (
        ("same, but far apart", pairs.must_link, distances.must, distances.must_violated),
        ("different, but close", pairs.cannot_link, distances.cannot, distances.cannot_violated),
    ):
        for (i, j), distance in zip(links[violated].tolist(), found[violated], strict=True):
            names = (str(i), str(j)) if ids is None else (str(ids[i]), str(ids[j]))
            rows.append((-abs(float(distance) - distances.threshold), names, answer, distance))
    rows.sort()
    return {
        "rows": [row[1:] for row in rows[:N_VIOLATIONS]],
        "n": len(rows),
        "n_pairs": n_pairs,
        "threshold": distances.threshold,
    }
