"""Learning curves of query strategies, with a simulated annotator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import RandomState
from sklearn.metrics import adjusted_rand_score

from experiments.protocols import (
    Floats,
    Ints,
    at_most,
    filled,
    fold_numbers,
    kmeans_ari,
    nearest_neighbour_accuracy,
)
from pairspace import PairSpace
from pairspace.active import PairQuestions

if TYPE_CHECKING:
    from experiments.table import Split

EVERY = 10  # answers between two fits
MOST = 150  # answers

Ask = Callable[..., PairQuestions]


@dataclass(frozen=True)
class Asked:
    """Rows to query with their labels, rows for evaluation, and the chance of a wrong answer."""

    X: Floats
    y: Ints
    X_test: Floats
    y_test: Ints
    wrong: float
    seed: int


def prepare_asking(
    X: Floats, y: Ints, split: Split, *, wrong: float = 0.0, max_rows: int = 800
) -> Asked:
    """One half of the rows is queried, the other is for evaluation; fold 1 swaps them."""
    rows = at_most(y, max_rows, split.row_seed)
    X, y = X[rows], y[rows]
    held_out = fold_numbers(y, 2, split.row_seed) == split.fold
    X_train, X_test = filled(X[~held_out], X[held_out])
    return Asked(X_train, y[~held_out], X_test, y[held_out], wrong, split.pair_seed)


def asking(n_components: int, *, strategy: str, test_questions: bool = False) -> Ask:
    """A maker of questions. PairSpace has fixed weights: choosing them would take too long."""

    def ask(X: Floats, **options: Any) -> PairQuestions:
        space = PairSpace(min(n_components, X.shape[1]), ridge=0.5, shrinkage=0.5)
        test_every = 10 if test_questions else None
        return PairQuestions(X, strategy=strategy, reducer=space, test_every=test_every, **options)

    return ask


def learning_curve(asked: Asked, make: Callable[[int], Ask]) -> dict[str, list[float]]:
    """The figures of :func:`_judged` before the first answer and after every ten.

    Each answer is wrong with the same chance. No answer contradicts the earlier ones, wrong or not,
    for what they imply is never asked. If nothing is left to ask, the figures stay as they are.
    """
    n_classes = len(np.unique(asked.y))
    questions = make(9)(asked.X, n_clusters=n_classes, random_state=asked.seed)
    random = RandomState(asked.seed)
    found = [_judged(questions, asked)]
    for number in range(1, MOST + 1):
        pair = questions.next()
        if pair is not None:
            i, j = pair
            same = (asked.y[i] == asked.y[j]) != (random.random_sample() < asked.wrong)
            if questions.answer(pair, "same" if same else "different") is not None:
                raise RuntimeError(f"what follows from the answers was asked: {pair}")
        if number % EVERY == 0:
            if questions.outdated:
                questions.adopt(questions.plan().fit())
            found.append(_judged(questions, asked))
    return {name: [figures[name] for figures in found] for name in found[0]}


def _judged(questions: PairQuestions, asked: Asked) -> dict[str, float]:
    """On the other half: 1-NN, plain k-means, and the clusters made from the answers."""
    space = questions.space
    test = space.model.transform(asked.X_test)
    quality = questions.progress.quality
    return {
        "accuracy": nearest_neighbour_accuracy(space.embedding, asked.y, test, asked.y_test),
        "k_means_ari": kmeans_ari(test, asked.y_test, asked.seed),
        "ari": float(adjusted_rand_score(asked.y_test, space.predict(asked.X_test))),
        "same": float(questions.progress.same),
        "quality": 0.0 if quality is None else quality.mean,
        "quality_error": 0.0 if quality is None else quality.standard_error,
        "true_quality": _true_quality(asked.y, space.clusters),
    }


def _true_quality(y: Ints, clusters: Ints) -> float:
    """What the test questions estimate, over all pairs of the queried half."""
    together = clusters[:, None] == clusters
    same = y[:, None] == y
    above = np.triu(np.ones_like(same), 1)
    shares = [
        np.mean(same[part & above] == is_same)
        for part, is_same in ((together, 1), (~together, 0))
        if (part & above).any()
    ]
    return float(np.mean(shares))


def mean_curves(metrics: Sequence[Any]) -> dict[str, float]:
    """Each figure after each number of answers, the mean over the folds: "ari after 60"."""
    return {
        f"{name} after {EVERY * at}": float(np.mean([cell[name][at] for cell in metrics]))
        for name in metrics[0]
        for at in range(len(metrics[0][name]))
    }
