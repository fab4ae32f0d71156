"""Table 2 of the BWDR/WBDR paper: 1-NN accuracy on 16 UCI datasets."""

from typing import Any

from numpy.typing import NDArray

from experiments.figures import Figures
from experiments.papers.bwdr import (
    BEST,
    METHODS,
    SHRUNK,
    accuracy_by_dimension,
    best_and_chosen,
    load_as_in_the_paper,
    prepare_folds,
)
from experiments.table import Claim, Table, printed
from pairspace import CFLD


class CFLDNotCentred(CFLD):
    """What the paper's cFLD may be: only the training rows are centred."""

    def fit(self, X: Any, y: Any = None, **known: Any) -> "CFLDNotCentred":
        """As cFLD."""
        self.seen_ = X
        return super().fit(X, y, **known)

    def transform(self, X: Any) -> NDArray[Any]:
        """As cFLD, but rows that it was not fitted on keep the mean."""
        shift = 0 if X is self.seen_ else self.mean_ @ self.components_.T
        return super().transform(X) + shift


PAPER = printed("""
                    PCA  cFLD SSDR BWDR WBDR
wdbc                .93  .40  .88  .94  .94
cnae9               .80  -    .93  .94  .87
climate             .88  .87  .92  .93  .93
heart               .75  .52  .78  .76  .79
hepatitis           .60  .53  .61  .61  .60
hill_valley_noise   .97  .58  .54  .97  .65
isolet1             .81  .71  .67  .85  .82
isolet5             .70  .27  .78  .81  .75
kr_vs_kp            .87  .57  .91  .96  .97
labor               .90  .72  .84  .88  .84
mfeat_fac           .90  .23  .90  .91  .98
mfeat_kar           .95  .92  .52  .95  .95
mfeat_zer           .75  .42  .43  .77  .79
seeds               .94  .38  .94  .97  .97
segment2100         .97  .54  .82  .97  .96
semeion             .86  .59  .25  .89  .87
""")

SETTING = "30 % of all pairs"
WRONG = "cFLD, held-out rows not centred"


def _lead(found: Figures) -> tuple[bool, str]:
    here = found.of(column=BEST)
    behind = [
        dataset
        for dataset in PAPER
        if max(here.mean(dataset=dataset, method=m) for m in ("BWDR", "WBDR"))
        < max(here.mean(dataset=dataset, method=m) for m in ("PCA", "cFLD", "SSDR"))
    ]
    return set(behind) <= {"labor"}, f"not on {', '.join(behind)}"


TABLE = Table(
    name="bwdr_table2",
    title="BWDR/WBDR, Table 2: accuracy of 1-NN after reduction",
    datasets=tuple(PAPER),
    quick_datasets=("wdbc", "iris", "wine", "digits"),
    methods={**METHODS, WRONG: CFLDNotCentred, **SHRUNK},
    settings={SETTING: {"fraction": 0.3}},
    repeats=3,
    folds=5,
    load=load_as_in_the_paper,
    prepare=prepare_folds,
    measure=accuracy_by_dimension,
    summarise=best_and_chosen,
    paper={
        (SETTING, BEST): {
            dataset: {**numbers, WRONG: numbers["cFLD"]} for dataset, numbers in PAPER.items()
        }
    },
    document="papers/bwdr",
    claims=[Claim("BWDR or WBDR is the best on every dataset except labor", _lead)],
    why=(
        "cFLD does not reproduce. A correct cFLD is close to WBDR on every dataset, "
        "because the number of must-links is large. The paper's numbers for cFLD are near "
        "those of a cFLD that centres the training rows but not the held-out rows; this "
        "variant has a column of its own."
    ),
    notes=(
        "The paper does not say of what the pairs are a share, nor how coordinates are "
        "scaled. Its numbers fit 30 % of all pairs of the training part, raw features, "
        "and projected coordinates of unit variance. Without unit variance, PCA on "
        "hill_valley_noise would be at chance level. isolet1 has two classes, A–M and "
        "N–Z. hepatitis is labelled by HISTOLOGY. Missing values are replaced by the "
        "median of the training part. Folds are stratified.",
        "The paper reports the best K of 1 … 9 on the test folds, which overestimates the "
        "accuracy of every method. The second table chooses K on three folds inside the "
        "training part.",
        "The last two columns are not in the paper: BWDR and WBDR with shrinkage.",
        "56 of the 57 rows of labor have missing values, and the paper does not say how "
        "it imputed them.",
    ),
)
