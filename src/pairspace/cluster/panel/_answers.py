"""How likely each answer is to be right, and what answers say about rows that are not placed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pairspace._core.typing import Floats, Ints
from pairspace.base import PlacedRows, Supervision
from pairspace.constraints import UNKNOWN

if TYPE_CHECKING:
    from pairspace.cluster.panel._panel import Panel


def posterior(P: Floats, groups: Ints, rate: Floats, shares: Floats) -> Floats:
    """The probabilities of the groups of placed rows, given where they were placed.

    ``P`` is predicted without knowing the placement. With the chance ``rate`` a placement says
    nothing, and is in its group with the given share.
    """
    said = np.repeat((rate * shares)[:, None], P.shape[1], axis=1)
    said[np.arange(len(groups)), groups] += 1 - rate
    joint = P * said
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


def with_answers(P: Floats, known: Supervision, placed: PlacedRows, rate: float) -> Floats:
    """The probabilities of rows that are not placed, with what the answers say about them.

    Rows joined by must-links have the same probabilities. A cannot-link with a placed row makes the
    group of that row unlikely: as unlikely as that the answer is wrong.
    """
    group = np.full(len(P), UNKNOWN)
    group[placed.rows] = placed.groups
    component, linked = known.components, known.linked_rows
    open_rows = linked[group[linked] == UNKNOWN]
    if not len(open_rows):
        return P
    names, at = np.unique(component[open_rows], return_inverse=True)
    scores = np.zeros((len(names), P.shape[1]))
    np.add.at(scores, at, np.log(np.maximum(P[open_rows], 1e-12)))
    scores /= np.bincount(at)[:, None]
    unlikely = np.log(max(rate, 1e-9) / (1 - rate))
    place = np.full(component.max(initial=-1) + 2, -1)
    place[names] = np.arange(len(names))
    differs = np.zeros_like(scores, dtype=bool)
    for i, j in (known.pairs.cannot_link.T, known.pairs.cannot_link.T[::-1]):
        one_open = (group[i] == UNKNOWN) & (group[j] != UNKNOWN)
        differs[place[component[i[one_open]]], group[j[one_open]]] = True
    scores = np.where(differs & ~differs.all(axis=1, keepdims=True), scores + unlikely, scores)
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    P = P.copy()
    P[open_rows] = (scores / scores.sum(axis=1, keepdims=True))[at]
    return P


def answer_probabilities(known: Supervision, panel: Panel) -> tuple[list[str], Ints, Floats]:
    """For each given label, must-link and cannot-link: its kind, its rows, its chance of right.

    Pairs are judged by the predicted groups of their rows; a placed row is predicted without its
    placement. The second row of a label is −1.
    """
    rows, rate = panel.placed.rows, panel.error_rate
    predicted, right = panel.probabilities.copy(), np.ones(len(panel.probabilities))
    predicted[rows], right[rows] = panel.held_out, panel.chance_of_right
    labelled = np.flatnonzero(known.labels != UNKNOWN)
    must, cannot = known.pairs.must_link, known.pairs.cannot_link
    same = [np.sum(predicted[i] * predicted[j], axis=1) for i, j in (must.T, cannot.T)]
    agreed = np.concatenate([same[0], 1 - same[1]])
    odds = agreed * (1 - rate), (1 - agreed) * rate
    return (
        ["label"] * len(labelled) + ["must-link"] * len(must) + ["cannot-link"] * len(cannot),
        np.vstack([np.column_stack([labelled, np.full(len(labelled), -1)]), must, cannot]),
        np.concatenate([right[labelled], odds[0] / np.maximum(sum(odds), 1e-300)]),
    )
