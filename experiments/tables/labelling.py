"""Our study of the labelling page: kinds of screens by the seconds they take a person."""

from functools import partial

from experiments.groups import measure
from experiments.groups_peers import cobras_by_seconds
from experiments.halves import CHOSEN_ON, REPORTED_ON
from experiments.labelling import (
    EVERY,
    MORE_ROWS,
    MOST_ROWS,
    asking,
    labelling,
    mean_of,
    prepare,
)
from experiments.labelling_page import page, pictures
from experiments.table import Table

TABLE = Table(
    name="labelling",
    title="Groups by the seconds of a person's time",
    datasets=(*REPORTED_ON, *CHOSEN_ON),
    quick_datasets=("wine",),
    methods={
        "mixed": partial(asking, kind="mixed"),
        "board": partial(asking, kind="board"),
        "sweep": partial(asking, kind="sweep"),
        "pick": partial(asking, kind="pick"),
        "pair": partial(asking, kind="pair"),
        "random labels, forest": partial(labelling, learner="forest"),
        "random labels, logistic regression": partial(labelling, learner="logistic"),
    },
    peers={"pairs, chosen by COBRAS": cobras_by_seconds},
    settings={
        "no answer wrong": {"wrong": 0.0},
        "5 % wrong": {"wrong": 0.05},
        "10 % wrong": {"wrong": 0.1},
        f"no answer wrong, {MORE_ROWS:,} rows": {"wrong": 0.0, "most_rows": MORE_ROWS},
    },
    prepare=prepare,
    measure=measure,
    summarise=mean_of,
    by_default=False,
    document="results/labelling_study",
    page=page,
    pictures=pictures,
    notes=(
        f"ARI of the groups of all rows (at most {MOST_ROWS} of a dataset, or {MORE_ROWS:,} where "
        "that is said, of datasets that have more) with the true classes "
        "after so many seconds of a simulated person, one person a dataset. How screens are mixed "
        "was chosen on the development half: six datasets of at most 400 rows, one person each, "
        "without wrong answers and with 10 %. How second looks count was chosen on eight of them.",
        "| assumed | |\n| --- | --- |\n"
        "| a pair | 2 s |\n"
        "| a board | 3 s |\n"
        "| a label | 3 s |\n"
        "| a *grid*: a pick or a sweep of 12 rows | 6 s |\n"
        "| a wrong answer | names another class at random; in a grid, each row is wrong on its own "
        "|\n"
        "| random labels | as many seconds spent on labels of rows drawn at random |",
        f"There is a fit every {EVERY} screens. The page fits all the time: 400 rows take it .2 to "
        "1 s of CPU time.",
        "*COBRAS* of its authors (cobras-ts, columns scaled to [0, 1]) chooses pairs, at the price "
        "of a pair each; it runs in an environment of its own (`make study-peers`).",
        "### What does not help",
        "A pick in place of every second sweep is no better on two development datasets.",
    ),
)
