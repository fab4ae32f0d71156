"""Answers as tasks of Label Studio, and back."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from typer.testing import CliRunner

from pairspace import Constraints
from pairspace.constraints.answers_file import AnswerStore
from pairspace.constraints.label_studio import CONFIG
from pairspace.tool.cli import app

IDS = ["p", "q", "r", "s"]

# As its documentation shows an exported task, with the tag Choices.
EXPORTED = {
    "id": 1,
    "created_at": "2021-03-09T21:52:49.513742Z",
    "project": 83,
    "data": {"a": "p", "b": "q", "row": "red apple", "other": "green apple"},
    "annotations": [
        {
            "id": "1001",
            "result": [
                {
                    "from_name": "same",
                    "id": "Dx_aB91ISN",
                    "to_name": "row",
                    "type": "choices",
                    "value": {"choices": ["same"]},
                    "origin": "manual",
                }
            ],
            "was_cancelled": False,
            "ground_truth": False,
            "lead_time": 4.288,
            "completed_by": 10,
        }
    ],
    "predictions": [],
}


def exported(a, b, *words, **fields):
    task = json.loads(json.dumps(EXPORTED))
    (annotation,) = task["annotations"]
    task["annotations"] = []
    for word in words:
        each = json.loads(json.dumps(annotation)) | fields
        each["result"][0]["value"]["choices"] = [word]
        task["annotations"].append(each)
    task["data"] |= {"a": a, "b": b}
    return task


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Answers of a person and a program, one of them retracted."""
    monkeypatch.chdir(tmp_path)
    store = AnswerStore("answers.sqlite", IDS)
    with store.writing():
        store.add((0, 1), True, "ann")
        store.add((0, 1), False, "llm")
        store.add((1, 2), None, "ann")
        store.add((2, 3), False, "llm")
        store.retract([store.add((0, 3), True, "ann").id])
        store.connection.execute("CREATE TABLE IF NOT EXISTS unused (a)")
    store.close()
    pd.DataFrame({"id": IDS, "title": ["red", "blue", "grün", "007"]}).to_csv(
        "shop.csv", index=False
    )
    return tmp_path


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_what_label_studio_exports_is_read(tmp_path):
    path = tmp_path / "export.json"
    tasks = [
        EXPORTED,
        exported("q", "r", "different", "different"),
        exported("r", "s", "not sure"),
        exported("p", "s", "same", was_cancelled=True),
        exported("p", "r"),
        exported("p", "s", "same", result=[{"type": "textarea", "value": {}}])
        | {"annotations": []},
    ]
    path.write_text(json.dumps(tasks))
    found = Constraints.read(path, IDS)
    assert found.must_link.tolist() == [[0, 1]]
    assert found.cannot_link.tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not JSON"),
        ("{}", "must be a list of Label Studio tasks"),
        ('[{"a": 1, "choice": "same"}]', "task 0 must have annotations, and a and b in its data"),
        ("[3]", "task 0 must have annotations"),
        (json.dumps([{**EXPORTED, "annotations": [{"result": [1]}]}]), "task 0 must have"),
        (json.dumps([exported("p", "q", "yes")]), "task 0: the choice must be .* got 'yes'"),
        (json.dumps([exported("p", "z", "same")]), "z"),
    ],
)
def test_other_json_is_an_error_that_names_the_task(tmp_path, content, message):
    path = tmp_path / "export.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=message):
        Constraints.read(path, IDS)


def test_answers_go_out_and_come_back(file):
    ran = run("answers", "answers.sqlite", "shop.csv", "--text", "title", "-o", "tasks.json")
    assert ran.exit_code == 0, ran.output
    first, second, third = json.loads((file / "tasks.json").read_text(encoding="utf-8"))
    assert first["data"] == {
        "a": "p",
        "b": "q",
        "row": "red",
        "other": "blue",
        "annotators": ["ann", "llm"],
    }
    choices = [each["result"][0]["value"]["choices"] for each in first["annotations"]]
    assert choices == [["same"], ["different"]]
    for name in ("from_name", "to_name"):
        assert f'ame="{first["annotations"][0]["result"][0][name]}"' in CONFIG
    assert second["annotations"][0]["result"][0]["value"] == {"choices": ["not sure"]}
    assert (third["data"]["row"], third["data"]["other"]) == ("grün", "007")
    assert run("check", "tasks.json").exit_code == 3  # the two disagree about p and q


def test_answers_as_a_table(file):
    assert run("answers", "answers.sqlite").exit_code == 0
    found = pd.read_csv("answers.csv")
    assert found[["a", "b", "same", "annotator"]].values.tolist() == [
        ["p", "q", True, "ann"],
        ["p", "q", False, "llm"],
        ["r", "s", False, "llm"],
    ]
    again = run("answers", "answers.sqlite")
    assert again.exit_code == 1
    assert "answers.csv exists" in again.stderr
    ran = run("answers", "answers.sqlite", "-o", "b.json", "shop.csv")
    assert "DATA and --text belong together" in ran.stderr
    ran = run("answers", "answers.csv", "-o", "b.json")
    assert "an answers file must be .sqlite" in ran.stderr


def test_the_interface_in_the_docs_is_the_one_here():
    from pathlib import Path

    page = Path(__file__).parents[2] / "docs" / "guide" / "other_tools.md"
    assert CONFIG in page.read_text(encoding="utf-8")
