"""Rows drawn at random to test the groups, judged by the groups as they are now."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pairspace.active.answer_log import AnswerLog
from pairspace.active.looks import judged_rows
from pairspace.active.space import Space


class TestedRow(NamedTuple):
    """Whether the group of a test row was predicted right.

    Parameters
    ----------
    right : bool
        Whether the person put it into the group that was predicted.
    confidence : float
        The probability of the predicted group; 0 if it is not known.
    """

    right: bool
    confidence: float


def tested_rows(log: AnswerLog, space: Space) -> list[TestedRow]:
    """The test rows, oldest first.

    A row that the last fit has learned from is judged by the prediction that was made without it,
    from the other answers: what was predicted when it was asked about says little about the groups
    of today. Other rows are judged by the prediction that was noted before the answer.
    """
    held_out = _held_out(space)
    found = []
    for step in log.steps:
        if step.reason != "test" or step.predicted is None or step.number is None:
            continue
        row = next(iter(judged_rows(step)), None)
        if row in held_out:
            found.append(held_out[row])
            continue
        is_new = row is not None and row not in space.group_of_placed
        confidence = float(space.probabilities[row].max()) if is_new else 0.0
        found.append(TestedRow(step.predicted == step.number, confidence))
    return found


def _held_out(space: Space) -> dict[int | None, TestedRow]:
    """The placed rows as the others predict them; the only row of a group can't be predicted."""
    P = getattr(space.groups.model, "held_out", None)
    placed = space.groups.placed
    if P is None or not len(placed.rows):
        return {}
    together = np.bincount(placed.groups)[placed.groups] > 1
    predicted = P.argmax(axis=1)
    return {
        int(space.fitted_rows[placed.rows[at]]): TestedRow(
            bool(predicted[at] == placed.groups[at]), float(P[at].max())
        )
        for at in np.flatnonzero(together)
    }
