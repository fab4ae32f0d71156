"""The choice of feature columns."""

from __future__ import annotations

import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairspace.tool.files._messages import counted, named

if TYPE_CHECKING:
    import pandas as pd

    from pairspace.tool.files._select import Data, Selection


def choose_features(data: Data) -> list[str]:
    """The columns to learn from; notes name the ignored ones."""
    selection, frame = data.selection, data.frame
    if selection.columns:
        chosen = _matching(list(frame.columns), selection, data.path)
        wrong = [name for name in chosen if not _is_numeric(frame[name])]
        if wrong:
            why = _why_not_numeric(frame[wrong[0]])
            raise ValueError(f"--columns {wrong[0]}: this column is not numeric ({why})")
    elif selection.text is not None:
        chosen = []
    else:
        others = [name for name in frame.columns if name not in selection.roles]
        chosen = [name for name in others if _is_numeric(frame[name])]
        _note_dropped(data, [name for name in others if name not in chosen])
        _note_likely_ids(data, chosen)
    empty = [name for name in chosen if frame[name].isna().all()]
    if empty:
        data.notes.append(f"ignored {counted(len(empty), 'column')} without values: {named(empty)}")
    chosen = [name for name in chosen if name not in empty]
    if selection.text is not None:
        chosen.append(selection.text)
    if not chosen:
        raise ValueError(
            f"{data.path} has no numeric columns to learn from: name a text column with --text, "
            "or encode categories as numbers first"
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
        data.notes.append(f"ignored {counted(len(dropped), 'non-numeric column')}: {named(why)}")


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
                f"the column {name} is used as a feature but looks like an id; "
                f"if it is one, give --id {name}"
            )
