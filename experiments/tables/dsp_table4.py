"""Table 4 of the DSP paper: k-means in spaces of half as many dimensions as features."""

from functools import partial

from experiments.figures import Figures
from experiments.papers.dsp import (
    DSP_OF_WIDTH,
    METHODS,
    DSPWithoutCannotLinks,
    F,
    cluster,
    prepare_rows,
)
from experiments.protocols import mean_of_each
from experiments.table import Claim, Printed, Table, printed

PAPER = printed("""
            PCA    LPP    SLPP20 LPPSI20 DSP20  SLPP5  LPPSI5 DSP5
wine        0.9415 0.9541 0.9563 0.8198  0.9588 0.5962 0.7381 0.9322
vehicle     0.3070 0.3383 0.6024 0.4092  0.6042 0.3417 0.3306 0.3604
iris        0.8112 0.7716 0.8920 0.6982  0.9498 0.8471 0.6244 0.9405
balance     0.5075 0.4754 0.5789 0.5800  0.6068 0.5749 0.5845 0.5693
ionosphere  0.6050 0.6050 0.7061 0.6205  0.7211 0.6108 0.5992 0.7145
glass       0.3950 0.3903 0.4032 0.4023  0.3833 0.3849 0.3058 0.4131
breast_w    0.9307 0.9307 0.9027 0.9352  0.9202 0.7478 0.9292 0.9288
sonar       0.5012 0.5423 0.5293 0.5379  0.5873 0.5364 0.5472 0.5493
""")
NO_CANNOT_LINKS = "DSP, no cannot-links"
PAIRS = {"20 pairs a class": 20, "5 pairs a class": 5}


def _with_pairs(n: int) -> Printed:
    return {
        dataset: {
            "PCA": row["PCA"],
            "LPP": row["LPP"],
            "SLPP": row[f"SLPP{n}"],
            "LPPSI": row[f"LPPSI{n}"],
            "DSP": row[f"DSP{n}"],
            DSP_OF_WIDTH: row[f"DSP{n}"],
        }
        for dataset, row in PAPER.items()
    }


def _best_of_eight(found: Figures) -> tuple[bool, str]:
    here = found.of(setting="20 pairs a class", column=F)
    won, n_datasets = here.wins(DSP_OF_WIDTH, ("PCA", "LPP", "SLPP", "LPPSI"))
    return won >= 6, f"on {won} of {n_datasets}"


def _no_harm(found: Figures) -> tuple[bool, str]:
    here = found.of(setting="5 pairs a class", column=F)
    gaps = {
        figure.dataset: figure.ours
        - max(here.mean(method=m, dataset=figure.dataset) for m in ("PCA", "LPP"))
        for figure in here.of(method=DSP_OF_WIDTH)
    }
    worst = min(gaps, key=gaps.__getitem__)
    return gaps[worst] >= -0.02, f"the worst is {worst}, {gaps[worst]:+.3f}"


def _better_than_slpp(found: Figures) -> tuple[bool, str]:
    here = found.of(setting="20 pairs a class", column=F)
    won, n_datasets = here.wins(DSP_OF_WIDTH, ("SLPP",))
    return won == n_datasets, f"on {won} of {n_datasets}"


def _cannot_links_matter(found: Figures) -> tuple[bool, str]:
    losses = {
        setting: found.mean(setting=setting, column=F, method=DSP_OF_WIDTH)
        - found.mean(setting=setting, column=F, method=NO_CANNOT_LINKS)
        for setting in PAIRS
    }
    words = ", ".join(f"{setting} {loss:+.3f}" for setting, loss in losses.items())
    return min(losses.values()) >= 0.01, f"mean loss: {words}"


TABLE = Table(
    name="dsp_table4",
    title="DSP, Table 4: F-score of k-means in half as many dimensions as features",
    datasets=tuple(PAPER),
    quick_datasets=("iris", "wine"),
    methods={**METHODS, NO_CANNOT_LINKS: partial(DSPWithoutCannotLinks, random_state=0)},
    settings={setting: {"per_class": n} for setting, n in PAIRS.items()},
    repeats=10,
    quick_repeats=2,
    prepare=prepare_rows,
    measure=cluster,
    summarise=mean_of_each,
    paper={(setting, F): _with_pairs(n) for setting, n in PAIRS.items()},
    tolerance=0.04,
    claims=[
        Claim("with 20 pairs DSP is the best on six of the eight datasets", _best_of_eight),
        Claim("with 5 pairs DSP is nowhere worse than PCA or LPP by more than .02", _no_harm),
        Claim("with 20 pairs DSP is better than SLPP", _better_than_slpp),
        Claim("without cannot-links DSP loses .01 or more", _cannot_links_matter),
    ],
    document="papers/dsp",
    notes=(
        "Features are scaled to [0, 1], as the paper's kernel widths δ suggest. k-means "
        "is the best of five initialisations with as many clusters as classes. Each pair "
        "a class is one must-link within the class and one cannot-link with one end in "
        "it. There are 10 draws of pairs instead of 20. DSP chooses its width on the "
        "pairs, or uses the width of the paper's Table 2.",
        "The papers do not give the length of the columns of LPP, SLPP and LPPSI, and "
        "k-means depends on it. With length 1, LPP and SLPP reproduce; with the usual "
        "zᵀXᵀDXz = 1 they do not. SLPP joins must-linked rows.",
    ),
    why=(
        "LPPSI in the paper is a kernel version of a method whose own paper was not "
        "available. Ours is reconstructed and linear. Glass, where the paper's DSP gets "
        "worse with more pairs, and ionosphere with 5 pairs do not reproduce, for an "
        "unknown reason."
    ),
)
