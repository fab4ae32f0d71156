"""The groups of all rows, from what people and programs said, each with its weight."""

from __future__ import annotations

from typing import Any

import numpy as np

from pairspace.active import Group
from pairspace.asking.recorder import Recorder
from pairspace.cluster import PairClusters
from pairspace.constraints import UNKNOWN, Constraints

ABOUT_ROWS = ("answers_", "constraints_", "groups_")


class AskedClusters(PairClusters):
    """Groups fitted to the answers of a program: see :func:`pairspace.ask`.

    Model files and copies have neither ``answers_`` nor ``constraints_`` nor ``groups_``: they are
    about single rows of the data.

    Attributes
    ----------
    answers_ : DataFrame, or a dict of columns if pandas is not installed
        All replies, with what became of each.
    constraints_ : Constraints
        The answers that count, also those of people.
    cost_ : float
        The cost of all replies.
    groups_ : list of Group
        The groups that the answers made.
    stopped_ : str
        Why no more was asked.
    """

    answers_: Any
    constraints_: Constraints
    cost_: float
    groups_: list[Group]
    stopped_: str

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name not in ABOUT_ROWS}


def fit_clusters(recorder: Recorder, X: Any, **options: Any) -> AskedClusters:
    """Fit the groups to all answers; those of programs count by how often they are right."""
    questions = recorder.questions
    clusters = AskedClusters(**options)
    labels = questions.labels
    if len(np.unique(labels[labels != UNKNOWN])) < 2:  # of one group, pairs say all there is to say
        return clusters.fit(X, questions.constraints)
    weight = recorder.weights()
    anchors = {group.number: group.anchor for group in questions.groups}
    soft = (labels != UNKNOWN) & (weight < 1)
    soft[list(anchors.values())] = False
    links = [(row, anchors[labels[row]]) for row in np.flatnonzero(soft).tolist()]
    known = questions.constraints
    must, cannot = (
        pairs[(labels[pairs] == UNKNOWN).any(axis=1)]
        for pairs in (known.must_link, known.cannot_link)
    )
    weights = np.concatenate([np.ones(len(must)), [weight[row] for row, _ in links]])
    must = np.concatenate([must, np.array(links, dtype=np.int64).reshape(-1, 2)])
    pairs = Constraints(len(labels), must, cannot, must_weight=weights)
    return clusters.fit(X, np.where(soft, UNKNOWN, labels), constraints=pairs)
