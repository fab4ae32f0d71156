"""The learning curves of the strategies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from experiments.asking import EVERY
from experiments.asking_page import METRICS, OURS, curves_of
from experiments.figures import Records
from experiments.pictures import drawing

if TYPE_CHECKING:
    from experiments.table import Table

COLOURS = {
    "random": "#7f7f7f",
    "uncertain": "#bcbd22",
    "explore-consolidate": "#2ca02c",
    "min-max": "#9467bd",
    OURS: "#d62728",
}


def pictures(table: Table, records: Records) -> dict[str, str]:
    """Three metrics by settings, the mean over datasets."""
    shown = {
        setting: {metric: curves_of(table, records, setting, metric) for metric in METRICS}
        for setting in table.settings
    }
    shown = {setting: curves for setting, curves in shown.items() if curves["ari"]}
    if not shown:
        return {}
    made: list[str] = []
    with drawing(table.name, made, figsize=(1 + 3.6 * len(shown), 8.5)) as canvas:
        axes = canvas.subplots(len(METRICS), len(shown), sharex=True, sharey="row", squeeze=False)
        for column, (setting, curves) in enumerate(shown.items()):
            axes[0, column].set_title(f"{setting}, {len(curves['ari'][OURS])} datasets")
            axes[-1, column].set_xlabel("answers")
            for row, (metric, title) in enumerate(METRICS.items()):
                axis = axes[row, column]
                for method, by_dataset in curves[metric].items():
                    if method in COLOURS:
                        mean = np.mean(list(by_dataset.values()), axis=0)
                        width = 2.2 if method == OURS else 1.3
                        answers = EVERY * np.arange(len(mean))
                        axis.plot(answers, mean, color=COLOURS[method], lw=width, label=method)
                axis.grid(alpha=0.25)
                axis.spines[["top", "right"]].set_visible(False)
                if column == 0:
                    axis.set_ylabel(f"{title}, mean")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        canvas.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    return {table.name: made[0]}
