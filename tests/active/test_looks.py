"""What looks at a row said, and which of them agree."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score

from pairspace.active import PairQuestions, SimulatedPerson
from pairspace.active.kinds import Step
from pairspace.active.looks import Looks

IRIS, SPECIES = load_iris(return_X_y=True)


def looks_at(row, verdicts):
    """Groups that a board placed the row in; minus: that a sweep took it out of; 0: of none."""
    looks = Looks()
    for number in verdicts:
        kind = "sweep" if number < 0 else "board"
        looks.add(Step(kind, (), number=abs(number), looked=(row,)))
    return looks


@pytest.mark.parametrize(
    ("verdicts", "of_three", "of_two"),
    [
        ([1], 1, 1),
        ([1, 1], 2, 2),
        ([1, -1], 1, 1),
        ([1, 2], 1, 1),
        ([-1, -1], 2, 2),
        ([-1, 1], 1, 1),
        ([-1, 2], 1, 2),  # not in 1: then it may be in 3
        ([-1, -3, 2], 2, 2),
        ([-1, -2], 1, 1),
        ([2, -1, 2], 2, 3),
        ([1, 2, 2], 2, 2),
        ([2, 1, 2], 1, 1),
        ([0, 0], 2, 2),
        ([0, 1], 1, 1),
        ([1, 0], 1, 1),
        ([-1, 0], 1, 1),
    ],
)
def test_looks_that_agree_with_the_last_one(verdicts, of_three, of_two):
    looks = looks_at(7, verdicts)
    for groups, agreeing in (([1, 2, 3], of_three), ([1, 2], of_two)):
        assert looks.agreeing(7, groups) == agreeing
        assert looks.agreeing(8, groups) == 0
        assert looks.standing(groups) == ([7] if agreeing > 1 else [])


@pytest.mark.parametrize(
    ("verdicts", "wrong", "right"),
    [
        ([1], 0, 0),
        ([1, 1], 0, 1),
        ([1, 2], 1, 0),
        ([1, -1], 1, 0),
        ([-1, 1], 1, 0),
        ([-1, 2], 0, 1),
        ([1, 2, 1], 1, 1),
        ([1, -1, -2], 1, 1),
        ([-1, 1, 2], 1, 1),
        ([0, 1], 0, 1),  # which may be a new group
        ([1, 0], 1, 0),
    ],
)
def test_second_looks_show_which_answers_were_wrong(verdicts, wrong, right):
    assert looks_at(7, verdicts).tally == (wrong, right)


@pytest.mark.parametrize(
    ("verdicts", "denied"),
    [
        ([-1], []),
        ([-1, -1], [1]),
        ([-1, -2], []),
        ([-1, 2], [1]),  # who is in 2 is not in 1
        ([-1, -2, -1, -2], [1, 2]),
        ([-1, -1, 1], []),
        ([1, -1], []),
        ([-1, 0], [1]),
    ],
)
def test_groups_that_two_looks_deny(verdicts, denied):
    assert looks_at(7, verdicts).denied == [(7, number) for number in denied]


def test_a_step_that_is_taken_back_is_no_look():
    questions = PairQuestions(IRIS, reducer=PCA(2), random_state=0)
    for row, response in ((0, "new"), (100, "new"), (1, 1), (1, 1)):
        assert questions.answer(questions.board_of(row), response) is None
    assert questions.log.agreeing_looks(1) == 2
    questions.undo()
    assert questions.log.agreeing_looks(1) == 1


def test_a_mistake_in_a_sweep_is_mended_although_others_take_the_row_out_of_other_groups():
    """Said once not to be in its group, a row is still predicted there where nothing else fits."""
    questions = PairQuestions(IRIS, reducer=PCA(2), learners=["SVC, standardised"], random_state=0)
    for row, response in ((0, "new"), (60, "new"), (110, "new")):
        assert questions.answer(questions.board_of(row), response) is None
    person = SimulatedPerson(SPECIES)
    for row in (*range(1, 15), *range(61, 75), *range(111, 125)):
        question = questions.board_of(row)
        assert questions.answer(question, person(question, questions.groups)) is None
    for number in (1, 2):  # the first of these is wrong
        assert questions.answer(questions.sweep_of(number, [30]), [30]) is None
    questions.adopt(questions.plan().fit())
    assert questions.space.clusters[30] == questions.space.clusters[0]
    assert 30 in questions.space.outvoted
    assert questions.answer(questions.sweep_of(1, [30]), [30]) is None
    questions.adopt(questions.plan().fit())
    assert questions.space.clusters[30] != questions.space.clusters[0]


@pytest.mark.parametrize("n_equal", [1, 12])
def test_a_wrong_answer_about_equal_rows_is_outvoted(n_equal):
    """Copies of a row share its answer, so that none of them speaks for another."""
    X = np.vstack([IRIS[:100], np.repeat(IRIS[[10]], n_equal - 1, axis=0)])
    y = np.r_[SPECIES[:100], np.repeat(SPECIES[10], n_equal - 1)]
    questions = PairQuestions(
        X, reducer=PCA(2), learners=["label spreading, standardised"], random_state=0
    )
    for row, response in ((0, "new"), (99, "new")):
        assert questions.answer(questions.board_of(row), response) is None
    for row in (*range(1, 10), *range(11, 20), *range(80, 99)):
        assert questions.answer(questions.board_of(row), 1 + (row > 50)) is None
    assert questions.answer(questions.board_of(10), 2) is None  # wrong
    questions.adopt(questions.plan().fit())
    assert adjusted_rand_score(y, questions.space.clusters) == 1
    assert set(np.flatnonzero((X[10] == X).all(axis=1))) <= set(questions.space.outvoted.tolist())
