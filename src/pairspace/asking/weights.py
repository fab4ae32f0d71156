"""How far the group of each row counts: less where only programs have placed it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pairspace._core.typing import Floats, Ints
from pairspace.active.looks import taken_out
from pairspace.active.step_store import StoredStep
from pairspace.asking.annotators import Annotators
from pairspace.asking.queries import NEW
from pairspace.asking.reply_log import EXAM, USED, StoredReply

LEAST = 0.01  # the weight of an answer


def row_weights(
    labels: Ints, replies: Iterable[StoredReply], annotators: Annotators, confirmed: Iterable[int]
) -> Floats:
    """How far the group of each row counts: 1, or less if only programs placed it.

    Parameters
    ----------
    labels : ndarray of shape (n_samples,)
        The numbers of the groups that rows are in; −1 for other rows.
    replies : iterable of StoredReply
        What the programs said.
    annotators : Annotators
        How often each of them is right.
    confirmed : iterable of int
        The rows whose group a person has confirmed.

    Returns
    -------
    ndarray of shape (n_samples,)
        The weights.
    """
    right = annotators.estimate.accuracies
    soft = np.zeros(len(labels), dtype=bool)
    chance: dict[tuple[int, str], float] = {}  # that an annotator who placed a row there is right
    for reply in replies:
        row = reply.question.rows[0]
        if (
            reply.outcome not in (USED, EXAM)
            or reply.question.kind == "pair"
            or reply.annotator not in right
        ):
            continue
        soft[row] = True
        if reply.answer in (labels[row], NEW):
            sure = 1.0 if reply.confidence is None else reply.confidence
            # The same answer in both orders is still one opinion.
            chance[row, reply.annotator] = sure * right[reply.annotator].mean
    wrong = np.ones(len(labels))  # the chance that all of them are wrong
    for (row, _), each in chance.items():
        wrong[row] *= 1 - each
    soft[sorted(confirmed)] = False
    return np.where(soft, np.maximum(1 - wrong, LEAST), 1.0)


def confirmed_rows(stored: StoredStep) -> set[int]:
    """The rows that a step says are in their group.

    Parameters
    ----------
    stored : StoredStep
        A step of a person.

    Returns
    -------
    set of int
        The rows.
    """
    step = stored.step
    founded = {row for row, number in step.founds if number}
    same = {row for question, value in step.answers if value == "same" for row in question.pair}
    if not step.looked:
        return same | founded
    # The other members of a group that a row leaves are linked anew, but nobody looked at them.
    looked = set(step.looked)
    return looked - taken_out(step) if step.kind == "sweep" else looked & (same | founded)
