"""Subsamples of tables that are not in memory, for methods that need the rows themselves.

Neighbours can't be found from sums over blocks. So of a table that is read in blocks the methods
that need them learn from a sample: every row of a pair, labelled rows, and others by chance.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.random import sample_without_replacement

from pairspace._core.data import LazyRows, Rows, rows_in_memory, working_bytes
from pairspace._core.typing import Ints, Seed
from pairspace.base._supervision import Supervision
from pairspace.constraints import UNKNOWN

MOST_ROWS = 50_000  # whose neighbours take seconds to find
COPIES = 4  # of the rows in float64 that a search for neighbours may hold


def subsample(
    rows: LazyRows, known: Supervision, random_state: Seed, most_rows: int | None = None
) -> tuple[Rows, Supervision, Ints]:
    """Draw a subsample of a table that is read in blocks.

    The subsample has at most ``most_rows`` rows, or what fits a quarter of the working memory. It
    contains all rows in pairs. Labelled rows take up to half of the remaining places, other rows
    the rest.

    Parameters
    ----------
    rows : LazyRows
        The rows of a table that is read in blocks.
    known : Supervision
        What is known about the rows.
    random_state : int, RandomState instance or None
        Seed of the subsample.
    most_rows : int, default=None
        The largest number of rows; 50,000 by default.

    Returns
    -------
    rows : Rows
        The rows of the subsample, in memory.
    known : Supervision
        What is known about them.
    numbers : ndarray of int
        Their row numbers in the table.
    """
    at_most = most_rows or MOST_ROWS
    if not rows.sparse:  # sparse rows stay so
        at_most = min(at_most, working_bytes() // (COPIES * 8 * rows.shape[1]))
    chosen = rows_to_learn_from(len(rows), known, at_most, random_state)
    return rows_in_memory(rows.fetch(chosen)), known.on(chosen), chosen


def rows_to_learn_from(n: int, known: Supervision, at_most: int, random_state: Seed) -> Ints:
    """Choose the rows of a subsample.

    Parameters
    ----------
    n : int
        The number of rows of the table.
    known : Supervision
        What is known about them.
    at_most : int
        The largest number of rows, unless more rows are in pairs.
    random_state : int, RandomState instance or None
        Seed of the choice.

    Returns
    -------
    ndarray of int
        Row numbers, ascending: all rows in pairs, labelled rows in up to half of the remaining
        places, and other rows.
    """
    if n <= at_most:
        return np.arange(n)
    random = check_random_state(random_state)
    taken = np.zeros(n, dtype=bool)
    taken[known.pairs.must_link] = taken[known.pairs.cannot_link] = True
    room = max(at_most, 2) - int(taken.sum())
    labelled = _some((known.labels != UNKNOWN) & ~taken, room // 2, random)
    taken[labelled] = True
    taken[_some(~taken, room - len(labelled), random)] = True
    return np.flatnonzero(taken)


def _some(free: NDArray[np.bool_], at_most: int, random: np.random.RandomState) -> Ints:
    rows = np.flatnonzero(free)
    n = max(min(len(rows), at_most), 0)
    return rows[sample_without_replacement(len(rows), n, random_state=random)]
