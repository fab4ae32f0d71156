"""The page of which pairs to ask: curves as tables, and how many answers a strategy saves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from experiments.asking import EVERY
from experiments.report import markdown

if TYPE_CHECKING:
    from experiments.table import Cell, Table

Floats = NDArray[np.float64]

SHOWN = (0, 10, 20, 30, 40, 60, 80, 100, 150)
METRICS = {"ari": "ARI", "k_means_ari": "k-means", "accuracy": "1-NN"}
BASELINE, OURS, BASELINE_ANSWERS, TARGET = "random", "medoids", 100, 60


def curves_of(table: Table, records: Mapping[Cell, Any], setting: str, metric: str) -> Any:
    """By method and dataset, the mean curve over folds: datasets of both ours and the baseline,
    and methods that ran on all of these.
    """
    found: dict[str, dict[str, list[Floats]]] = defaultdict(lambda: defaultdict(list))
    for cell, record in records.items():
        if cell.split.setting == setting and cell.method in table.methods and "metrics" in record:
            curve = np.array(record["metrics"][metric])
            found[cell.method][cell.split.dataset].append(curve)
    datasets = [
        dataset
        for dataset in dict.fromkeys([*table.datasets, *table.quick_datasets])
        if dataset in found[BASELINE] and dataset in found[OURS]
    ]
    return {
        method: {dataset: np.mean(found[method][dataset], axis=0) for dataset in datasets}
        for method in table.methods
        if datasets and all(dataset in found[method] for dataset in datasets)
    }


def answers_until(curve: Floats, level: float) -> int | None:
    """From how many answers on a curve is not below a level again; None if it ends below."""
    below = np.flatnonzero(curve < level)
    first = below[-1] + 1 if len(below) else 0
    return EVERY * int(first) if first < len(curve) else None


def page(table: Table, records: Mapping[Cell, Any], pictures: Iterable[str] = ()) -> str:
    """The section of the strategies."""
    n_done = sum(cell in records for cell in table.cells())
    parts = [
        f"## {table.title}",
        *table.notes,
        f"{n_done:,} of {len(table.cells()):,} cells.",
        *(f"![ARI and 1-NN against the number of answers]({path})" for path in pictures),
    ]
    for setting in table.settings:
        curves = {name: curves_of(table, records, setting, name) for name in METRICS}
        n_datasets = len(curves["ari"].get(BASELINE, ()))
        if not n_datasets:
            continue
        parts += [f"### {setting[0].upper()}{setting[1:]}, mean of {n_datasets} datasets"]
        parts += [_means(curves[name], title) for name, title in METRICS.items()]
        parts += [_saved(curves["ari"], "ARI"), _saved(curves["k_means_ari"], "k-means ARI")]
        parts += ["By dataset, ARI:", _by_dataset(curves["ari"])]
    parts += _test_questions(table, records)
    return "\n\n".join(parts) + "\n"


def _means(curves: Mapping[str, Mapping[str, Floats]], title: str) -> str:
    rows = [[f"{title} after", *map(str, SHOWN)]]
    for method, by_dataset in curves.items():
        mean = np.mean(list(by_dataset.values()), axis=0)
        rows.append([method, *(f"{mean[n // EVERY]:.3f}" for n in SHOWN)])
    return markdown(rows)


def _saved(curves: Mapping[str, Mapping[str, Floats]], title: str) -> str:
    means = {method: np.mean(list(of.values()), axis=0) for method, of in curves.items()}
    level = means[BASELINE][BASELINE_ANSWERS // EVERY]
    needed = {method: answers_until(mean, level) for method, mean in means.items()}
    said = ", ".join(
        f"{method} {'never' if n is None else n}"
        for method, n in needed.items()
        if method != BASELINE
    )
    ours = needed[OURS]
    verdict = "reached" if ours is not None and ours <= TARGET else "missed"
    return (
        f"{title} of random pairs after {BASELINE_ANSWERS} answers: {level:.3f}. Answers from "
        f"which on a mean curve is never below that: {said}. The target, {TARGET} answers at most "
        f"with {OURS}, is {verdict}."
    )


def _by_dataset(curves: Mapping[str, Mapping[str, Floats]]) -> str:
    rows = [
        [
            "",
            "before any",
            "random, 60",
            "random, 100",
            f"{OURS}, 30",
            f"{OURS}, 60",
            f"{OURS}, 100",
        ]
    ]
    for dataset, random in curves[BASELINE].items():
        ours = curves[OURS][dataset]
        shown = (random[0], random[6], random[10], ours[3], ours[6], ours[10])
        rows.append([dataset, *(f"{value:.3f}" for value in shown)])
    return markdown(rows)


def _test_questions(table: Table, records: Mapping[Cell, Any]) -> list[str]:
    """How the estimate from test questions compares with what it estimates."""
    rows = [["", "estimated", "standard error", "true", "share within two standard errors"]]
    for setting in table.settings:
        found = [
            record["metrics"]
            for cell, record in records.items()
            if cell.split.setting == setting
            and "test questions" in cell.method
            and "metrics" in record
        ]
        if not found:
            continue
        for n in (60, 100, 150):
            at = n // EVERY
            kept = [m for m in found if m["quality_error"][at]]
            if not kept:
                continue
            mean, error, true = (
                np.array([m[name][at] for m in kept])
                for name in ("quality", "quality_error", "true_quality")
            )
            within = np.mean(np.abs(mean - true) <= 2 * error)
            rows.append(
                [
                    f"{setting}, {n} answers",
                    *(f"{np.mean(values):.3f}" for values in (mean, error, true)),
                    f"{within:.2f}",
                ]
            )
    if len(rows) == 1:
        return []
    return [
        "### Is the estimate from test questions right?",
        "The quality estimated from test questions, and the true quality, counted over all "
        "pairs of the rows that are asked about by their labels: the mean of the share of pairs "
        "in one cluster that are the same, and of pairs in two that are not. Earlier test "
        "questions were about earlier spaces, so the estimate lags behind, and a wrong answer "
        "to a test question counts against the clusters.",
        markdown(rows),
    ]
