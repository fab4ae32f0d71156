"""All reducers and clusterers."""

from __future__ import annotations

import pickle
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import clone

import pairspace
from fuzz.judges import Refused, Unchanged, require, require_finite, run
from fuzz.parameters import with_parameters
from fuzz.relations import RELATIONS, check_relation, same_geometry, same_partition
from fuzz.supervision import Known, any_supervision
from fuzz.tables import Random, Table, any_table
from pairspace.cluster.panel import LEARNERS

LINEAR = [
    "BWDR", "CFLD", "DCA", "DSP", "LFDA", "LPP", "LPPSI", "MFA", "MMC", "NPE", "RCA", "S2PPCA",
    "SDA", "SELFDA", "SLPP", "SSDR", "SSWMV", "WBDR", "WMMC", "WMV", "PairSpace",
]  # fmt: skip
MANIFOLD = ["GGLE", "LECAS", "SCPLE", "SLE", "LaplacianEigenmaps"]
CLUSTERERS = ["KernelKMeans", "SKKMeans"]
# Which rows go into a fold, or where a search starts, depends on the order of rows and classes.
BY_ORDER = {"PairSpace", "DSP", "SSWMV", "LECAS", *CLUSTERERS}
BY_WIDTH = {"KernelKMeans", "SKKMeans"}  # gamma is 1 / n_features, and has a unit
BY_FEATURES = {"PairSpace", "S2PPCA"}  # a ridge, or noise, that is a mean over all features
HAVE_UNITS = {"sigma", "gamma", "alpha", "beta"}
SMALL, LARGE = 1e-40, 1e40  # between these, results may not depend on the unit


def reducer(random: Random, log: list[Any]) -> None:
    """A reducer: it refuses, or gives a space that holds."""
    name = str(random.choice(LINEAR + MANIFOLD))
    table = any_table(random)
    known = any_supervision(random, table.classes)
    estimator = with_parameters(random, getattr(pairspace, name)())
    if name == "PairSpace" and random.random() < 0.7:  # all of them take most of the time
        learner = str(random.choice(list(LEARNERS)))
        estimator.set_params(teacher=pairspace.PairClusters(learners=[learner]))
    log += [estimator, table, known]
    if not fit(estimator, table, known):
        return
    X, n = table.given, len(table.numbers)
    watched = Unchanged(X=X)
    embedded = run(lambda: estimator.transform(X))
    require(not isinstance(embedded, Refused), f"transform refuses what fit took: {embedded!r}")
    watched.check()
    k = estimator.n_components
    if not isinstance(k, int) or name == "PairSpace":  # which gives the components there are
        k = len(estimator.eigenvalues_)
    require_finite("transform", embedded, (n, k))
    single = getattr(X, "dtype", None) == np.float32
    require(embedded.dtype == (np.float32 if single else np.float64), f"dtype {embedded.dtype}")
    require_finite("eigenvalues_", estimator.eigenvalues_, (k,))
    if name in LINEAR:
        _judge_components(estimator, table, embedded)
    copied = pickle.loads(pickle.dumps(estimator))
    require(np.array_equal(copied.transform(X), embedded), "transform differs after pickling")
    _judge_rows(estimator, table, embedded, random)
    _judge_relation(name, estimator, table, known, random, log)


def clusterer(random: Random, log: list[Any]) -> None:
    """A clusterer: it refuses, or gives clusters that satisfy the must-links."""
    name = str(random.choice(CLUSTERERS))
    table = any_table(random)
    known = any_supervision(random, table.classes)
    estimator = with_parameters(random, getattr(pairspace, name)(n_init=2))
    if random.random() < 0.5 and isinstance(estimator.n_clusters, int):
        estimator.set_params(n_clusters=int(random.integers(1, 6)))
    log += [estimator, table, known]
    if name == "KernelKMeans":
        known = Known(None, None, "none")
    if not fit(estimator, table, known):
        return
    n, labels = len(table.numbers), estimator.labels_
    require_finite("labels_", labels, (n,))
    require(labels.min() >= 0 and labels.max() < estimator.n_clusters, "labels_ out of range")
    require(np.isfinite(estimator.inertia_), f"inertia_ is {estimator.inertia_}")
    for pairs in (known.y, known.constraints):
        if isinstance(pairs, pairspace.Constraints):
            i, j = pairs.must_link.T
            require((labels[i] == labels[j]).all(), "a must-link is broken")
    if known.is_good and isinstance(known.y, np.ndarray) and name == "SKKMeans":
        for label in np.unique(known.y[known.y >= 0]):
            require(len(set(labels[known.y == label])) == 1, "rows of one label are parted")
    predicted = run(lambda: estimator.predict(table.given))
    require(not isinstance(predicted, Refused), f"predict refuses what fit took: {predicted!r}")
    require_finite("predict", predicted, (n,))
    _judge_relation(name, estimator, table, known, random, log)


def fit(estimator: Any, table: Table, known: Known) -> bool:
    """Whether it was fitted. The caller's data and a refusing estimator stay as they were."""
    y, pairs = known.y, known.constraints
    arguments = {"constraints": pairs} if pairs is not None else {}
    watched, before = Unchanged(X=table.given, y=y, pairs=pairs), set(vars(estimator))
    result = run(lambda: estimator.fit(table.given, y, **arguments))
    watched.check()
    if isinstance(result, Refused):
        require(set(vars(estimator)) == before, "a failed fit left attributes")
        return False
    require(table.is_good, "it was fitted to what is no table of finite numbers")
    rows = table.numbers
    nearly = 8 * np.finfo(np.float64).eps * np.abs(rows).max(axis=0)
    equal = bool((np.ptp(rows, axis=0) <= nearly).all())
    require(not equal or hasattr(estimator, "labels_"), "equal rows were fitted")
    return True


def _judge_components(estimator: Any, table: Table, embedded: np.ndarray) -> None:
    """No component is of rounding noise: the rows differ along it."""
    X, components = table.numbers, np.asarray(estimator.components_, np.float64)
    require_finite("components_", components, (embedded.shape[1], X.shape[1]))
    require(np.abs(components).max(axis=1).all(), "a component is zero")
    if getattr(estimator, "shrinkage", None) is not None:
        return  # the identity has all directions
    centred = X - X.mean(axis=0)
    scale = np.abs(components) @ np.abs(X).max(axis=0)
    along = np.abs(centred @ (components.T / scale)).max(axis=0)
    require((along > 4 * np.finfo(float).eps).all(), f"a component is rounding: {along.min():.1e}")


def _judge_rows(estimator: Any, table: Table, embedded: np.ndarray, random: Random) -> None:
    """A row alone is embedded as it is among others."""
    X = table.given
    if not hasattr(X, "shape") or getattr(X, "format", "csr") not in ("csr", "csc", "lil"):
        return
    at = int(random.integers(len(embedded)))
    row = X.iloc[at : at + 1] if hasattr(X, "iloc") else X[at : at + 1]
    alone = run(lambda: estimator.transform(row))
    require(not isinstance(alone, Refused), f"a row alone is refused: {alone!r}")
    if hasattr(estimator, "components_"):
        size = np.abs(table.numbers[at]) + np.abs(np.asarray(estimator.mean_, np.float64))
        rounding = np.abs(np.asarray(estimator.components_, np.float64)) @ size
        eps = np.finfo(embedded.dtype).eps
        close = np.abs(alone[0] - embedded[at]) <= 100 * eps * rounding
        require(close.all(), "a row alone is embedded elsewhere")


def last_and_next(estimator: Any, X: np.ndarray, known: Known) -> tuple[float, float] | None:
    """The last eigenvalue and the next one: where they are equal, any vectors of both will do."""
    if not isinstance(estimator.n_components, Integral):
        return None
    more = clone(estimator).set_params(n_components=estimator.n_components + 1)
    fitted = run(lambda: more.fit(X, known.y, constraints=known.constraints))
    if isinstance(fitted, Refused) or len(more.eigenvalues_) < 2:
        return None
    last, following = more.eigenvalues_[-2:]
    return float(last), float(following)


def _judge_relation(
    name: str, estimator: Any, table: Table, known: Known, random: Random, log: list[Any]
) -> None:
    X = table.numbers
    largest = np.abs(X).max()
    if not known.is_good or not SMALL < largest < LARGE:
        return
    possible = set(RELATIONS)
    if name in BY_ORDER:
        possible -= {"permuted", "renamed"}
    if name in MANIFOLD:
        values = last_and_next(estimator, X, known)
        if values is not None and abs(values[0] - values[1]) < 1e-6:
            return
    changed = {
        parameter
        for parameter, value in estimator.get_params().items()
        if parameter in HAVE_UNITS and isinstance(value, float | int)
    }
    if name in BY_WIDTH or changed:
        possible -= {"factor"}
    shrunk = getattr(estimator, "shrinkage", None) is not None or name in BY_FEATURES
    if shrunk or name in BY_WIDTH:
        possible -= {"constant column"}  # one feature more
    if name in BY_WIDTH and estimator.kernel not in ("rbf", "laplacian"):
        possible -= {"offset", "constant column", "sparse"}
    chosen = str(random.choice(sorted(possible)))
    is_clusterer = name in CLUSTERERS

    def compute(data: Any, about: Known) -> Any:
        fresh = clone(estimator)
        pairs = {} if name == "KernelKMeans" else {"constraints": about.constraints}
        fitted = run(lambda: fresh.fit(data, about.y, **pairs))
        if isinstance(fitted, Refused):
            return fitted
        return fresh.labels_ if is_clusterer else np.asarray(run(lambda: fresh.transform(data)))

    distance = same_partition if is_clusterer else same_geometry
    log.append(check_relation(chosen, random, X, known, compute, distance))
