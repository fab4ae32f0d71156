"""Several annotators behind the page: audits, exams, disagreements, a place of one's own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from pairspace import ask
from pairspace.active import Marked, SimulatedPerson
from pairspace.asking.audit import Audit, Look, audit_of, audit_result
from pairspace.asking.judgements import read_annotators
from pairspace.constraints.answers_file import AnswerStore
from pairspace.tool.app.items import RecordItems
from pairspace.tool.app.overview import Overview
from pairspace.tool.app.screens import Slots, screen_of
from pairspace.tool.app.shared_session import EXAM_EVERY, SharedSession
from pairspace.tool.cli import app

Y = np.repeat([0, 1, 2], 20)
X = np.random.default_rng(0).standard_normal((60, 4)) + 6 * np.eye(3, 4)[Y]
IDS = [str(row) for row in range(60)]
WRONG = {3: 1, 24: 2, 45: 0, 50: 1}  # rows and the classes that the program believes in
SAID = np.array([WRONG.get(row, y) for row, y in enumerate(Y)])
FAST: dict[str, Any] = {"random_state": 0, "learners": ["label spreading, standardised"]}


class Program(SimulatedPerson):
    """Is less sure where it is wrong."""

    def __call__(self, question: Any, groups: Any = None) -> Any:
        return super().__call__(question, groups), 0.6 if question.rows[0] in WRONG else 0.95


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program has placed all rows, four of them wrong."""
    path = tmp_path_factory.mktemp("asked") / "answers.sqlite"
    ask(X, Program(SAID), 120, ids=IDS, answers=path, annotator="llm", **FAST)
    return path


@pytest.fixture
def path(answered: Path, tmp_path: Path) -> Path:
    return Path(tmp_path / "answers.sqlite").write_bytes(answered.read_bytes()) and (
        tmp_path / "answers.sqlite"
    )


@pytest.fixture
def start(path: Path) -> Iterator[Any]:
    with ExitStack() as stack:

        def start(file: Path = path) -> SharedSession:
            session = SharedSession(X, AnswerStore(file, IDS), **FAST)
            return stack.enter_context(closing(session))

        yield start


@pytest.fixture
def session(start: Any) -> SharedSession:
    session: SharedSession = start()
    refit(session)
    return session


def refit(session: SharedSession) -> None:
    session.questions.adopt(session.plan().fit())


def class_of(session: SharedSession, number: int) -> int:
    (group,) = [each for each in session.groups() if each.number == number]
    return int(np.bincount(Y[list(group.rows)]).argmax())


def group_of_class(session: SharedSession, y: int) -> int:
    return next(each.number for each in session.groups() if class_of(session, each.number) == y)


def sweep_truly(session: SharedSession) -> list[int]:
    question = session.audit_for("tab", "llm")
    assert question is not None
    meaning = class_of(session, question.number)
    out = tuple(row for row in question.candidates if Y[row] != meaning)
    assert session.answer(question, Marked(out), "ann") is None
    return list(out)


# ---- Audits ----------------------------------------------------------------------------------


def test_an_audit_finds_the_wrong_answers_first_and_says_how_many_are_right(
    session: SharedSession,
) -> None:
    found = [row for _ in range(3) for row in sweep_truly(session)]
    audit, result = session.audit_state("llm")
    assert set(found) == set(WRONG)
    assert len(audit.looks) == 36
    assert result is not None
    # Four of 60 are wrong; none is left among those that nobody has looked at.
    assert abs(result.mean - 56 / 60) < 2 * result.standard_error < 0.1
    right = {each.threshold: each.right for each in result.thresholds}
    assert right[0.9] > right[0.5]
    # Who put a row into the wrong group said that it differs from the right one: no longer.
    refit(session)
    clusters = session.questions.space.clusters
    for row, y in ((row, Y[row]) for row in WRONG):
        assert np.bincount(clusters[y == Y], minlength=3).argmax() == clusters[row]


def test_all_looks_are_exact(session: SharedSession, path: Path) -> None:
    while session.audit_for("tab", "llm") is not None:
        sweep_truly(session)
    audit, result = session.audit_state("llm")
    assert result is not None
    looked = len(audit.looks) / len(audit.said)
    assert looked == 1
    assert (round(result.mean * 60), result.standard_error) == (56, 0)
    accuracy = session.annotators().estimate.accuracies["llm"]
    assert accuracy.n_shared == 60
    said = CliRunner().invoke(app, ["check", str(path)]).output
    assert "audit of llm: right in 93 ± 0 % of 60 answers, of which people looked at 60" in said


def test_rows_drawn_at_random_stand_for_the_others() -> None:
    said = dict.fromkeys(range(100), 1)
    looks = {row: Look(right=False, drawn=False) for row in range(20)}
    looks |= {row: Look(right=row != 20, drawn=True) for row in range(20, 40)}
    result = audit_result(Audit("llm", said, looks, {}))
    assert result is not None
    share = 19.5 / 21
    assert result.mean == pytest.approx((19 + 60 * share) / 100)
    error = 0.6 * np.sqrt(share * (1 - share) / 22)
    assert result.standard_error == pytest.approx(error)
    assert result.thresholds == []
    few = dict(list(looks.items())[:29])
    assert audit_result(Audit("llm", said, few, {})) is None


def test_an_audit_of_nobody_names_those_there_are(session: SharedSession) -> None:
    with pytest.raises(ValueError, match=r"'gpt' has placed no rows.*: 'llm'"):
        audit_of(session.annotators(), "gpt")


def test_two_people_audit_other_rows(session: SharedSession) -> None:
    first, second = (session.audit_for(page, "llm") for page in ("one", "two"))
    assert first is not None
    assert second is not None
    assert not set(first.candidates) & set(second.candidates)


def test_rows_that_only_a_program_placed_count_less(session: SharedSession) -> None:
    before = session.plan().weights
    assert before is not None
    assert (before < 1).all()
    out = sweep_truly(session)
    step = session.history(1)[0].step
    after = session.plan().weights
    assert after is not None
    kept = [row for row in step.looked if row not in out]
    assert (after[kept] == 1).all()
    # The other rows of the group were linked anew, but nobody looked at them.
    group = next(each for each in session.groups() if each.number == step.number)
    others = [row for row in group.rows if row not in step.looked]
    assert (after[others] < 1).all()


def test_what_a_person_said_is_not_outvoted_by_a_program(session: SharedSession) -> None:
    row, group = 5, group_of_class(session, 2)  # all other rows speak for class 0
    question = session.board_for("tab", row, again=True)
    assert session.answer(question, group, "ann") is None
    refit(session)
    clusters = session.questions.space.clusters
    assert clusters[row] == np.bincount(clusters[Y == 2]).argmax()


# ---- Exams and disagreements -----------------------------------------------------------------


def answer_exam(session: SharedSession, who: str, said: Any) -> Any:
    """The first exam of a person who has answered 19 questions."""
    for number in range(EXAM_EVERY - 1):
        question = session.questions.board_of(number)
        session.answer(question, session.questions.log.group_of(number).number, who)  # type: ignore[union-attr]
    exam = session.question_of("tab", "mixed", who)
    assert exam is not None
    assert exam.reason == "exam"
    assert session.answer(exam, said(exam), who) is None
    return exam


def other_group(session: SharedSession, exam: Any) -> int:
    group = session.questions.log.group_of(exam.row)
    return next(each.number for each in session.groups() if each != group)


def test_one_in_twenty_questions_to_a_person_is_an_exam(session: SharedSession) -> None:
    exam = answer_exam(session, "ann", lambda exam: other_group(session, exam))
    group = session.questions.log.group_of(exam.row)
    assert group is not None  # the row stays where it was
    (found,) = session.annotators().disagreements
    assert found.subject == ("board", exam.row)
    assert set(found.answers) == {"ann", "llm"}
    after = session.question_of("tab", "mixed", "ann")
    assert after is None or after.reason != "exam"
    # What was answered by mistake is taken back, as any other step.
    undone = session.undo("ann")
    assert undone is not None
    assert undone.looked == (exam.row,)
    assert session.annotators().disagreements == []


def test_an_exam_may_find_a_row_in_no_group(session: SharedSession) -> None:
    exam = answer_exam(session, "ann", lambda exam: "new")
    (found,) = session.annotators().disagreements
    assert found.answers["ann"] == 0
    assert "another group" in Overview(session, items()).now.disagreements[exam.row]


def test_someone_alone_has_no_exams(tmp_path: Path, start: Any) -> None:
    session = start(tmp_path / "alone.sqlite")
    person = SimulatedPerson(Y)
    for _ in range(EXAM_EVERY + 1):
        question = session.question_of("tab", "board", "ann")
        assert question.reason != "exam"
        session.answer(question, person(question, session.groups()), "ann")


def test_a_disagreement_is_resolved_by_a_second_look(session: SharedSession, path: Path) -> None:
    exam = answer_exam(session, "ann", lambda exam: other_group(session, exam))
    again = session.board_for("tab", exam.row, again=True)
    assert session.answer(again, other_group(session, exam), "eve") is None
    assert session.annotators().disagreements == []
    assert "1 disagreement resolved" in read_annotators(path).lines()
    # The answer of the second look counts.
    assert session.questions.log.group_of(exam.row).number != SAID[exam.row]  # type: ignore[union-attr]


def test_two_who_disagree_about_a_pair_are_asked_again(tmp_path: Path, start: Any) -> None:
    session = start(tmp_path / "pairs.sqlite")
    session.answer(session.questions.pair_of(0, 1), "same", "ann")
    assert session.answer(session.questions.pair_of(0, 1), "different", "bob") is not None
    assert list(Overview(session, items()).now.disagreements) == [(0, 1)]
    again = session.pair_for("tab", (0, 1))
    assert not session.is_answered(again)
    session.answer(again, "same", "eve")
    assert Overview(session, items()).now.disagreements == {}


# ---- A place of one's own --------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["board", "pair", "sweep", "pick"])
def test_a_person_goes_on_where_they_stopped(tmp_path: Path, start: Any, kind: Any) -> None:
    file = tmp_path / "place.sqlite"
    session, person = start(file), SimulatedPerson(Y)
    for _ in range(9):
        question = session.question_of("one", "board", "ann")
        session.answer(question, person(question, session.groups()), "ann")
    refit(session)
    question = session.question_of("one", kind, "ann")
    session.keep_place("ann", question)
    session.release("one")
    for _ in range(4):  # someone else goes on meanwhile
        other = session.questions.next(besides=[question])
        session.answer(other, person(other, session.groups()), "bob")
    resumed = start(file).question_of("tab", kind, "ann", resume=True)
    assert (resumed.kind, set(resumed.rows)) == (question.kind, set(question.rows))
    assert session.undo("ann").by == "ann"


@pytest.mark.parametrize("at", ["tick", "close"])
def test_places_are_written_together(tmp_path: Path, start: Any, at: str) -> None:
    file = tmp_path / "place.sqlite"
    session = start(file)
    session._places._due = np.inf  # something was written a moment ago
    for row in (7, 8):
        session.keep_place("ann", session.questions.board_of(row))
    assert session.resumed("one", "ann").rows == (8,)
    assert start(file).resumed("tab", "ann") is None
    if at == "tick":
        session._places._due = 0.0
        session.tick()
    else:
        session.close()
    assert start(file).resumed("tab", "ann").rows == (8,)


def test_a_question_that_was_answered_meanwhile_is_not_asked_again(session: SharedSession) -> None:
    question = session.questions.board_of(7)._replace(reason="strategy")
    session.keep_place("ann", question)
    resumed = session.question_of("tab", "board", "ann", resume=True)
    assert resumed is None or resumed.rows != (7,)


# ---- Blind -----------------------------------------------------------------------------------


def items() -> Any:
    import pandas as pd

    return RecordItems(IDS, pd.DataFrame({"name": [f"row {row}" for row in range(60)]}))


def test_blind_hides_what_others_said(session: SharedSession) -> None:
    sweep_truly(session)
    now = Overview(session, items()).now
    side, blind = json.loads(now.side_json()), json.loads(now.side_json("ann"))
    assert {each["by"] for each in side["history"]} == {"ann", "llm (program)"}
    assert {each["by"] for each in blind["history"]} == {"ann"}
    assert (len(side["audits"]), blind["audits"], blind["disagreements"]) == (1, [], 0)
    question = session.board_for("tab", 5)
    own = session.rows_of("ann")
    screen = screen_of(question, items(), now, Slots(), "", own=own)
    for card in screen["cards"]:
        group = now.groups[card["number"]]
        assert card["count"] is None
        assert len(card["members"]) == min(3, 1 + len(own & set(group.rows) - {group.anchor}))
