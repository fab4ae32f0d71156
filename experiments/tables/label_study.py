"""SDA, LFDA, SELF, MFA, NPE and S2PPCA against PairSpace, by the number of labels a class."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from experiments.label_study import page
from experiments.protocols import judge_space, mean_of_each
from experiments.study_ranks import pictures
from experiments.table import Table
from experiments.tables import pairspace_study
from pairspace import LFDA, MFA, NPE, S2PPCA, SDA, SELF

N_LABELS = (5, 10, 20)
OTHERS = ("PCA", "PairSpace", "PairSpace, fixed weights", "CFLD, shrunk", "LDA, shrunk", "LPP")
METHODS: Mapping[str, Callable[[int], Any]] = {
    **{name: pairspace_study.METHODS[name] for name in OTHERS},
    "SDA": SDA,
    "SDA, alpha=1": partial(SDA, alpha=1.0),
    "SDA, shrunk": partial(SDA, shrinkage="auto"),
    "LFDA, shrunk": partial(LFDA, shrinkage="auto"),
    "SELF": SELF,
    "SELF, beta=0.05": partial(SELF, beta=0.05),
    "MFA, shrunk": partial(MFA, shrinkage="auto"),
    "NPE": NPE,
    "S2PPCA": S2PPCA,
}

TABLE = Table(
    name="label_study",
    title="Difference from PCA by the number of labels",
    datasets=pairspace_study.TABLE.datasets,
    quick_datasets=pairspace_study.TABLE.quick_datasets,
    methods=METHODS,
    settings={f"{n} labels a class": {"labels_per_class": n, "scale": True} for n in N_LABELS},
    folds=2,
    prepare=pairspace_study.TABLE.prepare,
    measure=judge_space,
    summarise=mean_of_each,
    document="label_study",
    page=page,
    pictures=pictures,
    notes=(
        "Rows, halves, metrics and the number of components are those of [the study of "
        "pairs](study.md); columns are standardised. Instead of pairs the method gets the "
        "labels of 5, 10 or 20 training rows a class, but of at most half of a class. The "
        "other training rows have no label. Entries are means over datasets of the "
        "difference from PCA, with the worst dataset in brackets. No parameter of the new "
        "methods was chosen on these data: SDA, SELF, MFA, NPE and S2PPCA have their "
        "defaults. *SDA, alpha=1* and *SELF, beta=0.05* show how much the parameter matters.",
        "SDA and LDA have at most one component less than classes, where the other methods "
        "have up to nine. LPP, NPE and PCA ignore the labels. *shrunk* means "
        '`shrinkage="auto"`, without which LFDA and MFA have too few labels for the number of '
        "features on most datasets.",
    ),
)
