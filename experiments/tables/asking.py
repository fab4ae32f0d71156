"""Which pairs to ask: strategies against random pairs, with a simulated person."""

from functools import partial

from experiments.asking import asking, learning_curve, mean_curves, prepare_asking
from experiments.asking_page import page
from experiments.asking_picture import pictures
from experiments.table import Table

TABLE = Table(
    name="asking",
    title="Which pairs to ask",
    # All of the reporting half with more than two classes.
    datasets=(
        "balance",
        "coil20",
        "dna180",
        "isolet5",
        "mfeat_fac",
        "mfeat_kar",
        "seeds",
        "semeion",
        "splice60",
        "yaleb32",
    ),
    quick_datasets=("wine",),
    methods={
        "random": partial(asking, strategy="random"),
        "uncertain": partial(asking, strategy="uncertain"),
        "explore-consolidate": partial(asking, strategy="explore-consolidate"),
        "min-max": partial(asking, strategy="min-max"),
        "medoids": partial(asking, strategy="medoids"),
        "medoids, with test questions": partial(asking, strategy="medoids", test_questions=True),
    },
    settings={
        "no answer wrong": {"wrong": 0.0},
        "5 % wrong": {"wrong": 0.05},
        "10 % wrong": {"wrong": 0.1},
    },
    folds=2,
    prepare=prepare_asking,
    measure=learning_curve,
    summarise=mean_curves,
    document="asking_study",
    page=page,
    pictures=pictures,
    notes=(
        "A simulated person answers questions about half of the rows (of at most 800 of a "
        "dataset), right or, with some chance, wrong. Every ten answers the space is fitted again "
        "and judged on "
        "the other half, of which nothing was asked. *ARI* is the adjusted Rand index of the "
        "clusters that the answers make (`Space.predict`), for all strategies by the same rule; "
        "*k-means* is that of plain k-means in the space, which the answers reach only through the "
        "space; *1-NN* is the share of rows whose nearest row in the other half has their label. "
        "All get the number of classes. The space is PairSpace without its vote, which would take "
        "most of the time.",
        "The datasets are all of the half kept for reporting that have more than two classes. The "
        "strategy, the clusters and all their numbers were chosen on the other half.",
    ),
)
