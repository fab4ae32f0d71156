"""Which rows a method that searches neighbours learns from, where not all of them are in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.random import sample_without_replacement

from pairspace.constraints import UNKNOWN
from pairspace.supervision import Supervision

Ints = NDArray[np.int64]

MOST_LABELLED = 20_000  # rows with a label, besides those in pairs
MOST_OTHERS = 20_000  # rows of which nothing is known: enough for the shape of the data


def rows_to_learn_from(known: Supervision, random_state: Any) -> Ints:
    """All rows in pairs, and a sample of the labelled rows and of the others; rising.

    Where there are no more than these numbers of each, that is all rows.
    """
    random = check_random_state(random_state)
    linked = known.linked_rows
    labelled = np.setdiff1d(np.flatnonzero(known.labels != UNKNOWN), linked, assume_unique=True)
    told = np.union1d(linked, labelled)
    others = _some(len(known.labels) - len(told), MOST_OTHERS, random)
    # The k-th row that is not among those told: rows before it are told or come before it, too.
    others += np.searchsorted(told - np.arange(len(told)), others, side="right")
    labelled = labelled[_some(len(labelled), MOST_LABELLED, random)]
    return np.sort(np.concatenate([linked, labelled, others]))


def _some(n: int, at_most: int, random: np.random.RandomState) -> Ints:
    if n <= at_most:
        return np.arange(n)
    return np.asarray(sample_without_replacement(n, at_most, random_state=random), dtype=np.int64)
