"""Where each person stopped, in a table of the answers file."""

from __future__ import annotations

import json
import time
from typing import Any

from pairspace.active import BoardQuestion, PairQuestions, PickQuestion, Question, SweepQuestion
from pairspace.constraints.answers_file import AnswerStore, StoreError

SCHEMA = """
CREATE TABLE IF NOT EXISTS places (
    annotator TEXT PRIMARY KEY,
    question TEXT NOT NULL  -- JSON: kind, rows, the number of a group
)
"""
PAUSE = 2.0  # seconds between two writes


class Places:
    """The question that each person was being asked.

    Parameters
    ----------
    store : AnswerStore
        The answers file.
    """

    def __init__(self, store: AnswerStore) -> None:
        self._store = store
        self._unwritten: dict[str, str] = {}
        self._due = 0.0

    def keep(self, annotator: str, question: Question) -> None:
        """Note the question of a person; it is soon in the file."""
        self._unwritten[annotator] = json.dumps(_about(question))
        self.write()

    def write(self, *, now: bool = False) -> None:
        """Write what was noted, unless something was written a moment ago.

        To wait for the disk after each answer would take as long as saving the answer did. A file
        that can't be written loses nothing but this.
        """
        if not self._unwritten or (not now and time.monotonic() < self._due):
            return
        self._due = time.monotonic() + PAUSE
        try:
            with self._store.writing():
                connection = self._store.connection
                connection.execute(SCHEMA)
                connection.executemany("REPLACE INTO places VALUES (?, ?)", self._unwritten.items())
        except StoreError:
            return
        self._unwritten = {}

    def question_of(self, annotator: str, questions: PairQuestions) -> Question | None:
        """The question of a person, as it would be asked now; None if there is none."""
        if annotator in self._unwritten:
            return _read(self._unwritten[annotator], questions)
        connection = self._store.connection
        with self._store.explained():
            there = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'places'"
            if connection.execute(there).fetchone() is None:
                return None
            query = "SELECT question FROM places WHERE annotator = ?"
            found = connection.execute(query, (annotator,)).fetchone()
        return None if found is None else _read(found[0], questions)


def _read(text: str, questions: PairQuestions) -> Question | None:
    try:
        return _question(json.loads(text), questions)
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
