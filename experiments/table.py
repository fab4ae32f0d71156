"""A table: datasets × settings × repeats × folds × methods, and how a cell is measured."""

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
# dataset → method → the number in the paper; None: not printed, or illegible.
Printed = Mapping[str, Mapping[str, float | None]]


class Split(NamedTuple):
    """The data all methods share: one training part, one held-out part, one set of pairs.

    The seeds depend only on the names of dataset, repeat and fold, so a cell has the same result
    in every run. They do not depend on the setting: settings are compared on the same rows.
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
        """For random draws within a fold."""
        return zlib.crc32(f"{self.dataset}/{self.repeat}/{self.fold}".encode())


class Cell(NamedTuple):
    """One method on one split: one line of the results file."""

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
    """A claim of a paper in our words, and a check that returns a verdict with numbers."""

    text: str
    holds: Callable[[Figures], tuple[bool, str]]


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of a paper, declared.

    ``prepare(X, y, split, **setting)`` runs once for each split. ``measure(prepared, make)`` runs
    one method on it and returns a small dict; ``make(n_components)`` is an unfitted estimator.
    ``summarise`` turns the dicts of all repeats and folds into one number for each column.
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
    # The datasets of --quick, which need no folder and no network.
    quick_datasets: Sequence[str] = ()
    quick_repeats: int = 1
    # The numbers of the paper, by setting and column.
    paper: Mapping[tuple[str, str], Printed] = field(default_factory=dict)
    # The largest mean |ours − paper| that counts as a reproduction; None: no such verdict.
    tolerance: float | None = 0.02
    # Whether it applies to the means over the datasets, because single datasets are too noisy.
    judge_means: bool = False
    claims: Sequence[Claim] = ()
    curves: Sequence[Curves] = ()
    # Whether every number is listed.
    show_grids: bool = True
    # Additional paragraphs about the numbers, as Markdown.
    remarks: Callable[[Figures], Sequence[str]] | None = None
    # The table whose cells it shows, if it has none of its own.
    results: str = ""
    # Whether it runs if no table is named on the command line.
    by_default: bool = True
    # Its page, and the function that writes its section (by default report.page).
    document: str = "papers/other"
    page: Callable[..., str] | None = None
    # The function that draws its pictures as SVG by name (by default pictures.pictures).
    pictures: Callable[[Table, Mapping[Cell, Any]], dict[str, str]] | None = None
    # Paragraphs that begin the section of a study: what it found.
    answer: Sequence[str] = ()
    # Paragraphs for the report: how the protocol was interpreted and what was scaled down.
    notes: Sequence[str] = ()
    # Known reasons for differences from the paper.
    why: str = ""

    @property
    def results_file(self) -> str:
        """The name of the file of its cells."""
        return f"{self.results or self.name}.jsonl"

    @property
    def all_methods(self) -> Mapping[str, Make]:
        """Our methods and the peers."""
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
