"""What a user would do with scikit-learn alone: clustering, and labels of random rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.cluster import AgglomerativeClustering, KMeans, SpectralClustering
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import SVC

from pairspace._core.typing import Floats, Ints

CLASSIFIERS = "random labels, best of five classifiers"
SPREADING = "random labels, LabelSpreading"
# Trees do not depend on the scaling; the others are tried with both.
GRID: list[dict[str, list[Any]]] = [
    {"scale": ["passthrough"], "learn": [RandomForestClassifier(100, random_state=0)]},
    {
        "scale": ["passthrough", StandardScaler()],
        "learn": [
            LogisticRegression(max_iter=500),
            SVC(C=10.0),
            KNeighborsClassifier(1),
            LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
        ],
    },
]


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
        found[CLASSIFIERS][n] = _ari(y, np.where(known >= 0, known, best_classifier(X, y, rows)))
    return found


def best_classifier(X: Floats, y: Ints, rows: Ints) -> Ints:
    """Predictions for all rows of the best of five classifiers, by cross-validation on some."""
    smallest = int(np.unique(y[rows], return_counts=True)[1].min())
    folds = StratifiedKFold(max(2, min(5, smallest)), shuffle=True, random_state=0)
    steps = Pipeline([("scale", "passthrough"), ("learn", SVC())])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes of one row; iterations that end early
        search = GridSearchCV(steps, GRID, cv=folds, error_score=0.0).fit(X[rows], y[rows])
    return np.asarray(search.predict(X))


def _ari(y: Ints, groups: Ints) -> float:
    return float(adjusted_rand_score(y, groups))
