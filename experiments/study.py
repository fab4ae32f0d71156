"""The page of our study: every method against PCA, on both halves of the datasets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from experiments.gains import Gain, Place, Values, complete, mean_ranks
from experiments.halves import CHOSEN_ON, REPORTED_ON
from experiments.report import figures, folded, markdown, measured
from experiments.targets import GAINS, MANY, WITH_A_FLOOR, table_of_targets

if TYPE_CHECKING:
    from experiments.table import Cell, Table

METRICS = {"accuracy": "1-NN", "ari": "ARI", "pair_auc": "pair AUC"}
HALVES = {"development": CHOSEN_ON, "held-out": REPORTED_ON}


def page(table: Table, records: Mapping[Cell, Any], pictures: Iterable[str] = ()) -> str:
    """The section of the study: what was found, then how, then every method."""
    values = {
        Place(figure.setting, figure.column, figure.method, figure.dataset): figure.ours
        for figure in figures(table, records)
    }
    parts = [f"## {table.title}", *_answer(values, tuple(table.methods))]
    parts += [
        "Means over the held-out half, standardised columns:\n\n"
        f"![1-NN accuracy and ARI against the number of answers, for six methods]({path})"
        for path in pictures
    ]
    parts += [
        "### Difference between PairSpace and PCA",
        folded(
            "Every setting, both halves",
            "Mean over datasets, with the worst dataset in brackets.",
            _against_pca(table, values),
        ),
    ]
    if set(GAINS) | set(WITH_A_FLOOR) <= set(table.settings):
        parts += [
            "### Targets",
            "On the held-out half. The ARI targets come from other datasets.",
            table_of_targets(values, tuple(table.methods)),
        ]
    parts += ["### All methods"]
    for setting in table.settings:
        if any(key[0] == setting for key in values):
            parts.append(folded(setting, all_methods(table, setting, values)))
    return "\n\n".join([*parts, *measured(table, records)]) + "\n"


def gains_of(values: Values, settings: Iterable[str], method: str) -> list[str]:
    """What a method gains over PCA on the held-out half; nothing if it did not run."""
    what = f"{method} − PCA, held-out half, mean (median)"
    rows = [[what, *METRICS.values(), "worst dataset by 1-NN"]]
    for setting in settings:
        gains = [Gain(values, setting, metric, method, REPORTED_ON) for metric in METRICS]
        if gains[0].of:
            dataset, least = gains[0].worst
            means = [f"{gain.mean:+.3f} ({gain.median:+.3f})" for gain in gains]
            rows.append([setting, *means, f"{dataset} {least:+.3f}"])
    return [markdown(rows)] if len(rows) > 1 else []


def _answer(values: Values, methods: Sequence[str]) -> list[str]:
    """What PairSpace gains on the held-out half, and what is ahead of it with many pairs."""
    parts = gains_of(values, (*GAINS, MANY), "PairSpace")
    ahead = [[f"mean difference from PCA, {MANY}", "best method", "", "PairSpace"]]
    for metric, name in METRICS.items():
        mean = {
            method: Gain(values, MANY, metric, method, REPORTED_ON).mean
            for method in complete(values, MANY, methods, REPORTED_ON)
        }
        if "PairSpace" in mean:
            best = max(mean, key=lambda method: mean[method])
            ahead.append([name, best, f"{mean[best]:+.3f}", f"{mean['PairSpace']:+.3f}"])
    if len(ahead) > 1:
        parts += ["The best methods with a large share of all pairs:", markdown(ahead)]
    return parts


def _against_pca(table: Table, values: Values) -> str:
    head = [
        "",
        *(f"{name}, {half}" for half in HALVES for name in METRICS.values()),
        "worst dataset by 1-NN, held-out",
        *(f"median {name}, held-out" for name in METRICS.values()),
    ]
    rows = []
    for setting in table.settings:
        gains = [
            Gain(values, setting, metric, "PairSpace", datasets)
            for datasets in HALVES.values()
            for metric in METRICS
        ]
        if gains[0].of and gains[3].of:
            medians = [f"{gain.median:+.3f}" for gain in gains[3:]]
            rows.append([setting, *map(str, gains), gains[3].worst[0], *medians])
    return markdown([head, *rows])


def all_methods(table: Table, setting: str, values: Values) -> str:
    """Every method against PCA on both halves, with its mean rank."""
    ranks = {
        half: mean_ranks(values, setting, tuple(table.methods), sets)
        for half, sets in HALVES.items()
    }
    head = [
        "method",
        *(f"{name}, {half}" for half in HALVES for name in (*METRICS.values(), "rank")),
    ]
    rows = []
    for method in table.methods:
        row = [method]
        for half, datasets in HALVES.items():
            row += [str(Gain(values, setting, metric, method, datasets)) for metric in METRICS]
            row.append(f"{ranks[half][method]:.1f}" if method in ranks[half] else "–")
        n_sets = sum(Place(setting, "accuracy", method, d) in values for d in table.datasets)
        if n_sets:
            rows.append([*row, str(n_sets)])
    return markdown([[*head, "sets"], *rows])
