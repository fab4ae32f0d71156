"""Figures 2, 3, 4 and 7 of the LE-CAS paper, against c, from the cells of Table 2."""

from dataclasses import replace

from experiments.figures import Figures
from experiments.papers.lecas import ARI, BY_KMEANS, DIMENSIONS, FMI, METRICS
from experiments.protocols import mean_of_each
from experiments.table import Claim, Curves
from experiments.tables import lecas_table2

FIRST, LAST = DIMENSIONS[0], DIMENSIONS[-1]


def _grow(found: Figures) -> tuple[bool, str]:
    grown = [
        found.mean(method=m, column=f"{FMI}, c = {LAST}")
        > found.mean(method=m, column=f"{FMI}, c = {FIRST}")
        for m in lecas_table2.METHODS
    ]
    return all(grown), (
        f"mean FMI over all methods {found.mean(column=f'{FMI}, c = {FIRST}'):.3f} at c = {FIRST}, "
        f"{found.mean(column=f'{FMI}, c = {LAST}'):.3f} at c = {LAST}"
    )


def _always_best(found: Figures) -> tuple[bool, str]:
    by_fmi = Figures(figure for figure in found if figure.column.startswith(FMI))
    won, places = by_fmi.wins("LE-CAS", lecas_table2.METHODS)
    return won == places, f"in {won} of {places} places, by FMI"


def _clusterers_agree(found: Figures) -> tuple[bool, str]:
    at_ten = f"{FMI}, c = 10"
    one, other = (found.by_dataset(method=m, column=at_ten) for m in ("LE-CAS", BY_KMEANS))
    gap = sum(abs(one[d] - other[d]) for d in one) / len(one)
    return gap <= 0.03, f"mean difference in FMI at c = 10: {gap:.3f}"


def _both_beat_le(found: Figures) -> tuple[bool, str]:
    at_ten = f"{FMI}, c = 10"
    le = found.by_dataset(method="LE", column=at_ten)
    better = {
        m: sum(found.by_dataset(method=m, column=at_ten)[d] > le[d] for d in le)
        for m in ("LE-CAS", BY_KMEANS)
    }
    words = ", ".join(f"{m} on {n} of {len(le)} datasets" for m, n in better.items())
    return all(n == len(le) for n in better.values()), words


TABLE = replace(
    lecas_table2.TABLE,
    name="lecas_figures2_4",
    title="LE-CAS, Figures 2, 3, 4 and 7: k-means against the number of dimensions c",
    summarise=mean_of_each,
    paper={},
    results="lecas_table2",
    curves=[
        Curves(
            y_label=name,
            x_label="c",
            x={f"{name}, c = {c}": float(c) for c in DIMENSIONS},
            over="columns",
        )
        for name in METRICS
    ],
    show_grids=False,
    remarks=None,
    claims=[
        Claim("all methods get better with c", _grow),
        Claim("LE-CAS is the best on every dataset at every c", _always_best),
        Claim(
            "Figure 7: LE-CAS with k-means is about as good as with kernel k-means",
            _clusterers_agree,
        ),
        Claim("Figure 7: both are better than LE on every dataset", _both_beat_le),
    ],
    why="See Table 2.",
    notes=(
        f"The cells are those of Table 2. The last picture shows {ARI}, which is not in the paper. "
        "The paper draws the curves and does not print their numbers.",
    ),
)
