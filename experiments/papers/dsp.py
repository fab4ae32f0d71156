"""The protocols of the DSP papers: k-means after reduction, evaluated on pairs of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.random import RandomState
from sklearn.base import BaseEstimator, TransformerMixin, is_clusterer
from sklearn.cluster import KMeans
from sklearn.metrics import rand_score
from sklearn.preprocessing import MinMaxScaler, normalize

from experiments.protocols import (
    ExactPCA,
    Floats,
    Ints,
    Make,
    filled,
    fitted,
    fold_numbers,
)
from pairspace import DSP, LPP, LPPSI, SLPP, Constraints, SKKMeans
from pairspace.metrics import pair_f_score

if TYPE_CHECKING:
    from experiments.table import Split

F, RAND = "F-score", "Rand index"

# The kernel widths of the paper's Table 2.
WIDTHS = {
    "wine": 0.6,
    "vehicle": 0.9,
    "iris": 0.3,
    "balance": 0.7,
    "ionosphere": 1.0,
    "glass": 0.3,
    "breast_w": 1.0,
    "sonar": 0.8,
    "mfeat_all": 0.2,
    "isolet": 7.0,
    "pendigits": 46.0,
    "coil20_16": 0.4,
    "kdd99_3195": 0.7,
}
# These widths fit raw features, rows of unit length, or both after the unit range. Other datasets
# have the unit range.
RAW, UNIT_ROWS, UNIT_RANGE_AND_ROWS = ("isolet", "pendigits"), ("coil20_16",), ("mfeat_all",)


class Identity(TransformerMixin, BaseEstimator):
    """All features: k-means without reduction."""

    def __init__(self, n_components: int) -> None:
        self.n_components = n_components

    def fit(self, X: Floats, y: Any = None) -> Identity:
        """Learn nothing."""
        return self

    def transform(self, X: Floats) -> Floats:
        """X."""
        return X


class UnitColumns(TransformerMixin, BaseEstimator):
    """A linear method whose directions have length 1.

    The papers do not give the lengths for LPP, SLPP and LPPSI, and k-means depends on them. With
    zᵀXᵀDXz = 1 LPP is .08 off their numbers, with length 1 it is .01 off.
    """

    def __init__(self, method: Any) -> None:
        self.method = method

    def fit(self, X: Floats, y: Any = None) -> UnitColumns:
        """As the method."""
        self.method.fit(X, y)
        return self

    def transform(self, X: Floats) -> Floats:
        """As the method, with other lengths."""
        return self.method.transform(X) / np.linalg.norm(self.method.components_, axis=1)


class DSPOfWidth(DSP):
    """DSP with the width that the paper's Table 2 has."""

    def set_width(self, width: float) -> None:
        """The paper's δ."""
        self.set_params(sigma=width)


class DSPWithoutCannotLinks(DSPOfWidth):
    """DSP with that width and without cannot-links."""

    def fit(self, X: Any, y: Any = None, **known: Any) -> DSPWithoutCannotLinks:
        """From the must-links."""
        super().fit(X, Constraints(len(y), y.must_link), **known)
        return self


class SKKMeansOfWidth(SKKMeans):
    """SKK-means with the width that the paper's Table 2 has."""

    def set_width(self, width: float) -> None:
        """The paper's δ."""
        self.set_params(gamma=1 / (2 * width**2))


DSP_OF_WIDTH = "DSP, the paper's δ"
METHODS: Mapping[str, Make] = {
    "PCA": ExactPCA,
    "LPP": lambda k: UnitColumns(LPP(k)),
    "SLPP": lambda k: UnitColumns(SLPP(k)),
    "LPPSI": lambda k: UnitColumns(LPPSI(k)),
    "DSP": partial(DSP, n_queries=None, random_state=0),
    DSP_OF_WIDTH: partial(DSPOfWidth, n_queries=None, random_state=0),
}


class Task(NamedTuple):
    """Rows with pairs to fit a space, and rows to cluster in it: the same or others."""

    X: Floats
    pairs: Constraints
    X_judged: Floats
    y_judged: Ints
    n_components: int
    width: float
    seed: int


def scaled(dataset: str, train: Floats, test: Floats) -> tuple[Floats, Floats]:
    """As the widths of the paper suggest."""
    train, test = filled(train, test)
    if dataset in RAW:
        return train, test
    if dataset in UNIT_ROWS:
        return normalize(train), normalize(test)
    scaler = MinMaxScaler().fit(train)
    train, test = scaler.transform(train), scaler.transform(test)
    if dataset in UNIT_RANGE_AND_ROWS:
        return normalize(train), normalize(test)
    return train, test


def pairs_of(y: Ints, split: Split, per_class: int) -> Constraints:
    """``per_class`` must-links in each class, and as many cannot-links with one end in it."""
    return Constraints.from_labels(
        y, per_class=per_class, random_state=RandomState(split.pair_seed)
    )


def prepare_rows(
    X: Floats, y: Ints, split: Split, *, per_class: int, n_components: int | None = None
) -> Task:
    """All rows, for fitting and clustering; by default half as many components as features."""
    X, _ = scaled(split.dataset, X, X)
    pairs = pairs_of(y, split, per_class)
    n_components = n_components or X.shape[1] // 2
    return Task(X, pairs, X, y, n_components, WIDTHS.get(split.dataset, 1.0), split.pair_seed)


def prepare_held_out(
    X: Floats, y: Ints, split: Split, *, per_class: int, n_components: Mapping[str, int]
) -> Task:
    """Four fifths to learn from, one to cluster."""
    held_out = fold_numbers(y, 5, split.row_seed) == split.fold
    train, test = scaled(split.dataset, X[~held_out], X[held_out])
    pairs = pairs_of(y[~held_out], split, per_class)
    return Task(
        train,
        pairs,
        test,
        y[held_out],
        n_components.get(split.dataset, 2),
        WIDTHS.get(split.dataset, 1.0),
        split.pair_seed,
    )


def _at_width(make: Make, width: float, n_components: int) -> Any:
    method = make(n_components)
    if hasattr(method, "set_width"):
        method.set_width(width)
    return method


def cluster(task: Task, make: Make) -> dict[str, float]:
    """Pair F-score and Rand index of k-means in the space, or of a method that clusters itself."""
    n_clusters = len(np.unique(task.y_judged))
    tuned = partial(_at_width, make, task.width)
    if is_clusterer(make(1)):
        clusters = tuned(n_clusters).fit_predict(task.X, task.pairs)
    else:
        space = fitted(tuned, task.n_components, task.X, task.pairs).transform(task.X_judged)
        clusters = k_means(space, n_clusters, task.seed)
    return {
        F: pair_f_score(task.y_judged, clusters),
        RAND: rand_score(task.y_judged, clusters),
    }


def k_means(X: Floats, n_clusters: int, seed: int) -> Ints:
    """The best of five starts."""
    return KMeans(n_clusters, n_init=5, random_state=seed).fit_predict(X).astype(np.int64)


# ---- Figures 4 and 5: against the number of dimensions ---------------------------------------

DIMENSIONS = (2, 5, 10, 15, 20, 40, 80, 120, 200)


def error_by_dimension(task: Task, make: Make) -> dict[str, float]:
    """1 − F at each number of dimensions that the method has; its spaces are nested."""
    tuned = partial(_at_width, make, task.width)
    space = fitted(tuned, task.n_components, task.X, task.pairs).transform(task.X_judged)
    n_clusters = len(np.unique(task.y_judged))
    return {
        f"r = {r}": 1 - pair_f_score(task.y_judged, k_means(space[:, :r], n_clusters, task.seed))
        for r in DIMENSIONS
        if r <= space.shape[1]
    }


def mean_of_shared(metrics: Sequence[Any]) -> dict[str, float]:
    """The mean of each metric that all draws have."""
    shared = [name for name in metrics[0] if all(name in cell for cell in metrics)]
    return {name: float(np.mean([cell[name] for cell in metrics])) for name in shared}
