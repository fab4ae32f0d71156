"""Boards, picks and sweeps: what they store; groups that are merged, split, named and undone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score

from pairspace.active import Marked, PairQuestion, PairQuestions, SimulatedPerson
from pairspace.active.answer_log import NONE_OF_THESE, NOT_OF_INTEREST, NOT_SURE
from pairspace.active.choosing import MOST_CARDS
from pairspace.active.equal_rows import first_equal_rows

IRIS, SPECIES = load_iris(return_X_y=True)
X_SMALL = np.random.default_rng(0).standard_normal((20, 3))
FAST = ["label spreading, standardised"]


def questions_about(X=X_SMALL, **options):
    options = {"reducer": PCA(2), "learners": FAST, "random_state": 0} | options
    return PairQuestions(X, **options)


def place(questions, row, response):
    assert questions.answer(questions.board_of(row), response) is None


def rows_of(questions):
    return {group.number: group.rows for group in questions.groups}


def links(step):
    return [(answer.question.pair, answer.value) for answer in step.answers]


def three_groups():
    """Groups 1: rows 0, 3, 4; 2: rows 1, 5; 3: row 2."""
    questions = questions_about()
    for row, response in ((0, "new"), (1, "new"), (2, "new"), (3, 1), (4, 1), (5, 2)):
        place(questions, row, response)
    return questions


# ---- Boards ----------------------------------------------------------------------------------


def test_a_placement_is_one_must_link_and_cannot_links_with_the_groups_shown():
    questions = three_groups()
    step = questions.step(questions.board_of(6), 2)
    assert links(step) == [((6, 1), "same"), ((6, 0), "different"), ((6, 2), "different")]
    assert rows_of(questions) == {1: (0, 3, 4), 2: (1, 5), 3: (2,)}


def test_a_new_group_differs_from_the_groups_shown_and_takes_the_next_number():
    questions = three_groups()
    place(questions, 6, ("new", "  Sevens  "))
    assert questions.groups[-1][:3] == (4, "Sevens", (6,))
    assert questions.constraints.entails(6, 3) is False


def test_none_of_these_is_no_group():
    questions = three_groups()
    place(questions, 6, "none")
    assert len(questions.groups) == 3
    assert [questions.constraints.entails(6, row) for row in (0, 1, 2)] == [False] * 3
    assert questions.log.pile_of(6) == NONE_OF_THESE


def test_no_more_than_twelve_groups_are_shown_and_only_these_are_linked():
    questions = questions_about()
    for row in range(14):
        place(questions, row, "new")
    question = questions.board_of(15)
    assert [card.number for card in question.cards] == list(range(1, MOST_CARDS + 1))
    step = questions.step(question, 14)
    assert ((15, 13), "same") in links(step)
    assert {pair[1] for pair, value in links(step) if value == "different"} == set(range(12))
    # Groups that were not shown beside each other differ all the same: the person made both.
    questions.adopt(questions.plan().fit())
    assert questions.space.groups.placed.n_groups == 14


@pytest.mark.parametrize(("word", "pile"), [("skip", NOT_SURE), ("aside", NOT_OF_INTEREST)])
def test_rows_on_a_pile_say_nothing_about_groups(word, pile):
    questions = three_groups()
    before = questions.constraints
    place(questions, 6, word)
    assert questions.constraints == before
    assert questions.log.pile_of(6) == pile
    assert not questions.log.may_place(6)


def test_a_placed_row_moves():
    questions = three_groups()
    place(questions, 4, 2)
    assert rows_of(questions) == {1: (0, 3), 2: (1, 4, 5), 3: (2,)}
    questions.undo()
    assert rows_of(questions) == {1: (0, 3, 4), 2: (1, 5), 3: (2,)}


def test_the_first_row_of_a_group_moves_and_leaves_the_group_its_number():
    questions = three_groups()
    place(questions, 0, 3)
    assert rows_of(questions) == {1: (3, 4), 2: (1, 5), 3: (0, 2)}
    place(questions, 0, "none")
    assert rows_of(questions) == {1: (3, 4), 2: (1, 5), 3: (2,)}


def test_the_only_row_of_a_group_moves_and_the_group_is_gone():
    questions = three_groups()
    place(questions, 2, 1)
    assert rows_of(questions) == {1: (0, 2, 3, 4), 2: (1, 5)}
    place(questions, 7, "new")
    assert rows_of(questions)[3] == (7,)


@pytest.mark.parametrize("out", ["sweep", "none", "pair"])
def test_the_newer_word_of_the_same_person_replaces_that_a_row_is_not_in_a_group(out):
    questions = three_groups()
    not_in_it = {
        "sweep": (questions.sweep_of(2, [6]), [6]),
        "none": (questions.board_of(6), "none"),
        "pair": (questions.pair_of(6, 1), "different"),
    }
    assert questions.answer(*not_in_it[out], by="ada") is None
    before, groups = questions.history, rows_of(questions)
    assert questions.answer(questions.board_of(6), 2, by="ada") is None
    assert questions.log.group_of(6).number == 2
    assert questions.history[-1].retracts == ((1, 6),)
    assert questions.constraints.entails(6, 0) is False
    questions.undo()
    assert (questions.history, rows_of(questions)) == (before, groups)
    assert questions.constraints.entails(6, 1) is False


@pytest.mark.parametrize("who", [("ada",), ("ada", "bob"), ("bob", "ada")])
def test_that_others_said_that_a_row_is_not_in_a_group_is_a_contradiction(who):
    questions = three_groups()
    for each in who:
        assert questions.answer(questions.sweep_of(2, [6]), [6], by=each) is None
    before = questions.history
    found = questions.answer(questions.board_of(6), 2, by="bob")
    assert found.pair == (1, 6)
    assert questions.history == before


def test_answers_that_separate_a_row_only_by_another_one_are_a_contradiction():
    questions = three_groups()
    same = PairQuestion((6, 7), "test")  # a test question makes no group
    assert questions.answer(same, "same") is None
    assert questions.answer(questions.sweep_of(2, [7]), [7]) is None
    assert questions.answer(questions.board_of(6), 2).pair == (1, 7)


# ---- Grids -----------------------------------------------------------------------------------


def test_a_pick_marks_what_is_the_same():
    questions = three_groups()
    step = questions.step(questions.pick_of(5, [6, 7, 8]), [7])
    assert links(step) == [((6, 1), "different"), ((7, 1), "same"), ((8, 1), "different")]
    step = questions.step(questions.pick_of(5, [6, 7, 8]), Marked((7,), others_unknown=True))
    assert links(step) == [((7, 1), "same")]


@pytest.mark.parametrize("kind", ["pick", "sweep"])
def test_boards_find_the_groups_before_a_person_who_wants_grids_gets_some(kind):
    questions = PairQuestions(IRIS, kind=kind, random_state=0)
    person = SimulatedPerson(SPECIES)
    while (question := questions.next()).kind == "board":
        questions.answer(question, person(question, questions.groups))
        questions.adopt(questions.plan().fit())
    assert question.kind == kind
    assert [len(group.rows) >= 2 for group in questions.groups] == [True] * 3


def test_a_pick_beside_a_row_of_no_group_founds_one():
    questions = three_groups()
    assert questions.answer(questions.pick_of(9, [10, 11]), [10]) is None
    assert rows_of(questions)[4] == (9, 10)


def test_a_sweep_confirms_what_is_not_marked():
    questions = three_groups()
    assert questions.answer(questions.sweep_of(1, [4, 6, 7]), [7]) is None
    assert rows_of(questions)[1] == (0, 3, 4, 6)
    assert questions.constraints.entails(7, 0) is False


def test_a_sweep_takes_members_out():
    questions = three_groups()
    assert questions.answer(questions.sweep_of(1, [0, 3, 6]), [0]) is None
    assert rows_of(questions) == {1: (3, 4, 6), 2: (1, 5), 3: (2,)}
    assert questions.constraints.entails(0, 4) is False
    assert questions.answer(questions.sweep_of(3, [2]), [2]) is None
    assert 3 not in rows_of(questions)
    questions.undo()
    questions.undo()
    assert rows_of(questions) == {1: (0, 3, 4), 2: (1, 5), 3: (2,)}


def test_not_in_this_group_lasts():
    questions = questions_about(IRIS)
    person = SimulatedPerson(SPECIES)
    for _ in range(20):
        question = questions.next()
        questions.answer(question, person(question, questions.groups))
    questions.adopt(questions.plan().fit())
    row = next(row for row in range(150) if questions.log.group_of(row) is None)
    number = questions.board_of(row).predicted
    questions.answer(questions.sweep_of(number, [row]), [row])
    assert questions.board_of(row).predicted != number
    questions.adopt(questions.plan().fit())
    # Other answers may outvote a first look, which is said; a second one stands.
    predicted = questions.board_of(row).predicted
    assert (predicted == number) == (row in questions.space.outvoted)
    others = [group.number for group in questions.groups if group.number != number]
    questions.answer(questions.sweep_of(number, [row]), [row])
    questions.adopt(questions.plan().fit())
    assert questions.board_of(row).predicted in others
    assert row not in questions.space.outvoted


def test_a_row_that_two_looks_placed_is_not_outvoted():
    questions = questions_about(IRIS)
    for row in (0, 100):
        place(questions, row, "new")
    for row in (*range(1, 10), *range(101, 110)):
        place(questions, row, 1 if row < 50 else 2)
    place(questions, 20, 2)  # every other answer speaks against it
    questions.adopt(questions.plan().fit())
    assert questions.space.outvoted.tolist() == [20]
    questions.answer(questions.sweep_of(2, [20, 101]), [])
    questions.adopt(questions.plan().fit())
    assert questions.space.outvoted.tolist() == []
    assert questions.group_probabilities()[20].argmax() == 1


def test_an_answer_that_replaces_an_earlier_one_is_no_contradiction():
    questions = three_groups()
    assert questions.answer(questions.sweep_of(2, [6]), [6], by="ada") is None
    assert questions.answer(questions.board_of(6), 2, by="bob") is not None
    assert questions.answer(questions.board_of(6, again=True), 2, by="bob") is None
    assert questions.log.group_of(6).number == 2


def test_a_row_that_moves_takes_no_predictions_along():
    questions = questions_about(IRIS)
    for row, response in ((0, "new"), (100, "new"), (1, 1), (2, 1), (101, 2), (102, 2)):
        place(questions, row, response)
    questions.adopt(questions.plan().fit())
    before = [questions.board_of(row).predicted for row in range(150)]
    assert before[10] == 1
    place(questions, 2, 2)
    after = [questions.board_of(row).predicted for row in range(150)]
    assert after == before


# ---- Groups ----------------------------------------------------------------------------------


def test_a_merge_keeps_number_and_name_of_the_target_and_is_undone():
    questions = three_groups()
    questions.rename(3, "Threes")
    questions.rename(1, "Ones")
    assert questions.merge(3, 1) is None
    assert [group[:3] for group in questions.groups] == [
        (2, "", (1, 5)),
        (3, "Threes", (0, 2, 3, 4)),
    ]
    place(questions, 6, 3)
    questions.undo()
    questions.undo()
    assert [group.title for group in questions.groups] == ["Ones", "Group 2", "Threes"]


def test_two_groups_may_share_a_name():
    questions = three_groups()
    questions.rename(1, "Cats")
    questions.rename(2, "Cats")
    assert len(questions.groups) == 3


def test_a_split_makes_a_group_of_its_own():
    questions = three_groups()
    assert questions.split(1, [0, 4]) is None
    assert rows_of(questions) == {1: (3,), 2: (1, 5), 3: (2,), 4: (0, 4)}
    assert questions.constraints.entails(3, 4) is False
    questions.undo()
    assert rows_of(questions)[1] == (0, 3, 4)


def test_a_merge_whose_answer_is_retracted_leaves_two_groups():
    questions = three_groups()
    questions.merge(2, 1)
    assert rows_of(questions) == {2: (0, 1, 3, 4, 5), 3: (2,)}
    questions.retract((0, 1))
    assert rows_of(questions) == {1: (0, 3, 4), 2: (1, 5), 3: (2,)}


def test_a_step_taken_back_leaves_every_group_a_number_of_its_own():
    questions = questions_about()
    questions.answer((6, 5), "same")  # its group is number 1
    questions.answer((1, 5), "different")  # row 1 is number 2
    place(questions, 0, 2)
    questions.split(2, [1])
    before = rows_of(questions)
    assert before == {1: (5, 6), 2: (0,), 3: (1,)}
    questions.take_back(0)
    assert sorted(rows_of(questions).values()) == [(0,), (1,), (5,)]
    assert rows_of(questions)[2] == (0,)
    assert rows_of(questions)[3] == (1,)


@pytest.mark.parametrize("at", [-1, 6, 10**30, 0.5, None])
def test_a_step_that_is_not_there_can_not_be_taken_back(at):
    questions = three_groups()
    before = questions.history
    assert len(before) == 6
    with pytest.raises(ValueError, match="there is no step"):
        questions.take_back(at)
    assert questions.history == before


@pytest.mark.parametrize("response", [("new",), ("new", "a", "b"), (), None, True])
def test_no_answer_to_a_board_is_refused(response):
    questions = three_groups()
    with pytest.raises(ValueError, match="the answer to a board must be"):
        questions.answer(questions.board_of(9), response)


def test_any_step_can_be_taken_back():
    questions = three_groups()
    assert questions.take_back(3) is None
    assert rows_of(questions) == {1: (0, 4), 2: (1, 5), 3: (2,)}


ACTIONS = st.one_of(
    st.tuples(st.just("board"), st.integers(0, 19), st.integers(1, 4)),
    st.tuples(st.sampled_from(["new", "none", "skip", "aside"]), st.integers(0, 19), st.just(0)),
    st.tuples(st.sampled_from(["pick", "sweep"]), st.integers(0, 15), st.integers(0, 7)),
    st.tuples(st.sampled_from(["merge", "split"]), st.integers(0, 3), st.integers(0, 3)),
    st.tuples(st.just("pair"), st.integers(0, 19), st.integers(0, 19)),
)


def act(questions, kind, a, b):
    numbers = [group.number for group in questions.groups]
    if kind == "board" and numbers:
        return questions.answer(questions.board_of(a), numbers[b % len(numbers)])
    if kind in ("new", "none", "skip", "aside"):
        return questions.answer(questions.board_of(a), kind)
    grid = list(range(a, a + 4))
    marked = [row for bit, row in enumerate(grid) if b >> bit & 1]
    if kind == "pick":
        return questions.answer(questions.pick_of((a + 7) % 20, grid), marked)
    if kind == "sweep" and numbers:
        return questions.answer(questions.sweep_of(numbers[a % len(numbers)], grid), marked)
    if kind == "merge" and len(numbers) > 1:
        target, source = numbers[a % len(numbers)], numbers[b % len(numbers)]
        return questions.merge(target, source) if target != source else None
    if kind == "split" and numbers:
        group = questions.groups[a % len(numbers)]
        rows = group.rows[: 1 + b]
        return questions.split(group.number, rows) if len(rows) < len(group.rows) else None
    if kind == "pair" and a != b:
        return questions.answer((a, b), "same" if (a + b) % 3 else "different")
    return None


@settings(max_examples=60, deadline=None)
@given(st.lists(ACTIONS, max_size=14))
def test_steps_never_contradict_and_undo_is_exact(actions):
    questions = questions_about()
    states = []
    for action in actions:
        states.append((questions.history, rows_of(questions), questions.constraints))
        before = len(questions.history)
        found = act(questions, *action)
        if found is not None or len(questions.history) == before:
            # Nothing was recorded, so nothing has changed.
            assert (questions.history, rows_of(questions), questions.constraints) == states.pop()
        assert not questions.constraints.contradictions()
        rows = [row for group in questions.groups for row in group.rows]
        assert len(rows) == len(set(rows))
        # The log is what its steps say, in whatever way it came about.
        again = questions_about(answers=questions.history)
        assert rows_of(again) == rows_of(questions)
        assert again.constraints == questions.constraints
    for history, groups, constraints in reversed(states):
        questions.undo()
        assert questions.history == history
        assert rows_of(questions) == groups
        assert questions.constraints == constraints


# ---- Choosing --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [pytest.param("mixed", marks=pytest.mark.iterative), "board", "pick", "sweep"]
)
def test_a_simulated_person_groups_the_irises(kind):
    questions = PairQuestions(IRIS, kind=kind, random_state=0)
    person = SimulatedPerson(SPECIES)
    kinds = set()
    for number in range(1, 31):
        question = questions.next()
        if question is None:  # all rows are placed
            break
        kinds.add(question.kind)
        assert questions.answer(question, person(question, questions.groups)) is None
        if number % 5 == 0:
            questions.adopt(questions.plan().fit())
    assert len(questions.groups) == 3
    assert adjusted_rand_score(SPECIES, questions.space.clusters) > 0.85
    expected = {"mixed": {"board", "sweep"}, "board": {"board"}}
    assert kinds == expected.get(kind, {"board", kind})
    assert questions.progress.quality.about == "rows"


def test_a_test_question_is_a_row_drawn_at_random_with_its_prediction():
    questions = questions_about(IRIS, kind="board", test_every=3)
    person = SimulatedPerson(SPECIES)
    for _ in range(8):
        question = questions.next()
        questions.answer(question, person(question, questions.groups))
    questions.adopt(questions.plan().fit())
    question = questions.next()
    assert question.reason == "test"
    questions.answer(question, question.predicted)
    assert questions.progress.quality.n_test_questions == 1
    assert questions.progress.quality.mean == 0.75


def test_a_test_row_is_judged_by_the_groups_of_today():
    questions = questions_about(IRIS)
    for row, response in ((0, "new"), (100, "new"), (1, 1), (2, 1), (101, 2), (102, 2)):
        place(questions, row, response)
    questions.adopt(questions.plan().fit())
    poor = questions.board_of(10)._replace(reason="test", predicted=2)
    questions.answer(poor, 1)
    assert questions.progress.quality.mean == 0.25
    # Without this row, the others now predict its group.
    questions.adopt(questions.plan().fit())
    assert questions.progress.quality.mean == 0.75


def test_rows_that_another_page_shows_are_not_asked_about():
    questions = questions_about(IRIS, kind="board")
    shown = [questions.next()]
    for _ in range(10):
        shown.append(questions.next(besides=shown))
    assert len({question.row for question in shown}) == 11


def test_rows_that_are_equal_are_one_question():
    X = np.repeat(IRIS[::10], 4, axis=0)
    questions = questions_about(X, kind="board")
    asked = set()
    while (question := questions.next()) is not None:
        asked.add(question.row)
        questions.answer(question, "new")
    assert asked == set(np.unique(first_equal_rows(X)).tolist())
    assert (questions.labels >= 0).all()


def test_an_answer_that_is_likely_to_be_wrong_is_asked_again_once():
    questions = PairQuestions(IRIS, kind="mixed", random_state=0, test_every=None)
    person = SimulatedPerson(SPECIES)
    for number in range(1, 25):
        question = questions.next()
        questions.answer(question, person(question, questions.groups))
        if number % 8 == 0:
            questions.adopt(questions.plan().fit())
    row = next(row for row in range(50) if questions.log.group_of(row) is None)
    other = next(group for group in questions.groups if SPECIES[group.anchor] == 2)
    questions.answer(questions.board_of(row), other.number)
    questions.adopt(questions.plan().fit())
    question = questions.next()
    assert (question.row, question.reason) == (row, "recheck")
    questions.answer(question, person(question, questions.groups))
    right = questions.log.group_of(row)
    assert SPECIES[right.anchor] == SPECIES[row]
    questions.adopt(questions.plan().fit())
    assert questions.next().reason != "recheck"
