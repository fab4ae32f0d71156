"""Reading of the data, pairs and labels of a command, with notes for the user."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from pairspace.constraints import UNKNOWN, Constraints, encode_labels
from pairspace.tool.cli._options import DataOptions, split_names
from pairspace.tool.cli._screen import note
from pairspace.tool.files import Data, Selection, counted, read_data


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
            "text": selection.text,
            "must_links": len(self.constraints.must_link),
            "cannot_links": len(self.constraints.cannot_link),
            "labelled_rows": 0 if self.labels is None else int((self.labels != UNKNOWN).sum()),
        }


def read_labelled_data(path: Path, options: DataOptions) -> LabelledData:
    """Read the data, labels and pairs, and print notes on them."""
    if options.impute not in (None, "median"):
        raise ValueError(f"--impute must be median; got {options.impute}")
    if options.impute and options.drop_rows:
        raise ValueError("--impute and --drop-rows exclude each other: give one of them")
    selection = Selection(options.id, split_names(options.columns), options.labels, options.text)
    data = read_data(
        path, selection, drop_rows=options.drop_rows, allow_missing=options.impute is not None
    )
    constraints = Constraints(len(data.rows))
    if options.pairs is not None:
        constraints = data.constraints(options.pairs)
    codes = None if options.labels is None else encode_labels(data.labels)
    read = LabelledData(data, codes, constraints)
    _print_notes(read, options)
    return read


def _print_notes(read: LabelledData, options: DataOptions) -> None:
    data, codes, constraints = read
    features = [name for name in data.features if name != options.text]
    what = " and ".join(
        [counted(len(features), "numeric column")] * bool(features)
        + [f"the text column {options.text}"] * (options.text is not None)
    )
    note(f"{data.path}: {counted(len(data.rows), 'row')}, {what}")
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
