"""The same methods in other libraries, beside ours, in one environment that all can live in.

metric-learn 0.7 needs scikit-learn below 1.8 and lpproj 0.1 an old SciPy, so `make bench-peers`
sets up an environment of their own with benchmarks/peers.txt and runs this there. Quality is 1-NN
accuracy on held-out rows: a faster peer that is worse is not ahead.
"""

from __future__ import annotations

import warnings

import numpy as np
import scipy.linalg
from fit import data
from lpproj import LocalityPreservingProjection
from measure import best_seconds, print_machine
from metric_learn import LFDA
from metric_learn import RCA as METRIC_LEARN_RCA
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

from pairspace import CFLD, LPP, RCA, SLPP

warnings.simplefilter("ignore")  # of the peers, about what will break in newer versions


def main(n_samples: int, n_features: int, repeats: int) -> None:
    X, y = data(2 * n_samples, n_features)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
    product = best_seconds(lambda: X.T @ X, repeats)
    floor = best_seconds(lambda: scipy.linalg.eigh(X.T @ X), repeats)
    print(f"## Peers at {n_samples:,} × {n_features}, labels of 10 classes, 9 components\n")
    print_machine()
    print(f"XᵀX {product:.3f} s, XᵀX + eigh {floor:.3f} s\n")
    print("| method | seconds | ÷ (XᵀX + eigh) | 1-NN on held-out rows |\n|---|---|---|---|")
    for name, estimator in {
        "RCA": RCA(9),
        "metric-learn RCA": METRIC_LEARN_RCA(n_components=9),
        "CFLD": CFLD(9),
        "metric-learn LFDA": LFDA(n_components=9, k=7),
        "SLPP": SLPP(9),
        "LPP": LPP(9),
        "lpproj LPP": LocalityPreservingProjection(n_components=9, n_neighbors=5),
    }.items():
        supervised = name not in ("LPP", "lpproj LPP")
        arguments = (X, y) if supervised else (X,)
        seconds = best_seconds(lambda e=estimator, a=arguments: e.fit(*a), repeats)
        try:
            nearest = KNeighborsClassifier(1).fit(estimator.transform(X), y)
            quality = f"{nearest.score(estimator.transform(X_test), y_test):.3f}"
        except ValueError as error:  # a peer that does not run is a result, too
            quality = f"transform fails: {str(error).splitlines()[0]}"
        print(f"| {name} | {seconds:.3f} | {seconds / floor:.1f} | {quality} |")
    print()


if __name__ == "__main__":
    np.random.seed(0)  # noqa: NPY002  (metric-learn draws from the global generator)
    main(2_000, 200, 3)
