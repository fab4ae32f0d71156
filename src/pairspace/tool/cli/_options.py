"""Options that several commands have, said once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

FILES = "csv, tsv, parquet, feather, npy or npz"

DataFile = Annotated[Path, typer.Argument(metavar="DATA", help=f"A {FILES} file.")]
ModelFile = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model file that pairspace fit wrote.")
]
Id = Annotated[
    str | None,
    typer.Option("--id", metavar="COLUMN", help="The names of the rows, which pairs refer to."),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="NAMES",
        help="The features, separated by commas; * stands for any letters. "
        "By default all numeric columns.",
    ),
]
Labels = Annotated[
    str | None,
    typer.Option("--labels", metavar="COLUMN", help="The classes; empty or -1 is unknown."),
]
Text = Annotated[
    str | None,
    typer.Option("--text", metavar="COLUMN", help="Learn from the words of this column (TF-IDF)."),
]
Pairs = Annotated[
    Path | None,
    typer.Option(
        "--pairs",
        metavar="FILE",
        help="Answers: a csv, jsonl or parquet file with the columns a, b (ids, or row numbers "
        "from 0), same (yes/no) and, if wanted, weight; or the answers of pairspace label.",
    ),
]
Impute = Annotated[
    str | None, typer.Option("--impute", metavar="median", help="Fill in missing values.")
]
DropRows = Annotated[bool, typer.Option("--drop-rows", help="Leave out rows with missing values.")]
Components = Annotated[
    str,
    typer.Option("--components", "-k", metavar="K|auto", help="How many components to keep."),
]
Scale = Annotated[
    bool, typer.Option("--scale/--no-scale", help="Standardise the numeric columns first.")
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="For whatever is drawn at random.")]
Jobs = Annotated[int | None, typer.Option("--jobs", help="Fits at a time; -1: one a processor.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the output.")]


@dataclass(frozen=True)
class Knowledge:
    """What the columns of the data mean, and what is known about its rows."""

    pairs: Pairs = None
    labels: Labels = None
    id: Id = None
    columns: Columns = None
    text: Text = None
    impute: Impute = None
    drop_rows: DropRows = False


@dataclass(frozen=True)
class Learning:
    """How a space is learned."""

    components: Components = "2"
    scale: Scale = True
    seed: Seed = 0
    jobs: Jobs = None


def split_names(given: list[str] | None) -> tuple[str, ...]:
    """The names in ``--columns a,b --columns c``."""
    return tuple(name.strip() for part in given or () for name in part.split(",") if name.strip())


def check_output(path: Path, force: bool) -> None:
    """Say at once, not after the work, that the result could not be written."""
    if path.exists() and not force:
        raise FileExistsError(f"{path} exists: add --force to overwrite it, or choose another name")
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: give the name of a file in it")
    if not path.resolve().parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {path.parent}: make it first")


def read_components(text: str) -> int | str:
    """The number in ``--components``, or "auto"."""
    if text == "auto":
        return text
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"--components {text}: give a whole number from 1, or auto")
    return int(text)
