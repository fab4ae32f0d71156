"""What looks at a row said, and which of them agree."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score

from pairspace.active import PairQuestions, SimulatedPerson
from pairspace.active.kinds import Answer, PairQuestion, Step
from pairspace.active.looks import Looks, taken_out

IRIS, SPECIES = load_iris(return_X_y=True)
OUT_OF_7 = (Answer(PairQuestion((7, 0), "strategy"), "different"),)


def looks_at(row, verdicts):
    """Groups that a board placed the row in; minus: that a sweep took it out of; 0: of none."""
    looks = Looks()
    for number in verdicts:
        kind = "sweep" if number < 0 else "board"
        answers = (Answer(PairQuestion((row, 0), "strategy"), "different"),) if number < 0 else ()
        looks.add(Step(kind, answers, number=abs(number), looked=(row,)))
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
        in_last = {7: verdicts[-1]} if verdicts[-1] > 0 else {}
        stands = in_last and agreeing > 1
        assert looks.standing(in_last, groups) == ([7] if stands else [])


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


def test_looks_that_say_another_group_do_not_make_one_stand():
    """As where a later answer about a pair moved the row."""
    assert looks_at(7, [1, 1]).standing({7: 2}, [1, 2]) == []
    assert looks_at(7, [0, 0]).standing({7: 2}, [1, 2]) == []
    assert looks_at(7, [-1, -1]).standing({7: 2}, [1, 2]) == [7]
    assert looks_at(7, [-1, -1]).standing({7: 2}, [1, 2, 3]) == []


def test_looks_at_groups_that_were_merged_agree():
    looks = looks_at(7, [2, 1])
    assert looks.agreeing(7, [1, 2, 3]) == 1
    looks.add(Step("merge", merges=((2, 1),)))
    assert looks.agreeing(7, [1, 3]) == 2
    looks = looks_at(7, [2, 2])
    looks.add(Step("merge", merges=((2, 1),)))
    looks.add(Step("sweep", OUT_OF_7, number=1, looked=(7,)))
    assert looks.denied == []


@pytest.fixture
def two_groups():
    questions = PairQuestions(IRIS, reducer=PCA(2), learners=["SVC, standardised"], random_state=0)
    for row, response in ((0, "new"), (100, "new"), (1, 1), (2, 1), (101, 2)):
        assert questions.answer(questions.board_of(row), response) is None
    return questions


@pytest.mark.parametrize(("grid", "out"), [([0], []), ([0, 2], [2]), ([0, 1], [])])
def test_the_row_that_others_are_linked_to_stays_in_its_group_in_a_sweep(two_groups, grid, out):
    assert two_groups.log.agreeing_looks(0) == 1
    assert two_groups.answer(two_groups.sweep_of(1, grid), out) is None
    assert two_groups.log.agreeing_looks(0) == 2
    assert two_groups.plan().firm[0]
    assert two_groups.answer(two_groups.sweep_of(1, grid), out) is None
    assert (0, 1) not in two_groups.log.looks.denied


def test_a_sweep_that_leaves_nothing_of_a_group_takes_all_rows_out(two_groups):
    assert two_groups.answer(two_groups.sweep_of(2, [100, 101]), [100, 101]) is None
    assert two_groups.log.looks.agreeing(101, [1, 2]) == 1  # "in 2" does not count any more
    assert taken_out(two_groups.history[-1]) == {100, 101}


def test_an_equal_row_in_another_group_was_not_looked_at_twice():
    X = np.vstack([IRIS, IRIS[[1]]])  # row 150 is equal to row 1
    questions = PairQuestions(X, reducer=PCA(2), learners=["SVC, standardised"], random_state=0)
    for row, response in ((0, "new"), (100, "new"), (1, 1), (1, 1), (150, 2)):
        assert questions.answer(questions.board_of(row), response) is None
    firm = questions.plan().firm
    assert firm[1]
    assert not firm[150]


def test_a_second_look_that_agrees_counts_in_a_new_fit(two_groups):
    two_groups.adopt(two_groups.plan().fit())
    assert not two_groups.outdated
    before = two_groups.constraints, two_groups.labels.tolist()
    assert two_groups.answer(two_groups.board_of(1), 1) is None
    assert (two_groups.constraints, two_groups.labels.tolist()) == before
    assert two_groups.outdated
    two_groups.adopt(two_groups.plan().fit())
    assert not two_groups.outdated


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
