"""The data and the answers that a command was given, read and told about."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from pairspace.constraints import UNKNOWN, Constraints, encode_labels
from pairspace.tool.cli._options import Knowledge, split_names
from pairspace.tool.cli._screen import note
from pairspace.tool.files import Data, Selection, counted, read_data


class Known(NamedTuple):
    """Data, and what is known about its rows."""

    data: Data
    labels: Any  # codes, −1 for unknown, or None
    constraints: Constraints

    def about(self) -> dict[str, Any]:
        """For the description in a model file."""
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


def read_known(path: Path, asked: Knowledge) -> Known:
    """Read both, and note what a person should know about it."""
    if asked.impute not in (None, "median"):
        raise ValueError(f"--impute {asked.impute}: only median is known")
    if asked.impute and asked.drop_rows:
        raise ValueError("give --impute or --drop-rows, not both")
    selection = Selection(asked.id, split_names(asked.columns), asked.labels, asked.text)
    data = read_data(
        path, selection, drop_rows=asked.drop_rows, allow_missing=asked.impute is not None
    )
    constraints = Constraints(len(data.rows))
    if asked.pairs is not None:
        constraints = data.constraints(asked.pairs)
    codes = None if asked.labels is None else encode_labels(data.labels)
    known = Known(data, codes, constraints)
    _tell(known, asked)
    return known


def _tell(known: Known, asked: Knowledge) -> None:
    data, codes, constraints = known
    features = [name for name in data.features if name != asked.text]
    what = " and ".join(
        [counted(len(features), "numeric column")] * bool(features)
        + [f"the words of {asked.text}"] * (asked.text is not None)
    )
    note(f"{data.path}: {counted(len(data.rows), 'row')}, {what}")
    for line in data.notes:
        note(line)
    if codes is not None:
        n_known = int((codes != UNKNOWN).sum())
        n_classes = len(set(codes[codes != UNKNOWN].tolist()))
        classes = f"{n_classes} class{'es' * (n_classes != 1)}"
        note(f"{asked.labels}: {counted(n_known, 'labelled row')} of {classes}")
    if asked.pairs is not None:
        must, cannot = len(constraints.must_link), len(constraints.cannot_link)
        note(f"{asked.pairs}: {must:,} same, {cannot:,} different")
        found = len(constraints.contradictions())
        if found:
            note(
                f"{counted(found, 'answer')} contradict{'s' * (found == 1)} others: "
                f"pairspace check {asked.pairs} shows which"
            )
