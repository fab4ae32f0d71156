"""Missing and infinite values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pairspace.tool.files._columns import DATE, NUMBER
from pairspace.tool.files._messages import counted, named

if TYPE_CHECKING:
    from pairspace.tool.files._select import Data


def handle_missing(data: Data, drop_rows: bool, allow_missing: bool, can_drop: bool = True) -> None:
    """Drop rows with missing values, or note them, or raise an error that names the columns."""
    numbers = data.of_kind(NUMBER)
    infinite = np.isinf(data.frame[numbers].to_numpy(dtype=np.float64)).sum(axis=0)
    if infinite.any():
        where = [f"{name} ({n:,})" for name, n in zip(numbers, infinite, strict=True) if n]
        raise ValueError(f"{data.path} has infinite values: {named(where)}; correct them first")
    # A missing category or text is one more value.
    numbers = data.of_kind(NUMBER, DATE)
    missing = data.frame[numbers].isna().to_numpy()
    counts = missing.sum(axis=0)
    if not counts.any():
        return
    where = [f"{name} ({n:,})" for name, n in zip(numbers, counts, strict=True) if n]
    rows = int(missing.any(axis=1).sum())
    if drop_rows:
        data.rows = np.flatnonzero(~missing.any(axis=1))
        data.notes.append(f"ignored {counted(rows, 'row')} with missing values: {named(where)}")
        if not len(data.rows):
            raise ValueError(f"{data.path}: every row has a missing value: {named(where)}")
    elif allow_missing:
        n = int(counts.sum())
        data.notes.append(f"{counted(n, 'missing value')} to impute: {named(where)}")
    else:
        dropping = f", or ignore the {counted(rows, 'row')} with --drop-rows" * can_drop
        raise ValueError(
            f"{data.path} has missing values in {counted(len(where), 'column')}: {named(where)}; "
            f"impute them with --impute median{dropping}"
        )
