"""Figure 6 of the LE-CAS paper: against the width σ of the similarity."""

from functools import partial

from experiments.figures import Figures
from experiments.papers.lecas import ARI, FMI, METHODS, judge_ten, prepare_rows
from experiments.protocols import mean_of_each
from experiments.table import Claim, Curves, Table

# The paper's σ divides a squared distance, so it is the square of ours.
WIDTHS = {f"σ = 1e{power}": 10.0**power for power in range(-2, 6)}


def _stable(found: Figures) -> tuple[bool, str]:
    changes = []
    for figure in found.of(setting="σ = 1e5", column=FMI):
        at_100 = found.of(
            setting="σ = 1e2", column=FMI, method=figure.method, dataset=figure.dataset
        )
        changes += [abs(figure.ours - other.ours) for other in at_100]
    mean = sum(changes) / len(changes)
    return mean < 0.03, f"mean change of FMI from σ = 1e2 to 1e5: {mean:.3f}"


def _better_than_ggle(found: Figures) -> tuple[bool, str]:
    at = {"setting": "σ = 1e5", "column": FMI}
    ours, ggle = (found.by_dataset(method=m, **at) for m in ("LE-CAS", "GGLE"))
    shared = [d for d in ours if d in ggle]
    gain = sum(ours[d] - ggle[d] for d in shared) / len(shared)
    return gain > 0.05, f"mean gain in FMI at σ = 1e5: {gain:+.3f} ({len(shared)} datasets)"


TABLE = Table(
    name="lecas_figure6",
    title="LE-CAS, Figure 6: FMI against the width of the similarity",
    datasets=("splice240", "orl32", "cnae9"),
    quick_datasets=("wine",),
    methods={method: METHODS[method] for method in ("LE-CAS", "GGLE")},
    settings={name: {"sigma": width**0.5} for name, width in WIDTHS.items()},
    repeats=3,
    prepare=partial(prepare_rows, max_rows=400),
    measure=judge_ten,
    summarise=mean_of_each,
    curves=[
        Curves(
            y_label=column,
            x_label="σ",
            x=WIDTHS,
            over="settings",
            column=column,
            logarithmic=True,
        )
        for column in (FMI, ARI)
    ],
    show_grids=False,
    claims=[
        Claim("both are stable from σ = 100 on", _stable),
        Claim("LE-CAS is then much better than GGLE (by more than .05 in FMI)", _better_than_ggle),
    ],
    document="papers/lecas",
    why=(
        "If the data has large distances (raw pixels, raw measurements), all weights "
        "underflow to zero for small σ. That is an error here. Which σ is too small "
        "depends on the unit of measurement."
    ),
    notes=(
        "c = 10, three seeds instead of 30, at most 400 rows of three of the datasets. "
        "The paper draws the curves and does not print their numbers.",
    ),
)
