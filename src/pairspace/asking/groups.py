"""The groups of all rows, from what people and programs said, each with its weight."""

from __future__ import annotations

from typing import Any

import numpy as np

from pairspace._core.typing import Floats
from pairspace.active import Group
from pairspace.asking.judgements import annotators_of
from pairspace.asking.queries import NEW
from pairspace.asking.recorder import Recorder
from pairspace.cluster import PairClusters
from pairspace.constraints import UNKNOWN, Constraints

ABOUT_ROWS = ("answers_", "constraints_", "groups_")
LEAST = 0.01  # the weight of an answer


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
    weight = row_weights(recorder)
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


def row_weights(recorder: Recorder) -> Floats:
    """How far the group of each row counts: 1, or less if only programs placed it."""
    labels, store = recorder.questions.labels, recorder.store
    right = annotators_of(store.connection, store.path).estimate.accuracies
    soft = np.zeros(len(labels), dtype=bool)
    chance: dict[tuple[int, str], float] = {}  # that an annotator who placed a row there is right
    for reply in recorder.log.all("outcome IN ('used', 'exam')"):
        row = reply.question.rows[0]
        if reply.question.kind == "pair" or reply.annotator not in right:
            continue
        soft[row] = True
        if reply.answer in (labels[row], NEW):
            sure = 1.0 if reply.confidence is None else reply.confidence
            # The same answer in both orders is still one opinion.
            chance[row, reply.annotator] = sure * right[reply.annotator].mean
    wrong = np.ones(len(labels))  # the chance that all of them are wrong
    for (row, _), each in chance.items():
        wrong[row] *= 1 - each
    soft[sorted(recorder.confirmed)] = False
    return np.where(soft, np.maximum(1 - wrong, LEAST), 1.0)
