"""The invariants of asking: nothing known is asked, undo is exact, errors change nothing."""

import pickle
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA

from pairspace import Constraints, ContradictionError
from pairspace.active import STRATEGIES, PairQuestions, SimulatedPerson, Step
from pairspace.active.answer_log import SKIP_PAUSE

N_ROWS = 12
X_SMALL = np.random.default_rng(0).standard_normal((N_ROWS, 3))
IRIS, SPECIES = load_iris(return_X_y=True)


def questions_about(X=X_SMALL, **options):
    """With a reducer and a learner that cost little: these tests are about the questions."""
    learners = ["label spreading, standardised"]
    options = {"kind": "pair", "reducer": PCA(2), "learners": learners, "random_state": 0} | options
    return PairQuestions(X, **options)


def state(questions):
    return questions.history, questions.next(), questions.constraints, questions.progress


def give(questions, labels, n_answers):
    person = SimulatedPerson(labels)
    for _ in range(n_answers):
        question = questions.next()
        assert questions.answer(question, person(question, questions.groups)) is None


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(sorted(STRATEGIES)),
    st.lists(st.sampled_from(["same", "different", "skip", "undo", "refit"]), max_size=40),
    st.integers(0, 3),
)
def test_never_asks_what_is_known_nor_what_was_just_skipped(strategy, steps, seed):
    questions = questions_about(strategy=strategy, random_state=seed, test_every=4)
    skipped = []
    for step in steps:
        if step == "undo":
            undone = questions.undo()
            if undone is not None and undone.answers[0].value == "skip":
                skipped.remove(undone.answers[0].question.pair)
            continue
        if step == "refit":
            questions.adopt(questions.plan().fit())
            continue
        question = questions.next()
        assert questions.next() == question
        if question is None:
            break
        pair = question.pair
        assert questions.constraints.entails(*pair) is None
        recent = {*map(frozenset, skipped)} if len(questions.history) <= SKIP_PAUSE else set()
        assert frozenset(pair) not in recent
        assert questions.answer(question, step) is None
        if step == "skip":
            skipped.append(pair)
    assert not questions.constraints.contradictions()


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_asks_until_everything_is_known(strategy):
    labels = np.arange(N_ROWS) % 3
    questions = questions_about(strategy=strategy)
    while (question := questions.next()) is not None:
        i, j = question.pair
        value = "same" if labels[i] == labels[j] else "different"
        assert questions.answer(question, value) is None
    closure = questions.constraints.closure()
    assert len(closure.must_link) + len(closure.cannot_link) == N_ROWS * (N_ROWS - 1) // 2
    assert questions.progress.implied_pairs == N_ROWS * (N_ROWS - 1) // 2
    assert questions.progress.answers < N_ROWS * (N_ROWS - 1) // 2


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(sorted(STRATEGIES)),
    st.lists(st.sampled_from(["same", "different", "skip"]), min_size=1, max_size=25),
)
def test_undo_is_exact(strategy, steps):
    questions = questions_about(strategy=strategy, test_every=3)
    states = []
    for step in steps:
        question = questions.next()
        if question is None:
            break
        states.append((state(questions), question))
        questions.answer(question, step)
    for before, question in reversed(states):
        assert questions.undo().answers[0].question == question
        assert state(questions) == before
    assert questions.undo() is None


def test_the_same_answers_lead_to_the_same_questions():
    runs = []
    for _ in range(2):
        questions = questions_about(IRIS)
        give(questions, SPECIES, 25)
        runs.append(questions.history)
    assert runs[0] == runs[1]


def test_a_contradiction_is_returned_with_its_chain_and_not_recorded():
    questions = questions_about()
    for pair in ((0, 1), (1, 2), (2, 3)):
        assert questions.answer(pair, "same") is None
    before = state(questions)
    found = questions.answer((3, 0), "different")
    assert found.pair == (0, 3)
    assert found.chain == (0, 1, 2, 3)
    assert state(questions) == before
    questions.retract((2, 1))
    assert questions.answer((3, 0), "different") is None
    assert questions.constraints == Constraints(N_ROWS, [(0, 1), (2, 3)], [(0, 3)])


def test_looking_for_a_contradiction_records_nothing():
    questions = questions_about()
    for pair in ((0, 1), (1, 2)):
        questions.answer(pair, "same")
    before = vars(questions) | {"log": list(questions._log.answers)}
    found = questions.contradiction_with((2, 0), "different")
    assert (found.pair, found.chain) == ((0, 2), (0, 1, 2))
    assert questions.contradiction_with((0, 1), "different").chain == (0, 1)
    assert questions.contradiction_with((0, 2), "same") is None
    assert questions.contradiction_with((0, 2), "skip") is None
    assert questions.contradiction_with((7, 8), "same") is None
    assert vars(questions) | {"log": list(questions._log.answers)} == before
    assert questions.answer((2, 0), "different") == found
    with pytest.raises(ValueError, match="got 'maybe'"):
        questions.contradiction_with((0, 1), "maybe")


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(sorted(STRATEGIES)),
    st.lists(st.sampled_from(["same", "different", "skip"]), max_size=15),
    st.integers(1, 5),
)
def test_questions_for_others_change_nothing(strategy, steps, n_others):
    """A twin that is never asked for other questions asks the same and records the same."""
    questions, twin = (questions_about(strategy=strategy, test_every=3) for _ in range(2))
    for step in steps:
        shown = [first] if (first := questions.next()) else []
        log, current = questions._log, questions._current
        for _ in range(n_others):
            other = questions.next(besides=shown)
            assert other is None or {*other.pair} not in [{*each.pair} for each in shown]
            shown += [other] if other else []
        assert all(questions.constraints.entails(*each.pair) is None for each in shown)
        assert (questions._log, questions._current) == (log, current)
        assert state(questions) == state(twin)
        if not shown:
            break
        assert shown[0] == twin.next()
        questions.answer(shown[0], step)
        twin.answer(shown[0], step)


def test_an_answer_to_another_question_keeps_its_reason():
    questions = questions_about(IRIS, test_every=2)
    give(questions, SPECIES, 1)
    second = questions.next(besides=[questions.next()])
    questions.answer(second, "different")
    questions.answer((7, 120), "different")
    assert [step.reason for step in questions.history[1:]] == ["test", "person"]


def test_no_pair_is_left_for_others():
    questions = questions_about(np.array([[0.0], [1.0], [5.0]]), reducer=PCA(1))
    others = [questions.pair_of(*pair) for pair in combinations(range(3), 2)]
    assert {*questions.next(besides=others[1:]).pair} == {0, 1}
    assert questions.next(besides=others) is None
    assert questions.next() is not None


def test_same_between_groups_that_differ_is_a_contradiction():
    questions = questions_about()
    questions.answer((0, 1), "same")
    questions.answer((2, 3), "same")
    questions.answer((1, 3), "different")
    found = questions.answer((0, 2), "same")
    assert found.pair == (1, 3)
    assert found.chain == (1, 0, 2, 3)


def test_the_opposite_of_an_answer_contradicts_it():
    questions = questions_about()
    questions.answer((4, 2), "different")
    found = questions.answer((2, 4), "same")
    assert (found.pair, found.chain) == ((2, 4), (2, 4))
    assert questions.answer((2, 4), "different") is None
    assert questions.progress.different == 1


def test_the_person_may_pick_a_pair_even_a_known_one():
    questions = questions_about()
    questions.answer((0, 1), "same")
    questions.answer((1, 2), "same")
    question = questions.pair_of(2, 0)
    assert question.reason == "person"
    assert questions.answer(question, "same") is None
    assert (0, 2) in map(tuple, questions.constraints.must_link.tolist())


def test_a_skipped_pair_comes_back_after_a_pause():
    questions = questions_about(np.array([[0.0], [1.0], [5.0]]), reducer=PCA(1), test_every=None)
    for _ in range(3):
        questions.answer(questions.next(), "skip")
    assert questions.next() is None
    assert questions.progress.skipped == 3
    questions = questions_about()
    question = questions.next()
    first = question.pair
    questions.answer(question, "skip")
    others = [pair for pair in combinations(range(N_ROWS), 2) if {*pair} != {*first}]
    for pair in others[: SKIP_PAUSE - 1]:
        assert not questions._log.may_ask(first)
        questions.answer(pair, "skip")
    questions.answer(others[-1], "skip")
    assert questions._log.may_ask(first)


def test_a_history_goes_on_where_it_ended():
    questions = questions_about(IRIS)
    give(questions, SPECIES, 33)
    resumed = questions_about(IRIS, answers=questions.history)
    assert resumed.history == questions.history
    assert resumed.progress.quality == questions.progress.quality
    assert not resumed.outdated
    with_pairs = questions_about(IRIS, answers=questions.constraints)
    assert with_pairs.constraints == questions.constraints


def test_refits_beside_the_questions():
    questions = questions_about(IRIS)
    assert not questions.outdated
    give(questions, SPECIES, 5)
    job = pickle.loads(pickle.dumps(questions.plan()))
    give(questions, SPECIES, 5)
    current = questions.next()
    questions.adopt(job.fit())
    assert questions.next() == current
    assert questions.space.n_answers == 5
    assert questions.outdated
    questions.adopt(questions.plan().fit())
    assert not questions.outdated
    questions.answer(questions.next(), "skip")
    assert not questions.outdated


def test_the_default_space_is_of_the_rank_of_the_data():
    X = np.column_stack([IRIS[:, :1], 2 * IRIS[:, :1], np.ones(len(IRIS))])
    questions = PairQuestions(X, random_state=0)
    assert questions.space.embedding.shape == (len(IRIS), 1)
    assert questions.space.model.transform(X[:3]).shape == (3, 1)


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_rows_that_coincide_can_be_asked_about(strategy):
    X = np.repeat([[0.0, 1.0], [2.0, 0.0]], [9, 1], axis=0)
    questions = questions_about(X, strategy=strategy, reducer=PCA(1))
    give(questions, np.arange(10) % 2, 5)
    questions.adopt(questions.plan().fit())
    give(questions, np.arange(10) % 2, 2)


def test_sparse_rows_are_asked_about():
    X = csr_array(np.where(IRIS > 2, IRIS, 0))
    questions = PairQuestions(X, random_state=0)
    give(questions, SPECIES, 12)
    questions.adopt(questions.plan().fit())
    assert questions.space.clusters.shape == SPECIES.shape


def test_many_rows_are_fitted_on_some(monkeypatch):
    monkeypatch.setattr("pairspace.active.refit.FIT_ROWS", 40)
    questions = questions_about(IRIS, answers=Constraints(150, [(0, 149)], [(3, 77)]))
    assert questions.space.embedding.shape == (150, 2)
    assert questions.space.clusters.shape == (150,)
    give(questions, SPECIES, 10)
    questions.adopt(questions.plan().fit())
    assert questions.space.regions.max() < len(questions.space.medoids)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": "clever"}, "strategy must be one of 'random', .*; got 'clever'"),
        ({"n_components": 0}, "n_components must be an integer of at least 1; got 0"),
        ({"n_clusters": 1}, "n_clusters must be an integer of at least 2 or None; got 1"),
        ({"test_every": 1.5}, "test_every must be .*; got 1.5"),
        ({"answers": Constraints(3, [(0, 1)])}, "answers has 3 rows, but X has 12"),
        ({"answers": [(0, 1)]}, r"history of a PairQuestions, .* got \(0, 1\)"),
        ({"answers": [Step("pair", reason="whim")]}, "reason must be one of .*; got 'whim'"),
        ({"answers": [Step("board", founds=((99, 1),))]}, "row 99 is outside"),
        ({"kind": "quiz"}, "kind must be one of 'mixed', .*; got 'quiz'"),
        ({"X": np.ones((4, 2)), "reducer": None}, "all rows of X are equal"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        questions_about(**options)


def test_contradicting_answers_are_refused_at_the_start():
    with pytest.raises(ContradictionError, match="0 = 1 = 2"):
        questions_about(answers=Constraints(N_ROWS, [(0, 1), (1, 2)], [(0, 2)]))


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda q: q.answer((0, 12), "same"), r"row 12 is outside the rows 0 … 11"),
        (lambda q: q.answer((0, -1), "same"), r"row -1 is outside"),
        (lambda q: q.answer((3, 3), "same"), r"two different rows; got \(3, 3\)"),
        (lambda q: q.answer((0, 1), "maybe"), "'same', 'different', 'skip'; got 'maybe'"),
        (lambda q: q.answer("ab", "same"), "two row numbers"),
        (lambda q: q.answer((0, 1, 2), "same"), "two row numbers"),
        (lambda q: q.pair_of(0, 1.0), "two row numbers"),
        (lambda q: q.board_of(12), "row 12 is outside"),
        (lambda q: q.sweep_of(7), "there is no group 7"),
        (lambda q: q.merge(1, 1), "group 1 can't be merged with itself"),
        (lambda q: q.split(1, [4, 5]), "some, but not all, of group 1's rows"),
        (lambda q: q.answer(q.board_of(0), "left"), "'none', 'skip', 'aside'; got 'left'"),
        (lambda q: q.answer(q.board_of(0), 9), "there is no group 9"),
        (lambda q: q.answer(q.pick_of(0, [1, 2]), [3]), "row 3 is not in the question"),
        (lambda q: q.retract((0, 1)), r"the pair \(0, 1\) has no answer"),
        (lambda q: q.rename(5, "x"), "there is no group 5"),
        (lambda q: q.adopt("a space"), "must be the result of plan"),
    ],
)
def test_errors_change_nothing(act, message):
    questions = questions_about()
    questions.answer((4, 5), "same")
    before = state(questions)
    with pytest.raises(ValueError, match=message):
        act(questions)
    assert state(questions) == before
