"""Options of several commands."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pairspace.tool.files import TextFormat

FILES = "csv, tsv, parquet, feather, npy or npz"
IMPUTE = ("median",)

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
        "By default all numbers and dates, and text columns of few values.",
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore", metavar="NAMES", help="Columns not to learn from, separated by commas."
    ),
]
Categories = Annotated[
    list[str] | None,
    typer.Option(
        "--categories",
        metavar="NAMES",
        help="The columns to one-hot encode, separated by commas. "
        "By default text columns of 2 to 20 values.",
    ),
]
Labels = Annotated[
    str | None,
    typer.Option(
        "--labels", metavar="COLUMN", help="The column with the classes; empty or -1 is unknown."
    ),
]
Text = Annotated[
    list[str] | None,
    typer.Option(
        "--text",
        metavar="COLUMN",
        help="A column of texts to learn from (TF-IDF); may be given several times.",
    ),
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
Seed = Annotated[
    int, typer.Option("--seed", min=0, max=2**32 - 1, help="The seed of random numbers.")
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", help="The number of fits in parallel; -1 uses all processors."),
]
Sep = Annotated[
    str | None,
    typer.Option("--sep", metavar="CHAR", help="The separator of a text file: , ; | or tab."),
]
Encoding = Annotated[
    str | None, typer.Option("--encoding", metavar="NAME", help="The encoding of a text file.")
]
Decimal = Annotated[
    str | None, typer.Option("--decimal", metavar="CHAR", help="The decimal point: . or ,")
]
Thousands = Annotated[
    str | None, typer.Option("--thousands", metavar="CHAR", help="The separator of thousands.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing output file.")]


@dataclass(frozen=True)
class DataOptions:
    """What the columns of the data mean, and its pairs and labels."""

    pairs: Pairs = None
    labels: Labels = None
    id: Id = None
    columns: Columns = None
    ignore: Ignore = None
    categories: Categories = None
    text: Text = None
    impute: Impute = None
    drop_rows: DropRows = False


@dataclass(frozen=True)
class TextOptions:
    """How a csv or tsv file is written, where that can't be seen."""

    sep: Sep = None
    encoding: Encoding = None
    decimal: Decimal = None
    thousands: Thousands = None

    def format(self) -> TextFormat:
        """The options as files take them."""
        from pairspace.tool.files import TextFormat

        return TextFormat(self.sep, self.encoding, self.decimal, self.thousands)


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


def check_inputs(*paths: Path | None) -> None:
    """Raise an error before the work, and before one about the output, if an input is missing."""
    for path in paths:
        if path is not None and not path.exists():
            raise FileNotFoundError(f"{path} does not exist")


def check_impute(impute: str | None) -> None:
    """Raise an error if ``--impute`` names no way to replace missing values."""
    if impute not in (None, *IMPUTE):
        raise ValueError(f"--impute must be {' or '.join(IMPUTE)}; got {impute}")


def check_output(path: Path, force: bool, *others: Path | None) -> None:
    """Raise an error before the work if the output can't be written.

    It must not be one of the ``others``, which the command reads, or writes besides: with --force
    the data would be gone.
    """
    for other in others:
        if other is not None and path.resolve() == other.resolve():
            raise ValueError(
                f"{path} is also another file of this command, which would be lost: choose another "
                "name for the output"
            )
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
