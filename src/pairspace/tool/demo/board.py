"""A simulated person who places rows beside the groups found so far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.metrics import adjusted_rand_score

from pairspace._core.typing import Floats, Ints
from pairspace.active import PairQuestions, SimulatedPerson

FITS = (20, 30, 40, 60, 80, 100)  # placed rows after which groups are fitted


@dataclass(frozen=True)
class Board:
    """What came out of one person's work.

    Parameters
    ----------
    ari : dict
        For each number of placed rows after which groups were fitted, their ARI over all rows.
    placed : ndarray of int
        The rows that the person placed, in order.
    groups : ndarray of shape (n_samples,)
        The group of each row in the end, by the label that the person has in mind for it.
    confidence : ndarray of shape (n_samples,)
        The probability of that group.
    """

    ari: dict[int, float]
    placed: Ints
    groups: Ints
    confidence: Floats

    def right(self, y: Ints, *, above: float = 0.0) -> tuple[float, int]:
        """The share of right rows among those not placed, and their number."""
        others = np.ones(len(y), dtype=bool)
        others[self.placed] = False
        others &= self.confidence > above
        return float(np.mean(self.groups[others] == y[others])), int(others.sum())


def place_rows(X: Floats, y: Ints, n_rows: int, person: int) -> Board:
    """Let a person place rows, one a click, each chosen by the doubt about its group.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    y : ndarray of int
        What the person sees in each row.
    n_rows : int
        How many rows are placed.
    person : int
        The seed of the questions.

    Returns
    -------
    Board
        The groups of all rows.
    """
    questions = PairQuestions(X, kind="board", test_every=None, random_state=person)
    answer = SimulatedPerson(y)
    placed: list[int] = []
    ari: dict[int, float] = {}
    while len(placed) < n_rows:
        question = questions.next()
        assert question is not None, "there are rows left"
        questions.answer(question, answer(question, questions.groups))
        placed.extend(question.rows)
        if len(placed) in FITS or len(placed) == n_rows:
            questions.adopt(questions.plan().fit())
            ari[len(placed)] = float(adjusted_rand_score(y, questions.space.clusters))
    rows, space = np.array(placed), questions.space
    labels = np.array(
        [
            np.bincount(y[rows[space.clusters[rows] == group]], minlength=1).argmax()
            for group in range(space.probabilities.shape[1])
        ]
    )
    return Board(ari, rows, labels[space.clusters], space.probabilities.max(axis=1))
