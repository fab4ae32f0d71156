"""Parts of protocols: splits, pairs and labels, reduction and evaluation.

A table's ``prepare`` runs once for each split, its ``measure`` evaluates one method on it.
The two here are those of our study (:func:`prepare_halves`, :func:`judge_space`); those of
the papers are in ``experiments/papers``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.impute import SimpleImputer
from sklearn.metrics import adjusted_rand_score, pairwise_distances_argmin
from sklearn.preprocessing import StandardScaler

from pairspace import Constraints
from pairspace.datasets import load
from pairspace.metrics import pair_auc

if TYPE_CHECKING:
    from experiments.table import Split

Floats = NDArray[Any]
Ints = NDArray[np.int64]
Make = Callable[[int], Any]


def load_numbers(name: str) -> tuple[Floats, Ints]:
    """A dataset as float64 with NaN for missing values, and integer labels."""
    X, y = load(name, return_X_y=True)
    return X.astype(np.float64), y


# ---- Rows ------------------------------------------------------------------------------------


def fold_numbers(y: Ints, n_folds: int, seed: int) -> Ints:
    """Stratified folds of equal size: a fold number for each row."""
    shuffled = RandomState(seed).permutation(len(y))
    by_class = shuffled[np.argsort(y[shuffled], kind="stable")]
    folds = np.empty(len(y), dtype=np.int64)
    folds[by_class] = np.arange(len(y)) % n_folds
    return folds


def at_most(y: Ints, max_rows: int, seed: int) -> Ints:
    """A stratified subsample of at most ``max_rows`` rows, in the order of the data."""
    if len(y) <= max_rows:
        return np.arange(len(y))
    shuffled = RandomState(seed).permutation(len(y))
    by_class = shuffled[np.argsort(y[shuffled], kind="stable")]
    return np.sort(by_class[np.arange(max_rows) * len(y) // max_rows])


def filled(train: Floats, test: Floats, *, scale: bool = False) -> tuple[Floats, Floats]:
    """Impute missing values by the median of the training rows, and standardise if ``scale``."""
    if np.isnan(train).any() or np.isnan(test).any():
        # A column without any value in the training rows becomes 0.
        imputer = SimpleImputer(strategy="median", keep_empty_features=True).fit(train)
        train, test = imputer.transform(train), imputer.transform(test)
    if scale:
        scaler = StandardScaler().fit(train)
        train, test = scaler.transform(train), scaler.transform(test)
    return train, test


# ---- Pairs and labels ------------------------------------------------------------------------


def known_of(
    y: Ints,
    seed: int,
    *,
    per_class: int | None = None,
    fraction: float | None = None,
    labels: float | None = None,
    labels_per_class: int | None = None,
    wrong: float = 0.0,
) -> Constraints | Ints:
    """Pairs a class, a share of all pairs, a share of the labels (at least one a class), or labels.

    ``labels_per_class`` is at most half of the rows of a class, so that some stay unlabelled.

    ``wrong`` is the chance of an answer to be the opposite of the truth.
    """
    random = RandomState(seed)
    if per_class == 0:
        return Constraints(len(y))
    if labels is None and labels_per_class is None:
        true = Constraints.from_labels(
            y, per_class=per_class, fraction=fraction, random_state=random
        )
        return answered_wrong(true, wrong, random) if wrong else true
    partial = np.full(len(y), -1)
    for label in np.unique(y):
        members = random.permutation(np.flatnonzero(y == label))
        share = labels * len(members) if labels else min(labels_per_class or 0, len(members) // 2)
        partial[members[: max(1, round(share))]] = label
    return partial


def answered_wrong(true: Constraints, chance: float, random: RandomState) -> Constraints:
    """The same pairs, each answered the other way round with this chance."""
    must, cannot = (
        random.random_sample(len(links)) < chance for links in (true.must_link, true.cannot_link)
    )
    return Constraints(
        len(true),
        np.vstack([true.must_link[~must], true.cannot_link[cannot]]),
        np.vstack([true.cannot_link[~cannot], true.must_link[must]]),
    )


# ---- Spaces ----------------------------------------------------------------------------------


class ExactPCA(PCA):
    """PCA without random projections, which the default solver may use."""

    def fit(self, X: Floats, y: Any = None) -> Self:
        """Use Lanczos for few of many components, otherwise the full decomposition."""
        few = self.n_components < min(X.shape) and min(X.shape) > 100
        self.set_params(svd_solver="arpack" if few else "full", random_state=0)
        return super().fit(X)


class LabelledLDA(LinearDiscriminantAnalysis):
    """LDA of the labelled rows, with as many components as possible."""

    def __init__(self, n_components: int) -> None:
        super().__init__(solver="eigen", shrinkage="auto", n_components=n_components)

    def fit(self, X: Floats, y: Any) -> Self:
        """Fit to labels; pairs are an error."""
        if isinstance(y, Constraints):
            raise ValueError("LDA learns from labels, not from pairs")
        known = y >= 0
        n_possible = len(np.unique(y[known])) - 1
        self.set_params(n_components=min(self.get_params()["n_components"], n_possible))
        return super().fit(X[known], y[known])


def fitted(make: Make, n_components: int, X: Floats, known: Any) -> Any:
    """The method with ``n_components``, or with as many as the data or the pairs allow."""
    for k in range(min(n_components, X.shape[1]), 0, -1):
        try:
            return make(k).fit(X, known)
        except ValueError as error:
            # such as "n_components=9 must be at most 4, the rank of the must-links"
            if k == 1 or not str(error).startswith("n_components="):
                raise
    raise ValueError("X has no columns")


def spaces(
    make: Make, n_components: int, X: Floats, known: Any, *others: Floats
) -> Iterator[list[Floats]]:
    """For K = 1 … n_components: X and the others in the space of K components.

    The spaces of most methods are nested, and one fit gives all; those of BWDR need not be. The
    largest and the smallest are fitted, and those between only if these two differ in the first
    direction.
    """
    largest = fitted(make, n_components, X, known)
    parts = [largest.transform(part) for part in (X, *others)]
    n_found = parts[0].shape[1]
    first = make(1).fit(X, known).transform(X)[:, 0]
    nested = abs(np.corrcoef(first, parts[0][:, 0])[0, 1]) > 1 - 1e-9
    for k in range(1, n_found + 1):
        if nested or k == n_found:
            yield [part[:, :k] for part in parts]
        else:
            space = make(k).fit(X, known)
            yield [space.transform(part) for part in (X, *others)]


# ---- Evaluation ------------------------------------------------------------------------------


def nearest_neighbour_accuracy(train: Floats, y_train: Ints, test: Floats, y_test: Ints) -> float:
    """The share of held-out rows whose nearest training row has their label."""
    return float(np.mean(y_train[pairwise_distances_argmin(test, train)] == y_test))


def kmeans_ari(X: Floats, y: Ints, seed: int, n_init: int = 5) -> float:
    """The adjusted Rand index of k-means with the true number of clusters."""
    n_clusters = len(np.unique(y))
    clusters = KMeans(n_clusters, n_init=n_init, random_state=seed).fit_predict(X)
    return float(adjusted_rand_score(y, clusters))


# ---- Our study: few pairs or labels, evaluation on held-out rows -----------------------------


@dataclass(frozen=True)
class Halves:
    """Two halves of the rows: training with pairs or labels, and evaluation."""

    X_train: Floats
    y_train: Ints
    X_test: Floats
    y_test: Ints
    known: Constraints | Ints
    test_pairs: Constraints
    seed: int


def prepare_halves(
    X: Floats,
    y: Ints,
    split: Split,
    *,
    scale: bool = False,
    max_rows: int = 2000,
    max_test_pairs: int = 20_000,
    **known: Any,
) -> Halves:
    """Half of the rows, with the supervision of :func:`known_of`; fold 1 swaps the halves."""
    rows = at_most(y, max_rows, split.row_seed)
    X, y = X[rows], y[rows]
    held_out = fold_numbers(y, 2, split.row_seed) == split.fold
    X_train, X_test = filled(X[~held_out], X[held_out], scale=scale)
    y_train, y_test = y[~held_out], y[held_out]
    n_pairs = min(max_test_pairs, len(y_test) * (len(y_test) - 1) // 2)
    test_pairs = Constraints.from_labels(
        y_test, n_pairs=n_pairs, random_state=RandomState(split.pair_seed)
    )
    known_rows = known_of(y_train, split.pair_seed, **known)
    return Halves(X_train, y_train, X_test, y_test, known_rows, test_pairs, split.pair_seed)


def judge_space(halves: Halves, make: Make, n_components: int = 9) -> dict[str, float]:
    """A space of at most 9 components."""
    return judged(halves, fitted(make, n_components, halves.X_train, halves.known))


def judged(halves: Halves, space: Any) -> dict[str, float]:
    """1-NN, k-means and pairs of held-out rows in a fitted space."""
    train, test = space.transform(halves.X_train), space.transform(halves.X_test)
    return {
        "n_components": test.shape[1],
        "accuracy": nearest_neighbour_accuracy(train, halves.y_train, test, halves.y_test),
        "ari": kmeans_ari(test, halves.y_test, halves.seed),
        "pair_auc": pair_auc(test, halves.test_pairs),
    }


def mean_of_each(metrics: Sequence[Any]) -> dict[str, float]:
    """The mean of every metric over the folds."""
    return {name: float(np.mean([cell[name] for cell in metrics])) for name in metrics[0]}
