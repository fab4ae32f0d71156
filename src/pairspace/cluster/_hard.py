"""Groups that keep every given pair."""

from __future__ import annotations

import numpy as np

from pairspace._core.typing import Floats
from pairspace.base import Supervision
from pairspace.constraints import UNKNOWN


def keep_pairs(P: Floats, known: Supervision, *, may_add: bool) -> Floats:
    """Probabilities whose largest entries keep every must-link, cannot-link and label.

    Rows joined by must-links, or with the same label, go to one group. Joined rows and rows with
    cannot-links choose a group one after another, those that differ from the most others first, and
    each takes the likeliest group that none of those it must differ from has. If there is none, a
    new group is made where that is allowed.
    """
    component = known.components
    n = component.max(initial=-1) + 1
    members = np.flatnonzero(component != UNKNOWN)
    scores = np.zeros((n, P.shape[1]))
    np.add.at(scores, component[members], np.log(np.maximum(P[members], 1e-12)))
    differ: list[set[int]] = [set() for _ in range(n)]
    for a, b in component[known.pairs.cannot_link].tolist():
        differ[a].add(b)
        differ[b].add(a)

    labelled = set(component[known.labels != UNKNOWN].tolist())  # which all differ
    n_different = [
        len(differ[one] | labelled if one in labelled else differ[one]) for one in range(n)
    ]
    of_labels: set[int] = set()  # groups

    group = np.full(n, -1)
    gap = np.ptp(np.sort(scores, axis=1)[:, -2:], axis=1) if P.shape[1] > 1 else np.zeros(n)
    for one in sorted(range(n), key=lambda each: (-n_different[each], -gap[each], each)):
        taken = {int(group[other]) for other in differ[one]}
        taken |= of_labels if one in labelled else set()
        free = [g for g in np.argsort(-scores[one], kind="stable").tolist() if g not in taken]
        if free:
            group[one] = free[0]
        elif may_add:
            group[one] = scores.shape[1]
            scores = np.column_stack([scores, np.full(n, -np.inf)])
        else:
            raise ValueError(
                f"hard=True: no way was found to keep all cannot-links with {P.shape[1]} groups; "
                "raise n_clusters, or use hard=False"
            )
        if one in labelled:
            of_labels.add(int(group[one]))
    wider = np.zeros((len(P), scores.shape[1]))
    wider[:, : P.shape[1]] = P
    wider[members] = np.eye(scores.shape[1])[group[component[members]]]
    return wider
