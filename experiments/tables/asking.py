"""Active learning: query strategies against random pairs, with a simulated annotator."""

from functools import partial

from experiments.asking import asking, learning_curve, mean_curves, prepare_asking
from experiments.asking_page import page
from experiments.asking_picture import pictures
from experiments.table import Table

TABLE = Table(
    name="asking",
    title="Query strategies",
    # All of the held-out half with more than two classes.
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
        "A simulated annotator answers queries about one half of the rows (of at most 800 "
        "rows of a dataset). Each answer is wrong with the given probability. After every "
        "ten answers the space is fitted again and evaluated on the other half, which is "
        "never queried. *ARI* is the adjusted Rand index of the clusters that "
        "`Space.predict` makes from the answers, for all strategies. *k-means* is the ARI "
        "of plain k-means in the fitted space. *1-NN* is the share of rows whose nearest "
        "row in the queried half has the same label. All strategies get the number of "
        "classes. The space is PairSpace with fixed weights, because cross-validating the "
        "weights would take most of the time.",
        "The datasets are those of the held-out half of the study with more than two "
        "classes. The strategy, the clustering and their parameters were chosen on the "
        "development half.",
    ),
)
