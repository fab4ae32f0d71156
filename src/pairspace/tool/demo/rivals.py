"""What a user would do with scikit-learn alone: clustering, and labels of random rows."""

from __future__ import annotations

import numpy as np
from sklearn.cluster import AgglomerativeClustering, KMeans, SpectralClustering
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading

from pairspace._core.typing import Floats, Ints
from pairspace.tool.classifiers import best_classifier

CLASSIFIERS = "random labels, best of five classifiers"
SPREADING = "random labels, LabelSpreading"


def clusterings(X: Floats, y: Ints) -> dict[str, float]:
    """ARI of clusterings without answers, which are told the number of groups."""
    n = len(np.unique(y))
    scaled = StandardScaler().fit_transform(X)
    few = PCA(min(9, *X.shape), svd_solver="full").fit_transform(X)
    spectral = SpectralClustering(n, affinity="nearest_neighbors", random_state=0)
    return {
        "k-means": _ari(y, k_means(X, n)),
        "k-means, standardised": _ari(y, k_means(scaled, n)),
        "k-means, PCA": _ari(y, k_means(few, n)),
        "Ward": _ari(y, AgglomerativeClustering(n).fit_predict(X)),
        "spectral": _ari(y, spectral.fit_predict(X)),
    }


def k_means(X: Floats, n_clusters: int) -> Ints:
    """The clusters of k-means."""
    return np.asarray(KMeans(n_clusters, n_init=5, random_state=0).fit_predict(X))


def random_labels(
    X: Floats, y: Ints, numbers: tuple[int, ...], person: int
) -> dict[str, dict[int, float]]:
    """ARI over all rows from labels of random rows, by rival and number of labels."""
    order = np.random.RandomState(person).permutation(len(y))
    found: dict[str, dict[int, float]] = {SPREADING: {}, CLASSIFIERS: {}}
    for n in numbers:
        rows = order[:n]
        known = np.full(len(y), -1)
        known[rows] = y[rows]
        with np.errstate(all="ignore"):
            spread = LabelSpreading(kernel="knn").fit(X, known).transduction_
        found[SPREADING][n] = _ari(y, spread)
        predicted = best_classifier(X[rows], y[rows]).predict(X)
        found[CLASSIFIERS][n] = _ari(y, np.where(known >= 0, known, predicted))
    return found


def _ari(y: Ints, groups: Ints) -> float:
    return float(adjusted_rand_score(y, groups))
