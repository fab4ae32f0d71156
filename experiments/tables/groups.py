"""Our study of groups: rows placed one by one, pairs, and as many random labels."""

from functools import partial

from experiments.groups import (
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
from experiments.groups_page import page
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
        "no answers, k-means, raw": partial(k_means, scale=False),
        "no answers, k-means, standardised": partial(k_means, scale=True),
    },
    settings={"no answer wrong": {"wrong": 0.0}, "10 % wrong": {"wrong": 0.1}},
    prepare=prepare,
    measure=measure,
    summarise=mean_of_present,
    document="groups_study",
    page=page,
    pictures=lambda table, records: {},
    notes=(
        "ARI of the groups of all rows (at most 1,200 of a dataset) with the true classes, "
        "answered rows included. *Rows placed*: a simulated person compares one row a screen with "
        "one row of each known group and says which it belongs to, or that it is new; "
        '`PairQuestions` with `strategy="doubt"` chooses the rows and refits every ten. *Pairs*: '
        'the same person answers "same" or "different", one pair a screen. *Random pairs*: the '
        'same answers about pairs drawn at random, of which few are "same". *Random labels*: as '
        "many labels of rows drawn at random. *Best of five*: forest, logistic regression, SVC, 3 "
        "nearest neighbours and LDA, all on standardised columns, chosen by cross-validation on "
        "the labels. k-means gets the true number of classes; no other method does. A wrong "
        "answer names another class at random.",
        "One run of each method and dataset. *Pairs, chosen by doubt*, is of an earlier "
        "version of the library; *rows placed*, *random pairs* and *PairClusters* are of this one.",
        "The learners of the panel, their weights and the choice of rows were chosen on the "
        "development half; the held-out half is for evaluation.",
    ),
)
