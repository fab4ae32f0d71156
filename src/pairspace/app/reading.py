"""From the files of the command line to what a page needs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pairspace.files import Data, Selection, read_data


@dataclass
class Work:
    """What is learned from, what is looked at, and what a person should know about it."""

    X: Any
    frame: Any
    ids: list[Any] | None
    notes: list[str]


def read_work(
    path: Path,
    *,
    id: str | None,
    text: str | None,
    columns: tuple[str, ...],
    embeddings: Path | None,
    impute: str | None,
) -> Work:
    """Read the data, and the features from it or from a file of their own."""
    if impute not in (None, "median"):
        raise ValueError(f"--impute {impute}: missing values can be filled with the median")
    if embeddings is None:
        data = read_data(
            path,
            Selection(id=id, columns=columns, text=text),
            allow_missing=impute is not None,
        )
        return Work(data.X, data.frame, data.ids, data.notes)
    raise NotImplementedError
