"""SDA, LFDA, SELF, MFA, NPE and S2PPCA against PairSpace, by the number of labels a class."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from experiments.label_study import page
from experiments.protocols import judge_space, mean_of_each
from experiments.study_ranks import pictures
from experiments.table import Table
from experiments.tables import pairspace_study
from pairspace import LFDA, MFA, NPE, S2PPCA, SDA, SELF, PairSpace

N_LABELS = (5, 10, 20)
OTHERS = ("PCA", "PairSpace", "PairSpace, fixed weights", "CFLD, shrunk", "LDA, shrunk", "LPP")
METHODS: Mapping[str, Callable[[int], Any]] = {
    **{name: pairspace_study.METHODS[name] for name in OTHERS},
    "PairSpace, taught": partial(PairSpace, random_state=0),
    "SDA": SDA,
    "SDA, alpha=1": partial(SDA, alpha=1.0),
    "SDA, shrunk": partial(SDA, shrinkage="auto"),
    "LFDA": LFDA,
    "LFDA, shrunk": partial(LFDA, shrinkage="auto"),
    "SELF": SELF,
    "SELF, beta=0.05": partial(SELF, beta=0.05),
    "MFA": MFA,
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
    document="results/label_study",
    page=page,
    pictures=pictures,
    notes=(
        "Rows, halves, metrics and the number of components are those of [the study of "
        "pairs](study.md); columns are standardised. Instead of pairs the method gets the "
        "labels of 5, 10 or 20 training rows a class, but of at most half of a class. The "
        "other training rows have no label. Entries are means over datasets of the "
        "difference from PCA, with the worst dataset in brackets. All methods have their "
        'defaults but for what their names say. *shrunk* means `shrinkage="auto"`. *PairSpace* is '
        "`PairSpace(teacher=None)`; *PairSpace, taught*, has the default teacher.",
        "SDA and LDA have at most one component less than classes, where the other methods "
        "have up to nine. LPP, NPE and PCA ignore the labels. The defaults of the new methods "
        "were not chosen on these data. *SDA, shrunk* was added after a trial on isolet5, seeds "
        "and wine, *LFDA* and *MFA* without shrinkage after the first run.",
        "**Where a new method is the better choice than PairSpace.** To decide by distance "
        "whether two rows are of one class: with 10 and 20 labels a class, "
        '`SDA(shrinkage="auto")` has a pair AUC of 0.035 ± 0.013 and 0.049 ± 0.016 more on the '
        "held-out half, and 0.011 ± 0.009 and 0.013 ± 0.010 more on the other. Most of this is "
        "due to discriminant analysis itself: *LDA, shrunk*, which does not use the other rows, "
        "gains as much with 20 labels. To cluster: `SDA` and `LFDA`, both shrunk, have better "
        "mean ranks by ARI than PairSpace with 5, 10 and 20 labels, but no difference of ranks "
        "is significant, and the mean ARI of LFDA on the held-out half is 0.014 ± 0.010 higher "
        "with 20 labels. On single datasets by 1-NN: `SDA` on balance, `LFDA` and `MFA`, shrunk, "
        "on kr_vs_kp, and others in the table below. The first table has 99 comparisons and the "
        "second 440 pairs of a method and a dataset, so a few of these are chance.",
        "**The teacher.** On the held-out half, *PairSpace, taught*, has a higher mean ARI than "
        "PairSpace with 5, 10 and 20 labels a class (by 0.039, 0.020 and 0.029) and a 1-NN "
        "accuracy that is as good or better (by 0.000, 0.005 and 0.006).",
        "**Where PairSpace is the better choice.** For 1-NN no new method has a better mean on "
        "the held-out half. `LFDA`, shrunk, comes closest: it is 0.022 ± 0.010 behind with 5 "
        "labels a class and 0.009 ± 0.007 with 20, where its mean rank over all datasets is "
        "better (5.3 and 5.9, not significantly). SDA loses more, by 0.045 to 0.081 if shrunk. "
        "Without shrinkage SDA, LFDA and MFA lose 0.059 to 0.150. S2PPCA is near PCA by 1-NN "
        "(−0.002 to +0.005). NPE is below PCA.",
    ),
)
