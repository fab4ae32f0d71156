"""A simulated person answers the questions of a strategy: how good the space is after how many."""

from __future__ import annotations

from collections.abc import Callable
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
from pairspace.active import PairQuestions

if TYPE_CHECKING:
    from experiments.table import Split

EVERY = 10  # answers between two fits
MOST = 150  # answers

Ask = Callable[..., PairQuestions]


@dataclass(frozen=True)
class Asked:
    """Rows to ask about, with the truth; rows to judge by; how often the person is wrong."""

    X: Floats
    y: Ints
    X_test: Floats
    y_test: Ints
    wrong: float
    seed: int


def prepare_asking(
    X: Floats, y: Ints, split: Split, *, wrong: float = 0.0, max_rows: int = 1200
) -> Asked:
    """Half of the rows is asked about, the other half judges; fold 1 swaps them."""
    rows = at_most(y, max_rows, split.row_seed)
    X, y = X[rows], y[rows]
    held_out = fold_numbers(y, 2, split.row_seed) == split.fold
    X_train, X_test = filled(X[~held_out], X[held_out])
    return Asked(X_train, y[~held_out], X_test, y[held_out], wrong, split.pair_seed)


def learning_curve(asked: Asked, make: Callable[[int], Ask]) -> dict[str, Any]:
    """The figures of :func:`_judged` before the first answer and after every ten.

    Each answer is wrong with the same chance. No answer can contradict the earlier ones, wrong or
    not: what they imply is never asked.
    """
    n_classes = len(np.unique(asked.y))
    questions = make(9)(asked.X, n_clusters=n_classes, random_state=asked.seed)
    random = RandomState(asked.seed)
    found = [_judged(questions, asked)]
    for number in range(1, MOST + 1):
        pair = questions.next()
        if pair is None:
            break
        i, j = pair
        same = (asked.y[i] == asked.y[j]) != (random.random_sample() < asked.wrong)
        contradiction = questions.answer(pair, "same" if same else "different")
        assert contradiction is None
        if number % EVERY == 0:
            questions.adopt(questions.plan().fit())
            found.append(_judged(questions, asked))
    return {name: [figures[name] for figures in found] for name in found[0]}


def _judged(questions: PairQuestions, asked: Asked) -> dict[str, float]:
    """On rows that were not asked about: 1-NN, plain k-means, and the clusters of the answers."""
    space, progress = questions.space, questions.progress
    test = space.model.transform(asked.X_test)
    return {
        "answers": progress.answers,
        "same": progress.same,
        "accuracy": nearest_neighbour_accuracy(space.embedding, asked.y, test, asked.y_test),
        "ari": kmeans_ari(test, asked.y_test, asked.seed),
        "seeded_ari": float(adjusted_rand_score(asked.y_test, space.predict(asked.X_test))),
        "asked_ari": float(adjusted_rand_score(asked.y, space.clusters)),
        "quality": float("nan") if progress.quality is None else progress.quality.mean,
    }
