"""Other libraries on the same tasks in the same run: time, memory and quality.

metric-learn 0.7 needs scikit-learn below 1.8 and lpproj 0.1 an old SciPy, so `make bench`
sets up an environment of their own with benchmarks/peers.txt and runs this there. Every fit has its
own process. Quality is measured on held-out rows: 1-NN accuracy, pair AUC, and the ARI of k-means.
A method that fails is listed with its error.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from fit import data
from measure import alone, best_seconds, peak_megabytes, print_machine
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.feature_selection import VarianceThreshold
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pairspace import Constraints
from pairspace.metrics import pair_auc

N_COMPONENTS, TIME_LIMIT, REPEATS = 9, 60, 3
Floats = NDArray[np.float64]


class Task(NamedTuple):
    """Training rows with their pairs and labels, and test rows."""

    X: Floats
    labels: NDArray[np.int64]  # −1 is unknown
    answers: Constraints
    X_test: Floats
    y: NDArray[np.int64]
    y_test: NDArray[np.int64]


def task(name: str) -> Task:
    X, y = load_digits(return_X_y=True) if name == "digits" else data(24_000, 200)
    test_size = 0.5 if name == "digits" else 4_000
    X, X_test, y, y_test = train_test_split(X, y, test_size=test_size, stratify=y, random_state=0)
    # constant columns break some peers
    scaler = make_pipeline(VarianceThreshold(), StandardScaler()).fit(X)
    share_known, per_class = (0.1, 20) if name == "digits" else (0.1, 1_000)
    known = np.random.default_rng(0).random(len(y)) < share_known
    answers = Constraints.from_labels(y, per_class=per_class, random_state=0)
    return Task(
        scaler.transform(X), np.where(known, y, -1), answers, scaler.transform(X_test), y, y_test
    )


def ours(name: str, **options: Any) -> Callable[[Task, str], Any]:
    def fit(task: Task, known: str) -> Any:
        method = getattr(import_module("pairspace"), name)(N_COMPONENTS, **options)
        given = {"pairs": task.answers, "labels": task.labels, "nothing": None}[known]
        return method.fit(task.X, given)

    return fit


def theirs(module: str, name: str, **options: Any) -> Callable[[Task, str], Any]:
    def fit(task: Task, known: str) -> Any:
        method = getattr(import_module(module), name)(**options)
        if known == "pairs":
            links = np.vstack([task.answers.must_link, task.answers.cannot_link])
            kind = np.repeat([1, -1], [len(task.answers.must_link), len(task.answers.cannot_link)])
            return method.fit(task.X[links], kind)
        if known == "chunks":
            return method.fit(task.X, task.answers.components())
        if known == "labelled rows":  # methods that do not accept unlabelled rows
            rows = task.labels >= 0
            return method.fit(task.X[rows], task.labels[rows])
        return method.fit(task.X, task.labels) if known == "labels" else method.fit(task.X)

    return fit


def clusterer(task: Task, known: str) -> Any:
    """active-semi-supervised-clustering returns clusters, not a space."""
    module = import_module("active_semi_clustering.semi_supervised.pairwise_constraints")
    must, cannot = (
        [(int(i), int(j)) for i, j in links]
        for links in (task.answers.must_link, task.answers.cannot_link)
    )
    return module.PCKMeans(n_clusters=10).fit(task.X, ml=must, cl=cannot)


METHODS: dict[str, tuple[str, Callable[[Task, str], Any]]] = {
    "PairSpace": ("pairs", ours("PairSpace", random_state=0)),
    "WBDR": ("pairs", ours("WBDR")),
    "WBDR(shrinkage='auto')": ("pairs", ours("WBDR", shrinkage="auto")),
    "BWDR": ("pairs", ours("BWDR")),
    "RCA": ("pairs", ours("RCA")),
    "DCA": ("pairs", ours("DCA")),
    "metric-learn RCA": ("chunks", theirs("metric_learn", "RCA")),
    "metric-learn ITML": ("pairs", theirs("metric_learn", "ITML", random_state=0)),
    "metric-learn SDML": (
        "pairs",
        theirs("metric_learn", "SDML", prior="identity", random_state=0),
    ),
    "metric-learn MMC": ("pairs", theirs("metric_learn", "MMC", random_state=0)),
    "active-semi-supervised-clustering PCKMeans": ("pairs", clusterer),
    "PairSpace, labels": ("labels", ours("PairSpace", random_state=0)),
    "CFLD": ("labels", ours("CFLD")),
    "SLPP": ("labels", ours("SLPP")),
    "WMV": ("labels", ours("WMV")),
    "scikit-learn LDA": (
        "labelled rows",
        theirs(
            "sklearn.discriminant_analysis",
            "LinearDiscriminantAnalysis",
            n_components=N_COMPONENTS,
        ),
    ),
    "scikit-learn NCA": (
        "labelled rows",
        theirs(
            "sklearn.neighbors",
            "NeighborhoodComponentsAnalysis",
            n_components=N_COMPONENTS,
            random_state=0,
        ),
    ),
    "SDA": ("labels", ours("SDA")),
    "SELF": ("labels", ours("SELF")),
    "MFA(shrinkage='auto')": ("labels", ours("MFA", shrinkage="auto")),
    "S2PPCA": ("labels", ours("S2PPCA")),
    "LFDA": ("labels", ours("LFDA")),
    "LFDA(shrinkage='auto')": ("labels", ours("LFDA", shrinkage="auto")),
    # Its distances to the k-th neighbour are read along the wrong axis: another space than LFDA's.
    "metric-learn LFDA": (
        "labelled rows",
        theirs("metric_learn", "LFDA", n_components=N_COMPONENTS),
    ),
    "UMAP, semi-supervised": (
        "labels",
        theirs("umap", "UMAP", n_components=N_COMPONENTS, random_state=0),
    ),
    "LPP": ("nothing", ours("LPP")),
    "NPE": ("nothing", ours("NPE")),
    "LaplacianEigenmaps": ("nothing", ours("LaplacianEigenmaps", random_state=0)),
    "lpproj LPP": (
        "nothing",
        theirs("lpproj", "LocalityPreservingProjection", n_components=N_COMPONENTS, n_neighbors=5),
    ),
    "scikit-learn PCA": (
        "nothing",
        theirs("sklearn.decomposition", "PCA", n_components=N_COMPONENTS, random_state=0),
    ),
    "scikit-learn SpectralEmbedding": (
        "nothing",
        theirs(
            "sklearn.manifold",
            "SpectralEmbedding",
            n_components=N_COMPONENTS,
            affinity="nearest_neighbors",
            random_state=0,
        ),
    ),
    "pymde": ("nothing", theirs("pymde", "preserve_neighbors")),
}


def measured(name: str, on: str) -> dict[str, Any]:
    """One method on one task, in this process."""
    warnings.simplefilter("ignore")  # deprecations of the other libraries
    np.random.seed(0)  # noqa: NPY002  (metric-learn draws from the global generator)
    given = task(on)
    known, fit = METHODS[name]
    before = peak_megabytes()
    fitted: list[Any] = []
    first = best_seconds(lambda: fitted.append(fit(given, known)), 1)
    memory = peak_megabytes() - before
    # The first fit of a process also loads code. Slow methods are fitted once.
    again = best_seconds(lambda: fit(given, known), REPEATS) if first < 5 else first
    found = {"seconds": min(first, again), "megabytes": memory}
    return found | quality(fitted[0], given)


def quality(method: Any, given: Task) -> dict[str, float]:
    if not hasattr(method, "transform"):
        labels = getattr(method, "labels_", None)
        return {} if labels is None else {"ARI of the training rows": ari(given.y, labels)}
    space, test = (np.asarray(method.transform(X)) for X in (given.X, given.X_test))
    nearest = KNeighborsClassifier(1).fit(space, given.y)
    clusters = KMeans(10, n_init=10, random_state=0).fit_predict(test)
    return {
        "1-NN": nearest.score(test, given.y_test),
        "pair AUC": pair_auc(test, given.y_test),
        "ARI": ari(given.y_test, clusters),
    }


def ari(truth: Any, labels: Any) -> float:
    return float(adjusted_rand_score(truth, labels))


def compare(on: str, title: str, names: list[str]) -> None:
    X = task(on).X
    floor = best_seconds(lambda: np.linalg.eigh(X.T @ X), REPEATS)
    print(f"## {title}, {N_COMPONENTS} components\n")
    print(f"Floor: *XᵀX + eigh*, {floor:.4f} s. Memory is the peak beyond the data, in MB.\n")
    print("| method | learns from | seconds | ÷ floor | memory | 1-NN | pair AUC | ARI |")
    print("|---|---|---|---|---|---|---|---|")
    for name in names:
        found = alone(__file__, "--alone", name, on, time_limit=TIME_LIMIT)
        known = METHODS[name][0]
        if "error" in found:
            print(f"| {name} | {known} | *{found['error']}* | | | | | |", flush=True)
            continue
        scores = [
            f"{found[key]:.3f}" if key in found else "" for key in ("1-NN", "pair AUC", "ARI")
        ]
        if "ARI of the training rows" in found:
            scores[2] = f"{found['ARI of the training rows']:.3f} (of the training rows)"
        print(
            f"| {name} | {known} | {found['seconds']:.3f} | {found['seconds'] / floor:.1f} | "
            f"{found['megabytes']:.0f} | {' | '.join(scores)} |",
            flush=True,
        )
    print()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alone", nargs=2, metavar=("METHOD", "TASK"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        try:
            print(json.dumps(measured(*options.alone)))
        except Exception as error:  # the error of another library is part of the table
            message = str(error).strip().splitlines() or [""]
            print(json.dumps({"error": f"{type(error).__name__}: {message[0][:100]}"}))
    else:
        print_machine()
        compare("digits", "Digits, 898 × 64: 20 pairs a class, or 10 % of the labels", [*METHODS])
        compare("tall", "20,000 × 200: 20,000 pairs, or 10 % of the labels", [*METHODS])
