"""Figure 2 of the BWDR/WBDR paper: accuracy of 1-NN against the threshold."""

from collections.abc import Mapping, Sequence

from experiments.figures import Figures
from experiments.papers.bwdr import (
    BEST,
    METHODS,
    accuracy_by_dimension,
    mean_by_dimension,
    prepare_folds,
)
from experiments.table import Claim, Curves, Metrics, Table

THRESHOLDS = {f"t₀ = {percent / 100:.2f}": percent / 100 for percent in range(50, 101, 5)}


def best(metrics: Sequence[Metrics]) -> Mapping[str, float]:
    """At the best K."""
    return {BEST: float(mean_by_dimension(metrics).max())}


def _near_the_top(method: str, setting: str, found: Figures) -> tuple[bool, str]:
    here = found.mean(method=method, setting=setting)
    top = max(figure.ours for figure in found.of(method=method))
    return here >= top - 0.01, f"{here:.3f}, the best threshold has {top:.3f}"


TABLE = Table(
    name="bwdr_figure2",
    title="BWDR/WBDR, Figure 2: accuracy of 1-NN against the threshold",
    datasets=("kr_vs_kp",),
    quick_datasets=("iris",),
    methods={method: METHODS[method] for method in ("BWDR", "WBDR")},
    settings={
        name: {"fraction": 0.3, "n_inner": 0, "threshold": threshold}
        for name, threshold in THRESHOLDS.items()
    },
    folds=5,
    prepare=prepare_folds,
    measure=accuracy_by_dimension,
    summarise=best,
    curves=[
        Curves(y_label="accuracy of 1-NN", x_label="t₀", x=THRESHOLDS, over="settings", column=BEST)
    ],
    show_grids=False,
    claims=[
        Claim(
            "BWDR is good at t₀ = 0.95",
            lambda found: _near_the_top("BWDR", "t₀ = 0.95", found),
        ),
        Claim(
            "WBDR is good at t₀ = 1",
            lambda found: _near_the_top("WBDR", "t₀ = 1.00", found),
        ),
        Claim(
            "a small threshold is worse than these for both methods",
            lambda found: (
                found.mean(method="BWDR", setting="t₀ = 0.50")
                < found.mean(method="BWDR", setting="t₀ = 0.95") - 0.01
                and found.mean(method="WBDR", setting="t₀ = 0.50")
                < found.mean(method="WBDR", setting="t₀ = 1.00") - 0.01,
                f"at t₀ = 0.5 BWDR {found.mean(method='BWDR', setting='t₀ = 0.50'):.3f}, "
                f"WBDR {found.mean(method='WBDR', setting='t₀ = 0.50'):.3f}",
            ),
        ),
    ],
    document="papers/bwdr",
    notes=(
        "The paper shows one dataset and does not give the number of dimensions. Here it "
        "is the best K of 1 … 9, as in Table 2 of the paper. One repeat of five folds. "
        "The paper draws the curves and does not print their numbers.",
    ),
)
