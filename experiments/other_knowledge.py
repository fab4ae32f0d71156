"""Knowledge of other shapes: cannot-links alone, triplets, continuous targets, sample weights.

``python -m experiments.other_knowledge`` prints the tables of docs/guide/other_knowledge.md. The
held-out half is for cannot-links alone, which PairSpace learns from; the rest was tried on the
development half and not taken over.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from scipy.linalg import eigh
from sklearn.cluster import KMeans
from sklearn.cross_decomposition import PLSRegression
from sklearn.datasets import load_diabetes
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, kneighbors_graph
from sklearn.preprocessing import StandardScaler

from experiments.halves import CHOSEN_ON, REPORTED_ON
from experiments.report import markdown
from pairspace import Constraints, PairSpace
from pairspace._core.typing import Floats, Ints
from pairspace.datasets import load

N_SPLITS, MOST_ROWS, MOST_COLUMNS = 2, 1_000, 200
COLUMNS = {"glass": 0, "liver": 5, "segment": 10, "vehicle": 9, "wine": 0}  # targets
RIDGE = 0.5

# For each method, training rows in its space, what is known of them in the end, and test rows.
Spaces = dict[str, tuple[Floats, Any, Floats]]
Trial = Callable[[Floats, Any, Floats, np.random.RandomState], Spaces]
Scores = dict[str, dict[str, Floats]]  # by dataset and method


def main() -> None:
    """Print all tables."""
    warnings.simplefilter("ignore")
    for half, names in {"development": CHOSEN_ON, "held-out": REPORTED_ON}.items():
        for n in (20, 60, 200, 1_000):
            _print(f"{n:,} cannot-links, {half}", _of_classes(names, _cannot_links(n)))
    for n in (60, 300):
        _print(f"{n} triplets", _of_classes(CHOSEN_ON, _triplets(n)))
    _print("sample weights", _of_classes(CHOSEN_ON, _sample_weights))
    for n in (30, 100):
        _print(f"{n} known targets", _of_targets(n), ("R²",))


def _print(title: str, scores: Scores, heads: tuple[str, ...] = ("1-NN", "ARI")) -> None:
    """Means over datasets, and the mean and worst difference to the first method."""
    rows = [[f"{title}, {len(scores)} datasets"]]
    rows[0] += [f"{head}{what}" for what in ("", ", gain", ", worst gain") for head in heads]
    methods = list(next(iter(scores.values())))
    values = np.array([[of[method] for method in methods] for of in scores.values()])
    for at, method in enumerate(methods):
        gain = values[:, at] - values[:, 0]
        signed = [f"{each:+.3f}" for each in (*gain.mean(axis=0), *gain.min(axis=0))]
        means = [f"{each:.3f}" for each in values[:, at].mean(axis=0)]
        rows.append([method, *means, *(signed if at else [""] * len(signed))])
    print(markdown(rows) + "\n", flush=True)


def _halves(X: Floats, y: Any, seed: int) -> tuple[Floats, Any, Floats, Any]:
    """Two halves of at most 1,000 rows, standardised by the first."""
    order = np.random.RandomState(100 + seed).permutation(len(X))[:MOST_ROWS]
    train, test = order[: len(order) // 2], order[len(order) // 2 :]
    scaler = StandardScaler().fit(X[train])
    return scaler.transform(X[train]), y[train], scaler.transform(X[test]), y[test]


@cache
def _table(name: str) -> tuple[Floats, Ints]:
    X, y = load(name, return_X_y=True)
    rows = np.random.RandomState(0).permutation(len(X))[: 2 * MOST_ROWS]
    X, y = SimpleImputer().fit_transform(np.asarray(X[rows], dtype=float)), y[rows]
    if X.shape[1] > MOST_COLUMNS:
        X = PCA(MOST_COLUMNS, svd_solver="full").fit_transform(StandardScaler().fit_transform(X))
    return X, np.unique(y, return_inverse=True)[1]


def _of_classes(names: tuple[str, ...], trial: Trial) -> Scores:
    """1-NN accuracy and ARI of k-means on new rows."""

    def judged(Z: Floats, y: Ints, new: Floats, truth: Ints) -> tuple[float, float]:
        nearest = KNeighborsClassifier(1).fit(Z, y).score(new, truth)
        groups = KMeans(len(np.unique(truth)), n_init=3, random_state=0).fit_predict(new)
        return nearest, adjusted_rand_score(truth, groups)

    return _scores(((name, *_table(name)) for name in names), trial, judged)


def _of_targets(n: int) -> Scores:
    """R² of 5 nearest of the rows with a known target, on new rows."""

    def tables() -> Iterator[tuple[str, Floats, Floats]]:
        yield "diabetes", *load_diabetes(return_X_y=True)
        for name, column in COLUMNS.items():
            X, _ = _table(name)
            yield name, np.delete(X, column, axis=1), X[:, column]

    def judged(Z: Floats, y: Floats, new: Floats, truth: Floats) -> tuple[float]:
        known = np.isfinite(y)
        return (KNeighborsRegressor(5).fit(Z[known], y[known]).score(new, truth),)

    return _scores(tables(), _targets(n), judged)


def _scores(tables: Any, trial: Trial, judged: Callable[..., Any]) -> Scores:
    found: Scores = {}
    for name, X, y in tables:
        print(name, end=" ", file=sys.stderr, flush=True)
        splits = []
        for seed in range(N_SPLITS):
            A, of_A, B, of_B = _halves(X, y, seed)
            spaces = trial(A, of_A, B, np.random.RandomState(seed))
            splits.append({method: judged(*each, of_B) for method, each in spaces.items()})
        found[name] = {m: np.mean([split[m] for split in splits], axis=0) for m in splits[0]}
    return found


# ---- Trials


def _pair_space(A: Floats, B: Floats, y: Any = None, pairs: Any = None) -> tuple[Floats, Floats]:
    model = PairSpace(min(9, A.shape[1]), random_state=0).fit(A, y, constraints=pairs)
    return model.transform(A), model.transform(B)


def _cannot_links(n: int) -> Trial:
    def trial(A: Floats, y: Ints, B: Floats, random: np.random.RandomState) -> Spaces:
        links = random.randint(len(A), size=(50 * n, 2))
        links = links[y[links[:, 0]] != y[links[:, 1]]][:n]
        spaces = {"no answers": _pair_space(A, B)}
        pairs = Constraints(len(A), (), np.unique(np.sort(links, axis=1), axis=0))
        spaces["cannot-links"] = _pair_space(A, B, pairs=pairs)
        return {name: (Z, y, new) for name, (Z, new) in spaces.items()}

    return trial


def _triplets(n: int) -> Trial:
    """Triplets (a, b, c): a is of the class of b and not of c."""

    def trial(A: Floats, y: Ints, B: Floats, random: np.random.RandomState) -> Spaces:
        rows = random.randint(len(A), size=(400 * n, 3))
        a, b, c = rows[(rows[:, 0] != rows[:, 1])].T
        a, b, c = (each[(y[a] == y[b]) & (y[a] != y[c])][:n] for each in (a, b, c))
        pairs = Constraints(len(A), np.column_stack([a, b]), np.column_stack([a, c]))
        near, far = _scatter(A[a] - A[b]), _scatter(A[a] - A[c])
        W = _directions(_unit(_covariance(A)) + _unit(far), _neighbours(A) + _unit(near))
        return {
            name: (Z, y, new)
            for name, (Z, new) in {
                "no answers": _pair_space(A, B),
                "as pairs (a, b same; a, c different)": _pair_space(A, B, pairs=pairs),
                "difference of two scatters": (A @ W, B @ W),
            }.items()
        }

    return trial


def _sample_weights(A: Floats, y: Ints, B: Floats, random: np.random.RandomState) -> Spaces:
    """Half of the classes have a fifth of their rows; weights of 5 make up for it."""
    classes = random.permutation(np.unique(y))
    rare = np.isin(y, classes[: len(classes) // 2])
    kept = ~rare | (random.uniform(size=len(y)) < 0.2)
    A, y, weight = A[kept], y[kept], np.where(rare[kept], 5.0, 1.0)
    found = {}
    for name, w in {"not weighted": np.ones(len(y)), "weighted": weight}.items():
        W = _directions(_covariance(A, w), _neighbours(A, w))
        found[name] = (A @ W, y, B @ W)
    return found


def _targets(n: int) -> Trial:
    def trial(A: Floats, y: Floats, B: Floats, random: np.random.RandomState) -> Spaces:
        rows = random.permutation(len(A))[:n]
        known = np.full(len(A), np.nan)
        known[rows] = y[rows]
        bins = np.full(len(A), -1)
        bins[rows] = np.digitize(y[rows], np.quantile(y[rows], (0.25, 0.5, 0.75)))
        i, j = rows[np.column_stack(np.triu_indices(len(rows), 1))].T
        apart = np.abs(y[i] - y[j]) / y[rows].std()
        within, between = (
            _scatter(A[i] - A[j], weight) for weight in (np.exp(-((apart / 0.3) ** 2) / 2), apart)
        )
        W = _directions(_unit(_covariance(A)) + _unit(between), _neighbours(A) + _unit(within))
        regression = PLSRegression(min(5, A.shape[1])).fit(A[rows], y[rows])
        spaces = {
            "no answers": _pair_space(A, B),
            "no reduction": (A, B),
            "quartiles as labels": _pair_space(A, B, y=bins),
            "pairs weighted by the difference": (A @ W, B @ W),
            "PLSRegression of scikit-learn": (regression.transform(A), regression.transform(B)),
        }
        return {name: (Z, known, new) for name, (Z, new) in spaces.items()}

    return trial


def _covariance(A: Floats, weight: Any = None) -> Floats:
    return _scatter(A - np.average(A, axis=0, weights=weight), weight)


def _scatter(D: Floats, weight: Any = None) -> Floats:
    weight = np.ones(len(D)) if weight is None else weight
    return np.asarray((weight[:, None] * D).T @ D / weight.sum())


def _neighbours(A: Floats, weight: Any = None) -> Floats:
    """PairSpace's B without answers."""
    i, j = kneighbors_graph(A, min(5, len(A) - 1)).nonzero()
    near = _scatter(A[i] - A[j], None if weight is None else weight[i] * weight[j])
    identity = _unit(np.eye(A.shape[1]))
    return (1 - RIDGE) * ((1 - RIDGE) * _unit(near) + RIDGE * identity) + RIDGE * identity


def _unit(S: Floats) -> Floats:
    return np.asarray(S / np.trace(S))


def _directions(S: Floats, B: Floats) -> Floats:
    n = len(S)
    return np.asarray(eigh(S, B, subset_by_index=[max(n - 9, 0), n - 1])[1])


if __name__ == "__main__":
    main()
