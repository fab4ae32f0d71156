"""What an export of the groups would contain, in rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pairspace.active import PairQuestions, Quality
from pairspace.active.answer_log import NOT_OF_INTEREST, NOT_SURE
from pairspace.active.quality import row_quality
from pairspace.active.tested import tested_rows

SURE = 0.8  # the confidence from which a row counts as grouped


class Summary(NamedTuple):
    """What an export of the groups would contain.

    Parameters
    ----------
    n_rows : int
        The number of rows.
    n_grouped : int
        The number of rows that are placed in a group, or predicted with a confidence of .8 or more.
    n_groups : int
        The number of groups.
    right : Quality or None
        The share of test rows with such a confidence whose predicted group was right; None before
        there are any.
    n_unsure : int
        The number of rows whose predicted group has a confidence below .8.
    n_not_sure : int
        The number of rows that the person was not sure about.
    n_aside : int
        The number of rows that are not of interest.
    outvoted : tuple of int
        Rows for which all other answers predict another group than they were placed in, or one that
        they were taken out of.
    """

    n_rows: int
    n_grouped: int
    n_groups: int
    right: Quality | None
    n_unsure: int
    n_not_sure: int
    n_aside: int
    outvoted: tuple[int, ...]


def summary_of(questions: PairQuestions) -> Summary:
    """What an export would contain now."""
    log, space = questions.log, questions.space
    unsure = unsure_rows(questions)
    of_no_group = [row for row in log.piles if log.group_of(row) is None]
    aside = [row for row in of_no_group if log.pile_of(row) == NOT_OF_INTEREST]
    n_rows = len(space.clusters)
    groups = questions.groups
    return Summary(
        n_rows=n_rows,
        n_grouped=n_rows - len(unsure) - len(aside) if len(groups) > 1 else 0,
        n_groups=len(groups),
        right=row_quality(
            [test.right for test in tested_rows(log, space) if test.confidence >= SURE]
        ),
        n_unsure=len(unsure) if len(groups) > 1 else n_rows - len(aside),
        n_not_sure=sum(log.pile_of(row) == NOT_SURE for row in of_no_group),
        n_aside=len(aside),
        outvoted=tuple(space.outvoted.tolist()),
    )


def unsure_rows(questions: PairQuestions) -> list[int]:
    """Rows in no group whose prediction is not sure, the least sure first."""
    log = questions.log
    confidence = questions.space.probabilities.max(axis=1)
    is_open = questions.labels < 0
    is_open[[row for row in log.piles if log.pile_of(row) == NOT_OF_INTEREST]] = False
    rows = np.flatnonzero(is_open & (confidence < SURE))
    return [int(row) for row in rows[np.argsort(confidence[rows], kind="stable")]]
