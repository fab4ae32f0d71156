"""Reading of the data, pairs and labels of a command, with notes for the user."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pairspace.constraints import UNKNOWN, Constraints, encode_labels
from pairspace.tool.cli._options import DataOptions, TextOptions, check_impute, split_names
from pairspace.tool.cli._screen import note
from pairspace.tool.files import (
    CATEGORY,
    DATE,
    NUMBER,
    TEXT,
    Data,
    Selection,
    counted,
    named,
    read_data,
)

# Labels with so many classes for so many rows are no classes.
MIN_ROWS, OWN_CLASS = 20, 0.8


class LabelledData(NamedTuple):
    """Data with its labels and pairs."""

    data: Data
    labels: Any  # codes, −1 for unknown, or None
    constraints: Constraints

    def about(self) -> dict[str, Any]:
        """Entries for the description in a model file."""
        selection = self.data.selection
        return {
            "data": self.data.path.name,
            "id": selection.id,
            "labels": selection.labels,
            "text": self.data.of_kind(TEXT),
            "categories": self.data.of_kind(CATEGORY),
            "date_order": self.data.date_order,
            "must_links": len(self.constraints.must_link),
            "cannot_links": len(self.constraints.cannot_link),
            "labelled_rows": 0 if self.labels is None else int((self.labels != UNKNOWN).sum()),
        }


def read_labelled_data(path: Path, options: DataOptions, text: TextOptions) -> LabelledData:
    """Read the data, labels and pairs, and print notes on them."""
    check_impute(options.impute)
    if options.impute and options.drop_rows:
        raise ValueError("--impute and --drop-rows exclude each other: give one of them")
    selection = Selection(
        options.id,
        split_names(options.columns),
        options.labels,
        tuple(options.text or ()),
        split_names(options.categories),
        split_names(options.ignore),
    )
    data = read_data(
        path,
        selection,
        text_format=text.format(),
        drop_rows=options.drop_rows,
        allow_missing=options.impute is not None,
    )
    constraints = Constraints(len(data.rows))
    if options.pairs is not None:
        constraints = data.constraints(options.pairs)
    codes = None
    if options.labels is not None:
        codes = encode_labels(data.labels)
        _refuse_numbers_as_labels(options.labels, data.labels, codes)
    read = LabelledData(data, codes, constraints)
    _print_notes(read, options)
    return read


def _refuse_numbers_as_labels(name: str, labels: Any, codes: Any) -> None:
    """Raise an error if nearly every labelled row has a class of its own."""
    known = codes[codes != UNKNOWN]
    n_classes = len(np.unique(known))
    if len(known) < MIN_ROWS or n_classes < OWN_CLASS * len(known):
        return
    given = [value for value in labels if value is not None]
    if all(_is_number(value) for value in given):
        what = "is it a number? Bin it into classes first, for example low, middle and high"
    else:
        what = f"is it an id? Then give --id {name}"
    raise ValueError(
        f"--labels {name}: {n_classes:,} classes for {len(known):,} labelled rows: {what}"
    )


def _is_number(value: Any) -> bool:
    """Whether it is a number, also one like "$1,200" or "3.750,00 €"."""
    return (
        re.fullmatch(r"[^\w\s]?\s?[-+]?\d[\d.,' ]*(e[-+]?\d+)?\s?[^\w\s]?", str(value)) is not None
    )


def _print_notes(read: LabelledData, options: DataOptions) -> None:
    data, codes, constraints = read
    what = [
        counted(n, f"{kind} column")
        for kind, n in (
            ("numeric", len(data.of_kind(NUMBER))),
            ("date", len(data.of_kind(DATE))),
            ("categorical", len(data.of_kind(CATEGORY))),
        )
        if n
    ]
    texts = data.of_kind(TEXT)
    what += [f"the text column{'s' * (len(texts) > 1)} {named(texts)}"] * bool(texts)
    note(f"{data.path}: {counted(len(data.rows), 'row')}, {', '.join(what)}")
    for line in data.notes:
        note(line)
    if codes is not None:
        n_known = int((codes != UNKNOWN).sum())
        n_classes = len(set(codes[codes != UNKNOWN].tolist()))
        classes = f"{n_classes} class{'es' * (n_classes != 1)}"
        note(f"{options.labels}: {counted(n_known, 'labelled row')} of {classes}")
    if options.pairs is not None:
        must, cannot = len(constraints.must_link), len(constraints.cannot_link)
        note(f"{options.pairs}: {must:,} same, {cannot:,} different")
        found = len(constraints.contradictions())
        if found:
            note(
                f"{counted(found, 'answer')} contradict{'s' * (found == 1)} others; see: "
                f"pairspace check {options.pairs}"
            )
