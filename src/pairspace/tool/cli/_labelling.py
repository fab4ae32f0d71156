"""The data of ``label``: features to learn from, items to show, and ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pairspace.constraints.tables import find_row, rows_of_ids
from pairspace.tool.cli._options import check_impute
from pairspace.tool.cli._pipeline import PipelineSpec
from pairspace.tool.files import (
    AS_SEEN,
    CATEGORY,
    TEXT,
    Data,
    NoFeaturesError,
    Selection,
    TextFormat,
    counted,
    named,
    open_source,
    read_data,
)

N_TOPICS = 100


@dataclass
class LabellingInput:
    """Rows to ask about.

    Attributes
    ----------
    X : array
        The features after preprocessing.
    preprocessing : list of (name, transformer)
        The preprocessing of ``features``.
    features : DataFrame
        The features before preprocessing.
    frame : DataFrame
        The columns to show.
    ids : list or None
        The ids of the rows.
    about : dict
        Entries for the description in a model file.
    notes : list of str
        Notes for the user.
    """

    X: Any
    preprocessing: list[tuple[str, Any]]
    features: Any
    frame: Any
    ids: list[Any] | None
    about: dict[str, Any]
    notes: list[str]


def read_labelling_input(
    path: Path,
    *,
    id: str | None,
    text: str | None,
    columns: tuple[str, ...],
    categories: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
    embeddings: Path | None,
    impute: str | None,
    image: str | None = None,
    text_format: TextFormat = AS_SEEN,
) -> LabellingInput:
    """Read the data, and the features from it or from ``embeddings``."""
    check_impute(impute)
    filling = impute is not None
    words = () if text is None else (text,)
    if embeddings is None:
        selection = Selection(id, columns, None, words, categories, ignore)
        data = _read_features(path, selection, text_format, filling, image)
        frame, ids = data.frame, data.ids
    else:
        frame, ids, notes = _read_items(path, id, text, text_format)
        shared = id if id in open_source(embeddings).columns else None
        selection = Selection(shared, columns, None, (), categories, ignore)
        data = read_data(embeddings, selection, allow_missing=filling, can_drop=False)
        data.notes[:0] = notes
        data.frame = _in_order_of(data, frame, ids, path)
    if len(data.frame) < 2:
        raise ValueError(f"{data.path} has only one row: there is nothing to compare it with")
    # The page standardises all columns itself.
    preprocessing = PipelineSpec(impute=filling, scale=False).preprocessing(data, data.X)
    X: Any = data.X
    for _, step in preprocessing:
        X = step.fit_transform(X)
    if data.of_kind(TEXT):
        # A new space has to be ready before the next answers: not one of thousands of words.
        topics = _topics(*X.shape)
        X = topics.fit_transform(X)
        preprocessing.append(("topics", topics))
    about = {
        "data": data.path.name,
        "id": id,
        "text": data.of_kind(TEXT),
        "categories": data.of_kind(CATEGORY),
        "date_order": data.date_order,
        "impute": filling,
    }
    return LabellingInput(X, preprocessing, data.X, frame, ids, about, data.notes)


def _read_features(
    path: Path,
    selection: Selection,
    text_format: TextFormat,
    filling: bool,
    image: str | None,
) -> Data:
    try:
        return read_data(
            path, selection, text_format=text_format, allow_missing=filling, can_drop=False
        )
    except NoFeaturesError as error:
        if image is None:
            raise
        raise ValueError(
            f"{path} has no columns to learn from beside the pictures: give a file of numbers for "
            "each of them, such as pixels or the output of a neural network, with --embeddings"
        ) from error


def _topics(n_rows: int, n_words: int) -> Any:
    from sklearn.decomposition import TruncatedSVD

    n_topics = min(N_TOPICS, n_words - 1, n_rows - 1)
    if n_topics < 1:
        raise ValueError(f"the text has too few different words to learn from: {n_words}")
    return TruncatedSVD(n_topics, random_state=0)


def _read_items(
    path: Path, id: str | None, text: str | None, text_format: TextFormat
) -> tuple[Any, list[Any] | None, Sequence[str]]:
    source = open_source(path, text_format)
    roles = [name for name in (id, text) if name is not None]
    for name in roles:
        if name not in source.columns:
            raise ValueError(f"{path} has no column {name}; it has {named(source.columns)}")
    (frame,) = source.blocks(as_text=roles)
    return frame, None if id is None else frame[id].tolist(), source.notes


def _in_order_of(data: Data, frame: Any, ids: list[Any] | None, path: Path) -> Any:
    """The rows of the embeddings in the order of the items, by id if both have ids."""
    if data.ids is None:
        if len(data.frame) != len(frame):
            raise ValueError(
                f"{data.path} has {counted(len(data.frame), 'row')}, but {path} has {len(frame):,}"
            )
        return data.frame
    row_of = rows_of_ids(data.ids)
    rows = {name: find_row(row_of, name) for name in ids or ()}
    missing = [name for name, row in rows.items() if row is None]
    if missing:
        raise ValueError(f"{data.path} has no row for {named([str(name) for name in missing])}")
    data.rows = np.arange(len(frame))
    return data.frame.iloc[[row for row in rows.values() if row is not None]]
