"""The same answers lead to the same questions, whatever a processor makes of the last digits."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris, load_wine

from pairspace import PairSpace
from pairspace.active import PairQuestions

NOISE = 1e-13  # hundreds of times the rounding error of a sum


class RoundsOtherwise(PairSpace):
    """PairSpace on a processor with other rounding errors in the data, the fit and the result."""

    random = None

    def fit(self, X, y=None):
        return super().fit(self.disturbed(X), y)

    def transform(self, X):
        return self.disturbed(super().transform(X))

    @classmethod
    def disturbed(cls, X):
        return X if cls.random is None else X * (1 + NOISE * cls.random.standard_normal(X.shape))


def asked(monkeypatch, X, y, strategy, seed):
    """40 questions to a simulated person, and the clusters after them."""
    random = None if seed is None else np.random.default_rng(seed)
    monkeypatch.setattr(RoundsOtherwise, "random", random)
    questions = PairQuestions(
        RoundsOtherwise.disturbed(X),
        kind="pair",
        strategy=strategy,
        reducer=RoundsOtherwise(min(9, X.shape[1]), random_state=0),
        n_clusters=len(np.unique(y)),
        random_state=0,
    )
    pairs = []
    for number in range(1, 41):
        question = questions.next()
        i, j = question.pair
        questions.answer(question, "same" if y[i] == y[j] else "different")
        pairs.append((i, j))
        if number % 20 == 0:
            questions.adopt(questions.plan().fit())
    return pairs, questions.space.clusters.tolist()


# Rows of iris are often equally far apart, digits have constant columns, columns of wine differ in
# scale.
@pytest.mark.parametrize(
    ("load", "strategy"),
    [
        (load_iris, "medoids"),
        (load_iris, "uncertain"),
        (load_wine, "medoids"),
        (load_digits, "min-max"),
    ],
)
def test_rounding_errors_change_no_question_and_no_cluster(monkeypatch, load, strategy):
    X, y = load(return_X_y=True)
    X, y = X[:200], y[:200]
    expected = asked(monkeypatch, X, y, strategy, None)
    for seed in range(2):
        assert asked(monkeypatch, X, y, strategy, seed) == expected
