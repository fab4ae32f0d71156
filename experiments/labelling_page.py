"""The page of the study of the labelling page: means, medians and worst cases, on both halves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.halves import CHOSEN_ON, REPORTED_ON
from experiments.labelling import GRIDS, MARKS
from experiments.pictures import COLOURS, drawing
from experiments.report import markdown, measured

if TYPE_CHECKING:
    from experiments.table import Cell, Table

HALVES = {"held-out": REPORTED_ON, "development": CHOSEN_ON}
LAST = f"ari after {MARKS[-1]} s"
FIRST = "mixed"
MARGIN = 0.01

Values = dict[str, dict[str, Mapping[str, float]]]  # method → dataset → metrics


def page(table: Table, records: Mapping[Cell, Any], pictures: Iterable[str] = ()) -> str:
    """The section of the study: what was found, its picture, the tables, and how."""
    by_setting = {setting: _values(table, records, setting) for setting in table.settings}
    parts = [f"## {table.title}", *_answer(by_setting), *_against_board(by_setting)]
    parts += [f"![Mean ARI by seconds, held-out half]({path})" for path in pictures]
    for setting, values in by_setting.items():
        for half, datasets in HALVES.items():
            for methods, common in _alike(values, datasets):
                title = f"### {setting[0].upper()}{setting[1:]}, {half} half"
                parts += [f"{title}, {len(common)} datasets", _means(values, methods, common)]
    parts += _sensitivity(by_setting)
    # Shares are of the same rows.
    parts += _kept({s: of for s, of in by_setting.items() if "most_rows" not in table.settings[s]})
    parts += _honest(by_setting)
    return "\n\n".join([*parts, *measured(table, records)]) + "\n"


def pictures(table: Table, records: Mapping[Cell, Any]) -> dict[str, str]:
    """Mean ARI on the held-out half by seconds, a panel without and one with wrong answers."""
    made: list[str] = []
    drawn = {
        setting: (values, *found)
        for setting in table.settings
        for values in [_values(table, records, setting)]
        if (found := _drawn(values)) is not None
    }
    if not drawn:
        return {}
    size = (2.0 + 3.2 * len(drawn), 3.4)
    colours = dict(zip(table.all_methods, COLOURS, strict=False))  # the same in each panel
    lines: dict[str, Any] = {}
    with drawing("labelling_study", made, figsize=size) as canvas:
        axes = canvas.subplots(1, len(drawn), sharey=True, squeeze=False)[0]
        for axis, (setting, (values, methods, datasets)) in zip(axes, drawn.items(), strict=True):
            for method in methods:
                means = [
                    np.mean([values[method][name][f"ari after {mark} s"] for name in datasets])
                    for mark in MARKS
                ]
                (lines[method],) = axis.plot(MARKS, means, marker="o", color=colours[method])
            axis.set_title(f"{setting}, {len(datasets)} datasets", fontsize=9)
            axis.set_xticks(MARKS)
            axis.set_xlabel("seconds of a person")
        axes[0].set_ylabel("mean ARI, held-out half")
        axes[0].set_ylim(bottom=0)
        # Beside the lines: no corner is free of them.
        axes[-1].legend(
            [lines[name] for name in colours if name in lines],
            [name for name in colours if name in lines],
            fontsize=8,
            loc="center left",
            bbox_to_anchor=(1.02, 0.5),
        )
    return {"labelling_study": made[0]}


def _drawn(values: Values) -> tuple[list[str], list[str]] | None:
    """The methods that ran on the most datasets of the held-out half, with these."""
    alike = _alike(values, REPORTED_ON)
    return max(alike, key=lambda found: len(found[1])) if alike else None


def _alike(values: Values, datasets: Iterable[str]) -> list[tuple[list[str], list[str]]]:
    """Methods that ran on the same datasets, with these; "mixed" stands beside all of them."""
    found: dict[tuple[str, ...], list[str]] = {}
    for method, of in values.items():
        common = tuple(name for name in datasets if name in of and name in values[FIRST])
        if common:
            found.setdefault(common, []).append(method)
    return [
        (methods if FIRST in methods else [FIRST, *methods], list(common))
        for common, methods in found.items()
    ]


def _values(table: Table, records: Mapping[Cell, Any], setting: str) -> Values:
    found: Values = {method: {} for method in table.all_methods}
    for cell, record in records.items():
        if cell.split.setting == setting and cell.method in found and "metrics" in record:
            found[cell.method][cell.split.dataset] = record["metrics"]
    return {method: by_dataset for method, by_dataset in found.items() if by_dataset}


def _means(values: Values, methods: list[str], datasets: list[str]) -> str:
    heads = [f"{mark} s" for mark in MARKS]
    rows = [["mean ARI (median)", *heads, f"worst dataset at {MARKS[-1]} s"]]
    for method in methods:
        of, row = values[method], [method]
        for mark in MARKS:
            found = [of[name][f"ari after {mark} s"] for name in datasets]
            row.append(f"{np.mean(found):.3f} ({np.median(found):.3f})")
        worst = min(datasets, key=lambda name: of[name][LAST])
        rows.append([*row, f"{worst} {of[worst][LAST]:.3f}"])
    return markdown(rows)


def _answer(by_setting: Mapping[str, Values]) -> list[str]:
    """What was found, in a sentence."""
    found = []
    for setting, values in by_setting.items():
        of = [values[FIRST][name][LAST] for name in REPORTED_ON if name in values.get(FIRST, {})]
        if of:
            found.append(f"{np.mean(of):.3f} (median {np.median(of):.3f}) with {setting}")
    if not found:
        return []
    return [f"Mean ARI after {MARKS[-1]} s of mixed questions, held-out half: {', '.join(found)}."]


def _against_board(by_setting: Mapping[str, Values]) -> list[str]:
    """How far "mixed" is above the board alone, dataset by dataset, on the held-out half."""
    heads = ["mean", "median", "worst dataset", f"datasets more than {MARGIN} below"]
    rows = [[f"mixed − board, ARI after {MARKS[-1]} s", *heads]]
    for setting, values in by_setting.items():
        mixed, board = values.get(FIRST, {}), values.get("board", {})
        gain = {
            name: mixed[name][LAST] - board[name][LAST]
            for name in REPORTED_ON
            if name in mixed and name in board
        }
        if gain:
            worst = min(gain, key=lambda name: gain[name])
            below = sum(each < -MARGIN for each in gain.values())
            found = list(gain.values())
            rows.append(
                [
                    setting,
                    f"{np.mean(found):+.3f}",
                    f"{np.median(found):+.3f}",
                    f"{worst} {gain[worst]:+.3f}",
                    f"{below} of {len(gain)}",
                ]
            )
    if len(rows) == 1:
        return []
    return ["On the held-out half, mixed questions are compared with boards alone:", markdown(rows)]


def _sensitivity(by_setting: Mapping[str, Values]) -> list[str]:
    """The same runs, had a grid taken half or twice the time."""
    rows = [["mixed, held-out half", *(f"{mark} s" for mark in MARKS)]]
    for setting, values in by_setting.items():
        for name in GRIDS:
            row = [f"{setting}{name}"]
            for mark in MARKS:
                key = f"ari after {mark} s{name}"
                found = [
                    of[key]
                    for dataset, of in values.get(FIRST, {}).items()
                    if dataset in REPORTED_ON and key in of
                ]
                row.append(f"{np.mean(found):.3f}" if found else "")
            if any(row[1:]):
                rows.append(row)
    return ["### If picks and sweeps take another time", markdown(rows)] if len(rows) > 1 else []


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
        "Test questions judge rows that are not placed; *right* counts all rows, and most of them "
        "are placed after many sweeps. A wrong answer to a test question counts against the groups."
    )
    return ["### What the page says, and what is true", text, markdown(rows)]
