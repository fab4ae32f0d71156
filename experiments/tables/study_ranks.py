"""Mean ranks of all methods in our study, with the critical difference, from its results."""

from dataclasses import replace

from experiments.study_ranks import SETTINGS, page, pictures
from experiments.tables import pairspace_study

TABLE = replace(
    pairspace_study.TABLE,
    name="study_ranks",
    title="Mean ranks and significant differences",
    settings={name: pairspace_study.TABLE.settings[name] for name in SETTINGS},
    results="pairspace_study",
    document="results/ranks",
    page=page,
    pictures=pictures,
    notes=(
        "The results are those of [the study](study.md), on both halves of the datasets. "
        "On each dataset the methods that ran on all datasets are ranked; 1 is the best. "
        "Methods under one bar do not differ significantly by Nemenyi's test at 5 %. The "
        "p-value in each title is that of Friedman's test.",
    ),
)
