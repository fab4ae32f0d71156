"""The page of the study of groups: means, medians and worst cases, on both halves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.groups import PAIRS
from experiments.halves import CHOSEN_ON, REPORTED_ON
from experiments.report import markdown

if TYPE_CHECKING:
    from experiments.table import Cell, Table

HALVES = {"held-out": REPORTED_ON, "development": CHOSEN_ON}
OURS, RIVAL = "rows placed, chosen by doubt", "random labels, best of five classifiers"

Values = dict[str, dict[str, Mapping[str, float]]]  # method → dataset → metrics


def page(table: Table, records: Mapping[Cell, Any], pictures: Iterable[str] = ()) -> str:
    """The section of the study."""
    n_done = sum(cell in records for cell in table.cells())
    parts = [f"## {table.title}", *table.notes, f"{n_done:,} of {len(table.cells()):,} cells ran."]
    for setting in table.settings:
        values = _values(table, records, setting)
        for half, datasets in HALVES.items():
            ran = [name for name in datasets if name in values.get(OURS, {})]
            if ran:
                parts += [
                    f"### {setting[0].upper()}{setting[1:]}, {half} half, {len(ran)} datasets",
                    "Mean ARI (median) after so many answers:",
                    _means(values, ran),
                    *_against_rival(values, ran),
                ]
    right, *wrong = (_values(table, records, setting) for setting in table.settings)
    parts += ["### Wrong answers"]
    for setting, values in zip(list(table.settings)[1:], wrong, strict=True):
        parts += _kept(setting, right, values)
    parts += _calibration(right)
    parts += ["### By dataset, no answer wrong, ARI after 100", _by_dataset(right)]
    return "\n\n".join(parts) + "\n"


def _values(table: Table, records: Mapping[Cell, Any], setting: str) -> Values:
    found: Values = {method: {} for method in table.all_methods}
    for cell, record in records.items():
        if cell.split.setting == setting and cell.method in found and "metrics" in record:
            found[cell.method][cell.split.dataset] = record["metrics"]
    return {method: by_dataset for method, by_dataset in found.items() if by_dataset}


def _means(values: Values, datasets: list[str]) -> str:
    rows = [["", *map(str, PAIRS)]]
    for method, of in values.items():
        its = [name for name in datasets if name in of]
        row = [method if len(its) == len(datasets) else f"{method} ({len(its)} datasets)"]
        for n in PAIRS:
            numbers = [of[name].get(f"ari after {n}") for name in its]
            known = [number for number in numbers if number is not None]
            row.append(f"{np.mean(known):.3f} ({np.median(known):.3f})" if known else "")
        if any(row[1:]):
            rows.append(row)
    return markdown(rows)


def _against_rival(values: Values, datasets: list[str]) -> list[str]:
    if OURS not in values or RIVAL not in values:
        return []
    gains = {
        name: values[OURS][name]["ari after 100"] - values[RIVAL][name]["ari after 100"]
        for name in datasets
        if name in values[RIVAL]
    }
    best, worst = max(gains, key=gains.__getitem__), min(gains, key=gains.__getitem__)
    without = [gain for name, gain in gains.items() if name != best] or [gains[best]]
    numbers = list(gains.values())
    return [
        f"100 placed rows against 100 random labels with the best of five classifiers: mean "
        f"{np.mean(numbers):+.3f}, median {np.median(numbers):+.3f}, mean without the best dataset "
        f"({best}) {np.mean(without):+.3f}, worst dataset {worst} {gains[worst]:+.3f}."
    ]


def _kept(setting: str, right: Values, wrong: Values) -> list[str]:
    rows = [[f"{setting}, ARI after 100, share kept", *HALVES]]
    for method in right:
        shares = []
        for datasets in HALVES.values():
            common = [
                name for name in datasets if name in right[method] and name in wrong.get(method, {})
            ]
            if not common or "ari after 100" not in right[method][common[0]]:
                shares.append("")
                continue
            means = [
                np.mean([of[method][name]["ari after 100"] for name in common])
                for of in (wrong, right)
            ]
            shares.append(f"{means[0] / means[1]:.3f}")
        if any(shares) and not method.startswith("no answers"):
            rows.append([method, *shares])
    parts = [markdown(rows)] if len(rows) > 1 else []
    accuracy = [
        {name: of.get("right") for name, of in each.get(OURS, {}).items()}
        for each in (right, wrong)
    ]
    judged = [name for name in REPORTED_ON if all(each.get(name) is not None for each in accuracy)]
    if judged:
        before, after = (np.mean([each[name] for name in judged]) for each in accuracy)
        parts.append(
            f"Of rows without answers, held-out half, {before:.3f} are right after 100 placed "
            f"rows, and {after:.3f} with {setting}. The ARI also counts the wrong placements "
            "themselves."
        )
    return parts


def _calibration(values: Values) -> list[str]:
    names = ("confidence", "right", "share above .9", "right above .9")
    rows = [
        ["no answer wrong, after 100", *(f"{name}, {half}" for half in HALVES for name in names)]
    ]
    for method, of in values.items():
        row = [method]
        for datasets in HALVES.values():
            for name in names:
                numbers = [of[each][name] for each in datasets if each in of and name in of[each]]
                row.append(f"{np.mean(numbers):.3f}" if numbers else "")
        if any(row[1:]):
            rows.append(row)
    if len(rows) == 1:
        return []
    return [
        "### Are the probabilities honest?",
        "Of rows without answers: the mean of the largest probability, the share of rows that are "
        "right, the share of rows with a probability above .9, and how many of these are right; "
        "means over datasets.",
        markdown(rows),
    ]


def _by_dataset(values: Values) -> str:
    rows = [["", *values]]
    for datasets in HALVES.values():
        for name in datasets:
            if any(name in of for of in values.values()):
                rows.append(
                    [
                        name,
                        *(
                            f"{of[name]['ari after 100']:.3f}" if name in of else ""
                            for of in values.values()
                        ),
                    ]
                )
    return markdown(rows)
