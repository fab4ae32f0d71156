"""The page of the study of groups: means, medians and worst cases, on both halves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.groups import PAIRS
from experiments.halves import CHOSEN_ON, REPORTED_ON
from experiments.pictures import COLOURS, drawing
from experiments.report import folded, markdown, measured

if TYPE_CHECKING:
    from experiments.table import Cell, Table

HALVES = {"held-out": REPORTED_ON, "development": CHOSEN_ON}
OURS, RIVAL = "rows placed, chosen by doubt", "random labels, best of five classifiers"
DRAWN = (
    OURS,
    "pairs, chosen by doubt",
    "random labels, PairClusters",
    RIVAL,
    "random labels, LabelSpreading",
    "pairs, chosen by COBRAS",
    "random pairs, PairClusters",
    "no answers, k-means, standardised",
)

Values = dict[str, dict[str, Mapping[str, float]]]  # method → dataset → metrics


def page(table: Table, records: Mapping[Cell, Any], pictures: Iterable[str] = ()) -> str:
    """The section of the study: what was found, its picture, the tables, and how."""
    right, *wrong = (_values(table, records, setting) for setting in table.settings)
    reported = [name for name in REPORTED_ON if name in right.get(OURS, {})]
    parts = [f"## {table.title}", *_against_rival(right, reported)]
    parts += [f"![Mean ARI by the number of answers, held-out half]({path})" for path in pictures]
    for setting, values in zip(table.settings, (right, *wrong), strict=True):
        for half, datasets in HALVES.items():
            ran = [name for name in datasets if name in values.get(OURS, {})]
            if ran:
                title = f"{setting[0].upper()}{setting[1:]}, {half} half, {len(ran)} datasets"
                shown = ["Mean ARI (median) after so many answers:", _means(values, ran)]
                first = setting == next(iter(table.settings)) and half == "held-out"
                parts += [f"### {title}", *shown] if first else [folded(title, *shown)]
    parts += ["### Wrong answers"]
    for setting, values in zip(list(table.settings)[1:], wrong, strict=True):
        parts += _kept(setting, right, values)
    parts += _calibration(right)
    parts += [
        "### Single datasets",
        folded("ARI after 100 answers, no answer wrong", _by_dataset(right)),
        *measured(table, records),
    ]
    return "\n\n".join(parts) + "\n"


def pictures(table: Table, records: Mapping[Cell, Any]) -> dict[str, str]:
    """Mean ARI on the held-out half by the number of answers, without wrong ones."""
    values = _values(table, records, next(iter(table.settings)))
    datasets = [name for name in REPORTED_ON if name in values.get(OURS, {})]
    if not datasets:
        return {}
    made: list[str] = []
    with drawing("groups_study", made, figsize=(7.6, 3.6)) as canvas:
        axis = canvas.subplots()
        for method, colour in zip(DRAWN, COLOURS, strict=False):
            of = values.get(method, {})
            points = [
                (n, np.mean([of[name][f"ari after {n}"] for name in datasets]))
                for n in PAIRS
                if all(f"ari after {n}" in of.get(name, {}) for name in datasets)
            ]
            if points:
                axis.plot(*zip(*points, strict=True), color=colour, marker="o", label=method)
        axis.set_xticks(PAIRS)
        axis.set_xlabel("answers")
        axis.set_ylabel(f"mean ARI, {len(datasets)} held-out datasets")
        axis.set_ylim(bottom=0)
        # Beside the lines: no corner is free of them.
        axis.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.02, 0.5))
    return {"groups_study": made[0]}


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
    if not gains:
        return []
    best, worst = max(gains, key=gains.__getitem__), min(gains, key=gains.__getitem__)
    without = [gain for name, gain in gains.items() if name != best] or [gains[best]]
    numbers = list(gains.values())
    ours, rival = (
        [values[method][name]["ari after 100"] for name in gains] for method in (OURS, RIVAL)
    )
    return [
        f"100 placed rows give a mean ARI of {np.mean(ours):.3f} (median {np.median(ours):.3f}) on "
        f"the held-out half, 100 random labels with the best of five classifiers "
        f"{np.mean(rival):.3f} ({np.median(rival):.3f}). The difference:",
        markdown(
            [
                ["mean", "median", "mean without the best dataset", "worst dataset"],
                [
                    f"{np.mean(numbers):+.3f}",
                    f"{np.median(numbers):+.3f}",
                    f"{np.mean(without):+.3f} ({best})",
                    f"{worst} {gains[worst]:+.3f}",
                ],
            ]
        ),
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
        "### How far the probabilities can be trusted",
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
