"""``pairspace.label`` in Python, and what the command reads."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import panel as pn
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_iris

import pairspace
from pairspace import Constraints
from pairspace.constraints.answers_file import StoreError
from pairspace.tool.app.page import HEIGHT_IN_NOTEBOOK
from pairspace.tool.cli._labelling import read_labelling_input

X, SPECIES = load_iris(return_X_y=True)
FRAME = pd.DataFrame({"name": [f"flower {row}" for row in range(150)], "petal": X[:, 2]})


def in_a_loop(work: Any) -> Any:
    """A notebook has a running loop, in which the page looks around a few times a second."""

    async def run() -> Any:
        return work()

    return asyncio.run(run())


def press(page: Any, action: str, **more: str) -> None:
    page._card._handle_msg({"action": action, "turn": page._card.turn, **more})


def test_a_page_in_a_notebook(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"

    def label_some() -> Any:
        page = pairspace.label(X, items=FRAME, answers=path, annotator="ada", random_state=0)
        assert not page._card.global_keys
        assert page.__panel__().height == HEIGHT_IN_NOTEBOOK
        assert pn.config.inline  # the scripts come with the cell: no network is needed
        assert "flower" in page._card.left
        for _ in range(12):
            i, j = page._pair
            press(page, "same" if SPECIES[i] == SPECIES[j] else "different")
        press(page, "undo")
        page.session.close()
        return page.constraints

    answers = in_a_loop(label_some)
    assert len(answers.must_link) + len(answers.cannot_link) == 11
    assert Constraints.read(path, n_samples=150) == answers
    # Row numbers name the rows of any data: other data is told by its content.
    with pytest.raises(StoreError, match="other data"):
        pairspace.label(X, items=FRAME.assign(petal=0), answers=path)


def test_messages_for_another_turn_are_ignored(tmp_path: Path) -> None:
    def label_some() -> None:
        page = pairspace.label(X, answers=tmp_path / "a.sqlite", annotator="ada", random_state=0)
        turn = page._card.turn
        press(page, "different")
        page._card._handle_msg({"action": "different", "turn": turn})
        page._card._handle_msg({"action": "choose", "choice": "1", "turn": page._card.turn})
        page._card._handle_msg({"action": "<script>", "turn": page._card.turn})
        page._card._handle_msg("nonsense")
        assert page.session.questions.progress.answers == 1
        page.session.close()

    in_a_loop(label_some)


def test_an_answer_that_is_not_saved_is_asked_again_and_said(tmp_path: Path) -> None:
    def label_some() -> None:
        page = pairspace.label(X, answers=tmp_path / "a.sqlite", annotator="ada", random_state=0)
        pair = page._pair
        page.session.store._connection.execute("PRAGMA query_only = 1")
        press(page, "different")
        assert page._pair == pair
        assert "Not saved" in page._card.status
        page.session.store._connection.execute("PRAGMA query_only = 0")
        press(page, "different")
        assert page._pair != pair
        assert "Saved" in page._card.status
        page.session.close()

    in_a_loop(label_some)


def test_a_contradiction_and_each_way_out_of_it(tmp_path: Path) -> None:
    def label_some() -> None:
        page = pairspace.label(
            X, FRAME, ids=FRAME["name"], answers=tmp_path / "a.sqlite", annotator="ada"
        )
        for pair in ((0, 1), (1, 2)):
            page.session.answer(pair, "same", "bob")
        page._on_select(0)
        page._on_select(2)
        press(page, "different")
        assert page._card.allowed == ["undo"]
        for text in ("flower 0", "flower 1", "flower 2", "bob", "your new answer"):
            assert text in page._card.notice
        press(page, "same")  # not now
        assert page._links
        press(page, "choose", choice="new")
        assert page._pair == (0, 2)
        press(page, "different")
        press(page, "choose", choice="2")  # 1 = 2 was wrong
        assert not page._links
        assert page.constraints.must_link.tolist() == [[0, 1]]
        assert page.constraints.cannot_link.tolist() == [[0, 2]]
        page.session.close()

    in_a_loop(label_some)


def test_when_nothing_is_left_the_page_says_so(tmp_path: Path) -> None:
    def label_some() -> None:
        small = np.array([[0.0, 1.0], [1.0, 0.0], [3.0, 3.0]])
        page = pairspace.label(small, answers=tmp_path / "a.sqlite", annotator="ada")
        for _ in range(3):
            press(page, "different")
        assert "No questions left" in page._card.notice
        assert page._card.allowed == ["undo"]
        press(page, "undo")
        assert page._pair is not None
        page.session.close()

    in_a_loop(label_some)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"items": FRAME[:7]}, "items has 7 rows, but X has 150"),
        ({"items": FRAME, "ids": ["a"] * 150}, "ids must be unique"),
        ({"items": FRAME, "text": "nothing"}, "column 'nothing' is not in the table"),
        ({"items": FRAME, "text": "name", "show": ["petal"]}, "pass only one of text and show"),
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
