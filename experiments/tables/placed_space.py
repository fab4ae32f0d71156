"""PairSpace from 30 and 100 placed rows, with and without its teacher, against PCA."""

from functools import partial

from experiments.placed_space import page, prepare
from experiments.protocols import judge_space, mean_of_each
from experiments.table import Table
from experiments.tables import pairspace_study
from pairspace import PairSpace

TABLE = Table(
    name="placed_space",
    title="A space from placed rows",
    datasets=pairspace_study.TABLE.datasets,
    quick_datasets=pairspace_study.TABLE.quick_datasets,
    methods={
        "PCA": pairspace_study.METHODS["PCA"],
        "CFLD, shrunk": pairspace_study.METHODS["CFLD, shrunk"],
        "PairSpace, no teacher": partial(PairSpace, teacher=None, random_state=0),
        "PairSpace": partial(PairSpace, random_state=0),
    },
    settings={f"{n} placed rows": {"placed": n} for n in (30, 100)},
    folds=2,
    prepare=prepare,
    measure=judge_space,
    summarise=mean_of_each,
    document="results/groups_study",
    page=page,
    pictures=lambda table, records: {},
    notes=(
        "Half of the rows (of at most 2,000 of a dataset, columns standardised) learn and the "
        "other half judges, then the other way round. A simulated person places 30 or 100 rows of "
        'the learning half, chosen by `strategy="doubt"`. All spaces have at most nine components.',
    ),
)
