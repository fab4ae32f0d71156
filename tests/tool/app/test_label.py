"""``pairspace.label`` in Python, and what the command reads."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import panel as pn
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc
from scipy.sparse import csr_array
from sklearn.datasets import load_iris

import pairspace
from pairspace import Constraints
from pairspace.active import BoardQuestion, Card, Group, PairQuestion, PickQuestion
from pairspace.constraints.answers_file import StoreError
from pairspace.tool.app import overview, page_output
from pairspace.tool.app.items import RecordItems
from pairspace.tool.app.labelling import Display, Labelling
from pairspace.tool.app.overview import Snapshot
from pairspace.tool.app.page_output import HEIGHT_IN_NOTEBOOK, TICK_MS
from pairspace.tool.app.screens import Slots, screen_of
from pairspace.tool.cli._labelling import read_labelling_input
from tool.app.conftest import apart

X, SPECIES = load_iris(return_X_y=True)
FRAME = pd.DataFrame({"name": [f"flower {row}" for row in range(150)], "petal": X[:, 2]})


def in_a_loop(work: Any) -> Any:
    """A notebook has a running loop, in which the page looks around a few times a second."""

    async def run() -> Any:
        return work()

    return apart(run())


def press(page: Any, action: str, **more: Any) -> None:
    page._view._handle_msg({"action": action, "turn": page._view.turn, **more})


def answer(page: Any, value: Any, **more: Any) -> None:
    press(page, "answer", value=value, **more)


def shown(page: Any) -> Any:
    return json.loads(page._view.screen)


def label(*arguments: Any, **options: Any) -> Any:
    """A page that asks about pairs, as a notebook shows it."""
    usual = {"kind": "pair", "annotator": "ada", "random_state": 0}
    return pairspace.label(*arguments, **{**usual, **options})


def test_a_page_in_a_notebook(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"

    def label_some() -> Any:
        page = label(X, items=FRAME, answers=path)
        assert json.loads(page._view.settings)["notebook"]
        assert page.__panel__().height == HEIGHT_IN_NOTEBOOK
        assert pn.config.inline  # the scripts come with the cell: no network is needed
        assert "flower" in shown(page)["left"]
        for _ in range(12):
            i, j = page._question.pair
            answer(page, "same" if SPECIES[i] == SPECIES[j] else "different")
        press(page, "undo")
        page.session.close()
        return page.constraints

    answers = in_a_loop(label_some)
    assert len(answers.must_link) + len(answers.cannot_link) == 11
    assert Constraints.read(path, n_samples=150) == answers
    # Row numbers name the rows of any data: other data is told by its content.
    with pytest.raises(StoreError, match="other data"):
        pairspace.label(X, items=FRAME.assign(petal=0), answers=path)


def test_a_parquet_column_of_lists_is_shown(tmp_path: Path) -> None:
    lists = [[row % 3, row % 2] for row in range(150)]
    FRAME.assign(lists=lists).to_parquet(tmp_path / "lists.parquet")
    frame = pd.read_parquet(tmp_path / "lists.parquet")

    def look() -> None:
        page = label(X, items=frame, answers=tmp_path / "answers.sqlite")
        i, _ = page._question.pair
        assert str(np.array(lists[i])) in shown(page)["left"]
        page.session.close()

    in_a_loop(look)


def test_what_all_tabs_show_is_made_once(tmp_path: Path, monkeypatch: Any) -> None:
    made = []

    def counted(*given: Any) -> Any:
        made.append(given)
        return Snapshot(*given)

    monkeypatch.setattr(overview, "Snapshot", counted)

    def open_tabs() -> None:
        labelling = Labelling(
            X,
            Display(FRAME),
            ids=FRAME["name"].tolist(),
            answers=tmp_path / "answers.sqlite",
            ask="?",
            title="",
            annotator="ada",
            kind="pair",
            random_state=0,
        )
        tabs = [labelling.page() for _ in range(20)]
        assert len(made) == 1
        before = labelling.session.version
        answer(tabs[0], "same")
        for tab in tabs:
            tab._tick()
        # The session may have got a new space in the meantime.
        assert len(made) <= 1 + labelling.session.version - before
        labelling.session.close()

    in_a_loop(open_tabs)


def test_many_tabs_take_turns_in_looking_for_news(tmp_path: Path, monkeypatch: Any) -> None:
    """Their own answers they show at once."""
    clock = SimpleNamespace(monotonic=lambda: clock.now, now=0.0)
    monkeypatch.setattr(page_output, "time", clock)

    def look() -> None:
        answers = tmp_path / "answers.sqlite"
        labelling = Labelling(
            X, Display(FRAME), ids=None, answers=answers, ask="?", title="", annotator="ada"
        )
        first = labelling.page()
        looks: list[float] = []
        monkeypatch.setattr(first._overview, "tick", lambda: looks.append(clock.now))

        def looks_within(seconds: int) -> int:
            looks.clear()
            for _ in range(1000 * seconds // TICK_MS):
                clock.now += TICK_MS / 1000
                first._tick_in_turn()
            return len(looks)

        alone = looks_within(30)
        assert alone == 100
        others = [labelling.page() for _ in range(19)]
        assert alone // 6 <= looks_within(30) <= alone // 4
        for other in others:
            other._leave()
        assert looks_within(30) == alone
        labelling.session.close()

    in_a_loop(look)


def test_rows_are_placed_on_a_board_and_every_step_is_undone(tmp_path: Path) -> None:
    def label_some() -> None:
        page = label(X, FRAME, ids=FRAME["name"], answers=tmp_path / "a.sqlite", kind="board")
        session = page.session
        for _ in range(12):
            row = page._question.row
            there = {SPECIES[group.rows[0]]: group.number for group in session.groups()}
            if SPECIES[row] in there:
                answer(page, there[SPECIES[row]])
            else:
                answer(page, "new", name=f" species  {SPECIES[row]} ")
        names = [group.name for group in session.groups()]
        assert len(set(names)) == len(names) > 1
        assert set(names) <= {"species 0", "species 1", "species 2"}
        before = session.groups()
        first, second = (group.number for group in before[:2])
        press(page, "rename", number=first, name="<b>first</b>")
        press(page, "merge", target=first, source=second)
        assert len(session.groups()) == len(before) - 1
        assert "&lt;b&gt;first" in shown(page)["status"]
        press(page, "open", number=first)
        rows = [cell["row"] for cell in shown(page)["cells"]]
        assert rows == list(session.groups()[0].rows)
        press(page, "split", number=first, rows=rows[:1])
        assert len(session.groups()) == len(before)
        for _ in range(3):
            press(page, "undo")
        assert session.groups() == before
        entry = session.history()[-1]
        press(page, "take_back", id=entry.id, change=True)
        assert page._question.row == entry.step.founds[0][0]
        session.close()

    in_a_loop(label_some)


def test_grids_take_only_rows_that_they_show(tmp_path: Path) -> None:
    def label_some() -> None:
        page = label(X, answers=tmp_path / "a.sqlite", kind="board")
        page._ask_about(PickQuestion(0, tuple(range(1, 13)), "person"), "")
        press(page, "answer", rows=[1, 50], unknown=False)
        assert page.session.history() == []
        press(page, "answer", rows=[1, 2], unknown=True)
        step = page.session.history()[0].step
        assert [value for _, value in step.answers] == ["same", "same"]
        (group,) = page.session.groups()
        assert group.rows == (0, 1, 2)
        press(page, "sweep", number=group.number)
        assert shown(page)["kind"] == "sweep"
        press(page, "answer", rows=[], unknown=False)
        assert page.session.history()[0].step.kind == "sweep"
        page.session.close()

    in_a_loop(label_some)


def test_selected_rows_are_swept_into_a_new_group(tmp_path: Path) -> None:
    def label_some() -> None:
        page = label(X, answers=tmp_path / "a.sqlite", kind="board")
        page._on_lasso(list(range(30)))
        press(page, "lasso", number="new", name="Setosa")
        assert page._question.kind == "sweep"
        for _ in range(2):  # 24 rows a screen
            press(page, "answer", rows=[], unknown=False)
        (group,) = page.session.groups()
        assert group.name == "Setosa"
        assert group.rows == tuple(range(30))
        page.session.close()

    in_a_loop(label_some)


def test_blind_pages_and_test_questions_show_no_prediction() -> None:
    cards = tuple(
        Card(number, (number,), probability) for number, probability in ((1, 0.9), (2, 0))
    )
    groups = {number: Group(number, "", (number,), number) for number in (1, 2)}
    now: Any = SimpleNamespace(groups=groups, titles={1: "a", 2: "b"})
    items = RecordItems([str(row) for row in range(9)], FRAME)

    def likely(reason: Any, blind: bool) -> list[bool]:
        question = BoardQuestion(5, cards, reason)
        screen = screen_of(question, items, now, Slots(), "", own=set() if blind else None)
        return [card["likely"] for card in screen["cards"]]

    assert likely("strategy", False) == [True, False]
    assert likely("strategy", True) == [False, False]
    assert likely("test", False) == [False, False]


def test_groups_keep_their_places_on_the_board() -> None:
    slots = Slots()
    assert slots.arrange([1, 2, 3]) == [1, 2, 3]
    assert slots.arrange([1, 3]) == [1, None, 3]
    assert slots.arrange([1, 3, 4]) == [1, None, 3, 4]
    assert slots.arrange([1, 2, 3, 4]) == [1, 2, 3, 4]
    many = slots.arrange(range(1, 13))
    assert many == list(range(1, 13))
    assert slots.arrange([*range(1, 12), 40]) == [*range(1, 12), 40]
    assert slots.arrange([40, 12, *range(2, 12)]) == [12, *range(2, 12), 40]


def test_a_message_waits_for_the_lock_of_its_document(tmp_path: Path) -> None:
    """Before a tab is fully connected, Panel passes messages on without the lock."""

    def label_some() -> None:
        page = label(X, answers=tmp_path / "a.sqlite")
        document = Document()
        context = SimpleNamespace(session=None)
        document._session_context = lambda: context
        with set_curdoc(document):
            press(page, "scheme", value=True)
            answer(page, "different")
            answer(page, "different")  # the page may send it twice
        assert page.session.history() == []
        for waiting in list(document.session_callbacks):
            waiting.callback()
        assert len(page.session.history()) == 1
        page.session.close()

    in_a_loop(label_some)


def test_messages_for_another_turn_are_ignored(tmp_path: Path) -> None:
    def label_some() -> None:
        page = label(X, answers=tmp_path / "a.sqlite")
        turn = page._view.turn
        answer(page, "different")
        page._view._handle_msg({"action": "answer", "value": "different", "turn": turn})
        press(page, "choose", choice="1")
        press(page, "<script>")
        answer(page, "<script>")
        answer(page, 7)
        press(page, "merge", target="1", source=None)
        page._view._handle_msg("nonsense")
        assert len(page.session.history()) == 1
        page.session.close()

    in_a_loop(label_some)


def test_an_answer_that_is_not_saved_is_asked_again_and_said(tmp_path: Path) -> None:
    def label_some() -> None:
        page = label(X, answers=tmp_path / "a.sqlite")
        pair = page._question.pair
        page.session.store._connection.execute("PRAGMA query_only = 1")
        answer(page, "different")
        assert page._question.pair == pair
        assert "Not saved" in shown(page)["status"]
        page.session.store._connection.execute("PRAGMA query_only = 0")
        answer(page, "different")
        assert page._question.pair != pair
        assert "Saved" in shown(page)["status"]
        page.session.close()

    in_a_loop(label_some)


def test_a_page_without_its_answers_file_says_so_and_goes_on_when_it_is_back(
    tmp_path: Path,
) -> None:
    path, aside = tmp_path / "answers.sqlite", tmp_path / "aside.sqlite"

    def label_some() -> None:
        page = label(X, items=FRAME, answers=path, kind="board")
        answer(page, "new")
        path.rename(aside)
        page._next("Saved")  # the file went after the answer was saved
        assert shown(page)["status"] == "Saved"
        assert "was removed" in shown(page)["notice"]
        turn = page._view.turn
        for _ in range(3):
            page._tick()
        assert page._view.turn == turn  # what a person presses now belongs to this turn
        aside.rename(path)
        page._tick()
        assert shown(page)["kind"] == "board"
        answer(page, "new")
        assert "Saved" in shown(page)["status"]
        page.session.close()

    in_a_loop(label_some)


def test_a_page_opened_while_the_file_is_locked_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pairspace.constraints.answers_file.WAIT_SECONDS", 0.05)
    path = tmp_path / "answers.sqlite"

    def label_some() -> None:
        labelling = Labelling(
            X, Display(FRAME), ids=None, answers=path, ask="", title="", annotator="ada"
        )
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            page = labelling.page()
            assert "database is locked" in shown(page)["notice"]
            turn = page._view.turn
            page._tick()
            assert page._view.turn == turn
        page._tick()
        assert shown(page)["kind"] == "board"
        answer(page, "new")
        assert "Saved" in shown(page)["status"]
        page.session.close()

    in_a_loop(label_some)


def test_a_contradiction_and_each_way_out_of_it(tmp_path: Path) -> None:
    def label_some() -> None:
        page = label(X, FRAME, ids=FRAME["name"], answers=tmp_path / "a.sqlite")
        for pair in ((0, 1), (1, 2)):
            page.session.answer(PairQuestion(pair, "person"), "same", "bob")
        page._on_select(0)
        page._on_select(2)
        answer(page, "different")
        assert shown(page)["allowed"] == ["undo"]
        for text in ("flower 0", "flower 1", "flower 2", "bob", "your new answer"):
            assert text in shown(page)["notice"]
        answer(page, "same")  # not now
        assert page._links
        press(page, "choose", choice="new")
        assert page._question.pair == (0, 2)
        answer(page, "different")
        press(page, "choose", choice=page._links[1].choice)  # 1 = 2 was wrong
        assert not page._links
        assert page.constraints.must_link.tolist() == [[0, 1]]
        assert page.constraints.cannot_link.tolist() == [[0, 2]]
        page.session.close()

    in_a_loop(label_some)


def test_when_nothing_is_left_the_page_says_so(tmp_path: Path) -> None:
    def label_some() -> None:
        small = np.array([[0.0, 1.0], [1.0, 0.0], [3.0, 3.0]])
        page = label(small, answers=tmp_path / "a.sqlite")
        for _ in range(3):
            answer(page, "different")
        assert shown(page)["kind"] == "done"
        assert shown(page)["allowed"] == ["undo"]
        press(page, "undo")
        assert page._question is not None
        page.session.close()

    in_a_loop(label_some)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"items": FRAME[:7]}, "items has 7 rows, but X has 150"),
        ({"items": FRAME, "ids": ["a"] * 150}, "ids must be unique"),
        ({"items": FRAME, "text": "nothing"}, "column 'nothing' is not in the table"),
        ({"items": FRAME, "kind": "quiz"}, "kind must be one of 'mixed', .*; got 'quiz'"),
        ({"items": FRAME, "image": "name"}, "image_root, their folder"),
    ],
)
def test_wrong_arguments_are_named(tmp_path: Path, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        pairspace.label(X, answers=tmp_path / "a.sqlite", **arguments)
    assert not (tmp_path / "a.sqlite").exists()


def test_sparse_rows_need_something_to_look_at(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="items="):
        pairspace.label(csr_array(X), answers=tmp_path / "a.sqlite")


# ---- What the command reads ------------------------------------------------------------------


def read(path: Path, **options: Any) -> Any:
    usual: dict[str, Any] = dict.fromkeys(("id", "text", "embeddings", "impute"))
    return read_labelling_input(path, **{**usual, "columns": (), **options})


def test_embeddings_are_matched_by_id_or_by_order(tmp_path: Path) -> None:
    items = tmp_path / "items.csv"
    FRAME.to_csv(items, index=False)
    np.save(tmp_path / "vectors.npy", X)
    by_order = read(items, id="name", embeddings=tmp_path / "vectors.npy")
    assert np.array_equal(by_order.X, X)
    shuffled = (
        FRAME[["name"]].join(pd.DataFrame(X, columns=list("abcd"))).sample(150, random_state=0)
    )
    shuffled.to_parquet(tmp_path / "vectors.parquet")
    by_id = read(items, id="name", embeddings=tmp_path / "vectors.parquet")
    assert np.array_equal(by_id.X, X)
    np.save(tmp_path / "short.npy", X[:9])
    with pytest.raises(ValueError, match=r"9 rows, but .* has 150"):
        read(items, embeddings=tmp_path / "short.npy")
    shuffled[:140].to_parquet(tmp_path / "vectors.parquet")
    with pytest.raises(ValueError, match="has no row for flower"):
        read(items, id="name", embeddings=tmp_path / "vectors.parquet")


def test_texts_become_numbers_and_gaps_are_filled(tmp_path: Path) -> None:
    texts = tmp_path / "texts.csv"
    words = ["black anvil", "brown skates", "black hole", "brown anvil", "large hole"] * 4
    pd.DataFrame({"title": words}).to_csv(texts, index=False)
    work = read(texts, text="title")
    assert work.X.shape[0] == 20
    assert [name for name, _ in work.preprocessing] == ["columns", "topics"]
    gaps = tmp_path / "gaps.csv"
    pd.DataFrame({"x": [1.0, None, 3.0], "y": [1, 2, 3]}).to_csv(gaps, index=False)
    assert read(gaps, impute="median").X[1, 0] == 2
    with pytest.raises(ValueError, match="--impute median"):
        read(gaps)
