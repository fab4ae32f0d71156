"""Groups of the demo's customers, a table of mixed columns."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import adjusted_rand_score

from pairspace._core.typing import Ints
from pairspace.linear import PairSpace
from pairspace.preprocessing import make_recipe
from pairspace.tool.demo.board import place_rows
from pairspace.tool.demo.customers import customers
from pairspace.tool.demo.rivals import CLASSIFIERS, clusterings, k_means, random_labels

N_PLACED = 40


def group_customers(n_people: int) -> dict[str, list[float]]:
    """ARI of the groups by how they were found, for each person.

    The recipe makes numbers of all columns and standardises them; all methods use it.
    """
    frame, group = customers()
    X = np.asarray(make_recipe(frame.drop(columns="name")).fit_transform(frame))
    n_groups = len(np.unique(group))
    found = {f"no answers, {name}": [value] for name, value in clusterings(X, group).items()}
    found.pop("no answers, k-means, standardised")
    labels, boards, spaces = [], [], []
    for person in range(n_people):
        rivals = random_labels(X, group, (N_PLACED,), person)
        labels.append(rivals[CLASSIFIERS][N_PLACED])
        board = place_rows(X, group, N_PLACED, person)
        boards.append(board.ari[N_PLACED])
        spaces.append(_ari_in_space(X, group, board.placed, n_groups))
    return found | {
        f"{N_PLACED} {CLASSIFIERS}": labels,
        f"{N_PLACED} rows placed on the board": boards,
        f"{N_PLACED} rows, k-means in PairSpace": spaces,
    }


def _ari_in_space(X: np.ndarray, group: Ints, placed: Ints, n_groups: int) -> float:
    known = np.full(len(group), -1)
    known[placed] = group[placed]
    Z = PairSpace(min(n_groups - 1, X.shape[1]), random_state=0).fit_transform(X, known)
    return float(adjusted_rand_score(group, k_means(Z, n_groups)))
