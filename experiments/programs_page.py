"""The page of the study of programs: what a person's clicks are worth beside a program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.halves import CHOSEN_ON, REPORTED_ON
from experiments.pictures import COLOURS, drawing
from experiments.programs import BUDGET, CLICKS, RIGHT_CLICKS
from experiments.report import folded, markdown, measured

if TYPE_CHECKING:
    from experiments.table import Cell, Table

HALVES = {"held-out": REPORTED_ON, "development": CHOSEN_ON}
AUDITS = ("sweeps", "boards")
PERSON = f"{RIGHT_CLICKS} right clicks, no program"
TARGET_WRONG, TARGET_CLICKS = 0.15, 30
RANDOM_ROWS = "15 % wrong on look-alikes, rows drawn at random"

Values = dict[str, dict[str, Mapping[str, float]]]  # method → dataset → metrics


def program_name(wrong: float, alike: bool) -> str:
    """The name of a program."""
    return f"{100 * wrong:.0f} % wrong {'on look-alikes' if alike else 'at random'}"


def page(table: Table, records: Mapping[Cell, Any], pictures: Iterable[str] = ()) -> str:
    """The section of the study: what was found, then how."""
    values = _values(table, records)
    parts = [f"## {table.title}"]
    reported = _common(values, REPORTED_ON)
    if reported:
        parts += _target(values, reported)
    parts += [f"![Mean ARI by clicks of a person]({path})" for path in pictures]
    for half, datasets in HALVES.items():
        common = _common(values, datasets)
        if common:
            title = f"The {half} half, {len(common)} datasets"
            if half == "held-out":
                parts += [f"### {title}", _means(values, common)]
            else:
                parts.append(folded(title, _means(values, common), *_target(values, common)))
    parts += _honest(values)
    return "\n\n".join([*parts, *measured(table, records)]) + "\n"


def _values(table: Table, records: Mapping[Cell, Any]) -> Values:
    found: Values = {method: {} for method in table.methods}
    for cell, record in records.items():
        if cell.method in found and "metrics" in record:
            found[cell.method][cell.split.dataset] = record["metrics"]
    return found


def _common(values: Values, datasets: Iterable[str]) -> list[str]:
    """The datasets on which everything ran."""
    return [name for name in datasets if all(name in of for of in values.values())]


def _columns() -> dict[str, str]:
    """The heads of columns, and the metrics in them."""
    found = {"0 clicks": "ari, 0 clicks"}
    for audit in AUDITS:
        found |= {f"{n} clicks, {audit}": f"ari, {n} clicks, {audit}" for n in CLICKS}
    return found


def _means(values: Values, datasets: list[str]) -> str:
    columns = _columns()
    rows = [["mean ARI (median)", *columns]]
    for method, of in values.items():
        row = [f"{BUDGET} answers, {method}" if method != PERSON else method]
        for metric in columns.values():
            name = "ari" if method == PERSON else metric
            if method == PERSON and metric != "ari, 0 clicks":
                row.append("")
                continue
            found = [of[dataset][name] for dataset in datasets]
            row.append(f"{np.mean(found):.3f} ({np.median(found):.3f})")
        rows.append(row)
    return markdown(rows)


def _target(values: Values, datasets: list[str]) -> list[str]:
    """Whether the audited program reaches the person alone."""
    right = {name: values[PERSON][name]["ari"] for name in datasets}
    rows = [
        ["program", "audit", "mean", "", "datasets more than 0.01 below", "worst dataset"],
    ]
    programs = [program_name(TARGET_WRONG, alike) for alike in (False, True)]
    for method in (*programs, RANDOM_ROWS):
        for audit in AUDITS:
            metric = f"ari, {TARGET_CLICKS} clicks, {audit}"
            gain = {name: values[method][name][metric] - right[name] for name in datasets}
            worst = min(gain, key=lambda name: gain[name])
            mean = float(np.mean(list(gain.values())))
            below = sum(each < -0.01 for each in gain.values())
            rows.append(
                [
                    method,
                    audit,
                    f"{mean:+.3f}",
                    "reached" if mean >= 0 else "missed",
                    f"{below} of {len(gain)}",
                    f"{worst} {gain[worst]:+.3f}",
                ]
            )
    return [
        f"Target: {BUDGET} answers of a program that is wrong in {100 * TARGET_WRONG:.0f} % of "
        f"them, and {TARGET_CLICKS} clicks of a person who audits it, reach the ARI of "
        f"{RIGHT_CLICKS} right clicks. The difference, {len(datasets)} datasets:",
        markdown(rows),
    ]


def _honest(values: Values) -> list[str]:
    """What the audit says about the program, beside what is true."""
    rows = [["", "right by the audit", "right", "mean ± said", "off by more than 2 ±"]]
    for method, of in values.items():
        for clicks in CLICKS:
            name = f"{clicks} clicks, sweeps"
            cells = [each for each in of.values() if f"said right, {name}" in each]
            if not cells:
                continue
            said = np.array([each[f"said right, {name}"] for each in cells])
            error = np.array([each[f"error, {name}"] for each in cells])
            right = np.array([each["right"] for each in cells])
            off = int(np.sum(np.abs(said - right) > 2 * error + 1e-9))
            rows.append(
                [
                    f"{method}, {clicks} clicks",
                    f"{said.mean():.3f}",
                    f"{right.mean():.3f}",
                    f"{error.mean():.3f}",
                    f"{off} of {len(cells)}",
                ]
            )
    if len(rows) == 1:
        return []
    text = (
        "Sweeps, all datasets that ran, where 30 answers or more were looked at. *Right*: the "
        "share of the program's answers about these rows that name the true class."
    )
    return ["### What the audit says about the program", text, markdown(rows)]


def pictures(table: Table, records: Mapping[Cell, Any]) -> dict[str, str]:
    """Mean ARI on the held-out half by clicks, a panel for each kind of audit."""
    values = _values(table, records)
    common = _common(values, REPORTED_ON)
    if not common:
        return {}
    made: list[str] = []
    right = float(np.mean([values[PERSON][name]["ari"] for name in common]))
    with drawing("programs_study", made, figsize=(8.4, 3.4)) as canvas:
        axes = canvas.subplots(1, 2, sharey=True)
        for axis, audit in zip(axes, AUDITS, strict=True):
            programs = [method for method in values if method not in (PERSON, RANDOM_ROWS)]
            for at, method in enumerate(programs):
                metrics = [
                    "ari, 0 clicks",
                    *(f"ari, {clicks} clicks, {audit}" for clicks in CLICKS),
                ]
                means = [
                    np.mean([values[method][name][metric] for name in common]) for metric in metrics
                ]
                dashed = "--" if "look-alikes" in method else "-"
                colour = COLOURS[at % 3]
                axis.plot((0, *CLICKS), means, dashed, color=colour, marker="o", label=method)
            axis.axhline(right, color="black", linewidth=1, linestyle=":", label=PERSON)
            axis.set_title(f"audited by {audit}")
            axis.set_xlabel("clicks of the person")
        axes[0].set_ylabel(f"mean ARI, {len(common)} held-out datasets")
        # Beside the lines: no corner is free of them.
        axes[1].legend(fontsize=8, loc="center left", bbox_to_anchor=(1.02, 0.5), handlelength=3)
    return {"programs_study": made[0]}
