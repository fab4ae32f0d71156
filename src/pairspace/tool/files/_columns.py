"""The choice of feature columns, and what each is: number, date, category or text."""

from __future__ import annotations

import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pairspace.preprocessing import is_categorical, is_date, is_number
from pairspace.tool.files._cells import Convention, date_order, to_dates, to_numbers
from pairspace.tool.files._messages import counted, named

if TYPE_CHECKING:
    import pandas as pd

    from pairspace.tool.files._select import Data, Selection

NUMBER, DATE, CATEGORY, TEXT = "number", "date", "category", "text"
PLAIN_TEXT = "text"  # a remark


class NoFeaturesError(ValueError):
    """None of the columns can be learned from."""


class Column(NamedTuple):
    """A column as features are made of it, or the reason why not."""

    kind: str  # empty if it can't be used
    values: pd.Series[Any]
    remark: str = ""


def choose_features(data: Data, convention: Convention) -> dict[str, str]:
    """The kinds of the columns to learn from, in order; notes name the encoded and ignored ones.

    The columns of ``data.frame`` become numbers and dates where they are these.
    """
    selection, frame = data.selection, data.frame
    found = {
        name: _as_feature(frame[name], name, selection, convention) for name in _candidates(data)
    }
    unusable = [name for name, column in found.items() if not column.kind]
    if selection.columns and unusable:
        name = unusable[0]
        raise ValueError(
            f"--columns {name}: this column can't be used as it is ({found[name].remark}); to "
            f"learn from its words, give --text {name}; to encode its values, --categories {name}"
        )
    used = {name: column for name, column in found.items() if column.kind}
    for name, column in used.items():
        data.frame[name] = column.values
        if column.kind == DATE and column.remark:
            data.date_order[name] = column.remark
    _note_kinds(data, used)
    if unusable:
        why = [f"{name} ({found[name].remark})" for name in unusable]
        texts = any(found[name].remark == PLAIN_TEXT for name in unusable)
        data.notes.append(
            f"ignored {counted(len(unusable), 'column')}: {named(why)}"
            + "; to learn from the words of a column, give --text NAME" * texts
        )
    _note_likely_ids(data, [name for name in used if used[name].kind == NUMBER])
    empty = [name for name in used if frame[name].isna().all()]
    if empty:
        data.notes.append(f"ignored {counted(len(empty), 'column')} without values: {named(empty)}")
    kinds = {name: column.kind for name, column in used.items() if name not in empty}
    if not kinds:
        raise NoFeaturesError(
            f"{data.path} has no columns to learn from: name a column of texts with --text, or of "
            "categories with --categories"
        )
    return kinds


def _candidates(data: Data) -> list[str]:
    """The columns to look at; the texts are last."""
    selection, names = data.selection, list(data.frame.columns)
    others = [name for name in names if name not in selection.left_out]
    if selection.columns:
        chosen = _matching(others, selection, data.path)
    elif selection.text:
        chosen = []
    else:
        chosen = others
    encoded = [*selection.categories, *selection.text]
    plain = [name for name in chosen if name not in encoded]
    return [*plain, *encoded]


def _matching(names: list[str], selection: Selection, path: Path) -> list[str]:
    chosen: list[str] = []
    for pattern in selection.columns:
        found = [name for name in names if name == pattern] or [
            name for name in names if fnmatch.fnmatchcase(name, pattern)
        ]
        if not found:
            raise ValueError(
                f"--columns {pattern}: {path} has no such column; it has {named(names)}"
            )
        chosen += [name for name in found if name not in chosen]
    return chosen


def _as_feature(
    column: pd.Series[Any], name: str, selection: Selection, convention: Convention
) -> Column:
    if name in selection.text:
        return Column(TEXT, column)
    if name in selection.categories:
        return Column(CATEGORY, column)
    if is_number(column):
        return Column(NUMBER, column)
    if is_date(column):
        return Column(DATE, column)
    numbers = to_numbers(column, convention)
    if column.notna().any() and numbers.notna().eq(column.notna()).all():
        return Column(NUMBER, numbers, f"'{column.dropna().iloc[0]}'")
    order = date_order(column)
    if order:
        return Column(DATE, to_dates(column, order), order)
    # Text columns that are not named are no categories if others are.
    if not selection.categories and is_categorical(column):
        return Column(CATEGORY, column)
    return Column("", column, _why_not(column, numbers, order))


def _why_not(column: pd.Series[Any], numbers: pd.Series[Any], order: str | None) -> str:
    if order == "":
        return "dates whose day and month can't be told apart: write them as YYYY-MM-DD"
    present = column.dropna()
    if not len(present):
        return "no values"
    wrong = present[numbers[present.index].isna()]
    example = f"row {wrong.index[0]} has {str(wrong.iloc[0])!r}"
    for decimal, other in ((",", "."), (".", ",")):
        as_numbers = to_numbers(present, Convention(decimal, other))
        if as_numbers.notna().all():
            return f"{example}: give --decimal {decimal} or --thousands {decimal}"
    if len(wrong) < len(present) / 2:
        return example
    if present.nunique() == 1:
        return "one value"
    if len(present) < len(column) / 2:
        return f"{1 - len(present) / len(column):.0%} missing"
    return PLAIN_TEXT


def _note_kinds(data: Data, used: dict[str, Column]) -> None:
    as_numbers = [
        f"{name} ({column.remark})"
        for name, column in used.items()
        if column.kind == NUMBER and column.remark
    ]
    if as_numbers:
        data.notes.append(f"read as numbers: {named(as_numbers)}")
    dates = [
        f"{name} ({column.remark})" if column.remark else name
        for name, column in used.items()
        if column.kind == DATE
    ]
    if dates:
        data.notes.append(f"dates as days since 1970: {named(dates)}")
    categories = [
        f"{name} ({column.values.nunique()} values)"
        for name, column in used.items()
        if column.kind == CATEGORY
    ]
    if categories:
        how = "" if data.selection.categories else "; to leave one out, give --ignore NAME"
        data.notes.append(f"one-hot encoded: {named(categories)}{how}")


def _note_likely_ids(data: Data, chosen: list[str]) -> None:
    for name in chosen:
        column = data.frame[name]
        words = name.lower().replace("_", " ").replace("-", " ").split()
        if column.dtype.kind in "iu" and {"id", "index", "key"} & set(words) and column.is_unique:
            data.notes.append(
                f"the column {name} is used as a feature but looks like an id; "
                f"if it is one, give --id {name}"
            )
