"""The schema of the lines says what is sent, and what is understood."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from pairspace.active import PairQuestions
from pairspace.asking import AnswerError
from pairspace.asking.queries import Items, query_of
from pairspace.asking.replies import reply_of

SCHEMA = json.loads(files("pairspace.asking").joinpath("lines.schema.json").read_text("utf-8"))
X = np.arange(24.0).reshape(12, 2)


def validator(name):
    return Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{name}"}]})


@pytest.fixture(scope="module")
def questions():
    questions = PairQuestions(X, kind="board", random_state=0)
    questions.answer(questions.board_of(0), ("new", "first"))
    questions.answer(questions.board_of(1), "new")
    return questions


def query(questions, kind, items=None):
    asked = questions.board_of(5) if kind == "board" else questions.pair_of(4, 5)
    return query_of(asked, questions.groups, Items(X, items), ask="Same?")


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("kind", ["board", "pair"])
@pytest.mark.parametrize("items", [None, [f"text {row}" for row in range(12)]])
def test_what_is_sent_is_valid(questions, kind, items):
    line = json.loads(json.dumps(query(questions, kind, items).as_json()))
    validator("question").validate(line)
    assert not validator("question").is_valid({**line, "kind": "triplet"})
    assert not validator("reply").is_valid({"answer": "new"})


@pytest.mark.parametrize(
    "reply",
    [
        {"answer": 1, "confidence": 0.9, "cost": 0.01},
        {"answer": "new", "name": "lamps"},
        {"answer": "not sure", "confidence": None},
        {"answer": "none", "cost": -1},
        {"answer": 1, "confidence": 85},
        {"answer": "maybe"},
        {"answer": 0},
        {"answer": 1.5},
        {"name": "lamps"},
    ],
)
def test_what_is_valid_is_understood_and_nothing_else(questions, reply):
    asked = query(questions, "board")
    line = {"id": asked.id, **reply}
    if validator("reply").is_valid(line):
        assert reply_of(asked, line).answer == reply["answer"]
    else:
        with pytest.raises(AnswerError):
            reply_of(asked, line)
