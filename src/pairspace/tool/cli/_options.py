"""Options of several commands."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

FILES = "csv, tsv, parquet, feather, npy or npz"

DataFile = Annotated[Path, typer.Argument(metavar="DATA", help=f"A {FILES} file.")]
ModelFile = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model file written by pairspace fit.")
]
Id = Annotated[
    str | None,
    typer.Option("--id", metavar="COLUMN", help="The column with the ids that pairs refer to."),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="NAMES",
        help="The feature columns, separated by commas; * matches any characters. "
        "By default all numeric columns.",
    ),
]
Labels = Annotated[
    str | None,
    typer.Option(
        "--labels", metavar="COLUMN", help="The column with the classes; empty or -1 is unknown."
    ),
]
Text = Annotated[
    str | None,
    typer.Option("--text", metavar="COLUMN", help="A text column to learn from (TF-IDF)."),
]
Pairs = Annotated[
    Path | None,
    typer.Option(
        "--pairs",
        metavar="FILE",
        help="Answers: a csv, jsonl or parquet file with the columns a, b (ids, or row numbers "
        "from 0), same (yes/no) and optionally weight; or a file from pairspace label.",
    ),
]
Impute = Annotated[
    str | None, typer.Option("--impute", metavar="median", help="Replace missing values.")
]
DropRows = Annotated[bool, typer.Option("--drop-rows", help="Ignore rows with missing values.")]
Components = Annotated[
    str,
    typer.Option("--components", "-k", metavar="K|auto", help="The number of components."),
]
Scale = Annotated[bool, typer.Option("--scale/--no-scale", help="Standardise the numeric columns.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="The seed of random numbers.")]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", help="The number of fits in parallel; -1 uses all processors."),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing output file.")]


@dataclass(frozen=True)
class DataOptions:
    """What the columns of the data mean, and its pairs and labels."""

    pairs: Pairs = None
    labels: Labels = None
    id: Id = None
    columns: Columns = None
    text: Text = None
    impute: Impute = None
    drop_rows: DropRows = False


@dataclass(frozen=True)
class FitOptions:
    """How to fit."""

    components: Components = "2"
    scale: Scale = True
    seed: Seed = 0
    jobs: Jobs = None


def split_names(given: list[str] | None) -> tuple[str, ...]:
    """The names in ``--columns a,b --columns c``."""
    return tuple(name.strip() for part in given or () for name in part.split(",") if name.strip())


def check_output(path: Path, force: bool) -> None:
    """Raise an error before the work if the output can't be written."""
    if path.exists() and not force:
        raise FileExistsError(f"{path} exists: add --force to overwrite it, or choose another name")
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: name a file in it")
    if not path.resolve().parent.is_dir():
        raise FileNotFoundError(f"{path}: the folder {path.parent} does not exist; create it first")


def read_components(text: str) -> int | str:
    """The number in ``--components``, or "auto"."""
    if text == "auto":
        return text
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"--components must be a positive integer or auto; got {text}")
    return int(text)
