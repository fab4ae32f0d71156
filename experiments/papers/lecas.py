"""The protocol of the LE-CAS paper: k-means in an embedding, as many clusters as classes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score, fowlkes_mallows_score

from experiments.protocols import Floats, Ints, Make, at_most, filled
from pairspace import GGLE, LECAS, SCPLE, SLE, LaplacianEigenmaps
from pairspace.metrics import pair_f_score, purity

if TYPE_CHECKING:
    from experiments.table import Split

FMI, F, PURITY, ARI = "FMI", "F-measure", "purity", "ARI"
METRICS = {
    FMI: fowlkes_mallows_score,
    F: pair_f_score,
    PURITY: purity,
    ARI: adjusted_rand_score,
}
LARGEST = "share of the largest class"
# How many columns of the embedding are clustered: c.
DIMENSIONS = (2, 4, 6, 8, 10, 15, 20)
DATASETS = ("splice240", "w1a", "madelon", "fgnet", "orl32", "musk_v2", "cnae9", "secom")

METHODS: Mapping[str, Make] = {
    "LE-CAS": LECAS,
    "LE": LaplacianEigenmaps,
    "S-LE": SLE,
    "GGLE": GGLE,
    "SCPLE": SCPLE,
}
BY_KMEANS = "LE-CAS by k-means"


class Rows(NamedTuple):
    """Rows, their classes, and parameters of the methods."""

    X: Floats
    y: Ints
    seed: int
    parameters: Mapping[str, Any]


def prepare_rows(X: Floats, y: Ints, split: Split, *, max_rows: int, **parameters: Any) -> Rows:
    """A stratified subsample of the rows; missing values get the median of the column."""
    chosen = at_most(y, max_rows, split.row_seed)
    X, _ = filled(X[chosen], X[chosen])
    return Rows(X, y[chosen], split.pair_seed, parameters)


def embed(rows: Rows, make: Make, n_components: int) -> Floats:
    """The embedding of all rows; supervised methods get all labels, as in the paper."""
    method = make(n_components)
    method.set_params(random_state=rows.seed % 2**31, **rows.parameters)
    supervised = isinstance(method, SLE | SCPLE)
    return np.asarray(method.fit_transform(rows.X, rows.y if supervised else None))


def judge(rows: Rows, embedded: Floats) -> dict[str, float]:
    """The paper's three metrics, and ARI, which is corrected for chance."""
    n_clusters = len(np.unique(rows.y))
    k_means = KMeans(n_clusters, n_init=5, random_state=rows.seed % 2**31)
    clusters = k_means.fit_predict(embedded)
    return {name: float(metric(rows.y, clusters)) for name, metric in METRICS.items()}


def judge_each_dimension(rows: Rows, make: Make) -> dict[str, float]:
    """All metrics on the first c columns, for each c, and the share of the largest class."""
    embedded = embed(rows, make, max(DIMENSIONS))
    found = {LARGEST: float(np.bincount(rows.y).max() / len(rows.y))}
    for c in DIMENSIONS:
        judged = judge(rows, embedded[:, :c])
        found.update({f"{name}, c = {c}": value for name, value in judged.items()})
    return found


def judge_ten(rows: Rows, make: Make) -> dict[str, float]:
    """All metrics at c = 10."""
    return judge(rows, embed(rows, make, 10))


WITH_CLUSTERERS: Mapping[str, Make] = {**METHODS, BY_KMEANS: partial(LECAS, clusterer="kmeans")}
