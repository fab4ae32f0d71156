"""The page of the study of the labelling page: means, medians and worst cases, on both halves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.halves import CHOSEN_ON, REPORTED_ON
from experiments.labelling import MARKS
from experiments.report import markdown

if TYPE_CHECKING:
    from experiments.table import Cell, Table

HALVES = {"held-out": REPORTED_ON, "development": CHOSEN_ON}
LAST = f"ari after {MARKS[-1]} s"

Values = dict[str, dict[str, Mapping[str, float]]]  # method → dataset → metrics


def page(table: Table, records: Mapping[Cell, Any], pictures: Iterable[str] = ()) -> str:
    """The section of the study."""
    n_done = sum(cell in records for cell in table.cells())
    parts = [f"## {table.title}", *table.notes, f"{n_done:,} of {len(table.cells()):,} cells ran."]
    by_setting = {setting: _values(table, records, setting) for setting in table.settings}
    for setting, values in by_setting.items():
        for half, datasets in HALVES.items():
            common = [d for d in datasets if values and all(d in of for of in values.values())]
            if common:
                title = f"### {setting[0].upper()}{setting[1:]}, {half} half"
                parts += [f"{title}, {len(common)} datasets", _means(values, common)]
    parts += _kept(by_setting)
    parts += _honest(by_setting)
    return "\n\n".join(parts) + "\n"


def _values(table: Table, records: Mapping[Cell, Any], setting: str) -> Values:
    found: Values = {method: {} for method in table.methods}
    for cell, record in records.items():
        if cell.split.setting == setting and cell.method in found and "metrics" in record:
            found[cell.method][cell.split.dataset] = record["metrics"]
    return {method: by_dataset for method, by_dataset in found.items() if by_dataset}


def _means(values: Values, datasets: list[str]) -> str:
    heads = [f"{mark} s" for mark in MARKS]
    rows = [["mean ARI (median)", *heads, f"worst dataset at {MARKS[-1]} s"]]
    for method, of in values.items():
        row = [method]
        for mark in MARKS:
            found = [of[name][f"ari after {mark} s"] for name in datasets]
            row.append(f"{np.mean(found):.3f} ({np.median(found):.3f})")
        worst = min(datasets, key=lambda name: of[name][LAST])
        rows.append([*row, f"{worst} {of[worst][LAST]:.3f}"])
    return markdown(rows)


def _kept(by_setting: Mapping[str, Values]) -> list[str]:
    """The share of the ARI that is left with wrong answers."""
    right, *others = by_setting
    rows = [[f"share of the ARI after {MARKS[-1]} s that is kept", *others]]
    for method, of in by_setting[right].items():
        row = [method]
        for setting in others:
            wrong = by_setting[setting].get(method, {})
            common = [name for name in of if name in wrong]
            before, after = (sum(each[name][LAST] for name in common) for each in (of, wrong))
            row.append(f"{after / before:.3f} ({len(common)} datasets)" if common else "")
        if any(row[1:]):
            rows.append(row)
    return ["### Wrong answers", markdown(rows)] if len(rows) > 1 else []


def _honest(by_setting: Mapping[str, Values]) -> list[str]:
    """What the page says about its groups, beside what is true."""
    names = ("right by test questions", "right", "share sure", "right if sure")
    rows = [["", *names]]
    for setting, values in by_setting.items():
        for method, of in values.items():
            cells = [each for each in of.values() if "right" in each]
            if cells:
                means = [f"{np.mean([each[name] for each in cells]):.3f}" for name in names]
                rows.append([f"{method}, {setting}", *means])
    if len(rows) == 1:
        return []
    text = (
        "Means over all datasets that ran, at the end. *Sure*: a confidence of .8 or more. "
        "Test questions judge the groups as they were when each was asked, so they lag behind."
    )
    return ["### What the page says, and what is true", text, markdown(rows)]
