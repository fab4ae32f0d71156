"""The desk: one truth for all tabs, all programs and the file."""

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
from pairspace.constraints.answers_file import AnswerStore, StoreError
from pairspace.tool.app.desk import Desk
from pairspace.tool.app.exports import Exports, Origin

X, SPECIES = load_iris(return_X_y=True)
IDS = [f"flower {row}" for row in range(len(X))]
Sit = Callable[..., Desk]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers.sqlite"


@pytest.fixture
def sit(path: Path) -> Iterator[Sit]:
    """Desks on the same file, as several programs have them."""
    with ExitStack() as stack:

        def sit_down(**options: Any) -> Desk:
            store = AnswerStore(path, IDS)
            return stack.enter_context(closing(Desk(X, store, **{"random_state": 0, **options})))

        yield sit_down


def stored(path: Path) -> list[tuple[int, int, int | None]]:
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT a_row, b_row, same FROM answers WHERE NOT taken_back ORDER BY id"
        return connection.execute(query).fetchall()


def truth(pair: tuple[int, int]) -> str:
    i, j = pair
    return "same" if SPECIES[i] == SPECIES[j] else "different"


def answer_truly(desk: Desk, n: int, page: str = "tab", who: str = "ada") -> None:
    for _ in range(n):
        pair = desk.question_for(page)
        assert pair is not None
        assert desk.answer(pair, truth(pair), who) is None


def wait_for_fit(desk: Desk) -> None:
    deadline = time.monotonic() + 60
    while desk.questions.outdated:
        assert time.monotonic() < deadline
        desk.tick()
        time.sleep(0.01)


def test_each_answer_is_on_the_disk_before_the_next_question(path: Path, sit: Sit) -> None:
    desk = sit()
    for n in range(12):
        assert len(stored(path)) == n
        answer_truly(desk, 1)


def test_a_new_program_goes_on_where_the_last_one_was(sit: Sit) -> None:
    first = sit()
    answer_truly(first, 25)
    pair = first.question_for("tab")
    assert pair is not None
    first.answer(pair, "skip", "ada")
    second = sit()
    assert second.questions.constraints == first.questions.constraints
    # The exams too: the estimate of the quality is the same.
    assert second.questions.progress.curve == first.questions.progress.curve
    assert second.questions.progress.skipped == 1


def test_tabs_are_asked_different_questions(sit: Sit) -> None:
    desk = sit()
    for _ in range(10):
        pairs = [desk.question_for(page) for page in ("one", "two", "three")]
        assert None not in pairs
        assert len({frozenset(pair) for pair in pairs if pair}) == 3
        assert len(desk.questions.history) == desk.questions.progress.answers
        assert pairs[1] is not None
        assert desk.answer(pairs[1], truth(pairs[1]), "ada") is None
    desk.leave("two")
    assert len(desk._open) == 2


def test_programs_learn_from_each_other(path: Path, sit: Sit) -> None:
    mine, yours = sit(random_state=1), sit(random_state=2)
    answer_truly(mine, 5, who="ada")
    answer_truly(yours, 5, who="bob")
    answer_truly(mine, 1, who="ada")
    yours.tick()
    assert mine.questions.constraints == yours.questions.constraints
    assert len(stored(path)) == 11
    taken = mine.undo("ada")
    assert taken is not None
    yours.tick()
    assert yours.questions.constraints == mine.questions.constraints
    assert yours.questions.progress.answers == 10


def test_answers_of_two_programs_never_contradict_in_the_file(path: Path, sit: Sit) -> None:
    mine, yours = sit(), sit()
    assert mine.answer((0, 1), "same", "ada") is None
    assert mine.answer((1, 2), "same", "ada") is None
    found = yours.answer((0, 2), "different", "bob")
    assert found is not None
    assert found.chain == (0, 1, 2)
    assert len(stored(path)) == 2
    assert Constraints.read(path, IDS).contradictions() == []


def test_undo_takes_back_ones_own_last_answer(path: Path, sit: Sit) -> None:
    desk = sit()
    desk.answer((0, 1), "same", "ada")
    desk.answer((2, 3), "different", "bob")
    desk.answer((4, 5), "skip", "ada")
    undone = [desk.undo("ada"), desk.undo("ada"), desk.undo("ada")]
    assert [answer and answer.pair for answer in undone] == [(4, 5), (0, 1), None]
    assert stored(path) == [(2, 3, 0)]
    assert desk.questions.constraints == Constraints(len(X), (), [(2, 3)])


def test_undo_and_answer_again_is_as_if_nothing_had_been(sit: Sit) -> None:
    desk = sit()
    answer_truly(desk, 19)
    before = desk.questions.history
    desk.undo("ada")
    pair = desk.question_for("tab")
    assert pair is not None
    assert set(pair) == set(before[-1].question.pair)
    desk.answer(pair, truth(pair), "ada")
    assert [(set(a.question.pair), a.question.reason) for a in desk.questions.history] == [
        (set(a.question.pair), a.question.reason) for a in before
    ]


def test_what_two_people_said_stands_until_both_take_it_back(sit: Sit) -> None:
    desk = sit()
    desk.answer((0, 1), "same", "ada")
    desk.answer((1, 0), "same", "bob")
    assert len(desk.answers_to((0, 1), True)) == 2
    desk.undo("ada")
    assert desk.known((0, 1)) is True
    desk.undo("bob")
    assert desk.known((0, 1)) is None


def test_a_contradiction_of_another_program_is_found_and_resolved(path: Path, sit: Sit) -> None:
    desk = sit()
    desk.answer((0, 1), "same", "ada")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO answers (a, b, a_row, b_row, same, time, annotator, reason) "
            "VALUES ('flower 0', 'flower 1', 0, 1, 0, '2026-01-01', 'script', 'person')"
        )
    for found in (desk, sit()):  # while it runs, and when it starts
        found.tick()
        conflict = found.conflict()
        assert conflict is not None
        assert conflict.contradiction.pair == (0, 1)
    desk.take_back([answer.id for answer in desk.answers_to((0, 1), True)])
    assert desk.conflict() is None
    assert desk.known((0, 1)) is False


def test_what_could_not_be_written_is_not_known(sit: Sit) -> None:
    desk = sit()
    answer_truly(desk, 3)
    before = desk.questions.constraints
    pair = desk.question_for("tab")
    assert pair is not None
    desk.store._connection.execute("PRAGMA query_only = 1")
    with pytest.raises(StoreError, match="nothing was saved"):
        desk.answer(pair, "same", "ada")
    with pytest.raises(StoreError, match="nothing was saved"):
        desk.undo("ada")
    assert desk.questions.constraints == before
    desk.store._connection.execute("PRAGMA query_only = 0")
    assert desk.question_for("tab") == pair
    assert desk.answer(pair, truth(pair), "ada") is None


def test_the_space_is_fitted_beside_the_questions(sit: Sit) -> None:
    desk = sit()
    answer_truly(desk, 20)
    assert desk.questions.space.answers_seen == 0
    view = desk.view
    wait_for_fit(desk)
    assert desk.questions.space.answers_seen == 20
    assert desk.view is not view
    # The map stays where it was, as far as the answers let it.
    assert np.sum(desk.view.points * view.points) > 0


def test_a_fit_that_fails_is_said_and_tried_again_with_the_next_answer(
    sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = sit()
    answer_truly(desk, 2)

    def fail(self: Any) -> Any:
        raise ValueError("no space in this")

    with monkeypatch.context() as patched:
        patched.setattr("pairspace.active.space.Refit.fit", fail)
        desk.tick()
        while desk.fitting:
            desk.tick()
        assert "no space in this" in desk.failure
        desk.tick()
        assert not desk.fitting
    answer_truly(desk, 1)
    wait_for_fit(desk)
    assert desk.failure == ""


def test_sixty_answers_beat_pca(tmp_path: Path) -> None:
    """1-NN on held-out digits, by the model that is taken away, on the mean of three halvings."""
    digits, digit = load_digits(return_X_y=True)
    ours, pcas = [], []
    for seed in range(3):
        train, test, known, hidden = train_test_split(
            digits, digit, test_size=0.5, stratify=digit, random_state=seed
        )
        ids = [str(row) for row in range(len(train))]
        store = AnswerStore(tmp_path / f"{seed}.sqlite", ids)
        with closing(Desk(train, store, n_clusters=10, random_state=seed)) as desk:
            for n in range(1, 61):
                pair = desk.question_for("tab")
                assert pair is not None
                said = "same" if known[pair[0]] == known[pair[1]] else "different"
                assert desk.answer(pair, said, "ada") is None
                if n % 20 == 0:
                    wait_for_fit(desk)
            model = Exports(desk, ids, Origin(train)).model()
        width = model.transform(test[:1]).shape[1]
        pca = make_pipeline(StandardScaler(), PCA(width, random_state=0)).fit(train)
        for space, scores in ((model, ours), (pca, pcas)):
            nearest = KNeighborsClassifier(1).fit(space.transform(train), known)
            scores.append(nearest.score(space.transform(test), hidden))
    assert np.mean(ours) > np.mean(pcas)
