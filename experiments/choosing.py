"""The page of AutoReducer: targets, results, and which methods it chose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.report import figures, folded, markdown

if TYPE_CHECKING:
    from experiments.table import Cell, Table

OURS, PLAIN = "AutoReducer", ("PCA, standardised", "PCA, raw")
FULL, FULL_PEER = "PairSpace, all components, standardised", "metric-learn ITML"
ALLOWED = 0.005  # below the best single method, chosen by the test results
PLAIN_ALLOWED = 0.02  # below the better of PCA on raw and on standardised columns
METRICS = {"accuracy": "1-NN", "ari": "ARI", "pair_auc": "pair AUC"}
Values = Mapping[tuple[str, str, str, str], float]


def page(table: Table, records: Mapping[Cell, Any]) -> str:
    """The section of AutoReducer."""
    # If a run is incomplete, all methods are compared on the splits that AutoReducer has.
    ours = {cell.split for cell, record in records.items() if _is_ours(cell, record)}
    shared = {cell: record for cell, record in records.items() if cell.split in ours}
    values: Values = {
        (figure.setting, figure.column, figure.method, figure.dataset): figure.ours
        for figure in figures(table, shared)
    }
    cells = [*table.cells(), *table.cells(peers=True)]
    parts = [f"## {table.title}", *_answer(table, values)]
    for setting in table.settings:
        ran = _datasets(table, setting, values, OURS)
        if ran:
            parts += [
                f"### {setting}: targets",
                _aims(table, setting, values),
                *_in_full_dimension(table, setting, values, ran),
                folded(f"{setting}: 1-NN by dataset", _by_dataset(table, setting, values, ran)),
                folded(f"{setting}: all methods", _all_methods(table, setting, values)),
                folded(f"{setting}: methods chosen", _chosen(setting, records)),
            ]
    parts += [
        "### How it was measured",
        *table.notes,
        f"{sum(cell in records for cell in cells):,} of {len(cells):,} cells ran. {len(ours)} of "
        f"{len({cell.split for cell in cells})} splits have a result of AutoReducer, and all "
        "methods are compared on these.",
    ]
    return "\n\n".join(parts) + "\n"


def _answer(table: Table, values: Values) -> list[str]:
    """The mean of AutoReducer beside those of the best single method and of PCA."""
    rows = []
    for setting in table.settings:
        ran = _datasets(table, setting, values, OURS)
        if ran and all(set(ran) <= set(_datasets(table, setting, values, name)) for name in PLAIN):
            best, of_best = in_hindsight(table, setting, values)
            means = [_mean(values, setting, method, ran) for method in (OURS, *PLAIN)]
            rows.append([setting, f"{means[0]:.3f}", f"{of_best:.3f} ({best})"])
            rows[-1] += [f"{mean:.3f}" for mean in means[1:]]
    if not rows:
        return []
    head = ["mean 1-NN accuracy", OURS, "best single method in hindsight", *PLAIN]
    return [markdown([head, *rows])]


def _is_ours(cell: Cell, record: Any) -> bool:
    return cell.method == OURS and "metrics" in record


def _datasets(table: Table, setting: str, values: Values, method: str) -> list[str]:
    names = dict.fromkeys([*table.datasets, *table.quick_datasets])
    return [name for name in names if (setting, "accuracy", method, name) in values]


def _mean(
    values: Values, setting: str, method: str, datasets: Sequence[str], metric: str = "accuracy"
) -> float:
    return float(np.mean([values[setting, metric, method, name] for name in datasets]))


def in_hindsight(table: Table, setting: str, values: Values) -> tuple[str, float]:
    """The single method with the best mean over all datasets, and that mean."""
    ran = _datasets(table, setting, values, OURS)
    able = [
        method
        for method in table.methods
        if method not in (OURS, FULL) and set(ran) <= set(_datasets(table, setting, values, method))
    ]
    means = {method: _mean(values, setting, method, ran) for method in able}
    best = max(means, key=lambda method: means[method])
    return best, means[best]


def _aims(table: Table, setting: str, values: Values) -> str:
    ran = _datasets(table, setting, values, OURS)
    best, of_best = in_hindsight(table, setting, values)
    rows = [
        _aim(
            f"at most {ALLOWED} below the best single method, {best}",
            _mean(values, setting, OURS, ran),
            of_best,
            -ALLOWED,
            len(ran),
        )
    ]
    for other in (*PLAIN, *table.peers):
        both = [name for name in _datasets(table, setting, values, other) if name in ran]
        if both:
            ours, its = (_mean(values, setting, method, both) for method in (OURS, other))
            rows.append(_aim(f"above {other}", ours, its, 0.0, len(both)))
    worse = {
        name: values[setting, "accuracy", OURS, name]
        - max(values[setting, "accuracy", plain, name] for plain in PLAIN)
        for name in ran
        if all((setting, "accuracy", plain, name) in values for plain in PLAIN)
    }
    if worse:
        rows.append(_worst_aim(setting, values, worse))
    return markdown([["target", OURS, "the other", "difference", "datasets", "verdict"], *rows])


def _worst_aim(setting: str, values: Values, worse: Mapping[str, float]) -> list[str]:
    """The dataset on which AutoReducer is the furthest below the better PCA."""
    worst = min(worse, key=worse.__getitem__)
    ours = values[setting, "accuracy", OURS, worst]
    return _aim(
        f"at most {PLAIN_ALLOWED} below the better PCA on any dataset; the worst is {worst}",
        ours,
        ours - worse[worst],
        -PLAIN_ALLOWED,
        1,
    )


def _in_full_dimension(table: Table, setting: str, values: Values, ran: Sequence[str]) -> list[str]:
    """PairSpace as a metric beside ITML, which keeps all dimensions, too."""
    both = [
        name
        for name in ran
        if all((setting, "accuracy", method, name) in values for method in (FULL, FULL_PEER))
    ]
    if not both:
        return []
    ours, its = (_mean(values, setting, method, both) for method in (FULL, FULL_PEER))
    return [
        f"With all components, like {FULL_PEER}, PairSpace has a mean 1-NN accuracy of {ours:.3f} "
        f"on the {len(both)} datasets that {FULL_PEER} ran on, and {FULL_PEER} {its:.3f}."
    ]


def _aim(name: str, ours: float, other: float, least: float, n_datasets: int) -> list[str]:
    ahead = ours - other
    verdict = "reached" if ahead >= least else f"missed by {least - ahead:.3f}"
    return [name, f"{ours:.3f}", f"{other:.3f}", f"{ahead:+.3f}", str(n_datasets), verdict]


def _by_dataset(table: Table, setting: str, values: Values, ran: Sequence[str]) -> str:
    best, _ = in_hindsight(table, setting, values)
    shown = dict.fromkeys([OURS, best, "PairSpace, standardised", *PLAIN, *table.peers])
    rows = [
        [name, *(_entry(values.get((setting, "accuracy", method, name))) for method in shown)]
        for name in ran
    ]
    return markdown([["", *shown], *rows])


def _all_methods(table: Table, setting: str, values: Values) -> str:
    ran = _datasets(table, setting, values, OURS)
    rows = []
    for method in table.all_methods:
        both = [name for name in _datasets(table, setting, values, method) if name in ran]
        if both:
            means = [_mean(values, setting, method, both, metric) for metric in METRICS]
            rows.append([method, *map(_entry, means), str(len(both))])
    # Methods on all datasets first: means over fewer datasets are not comparable.
    rows.sort(key=lambda row: (-int(row[-1]), -float(row[1])))
    return markdown([["method", *METRICS.values(), "datasets"], *rows])


def _chosen(setting: str, records: Mapping[Cell, Any]) -> str:
    counted = Counter(
        record["metrics"]["chosen"]
        for cell, record in records.items()
        if cell.split.setting == setting and "chosen" in record.get("metrics", {})
    )
    return markdown(
        [["method", "times"], *([name, str(times)] for name, times in counted.most_common())]
    )


def rules_page(table: Table, records: Mapping[Cell, Any]) -> str:
    """The section of the rules: the mean 1-NN of each, in each setting."""
    found = figures(table, records)
    rows = []
    for setting in table.settings:
        of_setting = [figure for figure in found if figure.setting == setting]
        n_datasets = len({figure.dataset for figure in of_setting})
        for rule in dict.fromkeys(figure.column for figure in of_setting):
            mean = np.mean([figure.ours for figure in of_setting if figure.column == rule])
            rows.append([setting, rule, f"{mean:.4f}", str(n_datasets)])
    head = ["constraints", "rule", "1-NN", "datasets"]
    return "\n\n".join([f"## {table.title}", *table.notes, markdown([head, *rows])]) + "\n"


def _entry(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
