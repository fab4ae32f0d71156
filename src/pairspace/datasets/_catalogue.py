"""The catalogue of datasets, from ``catalogue.csv`` in the package."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple


class Entry(NamedTuple):
    """One dataset of the catalogue.

    Parameters
    ----------
    name : str
        The name for :func:`load`.
    n_samples : int
        The number of rows.
    n_features : int
        The number of columns.
    n_classes : int
        The number of classes.
    n_missing : int
        The number of missing values.
    papers : tuple of str
        The methods whose papers use the dataset.
    source : str
        Where the data comes from.
    licence : str
        The licence that the source states, or an empty string.
    deviation : str
        How the data differs from that of the papers, or an empty string.
    openml_id : int or None
        The number of the dataset on OpenML.
    """

    name: str
    n_samples: int
    n_features: int
    n_classes: int
    n_missing: int
    papers: tuple[str, ...]
    source: str
    licence: str
    deviation: str
    openml_id: int | None

    @property
    def description(self) -> str:
        """The text of ``DESCR``."""
        lines = [
            f"{self.name}: {self.n_samples:,} rows, {self.n_features:,} features, "
            f"{self.n_classes} classes, {self.n_missing or 'no'} missing values.",
            f"Source: {self.source}.",
            f"Licence: {self.licence or 'not stated by the source'}.",
        ]
        if self.papers:
            lines.append(f"Used in the papers on {', '.join(self.papers)}.")
        if self.deviation:
            lines.append(f"Difference from the paper: {self.deviation}.")
        return "\n".join(lines)


@cache
def catalogue() -> MappingProxyType[str, Entry]:
    """Describe all datasets that are known by name, available or not.

    Returns
    -------
    mapping of str to Entry
        The entries by name.

    Examples
    --------
    >>> from pairspace.datasets import catalogue
    >>> catalogue()["heart"].n_features
    13
    >>> [name for name, entry in catalogue().items() if "SSWMV" in entry.papers][:3]
    ['australian', 'climate', 'dermatology']
    """
    text = files("pairspace.datasets").joinpath("catalogue.csv").read_text(encoding="utf-8")
    entries = (
        Entry(
            name=row["name"],
            n_samples=int(row["n_samples"]),
            n_features=int(row["n_features"]),
            n_classes=int(row["n_classes"]),
            n_missing=int(row["n_missing"]),
            papers=tuple(row["papers"].split()),
            source=row["source"],
            licence=row["licence"],
            deviation=row["deviation"],
            openml_id=int(row["openml_id"]) if row["openml_id"] else None,
        )
        for row in csv.DictReader(text.splitlines())
    )
    return MappingProxyType({entry.name: entry for entry in entries})


def markdown_table() -> str:
    """The table of docs/results/datasets.md."""
    names = (
        "name",
        "n",
        "d",
        "classes",
        "missing",
        "papers",
        "source",
        "licence",
        "OpenML",
        "difference from the paper",
    )
    rows = [
        (
            f"`{entry.name}`",
            str(entry.n_samples),
            str(entry.n_features),
            str(entry.n_classes),
            str(entry.n_missing or "–"),
            ", ".join(entry.papers) or "–",
            entry.source,
            entry.licence or "not stated",
            str(entry.openml_id or "–"),
            entry.deviation or "–",
        )
        for entry in catalogue().values()
    ]
    lines = [names, ("---",) * len(names), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
