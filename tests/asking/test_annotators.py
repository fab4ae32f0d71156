"""Several annotators in one file: exams, weights, and what ``pairspace check`` says."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from sklearn.decomposition import PCA
from typer.testing import CliRunner

from pairspace.active import PairQuestions
from pairspace.active.step_store import StepStore
from pairspace.asking.agreement import PRIOR, Judgement
from pairspace.asking.annotators import NOT_THERE
from pairspace.asking.judgements import annotators_in, read_annotators
from pairspace.asking.queries import Items
from pairspace.asking.recorder import Recorder
from pairspace.asking.weights import confirmed_rows
from pairspace.constraints.answers_file import AnswerStore
from pairspace.tool.app.session import LabellingSession
from pairspace.tool.cli import app


@pytest.fixture
def by_person(tmp_path, blobs):
    """An answers file in which a person placed every third row."""
    X, y = blobs
    path = tmp_path / "answers.sqlite"
    ids = [str(row) for row in range(60)]
    store = AnswerStore(path, ids, content=Items(X).digest())
    steps = StepStore(store)
    questions = PairQuestions(X, kind="board", learners=["label spreading, standardised"])
    groups = {}
    for row in range(0, 60, 3):
        step = questions.step(questions.board_of(row), groups.get(y[row], "new"))
        assert questions.record(step) is None
        groups.setdefault(y[row], step.number)
        with store.writing():
            steps.add(step, "ann", {})
    store.close()
    return path


def test_every_twentieth_question_is_one_that_a_person_answered(run, truth, by_person):
    clusters = run(truth, 40, answers=by_person)
    table = clusters.answers_
    exams = table[table["outcome"] == "exam"]
    assert len(exams) == 2
    assert all(int(row) % 3 == 0 for row in exams["row"])
    assert set(table["outcome"]) == {"used", "exam"}
    (found,) = read_annotators(by_person).agreements
    assert found.annotators == ("ann", "rule")
    assert (found.n_shared, found.n_equal) == (2, 2)


def test_a_program_is_examined_on_what_another_program_said(run, truth, tmp_path):
    file = tmp_path / "answers.sqlite"
    run(truth, 12, answers=file, annotator="first")
    clusters = run(truth, 20, answers=file, annotator="second")
    exams = clusters.answers_[clusters.answers_["outcome"] == "exam"]
    assert exams["annotator"].tolist() == ["second"]


def test_check_says_how_often_each_is_right_and_where_they_disagree(run, truth, by_person, blobs):
    _, y = blobs

    def mistaken(query):
        if query.exam:
            return next(g.number for g in query.groups if y[g.rows[0]] != y[query.rows[0]])
        return truth(query)

    run(mistaken, 20, answers=by_person)
    ran = CliRunner().invoke(app, ["check", str(by_person)])
    assert ran.exit_code == 0
    assert "ann (person): 20 answers" in ran.stdout
    assert "rule (program): 20 answers" in ran.stdout
    assert "from 1 shared question" in ran.stdout
    assert "ann and rule agree on 0 of 1 shared question" in ran.stdout
    assert "1 disagreement, the least sure first:" in ran.stdout
    found = read_annotators(by_person)
    (disagreement,) = found.estimate.disagreements
    assert disagreement.likely == disagreement.answers["ann"]  # people are believed first
    accuracies = found.estimate.accuracies
    assert accuracies["rule"].mean < 0.9 < accuracies["ann"].mean
    described = found.as_dict()
    assert described["annotators"][1]["outcomes"] == {"used": 19, "exam": 1}
    assert described["disagreements"][0]["answers"] == disagreement.answers


def test_one_person_alone_is_not_compared(by_person):
    assert read_annotators(by_person).lines() == []


def test_answers_of_programs_count_by_how_often_they_are_right(run, truth, by_person, blobs):
    X, _ = blobs
    clusters = run(lambda query: (truth(query), 0.5), 6, answers=by_person)
    asked = clusters.answers_["row"].astype(int).tolist()
    store = AnswerStore(by_person, [str(row) for row in range(60)], content=Items(X).digest())
    fast = ["label spreading, standardised"]
    recorder = Recorder(X, store, "rule", kind="board", learners=fast)
    weight = recorder.weights()
    # Questions are chosen by groups in which they count as much.
    placed = recorder.questions.space.groups.placed
    rows = recorder.questions.space.fitted_rows[placed.rows]
    np.testing.assert_allclose(placed.weight, weight[rows])
    store.close()
    np.testing.assert_allclose(weight[asked], 0.5 * PRIOR["program"])
    assert (np.delete(weight, asked) == 1).all()


def test_an_audit_looks_at_the_most_doubtful_answers_first_and_replaces_them(
    run, truth, tmp_path, blobs
):
    _, y = blobs
    wrong = []

    def careless(query):
        if query.rows[0] % 5 == 0 and len(query.groups) == 3:
            wrong.append(query.rows[0])
            others = [g.number for g in query.groups if y[g.rows[0]] != y[query.rows[0]]]
            return max(others), 0.6  # whatever the order
        return truth(query), 0.9

    file = tmp_path / "answers.sqlite"
    run(careless, 40, answers=file, annotator="llm")
    looked = []

    def auditor(query):
        looked.append(query.rows[0])
        return truth(query)

    clusters = run(auditor, 12, answers=file, annotator="ann", audit="llm")
    n_wrong = len(set(wrong))
    assert n_wrong >= 4
    assert set(wrong) <= set(looked[: n_wrong + 2])
    placed = {row: group.number for group in clusters.groups_ for row in group.rows}
    kinds = {group.number: y[group.anchor] for group in clusters.groups_}
    assert all(kinds[number] == y[row] for row, number in placed.items())
    found = read_annotators(file)
    thresholds = {each.confidence: each for each in found.thresholds("llm")}
    assert thresholds[0.9].right == 1
    assert thresholds[0.5].right < 1
    assert thresholds[0.5].kept == 1 > thresholds[0.9].kept
    assert any(line.startswith("llm above 0.9: 100% right of") for line in found.lines())


def test_a_sweep_that_leaves_nothing_of_a_group_confirms_none_of_its_rows(tmp_path):
    X = np.random.default_rng(0).normal(size=(30, 3))
    with closing(AnswerStore(tmp_path / "a.sqlite", [str(row) for row in range(30)])) as store:
        session = LabellingSession(X, store, reducer=PCA(2), random_state=0)
        for row in (0, 20):
            assert session.answer(session.questions.board_of(row), "new", "ann") is None
        assert session.answer(session.questions.sweep_of(2, [20]), [20], "bob") is None
        (last,) = session.history(1)
        said = annotators_in(store).judgements
    assert confirmed_rows(last) == set()
    assert [each for each in said if each.annotator == "bob"] == [
        Judgement("bob", ("board", 20), NOT_THERE)
    ]


def test_an_audit_of_nobody_has_nothing_to_ask(run, truth, tmp_path):
    clusters = run(truth, 5, audit="llm")
    assert clusters.stopped_ == "nothing left to ask"
    with pytest.raises(ValueError, match="an audit asks boards: kind must be 'board'; got 'pair'"):
        run(truth, 5, audit="llm", kind="pair")


def test_answers_of_programs_are_predictions_in_label_studio(run, truth, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(truth, 4, kind="pair", answers="answers.sqlite")
    ran = CliRunner().invoke(app, ["answers", "answers.sqlite", "-o", "tasks.json"])
    assert ran.exit_code == 0
    tasks = json.loads(Path("tasks.json").read_text())
    assert len(tasks) == 4
    for task in tasks:
        assert task["annotations"] == task["data"]["annotators"] == []
        assert [each["model_version"] for each in task["predictions"]] == ["rule"]
