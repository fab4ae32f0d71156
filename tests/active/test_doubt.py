"""Rows in doubt, and rows placed beside groups."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_wine
from sklearn.metrics import adjusted_rand_score

from pairspace.active import PairQuestions

pytestmark = pytest.mark.iterative

FAST = ["label spreading, standardised", "logistic regression, standardised"]


def place(questions, y, n_rows, refit_every=10, random=None, wrong=0.0):
    """A simulated person places rows beside groups; some of them wrongly."""
    said = np.array(y)
    i, j = questions.next()
    questions.answer((i, j), "same" if y[i] == y[j] else "different")
    for number in range(1, n_rows + 1):
        row = questions.next_row()
        if random is not None and random.random() < wrong:
            said[row] = random.choice(np.setdiff1d(y, y[row]))
        beside = [other for other in questions.representatives() if said[other] == said[row]]
        assert questions.place(row, beside[0] if beside else None) is None
        if number % refit_every == 0:
            questions.adopt(questions.plan().fit())


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:600], y[:600]


def questions_about(X, **options):
    options = {"strategy": "doubt", "learners": FAST, "test_every": None} | options
    return PairQuestions(X, random_state=0, **options)


def test_placed_rows_group_the_digits(digits):
    X, y = digits
    questions = questions_about(X, learners="auto")
    place(questions, y, 60, refit_every=20)
    assert adjusted_rand_score(y, questions.space.clusters) > 0.85
    # Each row was compared with one row of each group, so all of them are placed.
    assert len(questions.space.group_of_placed) == 62
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


def test_a_row_that_was_placed_is_not_proposed_again(digits):
    X, y = digits
    questions = questions_about(X[:60])
    place(questions, y[:60], 20)
    asked = {row for answer in questions.history for row in answer.question.pair}
    assert questions.next_row() not in asked


def test_all_rows_can_be_placed():
    X, y = load_wine(return_X_y=True)
    X, y = X[::9], y[::9]
    questions = questions_about(X)
    place(questions, y, len(X) - 2, refit_every=5)
    assert questions.next_row() is None
    assert adjusted_rand_score(y, questions.space.clusters) == 1


def test_a_placement_that_contradicts_records_nothing(digits):
    X, y = digits
    questions = questions_about(X)
    place(questions, y, 10)
    before = questions.history
    row = int(np.flatnonzero([r in questions.space.group_of_placed for r in range(600)])[0])
    other = next(r for r in questions.representatives() if y[r] != y[row])
    assert questions.place(row, other) is not None
    assert questions.history == before


def test_without_groups_nothing_can_be_placed(digits):
    X, _ = digits
    with pytest.raises(ValueError, match="answer a pair first"):
        questions_about(X).place(0, None)


def test_pairs_compare_a_row_with_the_likeliest_group_first(digits):
    X, y = digits
    questions = questions_about(X)
    place(questions, y, 40)
    i, j = questions.next()
    space = questions.space
    assert i in space.doubtful
    assert space.group_of_placed[j] == space.probabilities[i].argmax()
    questions.answer((i, j), "different")
    again, other = questions.next()
    assert again == i
    order = np.argsort(-space.probabilities[i])
    assert space.group_of_placed[other] == order[1]
