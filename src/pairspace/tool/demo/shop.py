"""Groups of the demo's customers, a table of mixed columns."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import adjusted_rand_score

from pairspace._core.typing import Floats, Ints
from pairspace.linear import PairSpace
from pairspace.preprocessing import make_recipe
from pairspace.tool.demo.board import place_rows
from pairspace.tool.demo.customers import customers
from pairspace.tool.demo.rivals import CLASSIFIERS, clusterings, k_means, random_labels

N_PLACED = 40


def unsupervised_customers() -> dict[str, float]:
    """ARI of clusterings of the customers without answers."""
    X, group = _table()
    found = clusterings(X, group)
    found.pop("k-means, standardised")  # the recipe standardises
    return found


def group_customers(person: int) -> dict[str, float]:
    """ARI of the groups that one person's answers give, by how they were found."""
    X, group = _table()
    rivals = random_labels(X, group, (N_PLACED,), person)
    board = place_rows(X, group, N_PLACED, person)
    return {
        f"{N_PLACED} {CLASSIFIERS}": rivals[CLASSIFIERS][N_PLACED],
        f"{N_PLACED} rows placed on the board": board.ari[N_PLACED],
        f"{N_PLACED} rows, k-means in PairSpace": _ari_in_space(X, group, board.placed),
    }


def _table() -> tuple[Floats, Ints]:
    """The customers as numbers, which all methods use, and their groups."""
    frame, group = customers()
    return np.asarray(make_recipe(frame.drop(columns="name")).fit_transform(frame)), group


def _ari_in_space(X: Floats, group: Ints, placed: Ints) -> float:
    n_groups = len(np.unique(group))
    known = np.full(len(group), -1)
    known[placed] = group[placed]
    Z = PairSpace(min(n_groups - 1, X.shape[1]), random_state=0).fit_transform(X, known)
    return float(adjusted_rand_score(group, k_means(Z, n_groups)))
