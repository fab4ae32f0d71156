"""Groups from a few answers: rows placed one by one, pairs, and what a user would do instead."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import RandomState
from sklearn.cluster import KMeans
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier
from sklearn.svm import SVC

from experiments.protocols import Floats, Ints, at_most, filled
from pairspace import Constraints, PairClusters
from pairspace.active import PairQuestions, SimulatedPerson
from pairspace.constraints.known_groups import KnownGroups

if TYPE_CHECKING:
    from experiments.table import Split

EVERY = 10  # answers between two fits
FIRST_FIT = 20  # placed rows before the first fit with answers
PLACED = (30, 60, 100)
PAIRS = (30, 60, 100, 150)


@dataclass(frozen=True)
class Problem:
    """Rows with their labels, and how often an answer is wrong."""

    X: Floats
    y: Ints
    wrong: float
    seed: int


Found = dict[str, float]
Run = Callable[[Problem], Found]


def prepare(X: Floats, y: Ints, split: Split, *, wrong: float = 0.0) -> Problem:
    """At most 1,200 rows of a dataset."""
    rows = at_most(y, 1200, split.row_seed)
    X, _ = filled(X[rows], X[rows])
    return Problem(X, y[rows], wrong, split.pair_seed)


def measure(problem: Problem, make: Callable[[int], Run]) -> Found:
    """Run one method."""
    return make(9)(problem)


def mean_of_present(metrics: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of every metric over the folds."""
    return {name: float(np.mean([cell[name] for cell in metrics])) for name in metrics[0]}


# ---- Ours ------------------------------------------------------------------------------------


def placing(n_components: int, *, strategy: str) -> Run:
    """A simulated person places rows, one a screen, beside one row of each known group."""

    def run(problem: Problem) -> Found:
        y = problem.y
        questions = PairQuestions(
            problem.X, kind="board", strategy=strategy, test_every=None, random_state=problem.seed
        )
        person = SimulatedPerson(y, wrong=problem.wrong, random_state=problem.seed)
        placed: list[int] = []
        found: Found = {}
        for n_placed in range(1, PLACED[-1] + 1):
            question = questions.next()
            if question is None:
                break
            contradiction = questions.answer(question, person(question, questions.groups))
            assert contradiction is None, "a row that is not placed can be placed anywhere"
            placed.extend(question.rows)
            if n_placed >= FIRST_FIT and n_placed % EVERY == 0:
                questions.adopt(questions.plan().fit())
                if n_placed in PLACED:
                    found |= {f"ari after {n_placed}": ari_of(y, questions.space.clusters)}
        for n_placed in PLACED:  # fewer rows than that: all of them are placed
            found.setdefault(f"ari after {n_placed}", ari_of(y, questions.space.clusters))
        return found | _calibration(y, questions.space.probabilities, np.array(placed))

    return run


def answering(n_components: int, *, strategy: str) -> Run:
    """A simulated person answers "same" or "different", one pair a screen."""

    def run(problem: Problem) -> Found:
        questions = PairQuestions(
            problem.X, kind="pair", strategy=strategy, test_every=None, random_state=problem.seed
        )
        person = SimulatedPerson(problem.y, wrong=problem.wrong, random_state=problem.seed)
        found: Found = {}
        for number in range(1, PAIRS[-1] + 1):
            question = questions.next()
            if question is not None:
                questions.answer(question, person(question, questions.groups))
            if number % EVERY == 0:
                if questions.outdated:
                    questions.adopt(questions.plan().fit())
                if number in PAIRS:
                    found |= {f"ari after {number}": ari_of(problem.y, questions.space.clusters)}
        return found

    return run


def paired_at_random(n_components: int) -> Run:
    """PairClusters from random pairs; it chooses the number of groups."""

    def run(problem: Problem) -> Found:
        found: Found = {}
        for n_pairs in PAIRS:
            pairs = random_pairs(problem, n_pairs)
            fitted = PairClusters(random_state=problem.seed).fit(problem.X, pairs)
            found |= {f"ari after {n_pairs}": ari_of(problem.y, fitted.labels_)}
        return found

    return run


def labelled_at_random(n_components: int) -> Run:
    """PairClusters from labels of random rows."""

    def run(problem: Problem) -> Found:
        found: Found = {}
        for n_labels, known in _random_labels(problem):
            fitted = PairClusters(random_state=problem.seed).fit(problem.X, known)
            found |= {f"ari after {n_labels}": ari_of(problem.y, fitted.labels_)}
        return found | _calibration(problem.y, fitted.probabilities_, np.flatnonzero(known >= 0))

    return run


# ---- What a user would do instead ------------------------------------------------------------


def best_classifier(n_components: int) -> Run:
    """The best of five classifiers by cross-validation, from labels of random rows."""
    return _supervised(_best_of_five)


def all_labels(n_components: int) -> Run:
    """What the labels of all other rows would teach: how hard the dataset is.

    Each of the five classifiers learns from four fifths of the rows and predicts the others; the
    best of them in hindsight counts. As many random rows as the other methods have answers keep
    their label.
    """

    def run(problem: Problem) -> Found:
        y, folds = problem.y, StratifiedKFold(5, shuffle=True, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", (ConvergenceWarning, UserWarning))
            predicted = [
                cross_val_predict(make_pipeline(StandardScaler(), each), problem.X, y, cv=folds)
                for each in _five_classifiers()
            ]
        return {
            f"ari after {n_labels}": max(ari_of(y, np.where(known >= 0, y, P)) for P in predicted)
            for n_labels, known in _random_labels(problem)
        }

    return run


def label_spreading(n_components: int) -> Run:
    """scikit-learn's LabelSpreading, from labels of random rows."""

    def run(problem: Problem) -> Found:
        X = StandardScaler().fit_transform(problem.X)
        found: Found = {}
        for n_labels, known in _random_labels(problem):
            model = LabelSpreading(kernel="knn", n_neighbors=10, max_iter=200)
            with np.errstate(all="ignore"):
                predicted = model.fit(X, known).transduction_
            found |= {f"ari after {n_labels}": ari_of(problem.y, predicted)}
        return found

    return run


def self_training(n_components: int) -> Run:
    """scikit-learn's SelfTrainingClassifier on a logistic regression, labels of random rows."""

    def run(problem: Problem) -> Found:
        found: Found = {}
        for n_labels, known in _random_labels(problem):
            base = LogisticRegression(max_iter=500)
            model = make_pipeline(StandardScaler(), SelfTrainingClassifier(base))
            predicted = np.where(known >= 0, known, model.fit(problem.X, known).predict(problem.X))
            found |= {f"ari after {n_labels}": ari_of(problem.y, predicted)}
        return found

    return run


def k_means(n_components: int, *, scale: bool) -> Run:
    """k-means with the true number of classes, and no answers."""

    def run(problem: Problem) -> Found:
        X = StandardScaler().fit_transform(problem.X) if scale else problem.X
        n_classes = len(np.unique(problem.y))
        found = ari_of(problem.y, KMeans(n_classes, n_init=5, random_state=0).fit_predict(X))
        return {f"ari after {n}": found for n in PAIRS}

    return run


def _five_classifiers() -> list[Any]:
    return [
        RandomForestClassifier(200, random_state=0),
        LogisticRegression(max_iter=500),
        SVC(C=10.0),
        KNeighborsClassifier(3),
        LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
    ]


def _best_of_five(X: Floats, y: Ints) -> Any:
    steps = Pipeline([("scale", StandardScaler()), ("learn", LogisticRegression(max_iter=500))])
    smallest = int(np.bincount(np.unique(y, return_inverse=True)[1]).min())
    folds = StratifiedKFold(max(2, min(5, smallest)), shuffle=True, random_state=0)
    grid = {"learn": _five_classifiers()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", (ConvergenceWarning, UserWarning))
        return GridSearchCV(steps, grid, cv=folds, error_score=0.0).fit(X, y)


def _supervised(fit: Callable[[Floats, Ints], Any]) -> Run:
    def run(problem: Problem) -> Found:
        found: Found = {}
        for n_labels, known in _random_labels(problem):
            rows = np.flatnonzero(known >= 0)
            predicted = known.copy()
            if len(np.unique(known[rows])) == 1:
                predicted[:] = known[rows[0]]
            else:
                others = np.flatnonzero(known < 0)
                predicted[others] = fit(problem.X[rows], known[rows]).predict(problem.X[others])
            found |= {f"ari after {n_labels}": ari_of(problem.y, predicted)}
        return found

    return run


# ---- Parts -----------------------------------------------------------------------------------


def _random_labels(problem: Problem) -> list[tuple[int, Ints]]:
    """Labels of 30, 60 and 100 random rows, the first of them the same; −1 for the others."""
    random = RandomState(problem.seed)
    order = random.permutation(len(problem.y))
    said = np.array([_label(problem.y, row, problem.wrong, random) for row in order])
    found = []
    for n_labels in PLACED:
        known = np.full(len(order), -1)
        known[order[:n_labels]] = said[:n_labels]
        found.append((n_labels, known))
    return found


def random_pairs(problem: Problem, n_pairs: int) -> Constraints:
    """The first of a series of random pairs; what is implied, rightly or not, is not asked."""
    random, n_rows = RandomState(problem.seed), len(problem.y)
    known = KnownGroups(n_rows)
    links: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
    while sum(map(len, links.values())) < n_pairs:
        i, j = random.choice(n_rows, 2, replace=False).tolist()
        same = bool(problem.y[i] == problem.y[j]) != bool(random.random_sample() < problem.wrong)
        if known.entails(i, j) is None:
            known.add(i, j, same=same)
            links[same].append((i, j))
    return Constraints(n_rows, links[True], links[False])


def _label(y: Ints, row: int, wrong: float, random: RandomState) -> int:
    if random.random_sample() >= wrong:
        return int(y[row])
    return int(random.choice(np.setdiff1d(y, y[row])))


def ari_of(y: Ints, groups: Ints) -> float:
    """The adjusted Rand index."""
    return float(adjusted_rand_score(y, groups))


def _calibration(y: Ints, P: Floats, placed: Ints) -> Found:
    """Confidence and accuracy of rows without answers; a group stands for its commonest class."""
    others = np.setdiff1d(np.arange(len(y)), placed)
    groups = P.argmax(axis=1)
    if not len(others):
        return {}
    stands_for = {
        group: np.bincount(y[placed][groups[placed] == group], minlength=y.max() + 1).argmax()
        for group in range(P.shape[1])
    }
    right = np.array([stands_for[group] for group in groups[others].tolist()]) == y[others]
    confidence = P[others].max(axis=1)
    sure = confidence > 0.9
    found = {"confidence": float(confidence.mean()), "right": float(right.mean())}
    if sure.any():
        found |= {"share above .9": float(sure.mean()), "right above .9": float(right[sure].mean())}
    return found
