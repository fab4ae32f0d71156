"""The data of ``label``: features to learn from, items to show, and ids."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pairspace.constraints.tables import rows_of_ids
from pairspace.tool.cli._pipeline import PipelineSpec
from pairspace.tool.files import Data, Selection, counted, named, open_source, read_data


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
    embeddings: Path | None,
    impute: str | None,
) -> LabellingInput:
    """Read the data, and the features from it or from ``embeddings``."""
    if impute not in (None, "median"):
        raise ValueError(f"--impute must be median; got {impute}")
    filling = impute is not None
    if embeddings is None:
        data = read_data(path, Selection(id, columns, None, text), allow_missing=filling)
        frame, ids = data.frame, data.ids
    else:
        frame, ids = _read_items(path, id, text)
        shared = id if id in open_source(embeddings).columns else None
        data = read_data(embeddings, Selection(shared, columns), allow_missing=filling)
        data.frame = _in_order_of(data, frame, ids, path)
    preprocessing = PipelineSpec(impute=filling).preprocessing(data, data.X)
    X: Any = data.X
    for _, step in preprocessing:
        X = step.fit_transform(X)
    about = {"data": data.path.name, "id": id, "text": data.selection.text, "impute": filling}
    return LabellingInput(X, preprocessing, data.X, frame, ids, about, data.notes)


def _read_items(path: Path, id: str | None, text: str | None) -> tuple[Any, list[Any] | None]:
    source = open_source(path)
    roles = [name for name in (id, text) if name is not None]
    for name in roles:
        if name not in source.columns:
            raise ValueError(f"{path} has no column {name}; it has {named(source.columns)}")
    (frame,) = source.blocks(as_text=roles)
    return frame, None if id is None else frame[id].tolist()


def _in_order_of(data: Data, frame: Any, ids: list[Any] | None, path: Path) -> Any:
    """The rows of the embeddings in the order of the items, by id if both have ids."""
    if data.ids is None:
        if len(data.frame) != len(frame):
            raise ValueError(
                f"{data.path} has {counted(len(data.frame), 'row')}, but {path} has {len(frame):,}"
            )
        return data.frame
    row_of = rows_of_ids(data.ids)
    missing = [name for name in ids or () if str(name) not in row_of]
    if missing:
        raise ValueError(f"{data.path} has no row for {named([str(name) for name in missing])}")
    data.rows = np.arange(len(frame))
    return data.frame.iloc[[row_of[str(name)] for name in ids or ()]]
