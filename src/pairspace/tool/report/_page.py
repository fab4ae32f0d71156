"""The page: one file that loads nothing from the network and escapes what comes from the data."""

from __future__ import annotations

import base64
import hashlib
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
from pairspace.tool.report._baselines import Score, baselines
from pairspace.tool.report._layout import LEAST_ROWS, laid_out
from pairspace.tool.report._map import Column, Shown, map_data
from pairspace.tool.report._pairs import violations
from pairspace.tool.report._records import records_of
from pairspace.tool.report._weights import feature_weights

N_FEATURES = 10  # listed for each component
N_COMPONENTS = 10  # whose features are listed
N_DRAWN = 500  # pairs, if there are only labels
N_OPEN = 6  # violated pairs that are shown without a click
SCRIPTS = ("map_data.js", "map_draw.js", "map.js")


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
    records: Any = None,
    text: str | None = None,
    images: Sequence[Any] | None = None,
    layout: bool = False,
    scores: Sequence[Score] | None = None,
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
        What to colour the map by at first, instead of ``labels``; a pandas column has a name.
    records : DataFrame, default=None
        What to show of each row: one row for each row of X. By default X, or only the pictures if
        there are ``images``.
    text : str, default=None
        The column of ``records`` with the texts that the rows are.
    images : sequence of arrays or Pillow images, default=None
        The picture of each row, of shape (height, width) or (height, width, 3); None if it is
        missing. Arrays that are not bytes are scaled from their smallest to their largest value.
    layout : bool, default=False
        Add a curved layout (t-SNE) of the space to the map, with its pair AUC on held-out answers.
        It takes about a minute for 3,000 rows.
    scores : sequence of Score, default=None
        What ``baselines`` found for the search; by default they are computed.

    Notes
    -----
    The file loads nothing from the network, and its only script is the map's. Without JavaScript
    the map is a still picture. Of many rows the map has a sample, so that its data has 5 MB at
    most; thumbnails take some 3 MB more.
    """
    Z = np.asarray(model.transform(X))
    known = records_of(X, records, ids, text, images)
    shown, drawn = _pairs_to_show(len(Z), labels, constraints)
    n_shown = len(shown.must_link) + len(shown.cannot_link)
    distances = pair_distances(Z, shown) if n_shown else None
    violated = None if distances is None else violations(shown, distances, known)
    answers = None
    if constraints is not None:
        n_given = len(constraints.must_link) + len(constraints.cannot_link)
        answers = AnswerSummary(constraints, (), n_given, ids) if n_given else None
    name = type(getattr(model, "steps", [("", model)])[-1][1]).__name__
    plain = figures.pca_of(Z, X, model)
    spaces = {name: Shown(Z)}
    if plain is not None:
        note = "PCA of the same columns, which learns nothing from answers."
        spaces["PCA"] = Shown(plain, note, "PCA")
    if layout and Z.shape[1] > 1 and len(Z) >= LEAST_ROWS:
        spaces[f"{name}, curved layout"] = laid_out(model, X, Z, labels, constraints)
    data, rows = map_data(
        spaces,
        shown,
        distances,
        known,
        _colours(labels, color),
        [] if violated is None else violated.rows,
    )
    style, script = _read("style.css"), "".join(["{\n", *map(_read, SCRIPTS), "}\n"])
    page = _template().render(
        style=_trusted(style),
        script=_trusted(script),
        map_data=_trusted(data),
        policy=_policy(style, script),
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
        baselines=baselines(search, model, X, labels, constraints) if scores is None else scores,
        sampled=len(rows) if len(rows) < len(Z) else 0,
        shown_fields=len(known.fields),
        n_fields=0 if known.frame is None else known.frame.shape[1],
        space_figure=figures.space_figure(Z, shown, labels, color),
        pca_figure=figures.pca_figure(Z, plain, name, shown, labels, color),
        spectrum_figure=figures.spectrum_figure(model),
        components=_components(model, X),
        pairs_drawn=drawn,
        violations=violated,
        places={row: at for at, row in enumerate(rows.tolist())},
        n_open=N_OPEN,
    )
    with replacing(path) as temporary:
        temporary.write_text(page, encoding="utf-8")


def _read(name: str) -> str:
    return files("pairspace.tool.report").joinpath(name).read_text(encoding="utf-8")


def _trusted(text: str) -> Any:
    """Text that is not escaped: our own, or data that is escaped already."""
    from markupsafe import Markup

    return Markup(text)


def _policy(style: str, script: str) -> str:
    """What the browser allows: our style sheet, our script, and pictures inside the file."""
    style_hash, script_hash = (
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for text in (style, script)
    )
    return (
        f"default-src 'none'; img-src data:; style-src 'sha256-{style_hash}'; "
        f"script-src 'sha256-{script_hash}'; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _colours(labels: Any, color: Any) -> list[Column]:
    """What to colour the map by, besides the fields of the records."""
    found = []
    if color is not None:
        found.append(Column(str(getattr(color, "name", None) or "given values"), color))
    if labels is not None:
        codes = encode_labels(labels)
        values = [None if c == UNKNOWN else v for v, c in zip(labels, codes, strict=True)]
        found.append(Column("class", values))
    return found


def _template() -> Any:
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError:
        raise ImportError("reports need Jinja: pip install 'pairspace[cli]'") from None
    return Environment(autoescape=True, undefined=StrictUndefined).from_string(_read("page.html"))


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
