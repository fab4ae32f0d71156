"""Reading of a data file: which columns are features, ids, labels and text."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pairspace.constraints import Constraints
from pairspace.tool.files._columns import choose_features
from pairspace.tool.files._messages import counted, named
from pairspace.tool.files._missing import handle_missing
from pairspace.tool.files._pairs import read_pairs
from pairspace.tool.files._sources import Source, open_source

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Selection:
    """What the columns of a file mean.

    Parameters
    ----------
    id : str or None
        The column with the ids that pairs refer to.
    columns : tuple of names
        The feature columns; ``*`` matches any characters. If empty, all numeric columns, or only
        the text column if there is one.
    labels : str or None
        The column with the classes; empty is unknown.
    text : str or None
        A text column to learn from.
    """

    id: str | None = None
    columns: tuple[str, ...] = ()
    labels: str | None = None
    text: str | None = None

    @property
    def roles(self) -> tuple[str, ...]:
        """The columns to read as text."""
        return tuple(name for name in (self.id, self.labels, self.text) if name is not None)


@dataclass
class Data:
    """Data from a file.

    Attributes
    ----------
    path : Path
        The file.
    frame : DataFrame
        All columns, all rows.
    features : list of str
        The columns to learn from, the text last.
    rows : array
        The numbers of the rows to learn from, without the ignored ones.
    selection : Selection
        What the columns mean.
    notes : list of str
        Notes for the user, for example on ignored columns.
    """

    path: Path
    frame: pd.DataFrame
    features: list[str]
    rows: NDArray[np.int64]
    selection: Selection
    notes: list[str] = field(default_factory=list)

    @property
    def X(self) -> pd.DataFrame:
        """The features of the rows to learn from: floats, and text."""
        return features_of(self.frame.iloc[self.rows], self.features, self.selection.text)

    @property
    def ids(self) -> list[Any] | None:
        """The ids of the rows to learn from, or None."""
        every = self._every_id()
        return None if every is None else [every[row] for row in self.rows]

    @property
    def labels(self) -> list[Any] | None:
        """The labels of the rows to learn from, None for unknown ones."""
        if self.selection.labels is None:
            return None
        column = self.frame[self.selection.labels].iloc[self.rows]
        known = column.notna() & (column.astype(str).str.strip() != "")
        return [value if ok else None for value, ok in zip(column.tolist(), known, strict=True)]

    def constraints(self, path: str | os.PathLike[str]) -> Constraints:
        """The pairs in a file about these rows, by id or by their number in the file."""
        pairs = read_pairs(path, self._every_id(), len(self.frame))
        left = pairs[self.rows]
        lost = sum(
            len(getattr(pairs, kind)) - len(getattr(left, kind))
            for kind in ("must_link", "cannot_link")
        )
        if lost:
            self.notes.append(f"ignored {counted(lost, 'pair')} with an ignored row")
        return left

    def _every_id(self) -> list[Any] | None:
        return None if self.selection.id is None else self.frame[self.selection.id].tolist()


def read_data(
    path: str | os.PathLike[str],
    selection: Selection = Selection(),
    *,
    drop_rows: bool = False,
    allow_missing: bool = False,
) -> Data:
    """Read a data file.

    Parameters
    ----------
    path : path
        A .csv, .tsv, .parquet, .feather, .npy or .npz file.
    selection : Selection
        What its columns mean.
    drop_rows : bool
        Ignore rows with missing values.
    allow_missing : bool
        Keep missing values, which a later step imputes. Otherwise they are an error.

    Returns
    -------
    Data
        The data.
    """
    source = open_source(path)
    _check_names(source, selection, path)
    (frame,) = source.blocks(as_text=selection.roles)
    if not len(frame):
        raise ValueError(f"{path} has no rows")
    data = Data(Path(path), frame, [], np.arange(len(frame)), selection)
    data.features = choose_features(data)
    handle_missing(data, drop_rows, allow_missing)
    return data


def features_of(frame: pd.DataFrame, names: list[str], text: str | None) -> pd.DataFrame:
    """The columns as estimators take them: float32 if all are, otherwise float64; and text."""
    numbers = frame[[name for name in names if name != text]]
    kinds = set(numbers.dtypes)
    numbers = numbers.astype("float32" if kinds == {np.dtype("float32")} else "float64")
    if text is not None:
        numbers = numbers.assign(**{text: frame[text].fillna("").astype(str)})
    return numbers.reset_index(drop=True)


def _check_names(source: Source, selection: Selection, path: Any) -> None:
    for name, option in (
        (selection.id, "--id"),
        (selection.labels, "--labels"),
        (selection.text, "--text"),
    ):
        if name is not None and name not in source.columns:
            raise ValueError(
                f"{option} {name}: {path} has no such column; it has {named(source.columns)}"
            )
