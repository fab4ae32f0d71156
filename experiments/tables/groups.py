"""Our study of groups: rows placed one by one, pairs, and as many random labels."""

from functools import partial

from experiments.groups import (
    all_labels,
    answering,
    best_classifier,
    k_means,
    label_spreading,
    labelled_at_random,
    mean_of_present,
    measure,
    paired_at_random,
    placing,
    prepare,
    self_training,
)
from experiments.groups_page import page, pictures
from experiments.groups_peers import cobras, pc_k_means, umap_hdbscan
from experiments.halves import CHOSEN_ON, REPORTED_ON
from experiments.table import Table

TABLE = Table(
    name="groups",
    title="Groups of all rows from a few answers",
    datasets=(*REPORTED_ON, *CHOSEN_ON),
    quick_datasets=("wine",),
    methods={
        "rows placed, chosen by doubt": partial(placing, strategy="doubt"),
        "pairs, chosen by doubt": partial(answering, strategy="doubt"),
        "random pairs, PairClusters": paired_at_random,
        "random labels, PairClusters": labelled_at_random,
        "random labels, best of five classifiers": best_classifier,
        "random labels, LabelSpreading": label_spreading,
        "random labels, SelfTrainingClassifier": self_training,
        "all labels, best of five classifiers": all_labels,
        "no answers, k-means, raw": partial(k_means, scale=False),
        "no answers, k-means, standardised": partial(k_means, scale=True),
    },
    peers={
        "pairs, chosen by COBRAS": cobras,
        "random pairs, PCKMeans": pc_k_means,
        "no answers, UMAP and HDBSCAN": umap_hdbscan,
    },
    settings={
        "no answer wrong": {"wrong": 0.0},
        "10 % wrong": {"wrong": 0.1},
        "20 % wrong": {"wrong": 0.2},
    },
    prepare=prepare,
    measure=measure,
    summarise=mean_of_present,
    document="results/groups_study",
    page=page,
    pictures=pictures,
    notes=(
        "ARI of the groups of all rows (at most 1,200 of a dataset) with the true classes, "
        "answered rows included. One run of each method and dataset. The learners of the panel, "
        "their weights and the choice of rows were chosen on the development half.",
        "- *Rows placed*: a simulated person compares one row a screen with one row of each known "
        "group and says which it belongs to, or that it is new. `PairQuestions` with "
        '`strategy="doubt"` chooses the rows and refits every ten.\n'
        '- *Pairs*: the same person answers "same" or "different", one pair a screen.\n'
        "- *Random pairs*: the same answers about pairs drawn at random, of which few are "
        '"same".\n'
        "- *Random labels*: as many labels of rows drawn at random.\n"
        "- *Best of five*: forest, logistic regression, SVC, 3 nearest neighbours and LDA, all on "
        "standardised columns, chosen by cross-validation on the labels.\n"
        "- *All labels*: each row is predicted from the labels of four fifths of all rows by the "
        "best of the five classifiers in hindsight, and as many random rows as the others have "
        "answers keep their label. It shows how hard the datasets are. Placed rows can do better: "
        "they are chosen where predictions are poor, and count as right.\n"
        "- *Wrong answers* name another class at random.",
        "k-means and PCKMeans get the true number of classes; no other method does.",
        "Other libraries, in an environment of their own (`make study-peers`): COBRAS of its "
        "authors (cobras-ts, columns scaled to [0, 1]), PCKMeans (active-semi-supervised-"
        "clustering, standardised), UMAP to five dimensions and HDBSCAN with clusters of at least "
        "15 rows (standardised). MPCKMeans of the same package takes minutes for a fit of some "
        "hundred columns and was not run.",
    ),
)
