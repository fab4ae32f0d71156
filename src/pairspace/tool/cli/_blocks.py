"""Transformation of a file block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pairspace.tool.files import (
    DATE,
    NUMBER,
    TEXT,
    Source,
    date_order,
    features_of,
    named,
    to_dates,
    to_numbers,
)

if TYPE_CHECKING:
    import pandas as pd

    from pairspace.persistence import ModelInfo


def matching_columns(info: ModelInfo, source: Source, path: Path) -> list[str]:
    """The columns that the model was fitted on; an error if the data lacks one."""
    if info.features is not None:
        missing = [name for name in info.features if name not in source.columns]
        if missing:
            others = [name for name in source.columns if name not in info.features]
            raise ValueError(
                f"{path} lacks columns of the training data: {named(missing)}"
                + f"; its other columns are {named(others)}" * bool(others)
            )
        return info.features
    if info.n_features is not None and len(source.columns) != info.n_features:
        raise ValueError(
            f"{path} has {len(source.columns)} columns, but the model was fitted on "
            f"{info.n_features} columns without names"
        )
    return source.columns


def id_column(asked: str | None, info: ModelInfo, source: Source, path: Path) -> str | None:
    """The column to copy: the one asked for, or that of the training data."""
    if asked is None:
        usual = info.about.get("id")
        return usual if usual in source.columns else None
    if asked not in source.columns:
        raise ValueError(f"--id {asked}: {path} has no such column; it has {named(source.columns)}")
    return asked


class BlockTransformer:
    """Transform the blocks of a file with a model.

    Parameters
    ----------
    model : estimator
        The fitted model.
    info : ModelInfo
        Its description.
    columns : list of str
        The features, in the model's order.
    id : str or None
        A column to copy.
    drop_rows : bool
        Whether rows with missing values are ignored; otherwise they are an error.
    path : Path
        The data file, for messages.
    """

    def __init__(
        self,
        model: Any,
        info: ModelInfo,
        columns: list[str],
        id: str | None,
        drop_rows: bool,
        path: Path,
    ) -> None:
        self._model, self._columns, self._id, self._path = model, columns, id, path
        of_others = (info.training or {}).get("kinds", {})
        self._kinds = {name: of_others.get(name, NUMBER) for name in columns}
        self._date_order = info.about.get("date_order", {})
        self._named = info.features is not None
        self._drop_rows = drop_rows
        self._imputes = any(step["type"] == "SimpleImputer" for step in info.steps) or bool(
            info.about.get("impute")
        )
        self._imputes |= any("SimpleImputer" in str(step["params"]) for step in info.steps)
        self.n_dropped = 0
        self.width = 0

    def blocks(
        self, source: Source, size: int, advance: Callable[[int], None]
    ) -> Iterator[pd.DataFrame]:
        """Frames of coordinates; ``advance`` gets the number of rows of each block."""
        texts = [name for name, kind in self._kinds.items() if kind == TEXT]
        texts += [self._id] if self._id is not None else []
        wanted = list(dict.fromkeys([*self._columns, *texts]))
        start = 0
        for block in source.blocks(size, wanted, as_text=texts):
            block = block.set_axis(range(start, start + len(block)))
            start += len(block)
            embedded = self._transform(block, source)
            advance(len(block))
            if len(embedded):
                yield embedded

    def _transform(self, block: pd.DataFrame, source: Source) -> pd.DataFrame:
        import pandas as pd

        for name, kind in self._kinds.items():
            self._read(block, name, kind, source)
        X = features_of(block, self._kinds)
        X = self._without_missing(X)
        if not len(X):
            return pd.DataFrame()
        Z = np.asarray(self._model.transform(X if self._named else X.to_numpy()))
        self.width = Z.shape[1]
        embedded = pd.DataFrame(Z, columns=[f"component_{k + 1}" for k in range(self.width)])
        if self._id is not None:
            embedded.insert(0, self._id, block.loc[X.index, self._id].to_numpy())
        elif self._drop_rows:
            embedded.insert(0, "row", X.index.to_numpy())
        return embedded

    def _read(self, block: pd.DataFrame, name: str, kind: str, source: Source) -> None:
        """Make the cells of a column numbers or dates, as in the training data."""
        column = block[name]
        if kind == TEXT or column.dtype.kind in ("fiub" if kind == NUMBER else "M"):
            return
        if kind == NUMBER:
            read, what = to_numbers(column, source.convention), "numeric"
        else:
            order = self._date_order.get(name) or date_order(column) or "year first"
            read, what = to_dates(column, order), f"dates, {order}"
        wrong = column[read.isna() & column.notna()]
        if len(wrong):
            raise ValueError(
                f"{self._path}: the column {name} must be {what}, as in the training data; "
                f"row {wrong.index[0]} has {str(wrong.iloc[0])!r}"
            )
        block[name] = read

    def _without_missing(self, X: pd.DataFrame) -> pd.DataFrame:
        numbers = X[[name for name, kind in self._kinds.items() if kind == NUMBER]]
        infinite = np.isinf(numbers.to_numpy())
        if infinite.any():
            row, column = np.argwhere(infinite)[0]
            raise ValueError(
                f"{self._path}: the column {numbers.columns[column]} is infinite in row "
                f"{X.index[row]}: correct it first"
            )
        numbers = X[[name for name, kind in self._kinds.items() if kind in (NUMBER, DATE)]]
        missing: NDArray[np.bool_] = numbers.isna().to_numpy()
        if self._imputes or not missing.any():
            return X
        if not self._drop_rows:
            row, column = np.argwhere(missing)[0]
            raise ValueError(
                f"{self._path}: the column {numbers.columns[column]} is missing in row "
                f"{X.index[row]}: ignore such rows with --drop-rows, or fit the model with "
                "--impute median"
            )
        kept = np.flatnonzero(~missing.any(axis=1))
        self.n_dropped += len(X) - len(kept)
        return X.iloc[kept]
