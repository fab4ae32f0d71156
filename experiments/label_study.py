"""The page of the study of labels: the methods of the field against PCA and PairSpace."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from experiments.figures import Records
from experiments.gains import Gain, Place, Values
from experiments.report import figures, folded, markdown, measured
from experiments.study import HALVES, METRICS, all_methods, gains_of
from experiments.study_ranks import tables_of_ranks

if TYPE_CHECKING:
    from experiments.table import Table

BESIDE = "PairSpace"
NEW = (
    "SDA",
    "SDA, alpha=1",
    "SDA, shrunk",
    "LFDA",
    "LFDA, shrunk",
    "SELF",
    "SELF, beta=0.05",
    "MFA",
    "MFA, shrunk",
    "NPE",
    "S2PPCA",
)
# What is shown first: a method and a metric.
SHOWN = (
    ("PairSpace, taught", "accuracy"),
    ("PairSpace, taught", "ari"),
    ("LFDA, shrunk", "accuracy"),
    ("LFDA, shrunk", "ari"),
    ("SDA, shrunk", "accuracy"),
    ("SDA, shrunk", "ari"),
    ("SDA, shrunk", "pair_auc"),
)
CLEARLY = 0.03  # of 1-NN accuracy


def page(table: Table, records: Records, pictures: Iterable[str] = ()) -> str:
    """What is better than PairSpace, then every method, then the ranks."""
    values = {
        Place(figure.setting, figure.column, figure.method, figure.dataset): figure.ours
        for figure in figures(table, records)
    }
    parts = [
        f"## {table.title}",
        *_answer(table, values),
        f"### Difference from {BESIDE}",
        "Datasets, of both halves, on which a method is better than "
        f"{BESIDE} by more than {CLEARLY} in 1-NN accuracy with 5, 10 and 20 labels a class, and "
        "datasets on which it is worse by as much:",
        _clear_cases(table, values),
        folded(
            f"Mean over datasets of each method minus {BESIDE}",
            "With its standard error. *wins* is the number of held-out datasets with a better "
            "1-NN accuracy.",
            _beside_pairspace(table, values),
        ),
        "### All methods",
    ]
    for setting in table.settings:
        if any(place.setting == setting for place in values):
            parts.append(folded(setting, all_methods(table, setting, values)))
    parts += tables_of_ranks(table, records, pictures)
    return "\n\n".join([*parts, *measured(table, records)]) + "\n"


def _answer(table: Table, values: Values) -> list[str]:
    """What was found, with the means that matter most."""
    head = [f"mean difference from {BESIDE} without teacher, held-out half", *table.settings]
    rows = []
    for method, metric in SHOWN:
        means = [
            list(_differences(values, setting, metric, method, HALVES["held-out"]).values())
            for setting in table.settings
        ]
        if all(means):
            name = f"{method}: {METRICS[metric]}"
            rows.append([name, *(f"{np.mean(found):+.3f}" for found in means)])
    first, *others = table.answer
    gained = gains_of(values, table.settings, "PairSpace, taught")
    return [first, *gained, *([markdown([head, *rows])] if rows else []), *others]


def _differences(
    values: Values, setting: str, metric: str, method: str, datasets: Iterable[str]
) -> dict[str, float]:
    """The method minus PairSpace, where both ran."""
    ours = Gain(values, setting, metric, BESIDE, tuple(datasets)).of
    theirs = Gain(values, setting, metric, method, tuple(ours)).of
    return {dataset: theirs[dataset] - ours[dataset] for dataset in theirs}


def _beside_pairspace(table: Table, values: Values) -> str:
    head = ["method", "labels a class"]
    head += [f"{name}, {half}" for half in HALVES for name in METRICS.values()]
    rows = []
    for method in (name for name in NEW if name in table.methods):
        for setting in table.settings:
            cells = [
                _mean(_differences(values, setting, metric, method, datasets))
                for datasets in HALVES.values()
                for metric in METRICS
            ]
            held_out = _differences(values, setting, "accuracy", method, HALVES["held-out"])
            if held_out:
                wins = sum(difference > 0 for difference in held_out.values())
                label = setting.split()[0]
                rows.append([method, label, *cells, f"{wins} of {len(held_out)}"])
    return markdown([[*head, "wins"], *rows])


def _mean(differences: dict[str, float]) -> str:
    found = np.array(list(differences.values()))
    if len(found) < 2:
        return "–"
    return f"{found.mean():+.3f} ± {found.std(ddof=1) / np.sqrt(len(found)):.3f}"


def _clear_cases(table: Table, values: Values) -> str:
    rows = []
    for method in (name for name in NEW if name in table.methods):
        of_each = [
            _differences(values, setting, "accuracy", method, table.datasets)
            for setting in table.settings
        ]
        by_dataset = {
            dataset: [differences[dataset] for differences in of_each]
            for dataset in of_each[0]
            if all(dataset in differences for differences in of_each)
        }
        better = [name for name, found in by_dataset.items() if min(found) > CLEARLY]
        worse = [name for name, found in by_dataset.items() if max(found) < -CLEARLY]
        rows.append([method, ", ".join(better) or "none", str(len(worse))])
    return markdown([["method", "better on", "worse on (number of datasets)"], *rows])
