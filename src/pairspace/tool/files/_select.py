"""Reading of a data file: which columns are features, ids, labels and text."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pairspace.constraints import Constraints
from pairspace.tool.files._columns import CATEGORY, NUMBER, TEXT, choose_features
from pairspace.tool.files._dialect import AS_SEEN, MISSING, TextFormat
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
        The feature columns; ``*`` matches any characters. If empty, all columns that are numbers,
        dates or categories, or only those of ``text`` and ``categories`` if there are texts.
    labels : str or None
        The column with the classes; empty is unknown.
    text : tuple of names
        Columns of texts to learn from.
    categories : tuple of names
        Columns of categories to learn from. If empty, text columns with few values.
    ignore : tuple of names
        Columns not to learn from.
    """

    id: str | None = None
    columns: tuple[str, ...] = ()
    labels: str | None = None
    text: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    @property
    def left_out(self) -> tuple[str, ...]:
        """The columns that are no features."""
        return tuple(name for name in (self.id, self.labels, *self.ignore) if name is not None)

    @property
    def roles(self) -> tuple[str, ...]:
        """The columns to read as text."""
        given = (self.id, self.labels, *self.text, *self.categories)
        return tuple(name for name in given if name is not None)


@dataclass
class Data:
    """Data from a file.

    Attributes
    ----------
    path : Path
        The file.
    frame : DataFrame
        All columns, all rows.
    kinds : dict
        The columns to learn from, and whether each is a number, date, category or text.
    rows : array
        The numbers of the rows to learn from, without the ignored ones.
    selection : Selection
        What the columns mean.
    notes : list of str
        Notes for the user, for example on ignored columns.
    date_order : dict
        For dates in text columns, the order of year, month and day.
    """

    path: Path
    frame: pd.DataFrame
    kinds: dict[str, str]
    rows: NDArray[np.int64]
    selection: Selection
    notes: list[str] = field(default_factory=list)
    date_order: dict[str, str] = field(default_factory=dict)

    @property
    def features(self) -> list[str]:
        """The columns to learn from."""
        return list(self.kinds)

    def of_kind(self, *kinds: str) -> list[str]:
        """The columns to learn from that are of these kinds."""
        return [name for name, kind in self.kinds.items() if kind in kinds]

    @property
    def X(self) -> pd.DataFrame:
        """The features of the rows to learn from: floats, dates and text."""
        return features_of(self.frame.iloc[self.rows], self.kinds).reset_index(drop=True)

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
    text_format: TextFormat = AS_SEEN,
    drop_rows: bool = False,
    allow_missing: bool = False,
    can_drop: bool = True,
) -> Data:
    """Read a data file.

    Parameters
    ----------
    path : path
        A .csv, .tsv, .txt, .parquet, .feather, .npy or .npz file; a text file may be compressed.
    selection : Selection
        What its columns mean.
    text_format : TextFormat
        How a csv or tsv file is written, where that can't be seen.
    drop_rows : bool
        Ignore rows with missing values.
    allow_missing : bool
        Keep missing values, which a later step imputes. Otherwise they are an error.
    can_drop : bool
        Whether the command has the option ``--drop-rows``, which the error then names.

    Returns
    -------
    Data
        The data.
    """
    source = open_source(path, text_format)
    _check_names(source, selection, path)
    (frame,) = source.blocks(as_text=selection.roles)
    if not len(frame):
        raise ValueError(f"{path} has no rows")
    data = Data(Path(path), frame, {}, np.arange(len(frame)), selection, [*source.notes])
    data.kinds = choose_features(data, source.convention)
    handle_missing(data, drop_rows, allow_missing, can_drop)
    return data


def features_of(frame: pd.DataFrame, kinds: Mapping[str, str]) -> pd.DataFrame:
    """The columns as estimators take them: floats, dates, and text with NaN where it is missing.

    Floats are float32 if all are, otherwise float64.
    """
    numbers = [name for name, kind in kinds.items() if kind == NUMBER]
    floats = "float32" if set(frame[numbers].dtypes) == {np.dtype("float32")} else "float64"
    features = frame[list(kinds)].astype(dict.fromkeys(numbers, floats))
    for name, kind in kinds.items():
        if kind in (CATEGORY, TEXT):
            features[name] = _as_text(frame[name])
    return features


def _as_text(column: pd.Series[Any]) -> pd.Series[Any]:
    """Cells as text, NaN where they are missing; 3.0 beside a missing number is the category 3."""
    if column.dtype.kind == "f" and (column.dropna() % 1 == 0).all():
        column = column.astype("Int64")
    missing = column.isna() | column.isin(MISSING)
    return column.astype(str).astype(object).where(~missing, np.nan)


def _check_names(source: Source, selection: Selection, path: Any) -> None:
    for names, option in (
        ((selection.id,), "--id"),
        ((selection.labels,), "--labels"),
        (selection.text, "--text"),
        (selection.categories, "--categories"),
        (selection.ignore, "--ignore"),
    ):
        for name in names:
            if name is not None and name not in source.columns:
                raise ValueError(
                    f"{option} {name}: {path} has no such column; it has {named(source.columns)}"
                )
