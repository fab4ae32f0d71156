"""Figure 6 of the BWDR/WBDR paper: neighbours of the same class in 15 dimensions."""

from experiments.figures import Figures
from experiments.papers.bwdr import (
    METHODS,
    N_NEIGHBOURS,
    prepare_all_rows,
    purity_of_neighbours,
)
from experiments.protocols import mean_of_each
from experiments.table import Claim, Curves, Table

NAMES = {f"{n} neighbours": float(n) for n in N_NEIGHBOURS}
FIRST, *_, LAST = NAMES


def _purest(found: Figures, dataset: str, column: str) -> str:
    return max(METHODS, key=lambda m: found.mean(dataset=dataset, method=m, column=column))


def _always(found: Figures) -> tuple[bool, str]:
    purest = {column: _purest(found, "yaleb32", column) for column in NAMES}
    return set(purest.values()) == {
        "WBDR"
    }, f"highest with 1: {purest[FIRST]}, with 60: {purest[LAST]}"


def _at_last(found: Figures) -> tuple[bool, str]:
    first, last = (_purest(found, "mnist6000", column) for column in (FIRST, LAST))
    return first != "WBDR" and last == "WBDR", f"highest with 1: {first}, with 60: {last}"


TABLE = Table(
    name="bwdr_figure6",
    title="BWDR/WBDR, Figure 6: purity of the nearest neighbours on YaleB and MNIST",
    datasets=("yaleb32", "mnist6000"),
    quick_datasets=("digits",),
    methods=METHODS,
    settings={"": {"fraction": {"yaleb32": 0.1, "mnist6000": 0.3, "digits": 0.1}}},
    prepare=prepare_all_rows,
    measure=purity_of_neighbours,
    summarise=mean_of_each,
    curves=[
        Curves(y_label="share of the same class", x_label="neighbours", x=NAMES, over="columns")
    ],
    show_grids=False,
    claims=[
        Claim("on YaleB WBDR has the highest purity for every number of neighbours", _always),
        Claim("on MNIST WBDR has it for many neighbours, not for few", _at_last),
    ],
    document="papers/bwdr",
    notes=(
        "As in the paper, all rows are used for fitting and for evaluation. The pairs are "
        "10 % of all pairs of YaleB and 30 % of MNIST. Columns have unit variance, as for "
        "1-NN. The paper draws the curves and does not print their numbers.",
    ),
)
