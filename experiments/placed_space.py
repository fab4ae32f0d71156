"""A space from a few placed rows: what it gains over PCA on rows that it has not seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.gains import Gain, Place
from experiments.protocols import Floats, Halves, Ints, prepare_halves
from experiments.report import figures, markdown, measured
from experiments.study import HALVES
from pairspace.active import PairQuestions, SimulatedPerson

if TYPE_CHECKING:
    from experiments.table import Cell, Split, Table

EVERY = 10  # placed rows between two fits
METRICS = {"accuracy": "1-NN", "ari": "ARI of k-means"}


def prepare(X: Floats, y: Ints, split: Split, *, placed: int) -> Halves:
    """Half of the rows; a person places some of them, which the panel's doubt chooses."""
    halves = prepare_halves(X, y, split, scale=True, per_class=0)
    questions = PairQuestions(
        halves.X_train,
        kind="board",
        strategy="doubt",
        test_every=None,
        random_state=split.pair_seed,
    )
    person = SimulatedPerson(halves.y_train, random_state=split.pair_seed)
    known = np.full(len(halves.y_train), -1)
    for n_placed in range(1, placed + 1):
        question = questions.next()
        if question is None:
            break
        questions.answer(question, person(question, questions.groups))
        known[list(question.rows)] = halves.y_train[list(question.rows)]
        if n_placed < placed and n_placed % EVERY == 0:
            questions.adopt(questions.plan().fit())
    return replace(halves, known=known)


def page(table: Table, records: Mapping[Cell, Any], pictures: Iterable[str] = ()) -> str:
    """Mean, median, worst dataset, and the mean without the best dataset, on both halves."""
    values = {
        Place(figure.setting, figure.column, figure.method, figure.dataset): figure.ours
        for figure in figures(table, records)
    }
    parts = [f"## {table.title}"]
    for setting in table.settings:
        rows = [
            ["", "", "mean", "median", "without the best dataset", "worst dataset", "datasets"],
            *(
                row
                for half, datasets in HALVES.items()
                for metric, name in METRICS.items()
                for method in table.methods
                if method != "PCA"
                for row in _line(
                    f"{name}, {half}", method, Gain(values, setting, metric, method, datasets)
                )
            ),
        ]
        if len(rows) > 1:
            parts += [f"### {setting}, difference from PCA", markdown(rows)]
    return "\n\n".join([*parts, *measured(table, records)]) + "\n"


def _line(what: str, method: str, gain: Gain) -> list[list[str]]:
    if len(gain.of) < 2:
        return []
    sorted_gains = np.sort(list(gain.of.values()))
    worst, loss = gain.worst
    return [
        [
            what,
            method,
            f"{gain.mean:+.3f}",
            f"{np.median(sorted_gains):+.3f}",
            f"{sorted_gains[:-1].mean():+.3f}",
            f"{worst} {loss:+.3f}",
            str(len(sorted_gains)),
        ]
    ]
