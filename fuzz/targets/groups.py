"""PairClusters: the groups of all rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

import pairspace
from fuzz.judges import Refused, require, require_finite, run
from fuzz.parameters import with_parameters
from fuzz.supervision import Known, any_supervision
from fuzz.tables import Random, Table, any_table
from fuzz.targets.estimators import fit
from pairspace.cluster.panel import LEARNERS

CLOSE = 1e-9  # of a sum of probabilities to 1


def predicted(random: Random, log: list[Any]) -> None:
    """It refuses, or gives probabilities of groups that follow the answers."""
    table = any_table(random)
    known = any_supervision(random, table.classes)
    estimator = with_parameters(random, pairspace.PairClusters())
    estimator.set_params(learners=_learners(random))
    log += [estimator, table, known]
    if not fit(estimator, table, known):
        return
    n, k = len(table.numbers), estimator.n_clusters_
    _judge_probabilities("probabilities_", estimator.probabilities_, n, k)
    require(np.array_equal(estimator.labels_, estimator.probabilities_.argmax(axis=1)), "labels_")
    require(len(estimator.group_labels_) == k, "group_labels_ of another length")
    require_finite("placed_groups_", estimator.placed_groups_, (len(estimator.placed_rows_),))
    answers = estimator.doubtful_answers_
    require_finite("doubtful_answers_", answers["probability"], (len(answers),))
    weights = np.asarray(estimator.learner_weights_["weight"])
    require(not len(weights) or abs(weights.sum() - 1) < CLOSE, f"weights sum to {weights.sum()}")
    found = run(lambda: estimator.predict_proba(table.given))
    require(not isinstance(found, Refused), f"predict refuses what fit took: {found!r}")
    _judge_probabilities("predict_proba", found, n, k)
    if known.is_good and estimator.hard:
        _judge_hard(estimator, known)
    _judge_again(estimator, table, known)


def _learners(random: Random) -> Any:
    names = list(LEARNERS)
    some = [str(name) for name in random.choice(names, size=2, replace=False)]
    options = ["auto", "auto", some, some[:1], tuple(some), [], "all", ["wrong"], {}, [3], None]
    return options[int(random.choice(len(options), p=[0.1, 0.1, 0.2, 0.46, *[0.02] * 7]))]


def _judge_probabilities(name: str, P: Any, n: int, k: int) -> None:
    require_finite(name, P, (n, k))
    require(np.min(P) >= 0 and np.abs(np.sum(P, axis=1) - 1).max() < CLOSE, f"{name} is no share")


def _judge_hard(estimator: Any, known: Known) -> None:
    """With ``hard`` no answer is outvoted."""
    labels = estimator.labels_
    for pairs in (known.y, known.constraints):
        if isinstance(pairs, pairspace.Constraints):
            for link, same in ((pairs.must_link, True), (pairs.cannot_link, False)):
                i, j = link.T
                require(((labels[i] == labels[j]) == same).all(), "an answer is not kept")
    if isinstance(known.y, np.ndarray):
        rows = np.flatnonzero(known.y >= 0)
        together = labels[rows][:, None] == labels[rows]
        same = known.y[rows][:, None] == known.y[rows]
        require((together == same).all(), "a label is not kept")


def _judge_again(estimator: Any, table: Table, known: Known) -> None:
    again = clone(estimator)
    fitted = run(lambda: again.fit(table.given, known.y, constraints=known.constraints))
    require(not isinstance(fitted, Refused), f"refused the second time: {fitted!r}")
    require(np.array_equal(again.probabilities_, estimator.probabilities_), "a refit differs")
