"""Answers and groups come from other tools, and go there."""

from __future__ import annotations

import json
from contextlib import closing

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from pairspace.active.answer_log import AnswerLog
from pairspace.active.step_store import StepStore
from pairspace.asking.imports import import_answers
from pairspace.asking.judgements import read_annotators
from pairspace.constraints.answers_file import AnswerStore, read_answers
from pairspace.tool.cli import app

IDS = [f"r{row}" for row in range(12)]


def take(path, columns, annotator="ann"):
    with closing(AnswerStore(path, IDS)) as store:
        return import_answers(store, IDS, columns, annotator)


def groups_in(path):
    with closing(AnswerStore(path, IDS)) as store:
        log = AnswerLog(len(IDS))
        for stored in StepStore(store).read():
            assert log.record(stored.step) is None
        return {group.title: set(group.rows) for group in log.groups}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "answers.sqlite"


GROUPS = {"id": ["r0", "r1", "r2", "r3", "r4"], "group": ["lamp", "lamp", "chair", "chair", ""]}


def test_groups_become_groups_that_differ(path):
    assert take(path, GROUPS) == (0, 4, 2, 0)
    assert groups_in(path) == {"lamp": {0, 1}, "chair": {2, 3}}
    known = read_answers(path, by_row=False)
    assert (known["a"], known["b"], known["same"]) == (
        ["r1", "r2", "r3"],
        ["r0", "r0", "r2"],
        [True, False, True],
    )
    # Again: rows join the groups of the same names.
    assert take(path, {"id": ["r1", "r7"], "group": ["lamp", "lamp"]}, "bob") == (0, 2, 0, 0)
    assert groups_in(path)["lamp"] == {0, 1, 7}
    agreed = read_annotators(path).agreements
    assert [(each.annotators, each.n_equal) for each in agreed] == [(("ann", "bob"), 1)]


def test_a_row_in_another_group_does_not_join_the_two(path):
    take(path, GROUPS)
    assert take(path, {"id": ["r1", "r5"], "group": ["chair", "chair"]}, "bob") == (0, 1, 0, 1)
    assert groups_in(path) == {"lamp": {0, 1}, "chair": {2, 3, 5}}
    (found,) = read_annotators(path).disagreements
    assert found.subject == ("board", 1)


def test_predicted_groups_are_no_answers(path):
    take(path, {**GROUPS, "how": ["placed", "predicted", "placed", "implied", "placed"]})
    assert groups_in(path) == {"lamp": {0}, "chair": {2, 3}}


def test_pairs_keep_who_said_them_and_contradictions_do_not_count(path):
    columns = {
        "a": ["r0", "r1", "r0"],
        "b": ["r1", "r2", "r2"],
        "same": ["yes", "yes", "no"],
        "annotator": ["ann", "", "bob"],
    }
    assert take(path, columns, "file") == (2, 0, 0, 1)
    assert {each.annotator for each in read_annotators(path).judgements} == {"ann", "file", "bob"}


@pytest.mark.parametrize(
    ("columns", "wrong"),
    [
        ({"x": [1]}, "must have the columns a, b and same, or id and group; the columns are 'x'"),
        ({"id": ["r0", "zz"], "group": ["a", "a"]}, "no row with the id 'zz'"),
        ({"a": ["r0"], "b": ["r0"], "same": [1]}, "two different rows; got 'r0' twice"),
        ({"a": ["r0"], "b": ["r1"], "same": ["perhaps"]}, "perhaps"),
    ],
)
def test_bad_tables_change_nothing(path, columns, wrong):
    take(path, GROUPS)
    before = read_answers(path, by_row=False)
    with pytest.raises(ValueError, match=wrong):
        take(path, columns)
    assert read_answers(path, by_row=False) == before


def test_groups_go_to_label_studio_and_come_back(tmp_path, path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X = np.random.default_rng(0).normal(size=(12, 3)) + 9 * np.eye(2, 3)[np.arange(12) % 2]
    frame = pd.DataFrame(X, columns=["x", "y", "z"])
    frame.insert(0, "sku", IDS)
    frame.to_csv("shop.csv", index=False)
    frame.iloc[:6].assign(group=["odd", "even"] * 3)[["sku", "group"]].to_csv("known.csv")

    def run(*words):
        found = CliRunner().invoke(app, [str(word) for word in words])
        assert found.exit_code == 0, found.output
        return found.output

    said = run("answers", path, "shop.csv", "--id", "sku", "--from", "known.csv")
    assert "6 rows in groups, 2 of them new" in said
    run("cluster", "shop.csv", "--id", "sku", "--pairs", path, "-o", "tasks.json")
    tasks = json.loads((tmp_path / "tasks.json").read_text())
    assert [len(task["annotations"]) for task in tasks] == [1] * 6 + [0] * 6
    assert all(task["predictions"][0]["score"] > 0.5 for task in tasks[6:])
    choice = tasks[0]["annotations"][0]["result"][0]
    assert (choice["from_name"], choice["to_name"], choice["type"]) == ("group", "row", "choices")
    # People go on there, and two of them disagree with the file.
    tasks[6]["annotations"] = [{"completed_by": 3, "result": tasks[0]["annotations"][0]["result"]}]
    tasks[7]["annotations"] = [{"was_cancelled": True, "result": []}]
    (tmp_path / "export.json").write_text(json.dumps(tasks))
    other = tmp_path / "other.sqlite"
    run("answers", other, "shop.csv", "--id", "sku", "--from", "export.json", "--annotator", "ls")
    assert sorted(map(len, groups_in(other).values())) == [3, 4]
    assert {each.annotator for each in read_annotators(other).judgements} == {"ls", "user 3"}


def test_pairs_come_from_label_studio_and_parquet(tmp_path, path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"sku": IDS}).to_csv("shop.csv", index=False)
    pd.DataFrame({"a": ["r0"], "b": ["r1"], "same": [True]}).to_parquet("pairs.parquet")
    take(path, {"a": ["r2"], "b": ["r3"], "same": ["no"]})
    runner = CliRunner()
    runner.invoke(app, ["answers", str(path), "-o", "tasks.json"])
    for name in ("pairs.parquet", "tasks.json"):
        words = ["answers", "new.sqlite", "shop.csv", "--id", "sku", "--from", name]
        assert "1 answer" in runner.invoke(app, words).output
    assert read_answers("new.sqlite", by_row=False)["same"] == [True, False]
    missing = runner.invoke(app, ["answers", "new.sqlite", "--from", "pairs.parquet"])
    assert "--from needs DATA and --id" in missing.output
