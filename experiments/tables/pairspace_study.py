"""Our own study: what a few answers are worth, and to which method."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from experiments.halves import CHOSEN_ON, REPORTED_ON
from experiments.protocols import ExactPCA, LabelledLDA, judge_space, mean_of_each, prepare_halves
from experiments.study import page
from experiments.table import Table
from pairspace import (
    BWDR,
    CFLD,
    DCA,
    DSP,
    LPP,
    LPPSI,
    MMC,
    RCA,
    SLPP,
    SSDR,
    SSWMV,
    WBDR,
    WMMC,
    WMV,
    PairSpace,
)

KNOWN: Mapping[str, Mapping[str, Any]] = {
    "0 pairs": {"per_class": 0},
    "2 pairs a class": {"per_class": 2},
    "5 pairs a class": {"per_class": 5},
    "10 pairs a class": {"per_class": 10},
    "20 pairs a class": {"per_class": 20},
    "50 pairs a class": {"per_class": 50},
    "1 % of all pairs": {"fraction": 0.01},
    "10 % of all pairs": {"fraction": 0.1},
    "30 % of all pairs": {"fraction": 0.3},
    "10 % of the labels": {"labels": 0.1},
    "5 pairs a class, 10 % wrong": {"per_class": 5, "wrong": 0.1},
    "5 pairs a class, 20 % wrong": {"per_class": 5, "wrong": 0.2},
    "20 pairs a class, 10 % wrong": {"per_class": 20, "wrong": 0.1},
    "20 pairs a class, 20 % wrong": {"per_class": 20, "wrong": 0.2},
}
# Raw columns beside standardised ones where it matters most to compare: they double the time.
RAW = ("5 pairs a class", "20 pairs a class", "30 % of all pairs", "10 % of the labels")
METHODS: Mapping[str, Callable[[int], Any]] = {
    "PCA": ExactPCA,
    "PairSpace": partial(PairSpace, random_state=0),
    "PairSpace, not voted": partial(PairSpace, ridge=0.5, shrinkage=0.5),
    "BWDR": BWDR,
    "BWDR, shrunk": partial(BWDR, shrinkage="auto"),
    "WBDR": WBDR,
    "WBDR, shrunk": partial(WBDR, shrinkage="auto"),
    "SSDR": SSDR,
    "CFLD, shrunk": partial(CFLD, shrinkage="auto"),
    "RCA, shrunk": partial(RCA, shrinkage="auto"),
    "DCA, shrunk": partial(DCA, shrinkage="auto"),
    "MMC": MMC,
    "WMMC": WMMC,
    "WMV": WMV,
    "SSWMV": partial(SSWMV, random_state=0),
    "LPP": LPP,
    "LPPSI": LPPSI,
    "SLPP": SLPP,
    "DSP": partial(DSP, random_state=0),
    "LDA, shrunk": LabelledLDA,
}

TABLE = Table(
    name="pairspace_study",
    title="What a few answers are worth",
    datasets=(*CHOSEN_ON, *REPORTED_ON),
    quick_datasets=("wine",),
    methods=METHODS,
    settings={
        **{f"{known}, standardised": {**how, "scale": True} for known, how in KNOWN.items()},
        **{f"{known}, raw": KNOWN[known] for known in RAW},
    },
    folds=2,
    prepare=partial(prepare_halves, max_rows=1200),
    measure=judge_space,
    summarise=mean_of_each,
    document="study",
    page=page,
)
