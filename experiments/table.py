"""What a table is: datasets × settings × repeats × folds × methods, and how a cell is measured."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import product
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from numpy.typing import NDArray

from experiments import tables
from experiments.protocols import load_numbers

if TYPE_CHECKING:
    from experiments.figures import Figures

Metrics = Mapping[str, Any]
Make = Callable[[int], Any]
# dataset → method → the number in the paper; None: not printed, or not to be read.
Printed = Mapping[str, Mapping[str, float | None]]


class Split(NamedTuple):
    """The data all methods share: one training part, one held-out part, one set of pairs.

    The seeds come from the name and from nothing else, so a cell is the same whenever, wherever
    and beside whatever others it runs. They leave out the setting: settings are compared on the
    same rows.
    """

    dataset: str
    setting: str
    repeat: int
    fold: int

    @property
    def row_seed(self) -> int:
        """For cutting the rows into folds: one for all folds of a repeat."""
        return zlib.crc32(f"{self.dataset}/{self.repeat}".encode())

    @property
    def pair_seed(self) -> int:
        """For what is drawn within a fold."""
        return zlib.crc32(f"{self.dataset}/{self.repeat}/{self.fold}".encode())


class Cell(NamedTuple):
    """One method on one split: what is run once and written as one line."""

    split: Split
    method: str


@dataclass(frozen=True, kw_only=True)
class Curves:
    """A picture: for every dataset a panel, for every method a line.

    Along the horizontal axis go settings, of one column, or columns; then every setting has
    panels of its own. ``x`` has the number of each.
    """

    y_label: str
    x_label: str
    x: Mapping[str, float]
    over: Literal["settings", "columns"]
    column: str = ""
    logarithmic: bool = False


class Claim(NamedTuple):
    """What a paper says of its figures, in our words, and whether ours say so, with the numbers."""

    text: str
    holds: Callable[[Figures], tuple[bool, str]]


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of a paper, declared.

    ``prepare(X, y, split, **setting)`` makes what the methods of a split share, and
    ``measure(prepared, make)`` measures one method, where ``make(n_components)`` is an unfitted
    estimator; it returns a small dict. ``summarise`` makes one figure for each column of the report
    out of the dicts of all repeats and folds.
    """

    name: str
    title: str
    datasets: Sequence[str]
    methods: Mapping[str, Make]
    prepare: Callable[..., Any]
    measure: Callable[[Any, Make], Metrics]
    summarise: Callable[[Sequence[Metrics]], Mapping[str, float]]
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: {"": {}})
    # Methods of other libraries, which run in an environment of their own: run --peers.
    peers: Mapping[str, Make] = field(default_factory=dict)
    repeats: int = 1
    folds: int = 1
    load: Callable[[str], tuple[NDArray[Any], NDArray[Any]]] = load_numbers
    # What --quick runs: data that needs no folder and no network.
    quick_datasets: Sequence[str] = ()
    quick_repeats: int = 1
    # For each setting and column that the paper has, its numbers.
    paper: Mapping[tuple[str, str], Printed] = field(default_factory=dict)
    # The largest mean |ours − paper| that is called a reproduction; None: not to be judged so.
    tolerance: float | None = 0.02
    # Whether that is asked of the mean over the datasets, where single ones are too noisy for it.
    judge_means: bool = False
    claims: Sequence[Claim] = ()
    curves: Sequence[Curves] = ()
    # Whether every figure is listed: not where there are too many to read.
    show_grids: bool = True
    # More to say about the figures, as Markdown.
    remarks: Callable[[Figures], Sequence[str]] | None = None
    # Whose results it shows, if not its own: another table with the same cells.
    results: str = ""
    # Whether it runs if no table is named: not if it needs what is not installed with the others.
    by_default: bool = True
    # The page it is on, and who writes its section if not the report of a paper's table.
    document: str = "reproduction/other"
    page: Callable[..., str] | None = None
    # Who draws its pictures, SVG by name, if not the report.
    pictures: Callable[[Table, Mapping[Cell, Any]], dict[str, str]] | None = None
    # Paragraphs for the report: how the protocol was read and what was scaled down.
    notes: Sequence[str] = ()
    # Why what does not reproduce does not, as far as it is known.
    why: str = ""

    @property
    def results_file(self) -> str:
        """The name of the file of its cells."""
        return f"{self.results or self.name}.jsonl"

    @property
    def all_methods(self) -> Mapping[str, Make]:
        """Ours and the peers'."""
        return {**self.methods, **self.peers}

    def cells(
        self, *, quick: bool = False, datasets: Sequence[str] | None = None, peers: bool = False
    ) -> list[Cell]:
        """All cells of our methods, or of the peers; those of a split together."""
        names = datasets or (self.quick_datasets if quick else self.datasets)
        repeats = min(self.quick_repeats, self.repeats) if quick else self.repeats
        return [
            Cell(Split(dataset, setting, repeat, fold), method)
            for dataset, setting, repeat, fold, method in product(
                names,
                self.settings,
                range(repeats),
                range(self.folds),
                self.peers if peers else self.methods,
            )
        ]


def printed(text: str) -> Printed:
    """A paper's table as text: a line of methods, then for each dataset its numbers (or "-")."""
    head, *lines = (line.split() for line in text.strip().splitlines())
    return {
        dataset: {
            method: None if number == "-" else float(number)
            for method, number in zip(head, numbers, strict=True)
        }
        for dataset, *numbers in lines
    }


def all_tables() -> list[Table]:
    """The table of every file in experiments/tables; of each paper the tables, then the figures."""
    names = [module.name for module in iter_modules(tables.__path__)]
    names.sort(key=lambda name: (name.split("_")[0], "figure" in name, name))
    return [import_module(f"experiments.tables.{name}").TABLE for name in names]
