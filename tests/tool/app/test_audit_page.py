"""An audit and a disagreement, as a person meets them on the page."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pairspace import ask
from pairspace.active import SimulatedPerson
from pairspace.asking.judgements import read_annotators
from pairspace.constraints.answers_file import AnswerStore
from pairspace.tool.app.shared_session import SharedSession
from tool.app.conftest import Start
from tool.app.test_page import opened

Y = np.repeat([0, 1], 24)
NAMES = ["Lamps", "Chairs"]
WRONG = [3, 30, 31]
FAST = ["label spreading, standardised"]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of two kinds of things, and the answers of a program that is sometimes wrong."""
    folder = tmp_path_factory.mktemp("shop")
    X = np.random.default_rng(0).standard_normal((48, 3)) + 6 * np.eye(2, 3)[Y]
    frame = pd.DataFrame(X, columns=["x", "y", "z"])
    frame.insert(0, "name", [f"{NAMES[y][:-1]} {row}" for row, y in enumerate(Y)])
    frame.to_csv(folder / "shop.csv", index=False)
    said = np.where(np.isin(np.arange(48), WRONG), 1 - Y, Y)
    person = SimulatedPerson(said)

    def program(query: Any) -> Any:
        sure = 0.6 if query.rows[0] in WRONG else 0.9
        answer = person(query)
        name = NAMES[said[query.rows[0]]]
        return {"answer": answer, "confidence": sure, "name": name}

    ids = frame["name"].tolist()
    answers = folder / "answers.sqlite"
    ask(X, program, 99, ids=ids, answers=answers, annotator="<llm>", random_state=0, learners=FAST)
    return folder


def disagree(shop: Path, answers: Path) -> None:
    """Someone else was examined about a row, and put it elsewhere."""
    frame = pd.read_csv(shop / "shop.csv")
    store = AnswerStore(answers, frame["name"].tolist())
    with closing(SharedSession(frame[["x", "y", "z"]].to_numpy(), store, learners=FAST)) as session:
        question = session.questions.board_of(10)._replace(reason="exam")
        group = session.questions.log.group_of(10)
        other = next(each.number for each in session.groups() if each != group)
        assert session.answer(question, other, "bob") is None


def test_an_audit_and_a_disagreement(
    shop: Path, browser: Any, start: Start, tmp_path: Path
) -> None:
    answers = tmp_path / "answers.sqlite"
    shutil.copy(shop / "answers.sqlite", answers)
    disagree(shop, answers)
    options = [shop / "shop.csv", "--id", "name", "--answers", answers, "--seed", 0]
    options += ["--annotator", "ann", "--audit", "<llm>"]
    with start(*options) as url, opened(browser, url) as tab:
        for n_looked in (1, 13, 25):  # bob has looked at one
            assert tab.kind == "sweep"
            tab.page.get_by_text(f"Audit of <llm>: {n_looked} of 48 looked at").wait_for()
            wanted = tab.page.locator(".of-group b").inner_text()[:-1]
            for cell in tab.page.locator(".cell").all():
                if wanted not in cell.inner_text():
                    cell.click()
            tab.press("Enter")
        tab.page.locator(".audit", has_text="<llm> is right in").wait_for()
        assert "above 0.9" in tab.page.locator(".audit table").inner_text()
        assert "ann" in tab.page.locator(".steps small").first.inner_text()
        tab.after(lambda: tab.page.get_by_role("button", name="1 disagreement").click())
        assert tab.kind == "board"
        assert tab.row == "Lamp 10"
        assert "bob says Chairs" in tab.page.locator(".said").inner_text()
        tab.page.set_viewport_size({"width": 390, "height": 800})
        tab.check_accessibility()
        tab.after(lambda: tab.page.locator(".group-card", has_text="Lamps").click())
        tab.page.get_by_role("button", name="1 disagreement").wait_for(state="detached")
        # In blind mode nobody sees what others said.
        tab.page.get_by_text("<llm> (program)").first.wait_for()
        tab.page.get_by_label("Blind").check()
        tab.page.get_by_text("<llm> (program)").first.wait_for(state="detached")
        assert tab.page.locator(".audit").count() == 0
    audit = read_annotators(answers)
    assert audit.disagreements == []  # all that were found are settled
    assert {row for row in (*WRONG, 10) if ("board", row) in audit.settled} == {*WRONG, 10}
