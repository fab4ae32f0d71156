"""From answers to groups: the rows whose group is known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pairspace._core.typing import Floats, Ints
from pairspace.base._supervision import Supervision
from pairspace.constraints import UNKNOWN
from pairspace.constraints.known_groups import KnownGroups


class PlacedRows(NamedTuple):
    """Rows whose group is known.

    Parameters
    ----------
    rows : ndarray of int
        The row numbers, ascending.
    groups : ndarray of int
        The group of each of these rows, from 0 on.
    weight : ndarray of float
        How far each of them counts: 1, or less if its must-links have a smaller weight.
    n_groups : int
        The number of groups.
    n_answered : int
        The number of rows that have an answer or a label, placed or not. Rows that are only known
        to differ from placed rows are left out: nothing is unclear about the groups.
    """

    rows: Ints
    groups: Ints
    weight: Floats
    n_groups: int
    n_answered: int

    @property
    def may_teach(self) -> bool:
        """Whether at least half of the rows with answers are placed.

        Random pairs show few groups that differ, and leave most of their rows in none of them.
        """
        return self.n_groups > 1 and 2 * len(self.rows) >= self.n_answered


def placed_rows(known: Supervision) -> PlacedRows:
    """Find rows whose group is known: groups that all differ from each other, and their members.

    Rows joined by must-links or with the same label are of one group. Two labels differ, and so do
    groups with a cannot-link between them. A group is kept if it is known to differ from all others
    that are kept: labels first, then the groups with the most differences, then the largest.

    Parameters
    ----------
    known : Supervision
        Labels and pairs that do not contradict each other.

    Returns
    -------
    PlacedRows
        The rows and their groups: those with labels first, in the order of the labels, then the
        others by their first row. None if no two groups are known to differ.

    Examples
    --------
    >>> from pairspace import Constraints
    >>> answers = Constraints(6, must_link=[(0, 1), (2, 3)], cannot_link=[(1, 2), (4, 5)])
    >>> placed = placed_rows(Supervision(answers, None, 6))
    >>> placed.rows.tolist(), placed.groups.tolist()
    ([0, 1, 2, 3], [0, 0, 1, 1])
    """
    answered = np.flatnonzero(known.components != UNKNOWN)
    component = known.components
    kept = _all_different(known, component, answered)

    rows = np.flatnonzero(np.isin(component, kept))
    # Numbers that do not depend on the search: labels in their order, then by the first row.
    number_of = {one: number for number, one in enumerate(kept)}
    groups = np.array([number_of[one] for one in component[rows].tolist()], dtype=np.int64)
    return PlacedRows(rows, groups, _weights(known)[rows], len(kept), _n_answered(known, rows))


def _n_answered(known: Supervision, placed: Ints) -> int:
    is_placed = np.zeros(len(known.labels), dtype=bool)
    is_placed[placed] = True
    links = known.pairs.cannot_link
    unclear = links[~is_placed[links].any(axis=1)]
    rows = [placed, known.pairs.must_link.ravel(), unclear.ravel()]
    return len(np.unique(np.concatenate(rows)))


def _all_different(known: Supervision, component: Ints, answered: Ints) -> list[int]:
    """Components that all differ from each other: those of labels, then others, by first row."""
    with_label = np.flatnonzero(known.labels != UNKNOWN)
    order = with_label[np.argsort(known.labels[with_label], kind="stable")]
    labelled = np.fromiter(dict.fromkeys(component[order].tolist()), dtype=np.int64)
    differ = KnownGroups(len(component))  # its "rows" are components
    for a, b in component[known.pairs.cannot_link].tolist():
        differ.add(a, b, same=False)
    size = np.bincount(component[answered])
    others = sorted(
        np.setdiff1d(component[answered], labelled).tolist(),
        key=lambda one: (-len(differ.different_from(one)), -size[one], one),
    )
    kept = labelled.tolist()
    for one in others:
        if differ.different_from(one).issuperset(kept):
            kept.append(one)
    if len(kept) < 2:
        return []
    first_row = dict(zip(component[answered[::-1]].tolist(), answered[::-1].tolist(), strict=True))
    return [*kept[: len(labelled)], *sorted(kept[len(labelled) :], key=first_row.__getitem__)]


def _weights(known: Supervision) -> Floats:
    """For each row the largest weight of its must-links, at most 1; 1 if it has none or a label."""
    weight = np.zeros(len(known.labels))
    links = known.pairs.must_link
    np.maximum.at(weight, links.ravel(), np.repeat(known.pairs.must_weight, 2))
    weight[(known.labels != UNKNOWN) | (weight == 0)] = 1.0
    return np.minimum(weight, 1.0)
