"""The protocol of the BWDR/WBDR paper: spaces of K = 1 … 9, evaluated on five folds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray
from sklearn.cluster import KMeans

from experiments.protocols import (
    ExactPCA,
    Floats,
    Ints,
    Make,
    filled,
    fitted,
    fold_numbers,
    load_numbers,
    nearest_neighbour_accuracy,
    spaces,
)
from pairspace import BWDR, CFLD, SSDR, WBDR, Constraints
from pairspace.datasets import load
from pairspace.metrics import cumulative_purity, normalized_rand_index

if TYPE_CHECKING:
    from experiments.table import Split

BEST, CHOSEN = "best K on the test folds", "K chosen on inner folds"
METHODS: Mapping[str, Make] = {
    "PCA": ExactPCA,
    "cFLD": CFLD,
    "SSDR": SSDR,
    "BWDR": BWDR,
    "WBDR": WBDR,
}
# Not in the paper: BWDR and WBDR with shrinkage.
SHRUNK: Mapping[str, Make] = {
    "BWDR, shrunk": partial(BWDR, shrinkage="auto"),
    "WBDR, shrunk": partial(WBDR, shrinkage="auto"),
}


def load_as_in_the_paper(name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Two datasets have other labels in the paper than in their files."""
    X, y = load_numbers(name)
    if name == "isolet1":  # two classes: A–M against N–Z
        y = (y >= 13).astype(int)
    if name == "hepatitis":  # the last column is taken as the class, and the class as a column
        at = load(name).feature_names.index("HISTOLOGY")
        y, X[:, at] = (X[:, at] == X[:, at].max()).astype(int), y
    return X, y


# ---- Folds -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fold:
    """A training part with its pairs, and a held-out part."""

    X_train: Floats
    y_train: Ints
    X_test: Floats
    y_test: Ints
    pairs: Constraints


class Folds(NamedTuple):
    """A fold, the folds of its training part, and parameters of the methods."""

    outer: Fold
    inner: Sequence[Fold]
    parameters: Mapping[str, Any] = {}


def prepare_folds(
    X: Floats,
    y: Ints,
    split: Split,
    *,
    fraction: float,
    n_folds: int = 5,
    n_inner: int = 3,
    **parameters: Any,
) -> Folds:
    """A fold with pairs, a share of all those of its training part.

    On the inner folds a parameter may be chosen. Other settings are parameters of the methods.
    """
    held_out = fold_numbers(y, n_folds, split.row_seed) == split.fold
    X_train, X_test = filled(X[~held_out], X[held_out])
    y_train = y[~held_out]
    pairs = Constraints.from_labels(
        y_train, fraction=fraction, random_state=RandomState(split.pair_seed)
    )
    inner_numbers = fold_numbers(y_train, max(n_inner, 1), split.pair_seed)
    inner = []
    for number in range(n_inner):
        train = np.flatnonzero(inner_numbers != number)
        test = np.flatnonzero(inner_numbers == number)
        inner.append(
            Fold(X_train[train], y_train[train], X_train[test], y_train[test], pairs[train])
        )
    return Folds(Fold(X_train, y_train, X_test, y[held_out], pairs), inner, parameters)


# ---- Evaluation at each K --------------------------------------------------------------------

Judge = Callable[[Floats, Ints, Floats, Ints], float]


def accuracy_of_1nn(train: Floats, y_train: Ints, test: Floats, y_test: Ints) -> float:
    """Projected columns have unit variance in the training part."""
    spread = train.std(axis=0)
    spread[spread == 0] = 1
    return nearest_neighbour_accuracy(train / spread, y_train, test / spread, y_test)


def rand_index_of_kmeans(train: Floats, y_train: Ints, test: Floats, y_test: Ints) -> float:
    """Of the held-out rows, as they are projected, in as many clusters as there are classes."""
    n_clusters = min(len(np.unique(np.concatenate([y_train, y_test]))), len(test))
    clusters = KMeans(n_clusters, n_init=5, random_state=0).fit_predict(test)
    return normalized_rand_index(y_test, clusters)


def by_dimension(
    prepared: Folds, make: Make, n_components: int = 9, *, judge: Judge
) -> dict[str, Any]:
    """The score at each K, and at the K that is best on the inner folds, if any."""
    outer, inner, parameters = prepared

    def tuned(k: int) -> Any:
        method = make(k)
        return method.set_params(**parameters) if parameters else method

    accuracy = _judged(outer, tuned, n_components, judge)
    if not inner:
        return {"accuracy": accuracy}
    inside = [_judged(fold, tuned, n_components, judge) for fold in inner]
    shared = min(len(accuracy), *map(len, inside))
    chosen = int(np.argmax(np.mean([found[:shared] for found in inside], axis=0)))
    return {"accuracy": accuracy, "chosen": chosen + 1, "accuracy_of_chosen": accuracy[chosen]}


accuracy_by_dimension = partial(by_dimension, judge=accuracy_of_1nn)
rand_index_by_dimension = partial(by_dimension, judge=rand_index_of_kmeans)


def _judged(fold: Fold, make: Make, n_components: int, judge: Judge) -> list[float]:
    return [
        judge(train, fold.y_train, test, fold.y_test)
        for train, test in spaces(make, n_components, fold.X_train, fold.pairs, fold.X_test)
    ]


def mean_by_dimension(metrics: Sequence[Any]) -> Floats:
    """The mean over all folds at each K that every fold has."""
    shared = min(len(cell["accuracy"]) for cell in metrics)
    return np.mean([cell["accuracy"][:shared] for cell in metrics], axis=0)


def best_and_chosen(metrics: Sequence[Any]) -> dict[str, float]:
    """The best K on the test folds, as in the paper, and the K chosen on inner folds."""
    return {
        BEST: float(mean_by_dimension(metrics).max()),
        CHOSEN: float(np.mean([cell["accuracy_of_chosen"] for cell in metrics])),
    }


def at_each_dimension(metrics: Sequence[Any]) -> dict[str, float]:
    """A column for each K."""
    return {f"K = {k}": float(value) for k, value in enumerate(mean_by_dimension(metrics), start=1)}


# ---- Figure 6: neighbours of the same class --------------------------------------------------

N_NEIGHBOURS = (1, 2, 5, 10, 20, 30, 40, 50, 60)


def prepare_all_rows(
    X: Floats, y: Ints, split: Split, *, fraction: Mapping[str, float]
) -> tuple[Floats, Ints, Constraints]:
    """All rows, with the dataset's share of their pairs."""
    pairs = Constraints.from_labels(
        y, fraction=fraction[split.dataset], random_state=RandomState(split.pair_seed)
    )
    return X, y, pairs


def purity_of_neighbours(
    prepared: tuple[Floats, Ints, Constraints], make: Make, n_components: int = 15
) -> dict[str, float]:
    """The share of the nearest neighbours that have a row's class, in 15 columns of unit variance.

    As in 1-NN: the paper does not say how columns are scaled here.
    """
    X, y, pairs = prepared
    space = fitted(make, n_components, X, pairs).transform(X)
    found = cumulative_purity(space / space.std(axis=0), y, max(N_NEIGHBOURS))
    return {f"{n} neighbours": float(found[n - 1]) for n in N_NEIGHBOURS}
