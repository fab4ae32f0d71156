"""``python -m experiments.asking_picture FILE``: the curves of the strategies, from the results."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from experiments import results
from experiments.__main__ import RESULTS
from experiments.asking import EVERY
from experiments.asking_page import METRICS, OURS, curves_of
from experiments.tables.asking import TABLE

COLOURS = {
    "random": "#7f7f7f",
    "uncertain": "#bcbd22",
    "explore-consolidate": "#2ca02c",
    "min-max": "#9467bd",
    OURS: "#d62728",
}


def draw(output: Path, folder: Path = RESULTS) -> None:
    """Three metrics by settings, the mean over datasets."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("the picture needs matplotlib: pip install 'pairspace[plots]'") from None
    records = results.read(folder / f"{TABLE.name}.jsonl")
    drawn = {
        setting: {metric: curves_of(TABLE, records, setting, metric) for metric in METRICS}
        for setting in TABLE.settings
    }
    drawn = {setting: curves for setting, curves in drawn.items() if curves["ari"]}
    figure, axes = plt.subplots(
        len(METRICS),
        len(drawn),
        figsize=(1 + 3.6 * len(drawn), 8.5),
        sharex=True,
        sharey="row",
        squeeze=False,
    )
    for column, (setting, curves) in enumerate(drawn.items()):
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
            if row == 0:
                axis.set_title(f"{setting}, {len(curves['ari'][OURS])} datasets")
            if column == 0:
                axis.set_ylabel(f"{title}, mean")
            if row == len(METRICS) - 1:
                axis.set_xlabel("answers")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncols=len(labels), frameon=False)
    figure.tight_layout(rect=(0, 0.04, 1, 1))
    output.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(output, dpi=110)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
