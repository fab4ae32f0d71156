"""Rows in doubt, and rows placed beside groups."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_wine
from sklearn.metrics import adjusted_rand_score

from pairspace.active import PairQuestions, SimulatedPerson

pytestmark = pytest.mark.iterative

FAST = ["label spreading, standardised", "logistic regression, standardised"]


def place(questions, y, n_rows, refit_every=10):
    """A simulated person places rows beside groups."""
    person = SimulatedPerson(y)
    for number in range(1, n_rows + 1):
        question = questions.next()
        assert questions.answer(question, person(question, questions.groups)) is None
        if number % refit_every == 0:
            questions.adopt(questions.plan().fit())


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:600], y[:600]


def questions_about(X, **options):
    options = {"kind": "board", "learners": FAST, "test_every": None} | options
    return PairQuestions(X, random_state=0, **options)


def test_placed_rows_group_the_digits(digits):
    X, y = digits
    questions = questions_about(X, learners="auto")
    place(questions, y, 60, refit_every=20)
    assert adjusted_rand_score(y, questions.space.clusters) > 0.85
    assert len(questions.space.group_of_placed) == 60
    assert len(np.unique(y)) == questions.space.groups.n_groups


def test_doubtful_rows_are_in_doubt_and_not_placed(digits):
    X, y = digits
    questions = questions_about(X)
    assert len(questions.space.doubtful) == 0
    place(questions, y, 30)
    space = questions.space
    assert len(np.unique(space.doubtful)) == len(space.doubtful) == 20
    assert not set(space.doubtful.tolist()) & set(space.group_of_placed)
    first, second = np.sort(space.probabilities, axis=1)[:, :-3:-1].T
    assert np.mean((first - second)[space.doubtful]) < np.mean(first - second) - 0.1


def test_all_rows_can_be_placed():
    X, y = load_wine(return_X_y=True)
    X, y = X[::9], y[::9]
    questions = questions_about(X)
    place(questions, y, len(X), refit_every=5)
    assert questions.next() is None
    assert adjusted_rand_score(y, questions.space.clusters) == 1


def test_pairs_compare_a_row_with_the_likeliest_group_first(digits):
    X, y = digits
    questions = questions_about(X)
    place(questions, y, 40)
    pairs = questions_about(X, kind="pair", strategy="doubt", answers=questions.history)
    i, j = pairs.next().pair
    space = pairs.space
    assert i in space.doubtful
    assert space.group_of_placed[j] == space.probabilities[i].argmax()
    pairs.answer(pairs.next(), "different")
    again, other = pairs.next().pair
    assert again == i
    order = np.argsort(-space.probabilities[i])
    assert space.group_of_placed[other] == order[1]
