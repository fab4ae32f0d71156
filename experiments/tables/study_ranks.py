"""Mean ranks of all methods in our study, with the critical difference. It runs nothing itself."""

from dataclasses import replace

from experiments.study_ranks import SETTINGS, page, pictures
from experiments.tables import pairspace_study

TABLE = replace(
    pairspace_study.TABLE,
    name="study_ranks",
    title="Mean ranks, and which differences are more than chance",
    settings={name: pairspace_study.TABLE.settings[name] for name in SETTINGS},
    results="pairspace_study",
    document="ranks",
    page=page,
    pictures=pictures,
    notes=(
        "From the same results as [the study](study.md), both halves of the datasets. Each dataset "
        "ranks the methods that ran on all of them, 1 is the best; methods under one bar are not "
        "told apart by Nemenyi's test at 5 %, which follows Friedman's (its p is in the title).",
    ),
)
