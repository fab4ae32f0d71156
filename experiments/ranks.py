"""Mean ranks over datasets, with the tests of Friedman and Nemenyi."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import friedmanchisquare, rankdata, studentized_range

from experiments.pictures import COLOURS, drawing

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Ranking:
    """Methods from the best mean rank to the worst, where rank 1 is the best."""

    methods: Sequence[str]
    ranks: Floats
    n_datasets: int
    p_value: float
    critical_difference: float

    @property
    def groups(self) -> list[tuple[int, int]]:
        """First and last of each maximal run of methods without a significant difference."""
        runs: list[tuple[int, int]] = []
        for first, rank in enumerate(self.ranks):
            last = int(np.flatnonzero(self.ranks <= rank + self.critical_difference)[-1])
            if last > first and (not runs or last > runs[-1][1]):
                runs.append((first, last))
        return runs


def ranking(scores: Mapping[str, Sequence[float]], alpha: float = 0.05) -> Ranking:
    """Rank methods by their scores on the same datasets; a higher score is better."""
    methods, table = list(scores), np.array(list(scores.values()), dtype=np.float64).T
    n_datasets, n_methods = table.shape
    if n_methods < 3 or n_datasets < 2:
        raise ValueError(
            f"Friedman's test needs at least 3 methods and 2 datasets; got {n_methods} methods and "
            f"{n_datasets} datasets"
        )
    ranks = rankdata(-table, axis=1).mean(axis=0)
    order = np.argsort(ranks, kind="stable")
    spread = np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets))
    return Ranking(
        [methods[at] for at in order],
        ranks[order],
        n_datasets,
        float(friedmanchisquare(*table.T).pvalue),
        float(_quantile(alpha, n_methods) * spread),
    )


@cache
def _quantile(alpha: float, n_methods: int) -> float:
    """Nemenyi's q. Cached, because the integration takes seconds."""
    return float(studentized_range.ppf(1 - alpha, n_methods, np.inf) / np.sqrt(2))


def critical_difference_picture(name: str, rankings: Mapping[str, Ranking]) -> str:
    """One diagram for each ranking: methods on an axis of ranks, bars over groups."""
    made: list[str] = []
    rows = [max(-(-len(r.methods) // 2), 3) + 0.5 * len(r.groups) + 2 for r in rankings.values()]
    with drawing(name, made, figsize=(9.5, 0.19 * sum(rows) + 0.4)) as canvas:
        panels = canvas.subplots(len(rankings), 1, squeeze=False, height_ratios=rows)[:, 0]
        for panel, (title, found) in zip(panels, rankings.items(), strict=True):
            _diagram(panel, title, found)
    return made[0]


def _diagram(panel: Any, title: str, found: Ranking) -> None:
    n = len(found.methods)
    half = -(-n // 2)
    best, worst = np.floor(found.ranks[0]), np.ceil(found.ranks[-1])
    width = worst - best
    panel.set_title(
        f"{title}: {found.n_datasets} datasets, critical difference "
        f"{found.critical_difference:.2f} (p = {found.p_value:.1g})",
        fontsize=9,
        loc="left",
    )
    top = 0.5 * len(found.groups) + 0.6
    for at in np.arange(best, worst + 1):
        panel.plot([at, at], [0, -0.25], color="black", linewidth=0.8)
        panel.text(at, -0.35, f"{at:.0f}", ha="center", va="bottom", fontsize=8)
    panel.plot([best, worst], [0, 0], color="black", linewidth=0.8)
    for number, (first, last) in enumerate(found.groups):
        height = 0.5 * (number + 1)
        ends = [found.ranks[first] - 0.04, found.ranks[last] + 0.04]
        panel.plot(ends, [height, height], color=COLOURS[1], linewidth=2.5)
    for place, (method, rank) in enumerate(zip(found.methods, found.ranks, strict=True)):
        left = place < half
        row = top + (place if left else n - 1 - place)
        edge = best - 0.04 * width if left else worst + 0.04 * width
        panel.plot([rank, rank, edge], [0, row, row], color="#777777", linewidth=0.6)
        label = f"{method}  {rank:.1f}" if left else f"{rank:.1f}  {method}"
        weight = "bold" if method == "PairSpace" else "normal"
        panel.text(
            edge, row, label, ha="right" if left else "left", va="center", size=8, weight=weight
        )
    panel.set_xlim(best - 0.45 * width, worst + 0.45 * width)
    panel.set_ylim(top + half, -1.2)
    panel.set_axis_off()
