"""Table 3 of the DSP paper: intrusion detection data in ten dimensions."""

from functools import partial

from experiments.figures import Figures
from experiments.papers.dsp import (
    DSP_OF_WIDTH,
    METHODS,
    RAND,
    F,
    Identity,
    SKKMeansOfWidth,
    cluster,
    prepare_rows,
)
from experiments.protocols import mean_of_each
from experiments.table import Claim, Printed, Table, printed

PAPER = printed("""
      k-means PCA    LPP    SKK20  SLPP20 LPPSI20 DSP20  SKK5   SLPP5  LPPSI5 DSP5
F     0.6793  0.7170 0.6475 0.7156 0.6186 0.2955  0.8183 0.6404 0.6148 0.2838 0.7880
Rand  0.9335  0.9449 0.9177 0.9396 0.9184 0.6778  0.9645 0.9251 0.9139 0.6694 0.9575
""")
RANDOM_START = "SKK-means, one random start"
PAIRS = {"20 pairs a class": 20, "5 pairs a class": 5}
DATASET = "kdd99_3195"


def _with_pairs(metric: str, n: int) -> Printed:
    row = PAPER[metric]
    names = {"SKK-means": "SKK", "SLPP": "SLPP", "LPPSI": "LPPSI", "DSP": "DSP"}
    return {
        DATASET: {
            **{method: row[method] for method in ("k-means", "PCA", "LPP")},
            **{method: row[f"{name}{n}"] for method, name in names.items()},
            RANDOM_START: row[f"SKK{n}"],
            DSP_OF_WIDTH: row[f"DSP{n}"],
        }
    }


def _above(found: Figures, setting: str, one: str, other: str) -> tuple[bool, str]:
    a, b = (found.mean(setting=setting, column=F, method=method) for method in (one, other))
    return a > b, f"{one} {a:.3f}, {other} {b:.3f}"


TABLE = Table(
    name="dsp_table3",
    title="DSP, Table 3: intrusion detection data in ten dimensions",
    datasets=(DATASET,),
    quick_datasets=("wine",),
    methods={
        "k-means": Identity,
        "SKK-means": partial(SKKMeansOfWidth, random_state=0),
        RANDOM_START: partial(SKKMeansOfWidth, init="random", n_init=1, random_state=0),
        **METHODS,
    },
    settings={setting: {"per_class": n, "n_components": 10} for setting, n in PAIRS.items()},
    repeats=5,
    prepare=prepare_rows,
    measure=cluster,
    summarise=mean_of_each,
    paper={
        (setting, column): _with_pairs(metric, n)
        for setting, n in PAIRS.items()
        for column, metric in ((F, "F"), (RAND, "Rand"))
    },
    tolerance=0.04,
    claims=[
        Claim(
            "SKK-means beats k-means with 20 pairs",
            lambda found: _above(found, "20 pairs a class", RANDOM_START, "k-means"),
        ),
        Claim(
            "SKK-means is worse than k-means with 5 pairs",
            lambda found: _above(found, "5 pairs a class", "k-means", RANDOM_START),
        ),
        Claim(
            "DSP beats PCA with 5 pairs",
            lambda found: _above(found, "5 pairs a class", DSP_OF_WIDTH, "PCA"),
        ),
        Claim(
            "DSP beats SKK-means with one random initialisation, with 20 pairs",
            lambda found: _above(found, "20 pairs a class", DSP_OF_WIDTH, RANDOM_START),
        ),
        Claim(
            "DSP beats SKK-means with ten k-means++ initialisations, with 20 pairs",
            lambda found: _above(found, "20 pairs a class", DSP_OF_WIDTH, "SKK-means"),
        ),
    ],
    document="papers/dsp",
    notes=(
        "The protocol is that of Table 4, in ten dimensions, with five draws of pairs "
        "instead of 20. The rows were sampled again by the paper's rule, 300 of each of "
        "11 types, so they are not the same rows. Types and protocols are encoded as "
        "integers. SKK-means uses the kernel width of the paper's Table 2 as well.",
    ),
    why=(
        "The rows are another sample, and the paper does not say how it encoded protocol, "
        "service and flag: k-means without any reduction already deviates. SKK-means is "
        "much better here than in the paper because it takes the best of ten k-means++ "
        "initialisations, in which a must-link component is one point. With one random "
        "initialisation, which the paper may have used, its F-score is about that of "
        "k-means, which is also what the paper prints for 5 pairs. For LPPSI see Table 4."
    ),
)
