"""A labelling session: all tabs, all programs and the file agree."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris
from sklearn.decomposition import PCA
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pairspace import Constraints
from pairspace.active import SimulatedPerson
from pairspace.asking.agreement import Judgement
from pairspace.asking.judgements import read_annotators
from pairspace.constraints.answers_file import AnswerStore, StoreError
from pairspace.tool.app.exports import Exports, Origin
from pairspace.tool.app.session import LabellingSession

X, SPECIES = load_iris(return_X_y=True)
IDS = [f"flower {row}" for row in range(len(X))]
Start = Callable[..., LabellingSession]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers.sqlite"


@pytest.fixture
def start_session(path: Path) -> Iterator[Start]:
    """Sessions on the same file, as in several programs."""
    with ExitStack() as stack:

        def start(**options: Any) -> LabellingSession:
            store = AnswerStore(path, IDS)
            return stack.enter_context(
                closing(LabellingSession(X, store, **{"random_state": 0, **options}))
            )

        yield start


def stored(path: Path) -> list[tuple[int, int, int | None]]:
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT a_row, b_row, same FROM answers WHERE NOT retracted ORDER BY id"
        return connection.execute(query).fetchall()


def truth(session: LabellingSession, question: Any) -> Any:
    return SimulatedPerson(SPECIES)(question, session.groups())


def answer_truly(
    session: LabellingSession, n: int, page: str = "tab", who: str = "ada", kind: Any = "pair"
) -> None:
    for _ in range(n):
        question = session.question_for(page, kind)
        assert question is not None
        assert session.answer(question, truth(session, question), who) is None


def wait_for_fit(session: LabellingSession) -> None:
    deadline = time.monotonic() + 60
    while session.questions.outdated:
        assert time.monotonic() < deadline
        session.tick()
        time.sleep(0.01)


def test_each_answer_is_on_the_disk_before_the_next_question(
    path: Path, start_session: Start
) -> None:
    session = start_session()
    for n in range(12):
        assert len(stored(path)) == n
        answer_truly(session, 1)


def test_a_new_program_goes_on_where_the_last_one_was(start_session: Start) -> None:
    first = start_session()
    answer_truly(first, 25)
    question = first.question_for("tab", "pair")
    assert question is not None
    first.answer(question, "skip", "ada")
    second = start_session()
    assert second.questions.constraints == first.questions.constraints
    # The test questions too: the estimate of the quality is the same.
    assert second.questions.progress.curve == first.questions.progress.curve
    assert second.questions.progress.skipped == 1


@pytest.mark.parametrize("kind", ["pair", "board", "mixed"])
def test_tabs_are_asked_different_questions(start_session: Start, kind: Any) -> None:
    session = start_session()
    for _ in range(10):
        questions = [session.question_for(page, kind) for page in ("one", "two", "three")]
        shown = [frozenset(question.rows) for question in questions if question is not None]
        assert len(set(shown)) == 3
        second = questions[1]
        assert session.answer(second, truth(session, second), "ada") is None
    session.release("two")
    assert len(session._open) == 2


def test_a_row_returns_to_the_group_that_the_same_person_took_it_out_of(
    path: Path, start_session: Start
) -> None:
    session = start_session()
    for row, response in ((0, "new"), (50, "new"), (1, 1), (51, 2)):
        assert session.answer(session.board_for("tab", row), response, "ada") is None
    assert session.answer(session.sweep_for("tab", 1, [1]), [1], "ada") is None
    out, groups = sorted(stored(path)), session.groups()
    # Another person contradicts, also in a program that has read the answers from the file.
    other = start_session()
    assert other.answer(other.board_for("tab", 1), 1, "bob") is not None
    assert other.answer(other.board_for("tab", 1), 1, "ada") is None
    assert [group.rows for group in other.groups()] == [(0, 1), (50, 51)]
    assert other.questions.history == start_session().questions.history
    assert other.undo("ada") is not None
    assert (sorted(stored(path)), other.groups()) == (out, groups)


def test_asking_for_another_tab_changes_nothing(start_session: Start) -> None:
    session = start_session()
    answer_truly(session, 8, page="one")
    first = session.question_for("one", "pair")
    questions = session.questions
    before = questions._log, questions._current, questions.history, session.version
    second = session.question_for("two", "pair")
    assert second is not None
    assert session.stored_contradiction() is None
    assert (questions._log, questions._current, questions.history, session.version) == before
    assert session.question_for("one", "pair") == first
    # The answer of the second tab is stored with the reason of its question.
    session.answer(second, truth(session, second), "bob")
    assert session.accepted[-1].reason == questions.history[-1].reason == "strategy"


def test_test_questions_of_two_tabs_are_recorded_as_such(start_session: Start) -> None:
    session = start_session()
    answer_truly(session, 9, page="one")
    for page in ("one", "two"):
        assert session.question_for(page, "pair") is not None
    for question in list(session._open.values()):
        session.answer(question, truth(session, question), "ada")
    assert [answer.reason for answer in session.accepted[-2:]] == ["test", "test"]


def test_programs_learn_from_each_other(path: Path, start_session: Start) -> None:
    mine, yours = start_session(random_state=1), start_session(random_state=2)
    answer_truly(mine, 5, who="ada")
    answer_truly(yours, 5, who="bob")
    answer_truly(mine, 1, who="ada")
    yours.tick()
    assert mine.questions.constraints == yours.questions.constraints
    assert len(stored(path)) == 11
    undone = mine.undo("ada")
    assert undone is not None
    yours.tick()
    assert yours.questions.constraints == mine.questions.constraints
    assert yours.questions.progress.answers == 10


def test_answers_of_two_programs_never_contradict_in_the_file(
    path: Path, start_session: Start
) -> None:
    mine, yours = start_session(), start_session()
    assert mine.answer((0, 1), "same", "ada") is None
    assert mine.answer((1, 2), "same", "ada") is None
    found = yours.answer((0, 2), "different", "bob")
    assert found is not None
    assert found.chain == (0, 1, 2)
    assert len(stored(path)) == 2
    assert Constraints.read(path, IDS).contradictions() == []


def test_undo_retracts_the_last_answer_of_the_same_person(path: Path, start_session: Start) -> None:
    session = start_session()
    session.answer((0, 1), "same", "ada")
    session.answer((2, 3), "different", "bob")
    session.answer((4, 5), "skip", "ada")
    undone = [session.undo("ada"), session.undo("ada"), session.undo("ada")]
    pairs = [step and step.answers[0].question.pair for step in undone]
    assert pairs == [(4, 5), (0, 1), None]
    assert stored(path) == [(2, 3, 0)]
    assert session.questions.constraints == Constraints(len(X), (), [(2, 3)])


@pytest.mark.parametrize("kind", ["pair", "mixed"])
def test_undo_and_answer_again_is_as_if_nothing_had_been(start_session: Start, kind: Any) -> None:
    session = start_session()
    answer_truly(session, 19, kind=kind)
    before = session.questions.history
    session.undo("ada")
    answer_truly(session, 1, kind=kind)
    assert [step._replace(by="") for step in session.questions.history] == [
        step._replace(by="") for step in before
    ]


def test_an_answer_of_two_people_counts_until_both_undo_it(start_session: Start) -> None:
    session = start_session()
    session.answer((0, 1), "same", "ada")
    session.answer((1, 0), "same", "bob")
    assert len(session.answers_to((0, 1), True)) == 2
    session.undo("ada")
    assert session.entails((0, 1)) is True
    session.undo("bob")
    assert session.entails((0, 1)) is None


def test_steps_are_read_with_their_answers_while_another_program_writes(
    start_session: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pairspace.constraints.answers_file.WAIT_SECONDS", 0.05)
    session, other = start_session(), start_session()
    answer_truly(session, 3)
    read = AnswerStore.all_answers
    written = []

    def read_and_write(store: AnswerStore) -> Any:
        found = read(store)
        try:
            question = other.questions.pair_of(100, 149)
            written.append(other.answer(question, "same", "bob"))
        except StoreError as error:  # it has to wait until all was read
            written.append(error)
        return found

    monkeypatch.setattr(AnswerStore, "all_answers", read_and_write)
    steps = session._steps.read()
    assert isinstance(written[0], StoreError)
    assert len(steps) == 3
    monkeypatch.setattr(AnswerStore, "all_answers", read)
    answer_truly(other, 1, who="bob")
    assert len(session._steps.read()) == 4


def test_a_contradiction_of_another_program_is_found_and_resolved(
    path: Path, start_session: Start
) -> None:
    session = start_session()
    session.answer((0, 1), "same", "ada")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO answers (a, b, a_row, b_row, same, time, annotator, reason) "
            "VALUES ('flower 0', 'flower 1', 0, 1, 0, '2026-01-01', 'script', 'person')"
        )
    for found in (session, start_session()):  # while it runs, and when it starts
        found.tick()
        contradiction = found.stored_contradiction()
        assert contradiction is not None
        assert contradiction.pair == (0, 1)
    session.retract([answer.id for answer in session.answers_to((0, 1), True)], "ada")
    assert session.stored_contradiction() is None
    assert session.entails((0, 1)) is False


def test_what_could_not_be_written_is_not_known(start_session: Start) -> None:
    session = start_session()
    answer_truly(session, 3)
    before = session.questions.history
    question = session.question_for("tab", "pair")
    assert question is not None
    session.store._connection.execute("PRAGMA query_only = 1")
    with pytest.raises(StoreError, match="nothing was saved"):
        session.answer((7, 8), "same", "ada")
    with pytest.raises(StoreError, match="nothing was saved"):
        session.answer(question, "same", "ada")
    with pytest.raises(StoreError, match="nothing was saved"):
        session.undo("ada")
    assert session.questions.history == before
    session.store._connection.execute("PRAGMA query_only = 0")
    assert session.question_for("tab", "pair") == question
    assert session.answer(question, truth(session, question), "ada") is None


def test_the_space_is_fitted_in_the_background(start_session: Start) -> None:
    session = start_session()
    answer_truly(session, 20)
    assert session.questions.space.n_answers == 0
    view = session.view
    wait_for_fit(session)
    assert session.questions.space.n_answers == 20
    assert session.view is not view
    # The map stays where it was, as far as the answers let it.
    assert np.sum(session.view.points * view.points) > 0


def test_a_fit_that_fails_is_reported_and_tried_again_with_the_next_answer(
    start_session: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = start_session()
    answer_truly(session, 2)

    def fail(self: Any) -> Any:
        raise ValueError("no space in this")

    with monkeypatch.context() as patched:
        patched.setattr("pairspace.active.refit.Refit.fit", fail)
        session.tick()
        while session.fitting:
            session.tick()
        assert "no space in this" in session.failure
        session.tick()
        assert not session.fitting
    answer_truly(session, 1)
    wait_for_fit(session)
    assert session.failure == ""


def test_a_fit_that_could_not_be_planned_is_tried_again(
    start_session: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As while another program keeps the file locked."""
    session = start_session()
    answer_truly(session, 2)

    def fail() -> Any:
        raise StoreError("answers.sqlite can't be used")

    with monkeypatch.context() as patched:
        patched.setattr(session, "plan", fail)
        with pytest.raises(StoreError):
            session.tick()
    wait_for_fit(session)
    assert session.questions.space.n_answers == 2


def test_sixty_screens_beat_pca(tmp_path: Path) -> None:
    """1-NN on held-out digits, by the downloaded model, on the mean of three halvings."""
    digits, digit = load_digits(return_X_y=True)
    ours, pcas = [], []
    for seed in range(3):
        train, test, known, hidden = train_test_split(
            digits, digit, test_size=0.5, stratify=digit, random_state=seed
        )
        ids = [str(row) for row in range(len(train))]
        store = AnswerStore(tmp_path / f"{seed}.sqlite", ids)
        person = SimulatedPerson(known)
        with closing(LabellingSession(train, store, random_state=seed)) as session:
            for n in range(1, 61):
                question = session.question_for("tab")
                response = person(question, session.groups())
                assert session.answer(question, response, "ada") is None
                if n % 20 == 0:
                    wait_for_fit(session)
            model = Exports(session, ids, Origin(train)).model()
        width = model.transform(test[:1]).shape[1]
        pca = make_pipeline(StandardScaler(), PCA(width, random_state=0)).fit(train)
        for space, scores in ((model, ours), (pca, pcas)):
            nearest = KNeighborsClassifier(1).fit(space.transform(train), known)
            scores.append(nearest.score(space.transform(test), hidden))
    assert np.mean(ours) > np.mean(pcas)


# ---- Groups ----------------------------------------------------------------------------------


def as_in_the_file(path: Path, session: LabellingSession) -> bool:
    """Whether the answers that count here are those that count in the file."""
    here = {
        (min(pair), max(pair), answer.value == "same")
        for pair, answer in session.questions.log.values.items()
    }
    return here == {(min(i, j), max(i, j), bool(same)) for i, j, same in stored(path)}


def test_a_click_is_stored_whole_and_undone_whole(path: Path, start_session: Start) -> None:
    session = start_session()
    for row, word in ((0, "new"), (60, "new"), (120, "new")):
        session.answer(session.board_for("tab", row), word, "ada")
    session.answer(session.board_for("tab", 1), 1, "ada")
    assert len(stored(path)) == 6
    session.merge(1, 3, "ada")
    session.rename(1, "Iris", "ada")
    new = session.split(1, [120], "ada")
    session.answer(session.sweep_for("tab", 2, [61, 1]), [1], "ada")
    groups = session.groups()
    assert [(group.number, group.name, group.rows) for group in groups] == [
        (1, "Iris", (0, 1)),
        (2, "", (60, 61)),
        (new, "", (120,)),
    ]
    assert as_in_the_file(path, session)
    other = start_session()
    assert other.groups() == groups
    steps = len(session.history(100))
    for n in range(steps, 0, -1):
        assert len(other.history(100)) == n
        assert other.undo("ada") is not None  # also after a restart
        session.tick()
        assert session.groups() == other.groups()
        assert as_in_the_file(path, other)
    assert stored(path) == []


def test_any_step_of_the_history_can_be_taken_back(path: Path, start_session: Start) -> None:
    session = start_session()
    for row, word in ((0, "new"), (60, "new"), (1, 1), (2, 1)):
        session.answer(session.board_for("tab", row), word, "ada")
    entry = session.history()[1]
    assert entry.step.answers[0].question.pair == (1, 0)
    assert session.take_back(entry.id) is None
    assert [group.rows for group in session.groups()] == [(0, 2), (60,)]
    assert as_in_the_file(path, session)


def test_an_answers_file_of_pairs_goes_on_with_boards(path: Path, start_session: Start) -> None:
    store = AnswerStore(path, IDS)
    with store.writing():
        for i, j, same in ((0, 1, True), (0, 60, False), (61, 60, True), (7, 8, None)):
            store.add((i, j), same, "ada", reason="strategy")
    store.close()
    session = start_session()
    assert [group.rows for group in session.groups()] == [(0, 1), (60, 61)]
    session.answer(session.board_for("tab", 2), 1, "ada")
    for _ in range(5):
        session.undo("ada")
    assert session.groups() == []
    assert as_in_the_file(path, session)


def test_a_step_changed_by_hand_is_named(path: Path, start_session: Start) -> None:
    session = start_session()
    session.answer(session.board_for("tab", 0), "new", "ada")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE steps SET detail = '{\"answers\": [99]}'")
    with pytest.raises(StoreError, match=r"answers.sqlite: step 1 can't be read"):
        start_session()


def test_the_summary_counts_rows(start_session: Start) -> None:
    session = start_session()
    assert session.summary().n_grouped == 0
    answer_truly(session, 15, kind="board")
    wait_for_fit(session)
    answer_truly(session, 10, kind="board")
    wait_for_fit(session)
    open_rows = [row for row in range(150) if session.questions.labels[row] < 0]
    session.answer(session.board_for("tab", open_rows[0]), "aside", "ada")
    session.answer(session.board_for("tab", open_rows[1]), "skip", "ada")
    found = session.summary()
    assert (found.n_rows, found.n_groups, found.n_aside, found.n_not_sure) == (150, 3, 1, 1)
    assert found.n_grouped + found.n_unsure + found.n_aside == 150
    assert found.n_unsure == len(session.unsure_rows())
    assert found.right is not None
    assert found.right.about == "rows"


def test_a_wrong_answer_that_the_others_outvote_is_named(start_session: Start) -> None:
    session = start_session()
    answer_truly(session, 30, kind="board")
    row = next(row for row in range(50) if session.questions.labels[row] < 0)
    other = next(group for group in session.groups() if SPECIES[group.anchor] == 2)
    session.answer(session.board_for("tab", row), other.number, "ada")
    wait_for_fit(session)
    assert session.summary().outvoted == (row,)


def test_an_answer_that_contradicts_others_is_kept_and_does_not_count(
    path: Path, start_session: Start
) -> None:
    session = start_session()
    for pair in ((0, 1), (1, 2)):
        assert session.answer(session.questions.pair_of(*pair), "same", "ada") is None
    found = session.answer(session.questions.pair_of(0, 2), "different", "bob")
    assert found is not None
    assert len(stored(path)) == 2
    assert session.questions.log.known.entails(0, 2) is True
    assert [each.annotator for each in session.history()] == ["ada", "ada"]
    assert start_session().questions.log.known.entails(0, 2) is True
    judgements = read_annotators(path).judgements
    assert judgements[-1] == Judgement("bob", ("pair", 0, 2), "different")
    assert len(judgements) == 3
