"""Figure 5 of the LE-CAS paper: against the number of neighbours k₂."""

from functools import partial

from experiments.figures import Figures
from experiments.papers.lecas import ARI, FMI, METHODS, judge_ten, prepare_rows
from experiments.protocols import mean_of_each
from experiments.table import Claim, Curves, Table

NEIGHBOURS = {f"k₂ = {k}": float(k) for k in range(5, 13)}


def _best_everywhere(found: Figures) -> tuple[bool, str]:
    won, places = found.of(column=FMI).wins("LE-CAS", ("LE", "GGLE"))
    return won == places, f"in {won} of {places} places"


def _smooth(found: Figures) -> tuple[bool, str]:
    spread = {}
    for method in ("LE-CAS", "LE", "GGLE"):
        ranges = []
        for dataset in {figure.dataset for figure in found}:
            values = [f.ours for f in found.of(method=method, column=FMI, dataset=dataset)]
            ranges.append(max(values) - min(values))
        spread[method] = sum(ranges) / len(ranges)
    words = ", ".join(f"{m} {value:.3f}" for m, value in spread.items())
    return spread["LE-CAS"] < min(spread["LE"], spread["GGLE"]), f"mean range of FMI: {words}"


TABLE = Table(
    name="lecas_figure5",
    title="LE-CAS, Figure 5: FMI against the number of neighbours",
    datasets=("splice240", "orl32", "cnae9"),
    quick_datasets=("wine",),
    methods={method: METHODS[method] for method in ("LE-CAS", "LE", "GGLE")},
    settings={name: {"n_neighbors": int(k)} for name, k in NEIGHBOURS.items()},
    repeats=3,
    prepare=partial(prepare_rows, max_rows=400),
    measure=judge_ten,
    summarise=mean_of_each,
    curves=[
        Curves(y_label=column, x_label="k₂", x=NEIGHBOURS, over="settings", column=column)
        for column in (FMI, ARI)
    ],
    show_grids=False,
    claims=[
        Claim("LE-CAS is better than LE and GGLE at every k₂", _best_everywhere),
        Claim("LE-CAS depends less on k₂ than LE and GGLE", _smooth),
    ],
    document="papers/lecas",
    why=("As in Table 2, LE-CAS changes few edges, and its results are close to those of LE."),
    notes=(
        "c = 10, three seeds instead of 30, at most 400 rows of three of the datasets. "
        "The paper draws the curves and does not print their numbers.",
    ),
)
