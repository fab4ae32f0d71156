"""Our study of programs that answer: how often they may be wrong, and what an audit is worth."""

from functools import partial

from experiments.groups import mean_of_present, measure
from experiments.halves import CHOSEN_ON, REPORTED_ON
from experiments.programs import (
    BUDGET,
    CLICKS,
    MOST_ROWS,
    RIGHT_CLICKS,
    audited,
    prepare,
    right_person,
)
from experiments.programs_page import PERSON, RANDOM_ROWS, page, pictures, program_name
from experiments.table import Table

TABLE = Table(
    name="programs",
    title="Answers of programs, audited by a person",
    datasets=(*REPORTED_ON, *CHOSEN_ON),
    quick_datasets=("iris",),
    methods={
        PERSON: right_person,
        **{
            program_name(wrong, alike): partial(audited, wrong=wrong, alike=alike)
            for alike in (False, True)
            for wrong in (0.05, 0.15, 0.3)
        },
        RANDOM_ROWS: partial(audited, wrong=0.15, alike=True, strategy="random"),
    },
    prepare=prepare,
    measure=measure,
    summarise=mean_of_present,
    by_default=False,
    document="results/programs_study",
    page=page,
    pictures=pictures,
    notes=(
        f"ARI of the groups of all rows (at most {MOST_ROWS} of a dataset) with the true classes. "
        f"A simulated program gives {BUDGET} answers on boards to `pairspace.ask`; a part of them "
        "goes to second orders and exam questions, and datasets with fewer rows are placed whole. "
        f"Then a person who is always right audits it with {', '.join(map(str, CLICKS))} clicks. "
        f"Beside it: {RIGHT_CLICKS} boards answered by the person alone.",
        "- *Wrong at random*: so many rows, drawn at random, are believed to be of another class, "
        "drawn at random.\n"
        "- *Wrong on look-alikes*: the same number of rows, those to which a row of another class "
        "is nearest, compared with the nearest row of their own, are believed to be of that "
        "class.\n"
        "- *Sweeps*: `pairspace label --audit` as it is; each marked row is a click, and storing a "
        "screen is one.\n"
        "- *Boards*: each row that is placed again, the least likely to be right first, is a "
        "click.",
        "The program is wrong about a row each time it is asked, and gives no confidence. Rows are "
        "chosen by doubt, as `pairspace.ask` does by default, and so are look-alikes more often "
        "than others; one program is asked about rows drawn at random instead. One run of each "
        "program and dataset. To bound the time, the panel has three of its eight learners, and "
        "the questions are chosen without a space of their own.",
    ),
)
