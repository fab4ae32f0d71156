"""How often each annotator is right, and where they disagree, from questions that several answered.

The model is that of Dawid and Skene (1979): each question has one right answer, and each annotator
a table of what it answers for which right answer. Both are estimated together (EM). A Dirichlet
prior on the rows of each table keeps annotators with few shared questions near what is usual.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import beta
from sklearn.metrics import cohen_kappa_score

from pairspace._core.typing import Floats, Ints

# How often an annotator is right before anything is known of it; it counts as so many answers.
PRIOR = {"person": 0.95, "program": 0.9}
STRENGTH = 10.0
TOLERANCE, MOST_STEPS = 1e-8, 500
COVERED = 0.95  # of the interval
Subject = tuple[Any, ...]


class Judgement(NamedTuple):
    """What an annotator said.

    Parameters
    ----------
    annotator : str
        Who said it.
    subject : tuple
        The question: ("pair", i, j) or ("board", row).
    value : hashable
        The answer: "same" or "different", or the number of a group.
    """

    annotator: str
    subject: Subject
    value: Hashable


class Accuracy(NamedTuple):
    """How often an annotator is right.

    Parameters
    ----------
    annotator : str
        Its name.
    mean : float
        The estimate.
    low, high : float
        The ends of the 95 % interval, given the estimated right answers.
    n_shared : int
        The number of questions that another annotator answered, too.
    """

    annotator: str
    mean: float
    low: float
    high: float
    n_shared: int

    def __str__(self) -> str:
        return f"{self.mean:.0%} right ({self.low:.0%} to {self.high:.0%})"


class Agreement(NamedTuple):
    """How two annotators agree on the questions that both answered.

    Parameters
    ----------
    annotators : tuple of two str
        Their names.
    n_shared : int
        The number of these questions.
    n_equal : int
        How many have the same answer.
    kappa : float or None
        Cohen's kappa; None if chance alone would agree always.
    confusion : dict
        For each pair of answers the number of questions.
    """

    annotators: tuple[str, str]
    n_shared: int
    n_equal: int
    kappa: float | None
    confusion: dict[tuple[Hashable, Hashable], int]


class Disagreement(NamedTuple):
    """A question with several answers.

    Parameters
    ----------
    subject : tuple
        The question.
    answers : dict
        The answer of each annotator.
    likely : hashable
        The answer that is most likely to be right.
    probability : float
        Its probability.
    """

    subject: Subject
    answers: dict[str, Hashable]
    likely: Hashable
    probability: float


class Estimate(NamedTuple):
    """What is right, and how often each annotator is.

    Parameters
    ----------
    accuracies : dict of Accuracy
        By the name of the annotator.
    disagreements : list of Disagreement
        The least sure first.
    likely : dict
        For each shared question the answer that is most likely to be right.
    """

    accuracies: dict[str, Accuracy]
    disagreements: list[Disagreement]
    likely: dict[Subject, Hashable]


def estimate(judgements: Sequence[Judgement], programs: set[str] | frozenset[str]) -> Estimate:
    """Estimate the right answers and the annotators' accuracies.

    Parameters
    ----------
    judgements : sequence of Judgement
        The answers; the last of an annotator to a question counts.
    programs : set of str
        The annotators that are programs, which have a lower prior.

    Returns
    -------
    Estimate
        The accuracies, from shared questions only, and the disagreements.
    """
    names = sorted({each.annotator for each in judgements})
    prior = {name: PRIOR["program" if name in programs else "person"] for name in names}
    said: dict[Subject, dict[str, Hashable]] = {}
    for annotator, subject, value in judgements:
        said.setdefault(subject, {})[annotator] = value
    right, n_shared = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0)
    found: list[Disagreement] = []
    likely: dict[Subject, Hashable] = {}
    # Pairs and placements have other answers, and so tables of their own.
    for kind in sorted({subject[0] for subject in said}):
        shared = {
            subject: answers
            for subject, answers in said.items()
            if subject[0] == kind and len(answers) > 1
        }
        values = sorted({each for answers in shared.values() for each in answers.values()}, key=str)
        if not values:
            continue
        table = np.array(
            [
                [values.index(answers[name]) if name in answers else -1 for name in names]
                for answers in shared.values()
            ]
        )
        P = dawid_skene(table, max(len(values), 2), np.array(list(prior.values())))
        for (subject, answers), row in zip(shared.items(), P, strict=True):
            for name, value in answers.items():
                right[name] += float(row[values.index(value)])
                n_shared[name] += 1
            likely[subject] = values[int(row[: len(values)].argmax())]
            if len(set(answers.values())) > 1:
                found.append(Disagreement(subject, answers, likely[subject], float(row.max())))
    accuracies = {name: _accuracy(name, prior[name], right[name], n_shared[name]) for name in names}
    return Estimate(accuracies, sorted(found, key=lambda each: each.probability), likely)


def dawid_skene(table: Ints, n_values: int, prior: Floats) -> Floats:
    """Estimate the probability of each answer to each question.

    Parameters
    ----------
    table : ndarray of shape (n_questions, n_annotators)
        The answers as 0, 1, …; −1 where there is none.
    n_values : int
        The number of possible answers.
    prior : ndarray of shape (n_annotators,)
        How often each annotator is right before anything is known of it.

    Returns
    -------
    ndarray of shape (n_questions, n_values)
        The probabilities.
    """
    said = table[:, :, None] == np.arange(n_values)  # question, annotator, answer
    eye = np.eye(n_values)
    wrong = (1 - prior)[:, None, None] / (n_values - 1)
    counts = STRENGTH * (prior[:, None, None] * eye + wrong * (1 - eye))
    # From the priors alone: an annotator who is usually right counts more from the start.
    posterior = _posterior(said, counts / STRENGTH, np.full(n_values, 1 / n_values))
    for _ in range(MOST_STEPS):
        share = (posterior.sum(axis=0) + 1) / (len(posterior) + n_values)
        tables = counts + np.einsum("qk,qav->akv", posterior, said)
        tables /= tables.sum(axis=2, keepdims=True)
        new = _posterior(said, tables, share)
        moved = np.abs(new - posterior).max()
        posterior = new
        if moved < TOLERANCE:
            break
    return posterior


def _posterior(said: Any, tables: Floats, share: Floats) -> Floats:
    logs = np.log(share) + np.einsum("qav,akv->qk", said, np.log(tables))
    likely = np.exp(logs - logs.max(axis=1, keepdims=True))
    return likely / likely.sum(axis=1, keepdims=True)


def _accuracy(name: str, prior: float, right: float, n_shared: int) -> Accuracy:
    a = STRENGTH * prior + right
    b = STRENGTH * (1 - prior) + n_shared - right
    low, high = beta.interval(COVERED, a, b)
    return Accuracy(name, a / (a + b), float(low), float(high), n_shared)


def agreements(judgements: Sequence[Judgement]) -> list[Agreement]:
    """Compare each two annotators on the questions that both answered.

    Parameters
    ----------
    judgements : sequence of Judgement
        The answers; the last of an annotator to a question counts.

    Returns
    -------
    list of Agreement
        One for each two annotators with shared questions.
    """
    said: dict[str, dict[Subject, Hashable]] = {}
    for annotator, subject, value in judgements:
        said.setdefault(annotator, {})[subject] = value
    found = []
    for first, second in combinations(sorted(said), 2):
        shared = [subject for subject in said[first] if subject in said[second]]
        if not shared:
            continue
        pairs = [(said[first][subject], said[second][subject]) for subject in shared]
        n_equal = sum(a == b for a, b in pairs)
        columns = [[str(value) for value in column] for column in zip(*pairs, strict=True)]
        constant = len({*columns[0], *columns[1]}) == 1
        kappa = None if constant else float(cohen_kappa_score(*columns))
        confusion = dict(Counter(pairs))
        found.append(Agreement((first, second), len(shared), n_equal, kappa, confusion))
    return found
