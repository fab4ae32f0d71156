"""The protocol of the SSWMV paper: labels of some rows, 1-NN on the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.random import RandomState
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from experiments.protocols import Floats, Ints, Make, filled, nearest_neighbour_accuracy
from pairspace import WMVSearchCV

if TYPE_CHECKING:
    from experiments.table import Split

PROPAGATIONS: Mapping[str, str | None] = {
    "2P-WMV": None,
    "SSWMV, neighbors": "neighbors",
    "SSWMV, majority": "majority",
    "SSWMV, clusters": "clusters",
    "SSWMV, silhouette": "silhouette",
}


class Labelled(NamedTuple):
    """All rows, and which of them have labels."""

    X: Floats
    y: Ints
    train: Ints
    test: Ints
    seed: int


def prepare_labels(X: Floats, y: Ints, split: Split, *, share: float) -> Labelled:
    """A random training part, stratified; missing cells are filled from it."""
    chosen = StratifiedShuffleSplit(1, train_size=share, random_state=RandomState(split.row_seed))
    train, test = next(chosen.split(X, y))
    X = np.copy(X)
    X[train], X[test] = filled(X[train], X[test])
    return Labelled(X, y, train, test, split.pair_seed)


def search_of(propagation: str | None) -> Make:
    """β and the number of components, at most 20, are chosen by five folds of the training part."""
    return lambda k: WMVSearchCV(
        propagation=propagation,
        max_components=k,
        cv=StratifiedKFold(5, shuffle=True, random_state=0),
        random_state=0,
    )


def error_of_1nn(prepared: Labelled, make: Make) -> dict[str, float]:
    """The space is fitted on all rows with the labels of the training part."""
    X, y, train, test, _ = prepared
    labels = np.full(len(y), -1)
    labels[train] = y[train]
    search = make(20).fit(X, labels)
    Z = search.transform(X)
    largest = np.bincount(y[train]).argmax()
    return {
        "error": 1 - nearest_neighbour_accuracy(Z[train], y[train], Z[test], y[test]),
        "beta": search.best_params_["beta"],
        "n_components": search.best_params_["n_components"],
        "error_of_largest_class": float(np.mean(y[test] != largest)),
    }
