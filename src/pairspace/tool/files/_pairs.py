"""Answers in files, for data in files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pairspace.constraints import Constraints, ContradictionError
from pairspace.constraints.tables import Columns, pairs_of_columns, read_columns, row_numbers


def pair_table(path: str | os.PathLike[str], *, by_row: bool = False) -> Columns:
    """The columns a, b, same and, if there, weight of a file of answers, as lists.

    A file that knows both the names and the numbers of the rows gives the numbers if ``by_row``.
    """
    if not Path(path).exists():
        raise FileNotFoundError(f"{path}: there is no such file")
    return read_columns(path, by_row=by_row)


def read_pairs(
    path: str | os.PathLike[str], ids: Sequence[Any] | None, n_samples: int
) -> Constraints:
    """The pairs of a file, by ids or by row numbers where there are none."""
    columns = pair_table(path, by_row=ids is None)
    if ids is None:
        refuse_names(path, columns)
    try:
        return Constraints(**pairs_of_columns(columns, ids, n_samples))
    except ContradictionError as error:
        raise ContradictionError(
            f"{path}: {error}; pairspace check {path} shows all such pairs", error.contradiction
        ) from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def refuse_names(path: str | os.PathLike[str], columns: Columns) -> None:
    """Names of rows mean nothing without the column they stand in."""
    if not row_numbers(columns):
        raise ValueError(
            f"{path}: a and b are names of rows, not row numbers: "
            "say which column of the data has these names, with --id COLUMN"
        )
