"""Where each person stopped, in a table of the answers file."""

from __future__ import annotations

import json
from typing import Any

from pairspace.active import BoardQuestion, PairQuestions, PickQuestion, Question, SweepQuestion
from pairspace.constraints.answers_file import AnswerStore, StoreError

SCHEMA = """
CREATE TABLE IF NOT EXISTS places (
    annotator TEXT PRIMARY KEY,
    question TEXT NOT NULL  -- JSON: kind, rows, the number of a group
)
"""


class Places:
    """The question that each person was being asked.

    Parameters
    ----------
    store : AnswerStore
        The answers file.
    """

    def __init__(self, store: AnswerStore) -> None:
        self._store = store

    def keep(self, annotator: str, question: Question) -> None:
        """Note the question of a person. A file that can't be written loses nothing but this."""
        text = json.dumps(_about(question))
        try:
            with self._store.writing():
                connection = self._store.connection
                connection.execute(SCHEMA)
                connection.execute("REPLACE INTO places VALUES (?, ?)", (annotator, text))
        except StoreError:
            return

    def question_of(self, annotator: str, questions: PairQuestions) -> Question | None:
        """The question of a person, as it would be asked now; None if there is none."""
        connection = self._store.connection
        with self._store.explained():
            there = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'places'"
            if connection.execute(there).fetchone() is None:
                return None
            query = "SELECT question FROM places WHERE annotator = ?"
            found = connection.execute(query, (annotator,)).fetchone()
        try:
            return None if found is None else _question(json.loads(found[0]), questions)
        except (KeyError, TypeError, ValueError):  # the group is gone, or the file was changed
            return None


def _about(question: Question) -> dict[str, Any]:
    about: dict[str, Any] = {"kind": question.kind, "rows": question.rows}
    about["reason"] = question.reason
    if isinstance(question, SweepQuestion):
        about["number"] = question.number
    elif isinstance(question, PickQuestion):
        about["row"] = question.row
    return about


def _question(about: dict[str, Any], questions: PairQuestions) -> Question:
    rows, reason = [int(row) for row in about["rows"]], about["reason"]
    made: Question
    if about["kind"] == "pair":
        made = questions.pair_of(*rows)
    elif about["kind"] == "board":
        board: BoardQuestion = questions.board_of(rows[0])
        made = board
    elif about["kind"] == "pick":
        made = questions.pick_of(int(about["row"]), rows)
    else:
        made = questions.sweep_of(int(about["number"]), rows)
    return made._replace(reason=reason)
