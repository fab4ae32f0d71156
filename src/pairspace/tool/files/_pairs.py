"""Files of answers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pairspace.constraints import Constraints, ContradictionError
from pairspace.constraints.tables import Columns, pairs_of_columns, read_columns, row_numbers


def pair_table(path: str | os.PathLike[str], *, by_row: bool = False) -> Columns:
    """The columns a, b, same and optionally weight of a file of answers, as lists.

    If a file has both ids and row numbers, ``by_row`` selects the row numbers.
    """
    if not Path(path).exists():
        raise FileNotFoundError(f"{path} does not exist")
    return read_columns(path, by_row=by_row)


def read_pairs(
    path: str | os.PathLike[str], ids: Sequence[Any] | None, n_samples: int
) -> Constraints:
    """The pairs of a file, by ids or, without ids, by row numbers."""
    columns = pair_table(path, by_row=ids is None)
    if ids is None:
        refuse_names(path, columns)
    try:
        return Constraints(**pairs_of_columns(columns, ids, n_samples))
    except ContradictionError as error:
        raise ContradictionError(
            f"{path}: {error}; to list all contradictions: pairspace check {path}",
            error.contradiction,
        ) from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def refuse_names(path: str | os.PathLike[str], columns: Columns) -> None:
    """Raise an error if the pairs are by id; then the id column of the data is needed."""
    if not row_numbers(columns):
        raise ValueError(
            f"{path}: a and b are ids, not row numbers: name the column of the data with these "
            "ids, with --id COLUMN"
        )
