"""Which columns of a file are features, ids, labels and text, and what is done with the rest."""

from __future__ import annotations

import fnmatch
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pairspace.constraints import Constraints
from pairspace.files._pairs import read_pairs
from pairspace.files._sources import Source, open_source

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 6  # names in a message


@dataclass(frozen=True)
class Selection:
    """What the columns of a file mean.

    Parameters
    ----------
    id : str or None
        The column with the names of the rows, which pairs refer to.
    columns : tuple of names
        The features; ``*`` stands for any characters. Empty: all numeric columns, or with
        ``text`` the text alone.
    labels : str or None
        The column with the classes; empty is unknown.
    text : str or None
        A column of text to make features of.
    """

    id: str | None = None
    columns: tuple[str, ...] = ()
    labels: str | None = None
    text: str | None = None

    @property
    def roles(self) -> tuple[str, ...]:
        """The columns that are not numbers."""
        return tuple(name for name in (self.id, self.labels, self.text) if name is not None)


@dataclass
class Data:
    """What was read from a file.

    Attributes
    ----------
    path : Path
    frame : DataFrame
        All columns, all rows.
    features : list of str
        The columns to learn from, the text last.
    rows : array
        The numbers of the rows to learn from: all, but for those left out.
    selection : Selection
    notes : list of str
        What a person should know about it: what was dropped, what looks odd.
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
            self.notes.append(f"{counted(lost, 'pair')} lost with the rows that were left out")
        return left

    def _every_id(self) -> list[Any] | None:
        return None if self.selection.id is None else self.frame[self.selection.id].tolist()


def read_data(
    path: str | os.PathLike[str],
    selection: Selection = Selection(),  # noqa: B008 (it is frozen)
    *,
    drop_rows: bool = False,
    allow_missing: bool = False,
) -> Data:
    """Read a file of data and say what was done with its columns.

    Parameters
    ----------
    path : path
        A .csv, .tsv, .parquet, .feather, .npy or .npz file.
    selection : Selection
        What its columns mean.
    drop_rows : bool
        Leave out rows with missing values.
    allow_missing : bool
        Leave missing values in, for somebody who will fill them. Otherwise they are an error.
    """
    source = open_source(path)
    _check_names(source, selection, path)
    (frame,) = source.blocks(as_text=selection.roles)
    data = Data(Path(path), frame, [], np.arange(len(frame)), selection)
    data.features = _features(data)
    if not len(frame):
        raise ValueError(f"{path} has column names and no rows")
    _handle_missing(data, drop_rows, allow_missing)
    return data


def features_of(frame: pd.DataFrame, names: list[str], text: str | None) -> pd.DataFrame:
    """Some columns as an estimator takes them: float32 if all are, or else float64; text."""
    numbers = frame[[name for name in names if name != text]]
    kinds = set(numbers.dtypes)
    numbers = numbers.astype("float32" if kinds == {np.dtype("float32")} else "float64")
    if text is not None:
        numbers = numbers.assign(**{text: frame[text].fillna("").astype(str)})
    return numbers.reset_index(drop=True)


def counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"


def named(names: list[str]) -> str:
    """Some names, and how many more there are."""
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


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


def _features(data: Data) -> list[str]:
    selection, frame = data.selection, data.frame
    if selection.columns:
        chosen = _matching(list(frame.columns), selection, data.path)
        wrong = [name for name in chosen if not _is_numeric(frame[name])]
        if wrong:
            why = _why_not_numeric(frame[wrong[0]])
            raise ValueError(f"--columns {wrong[0]}: this column is not numbers ({why})")
    elif selection.text is not None:
        chosen = []
    else:
        others = [name for name in frame.columns if name not in selection.roles]
        chosen = [name for name in others if _is_numeric(frame[name])]
        _note_dropped(data, [name for name in others if name not in chosen])
        _note_likely_ids(data, chosen)
    empty = [name for name in chosen if frame[name].isna().all()]
    if empty:
        data.notes.append(
            f"left out {counted(len(empty), 'column')} without values: {named(empty)}"
        )
    chosen = [name for name in chosen if name not in empty]
    if selection.text is not None:
        chosen.append(selection.text)
    if not chosen:
        raise ValueError(
            f"{data.path} has no numeric columns to learn from; "
            "name a column of text with --text, or turn categories into numbers first"
        )
    return chosen


def _matching(names: list[str], selection: Selection, path: Path) -> list[str]:
    chosen: list[str] = []
    for pattern in selection.columns:
        found = [name for name in names if name == pattern] or [
            name
            for name in names
            if fnmatch.fnmatchcase(name, pattern) and name not in selection.roles
        ]
        if not found:
            raise ValueError(
                f"--columns {pattern}: {path} has no such column; it has {named(names)}"
            )
        chosen += [name for name in found if name not in chosen]
    return chosen


def _is_numeric(column: pd.Series[Any]) -> bool:
    return column.dtype.kind in "fiub"


def _note_dropped(data: Data, dropped: list[str]) -> None:
    if dropped:
        why = [f"{name} ({_why_not_numeric(data.frame[name])})" for name in dropped]
        data.notes.append(
            f"left out {counted(len(dropped), 'column')} that "
            f"{'are' if len(dropped) > 1 else 'is'} not numbers: {named(why)}"
        )


def _why_not_numeric(column: pd.Series[Any]) -> str:
    import pandas as pd

    if column.dtype.kind == "M":
        return "dates"
    present = column.dropna()
    wrong = present[pd.to_numeric(present.astype(str), errors="coerce").isna()]
    if 0 < len(wrong) < len(present) / 2:
        return f"row {wrong.index[0]} has {str(wrong.iloc[0])!r}"
    return "text"


def _note_likely_ids(data: Data, chosen: list[str]) -> None:
    for name in chosen:
        column = data.frame[name]
        words = name.lower().replace("_", " ").replace("-", " ").split()
        if column.dtype.kind in "iu" and {"id", "index", "key"} & set(words) and column.is_unique:
            data.notes.append(
                f"the column {name} looks like the names of the rows, but counts as a feature: "
                f"if it is not one, give --id {name}"
            )


def _handle_missing(data: Data, drop_rows: bool, allow_missing: bool) -> None:
    numbers = [name for name in data.features if name != data.selection.text]
    values = data.frame[numbers].to_numpy(dtype=np.float64)
    infinite = np.isinf(values).sum(axis=0)
    if infinite.any():
        where = [f"{name} ({n:,})" for name, n in zip(numbers, infinite, strict=True) if n]
        raise ValueError(f"{data.path} has infinite values: {named(where)}; correct them first")
    missing = np.isnan(values)
    counts = missing.sum(axis=0)
    if not counts.any():
        return
    where = [f"{name} ({n:,})" for name, n in zip(numbers, counts, strict=True) if n]
    rows = int(missing.any(axis=1).sum())
    if drop_rows:
        data.rows = np.flatnonzero(~missing.any(axis=1))
        data.notes.append(f"left out {counted(rows, 'row')} with missing values: {named(where)}")
        if not len(data.rows):
            raise ValueError(f"{data.path}: every row has a missing value: {named(where)}")
    elif allow_missing:
        n = int(counts.sum())
        data.notes.append(f"{counted(n, 'missing value')} to fill in: {named(where)}")
    else:
        raise ValueError(
            f"{data.path} has missing values in {counted(len(where), 'column')}: {named(where)}; "
            f"fill them with --impute median, or leave out the {counted(rows, 'row')} "
            "with --drop-rows"
        )
