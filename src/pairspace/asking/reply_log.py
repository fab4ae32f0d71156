"""All replies of programs, in a table of the answers file: recorded first, used after."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from pairspace.active import BoardQuestion, Card, PairQuestion
from pairspace.active.answer_log import ordered
from pairspace.asking.queries import Asked, Query
from pairspace.asking.replies import AnswerError, Reply
from pairspace.constraints.answers_file import AnswerStore, StoreError, clean_name

SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    id INTEGER PRIMARY KEY,
    time TEXT NOT NULL,
    annotator TEXT NOT NULL,
    version TEXT NOT NULL,  -- of the program
    query TEXT NOT NULL,  -- a digest of all that was shown
    question TEXT NOT NULL,  -- JSON: kind, rows, groups in the order shown, reason, prediction
    answer TEXT NULL,  -- JSON; NULL for a failure
    confidence REAL NULL,
    cost REAL NOT NULL,
    name TEXT NOT NULL,  -- of a new group
    raw TEXT NOT NULL,  -- the reply as it came
    failure TEXT NULL,
    outcome TEXT NULL,  -- what became of it; NULL: not used yet
    step INTEGER NULL  -- the step that it led to
)
"""
# What becomes of a reply.
USED = "used"
NOT_SURE = "not sure"
FLIPPED = "flipped"  # another answer in the other order: not sure
STALE = "stale"  # a new group was made meanwhile: asked again with all groups
CONTRADICTS = "contradicts"  # earlier answers
DISAGREES = "disagrees"  # with a person
UNCONFIRMED = "unconfirmed"  # would join two groups of a person, or the second order failed
EXAM = "exam"  # asked to compare annotators
FAILED = "failed"


class StoredReply(NamedTuple):
    """A row of the table.

    Parameters
    ----------
    id : int
        Its number.
    time : str
        When it came.
    annotator, version : str
        Which program gave it.
    query : str
        A digest of all that was shown.
    question : BoardQuestion or PairQuestion
        The question, its rows or groups in the order in which they were shown.
    orders : int
        In how many orders the question is asked.
    exam : bool
        Whether it was asked to compare annotators.
    answer : str, int or None
        The answer; None for a failure.
    confidence : float or None
        The program's own estimate.
    cost : float
        What it cost.
    name : str
        The name of a new group.
    raw : str
        The reply as it came.
    failure : str or None
        What went wrong.
    outcome : str or None
        What became of it; None if it was not used yet.
    step : int or None
        The step that it led to.
    """

    id: int
    time: str
    annotator: str
    version: str
    query: str
    question: Asked
    orders: int
    exam: bool
    answer: str | int | None
    confidence: float | None
    cost: float
    name: str
    raw: str
    failure: str | None
    outcome: str | None
    step: int | None

    @property
    def subject(self) -> tuple[Any, ...]:
        """What it is about, whatever the order."""
        return subject_of(self.question)

    def as_reply(self) -> Reply:
        """The same answer, which costs nothing, for rows that look alike."""
        assert self.answer is not None
        return Reply(self.answer, self.confidence, 0.0, self.name, self.raw)


def subject_of(question: Asked) -> tuple[Any, ...]:
    """What a question is about: the rows and groups, in any order."""
    if isinstance(question, PairQuestion):
        return ("pair", *ordered(question.pair))
    return ("board", question.row, *sorted(card.number for card in question.cards))


def judged_subject(question: Asked) -> tuple[Any, ...]:
    """What a question asks to judge, whatever groups are shown: a pair, or a row to place."""
    return subject_of(question)[: 3 if question.kind == "pair" else 2]


class ReplyLog:
    """The replies in an answers file.

    Parameters
    ----------
    store : AnswerStore
        The answers file.
    """

    def __init__(self, store: AnswerStore) -> None:
        self.store = store
        with store.writing():
            store.connection.execute(SCHEMA)

    def add(
        self, query: Query, got: Reply | AnswerError, annotator: str, version: str = ""
    ) -> None:
        """Write a reply or a failure; it is on the disk when this returns."""
        answer = confidence = failure = outcome = None
        name = ""
        if isinstance(got, Reply):
            answer, confidence, name = json.dumps(got.answer), got.confidence, clean_name(got.name)
        else:
            failure, outcome = _text(str(got)), FAILED
        values = (
            datetime.now(UTC).isoformat(timespec="milliseconds"),
            clean_name(annotator),
            clean_name(version),
            query.id,
            _question_text(query),
            answer,
            confidence,
            got.cost,
            name,
            _text(got.raw),
            failure,
            outcome,
        )
        with self.store.writing():
            self._execute(
                "INSERT INTO replies (time, annotator, version, query, question, answer, "
                "confidence, cost, name, raw, failure, outcome) "
                f"VALUES ({', '.join('?' * len(values))})",
                values,
            )

    def all(self, where: str = "1", values: Sequence[Any] = ()) -> list[StoredReply]:
        """The replies that a condition selects, oldest first."""
        with self.store.explained():
            return read_replies(self.store.connection, self.store.path, where, values)

    def find(self, query: Query, annotator: str, version: str) -> StoredReply | None:
        """The last reply of a program to exactly this question; failures do not count."""
        values = (query.id, clean_name(annotator), clean_name(version))
        where = "query = ? AND annotator = ? AND version = ? AND failure IS NULL"
        found = self.all(where, values)
        return found[-1] if found else None

    def settle(self, replies: Sequence[StoredReply], outcome: str, step: int | None = None) -> None:
        """Note what became of replies, inside ``store.writing()``."""
        for reply in replies:
            self._execute(
                "UPDATE replies SET outcome = ?, step = ? WHERE id = ?", (outcome, step, reply.id)
            )

    def totals(self, annotator: str) -> tuple[int, float]:
        """The number of answers of a program, and the cost of all its replies."""
        (row,) = self._execute(
            "SELECT count(answer), coalesce(sum(cost), 0) FROM replies WHERE annotator = ?",
            (clean_name(annotator),),
        )
        return int(row[0]), float(row[1])

    def programs(self) -> set[str]:
        """The names of all programs with a reply."""
        return {name for (name,) in self._execute("SELECT DISTINCT annotator FROM replies")}

    def _execute(self, query: str, values: Sequence[Any] = ()) -> Any:
        with self.store.explained():
            return self.store.connection.execute(query, values)


def has_replies(connection: sqlite3.Connection) -> bool:
    """Whether a program has answered anything."""
    table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'replies'"
    if connection.execute(table).fetchone() is None:
        return False
    return connection.execute("SELECT 1 FROM replies LIMIT 1").fetchone() is not None


def read_replies(
    connection: sqlite3.Connection,
    path: str | os.PathLike[str],
    where: str = "1",
    values: Sequence[Any] = (),
) -> list[StoredReply]:
    """The replies that a condition selects, oldest first; none if the file has no such table."""
    if not has_replies(connection):
        return []
    rows = connection.execute(
        "SELECT id, time, annotator, version, query, question, answer, confidence, cost, name, "
        f"raw, failure, outcome, step FROM replies WHERE {where} ORDER BY id",
        values,
    )
    return [_stored(path, *row) for row in rows]


def _stored(path: str | os.PathLike[str], number: int, *row: Any) -> StoredReply:
    time, annotator, version, query, text, answer, confidence, *rest = row
    try:
        about = json.loads(text)
        question, orders, exam = _question(about), int(about["orders"]), bool(about["exam"])
        said = None if answer is None else json.loads(answer)
        if not isinstance(said, str | int | None):
            raise TypeError
    except (KeyError, TypeError, ValueError, IndexError):
        raise StoreError(
            f"{path}: reply {number} can't be read; was the file changed by hand?"
        ) from None
    return StoredReply(
        number, time, annotator, version, query, question, orders, exam, said, confidence, *rest
    )


def _question_text(query: Query) -> str:
    question = query.question
    about: dict[str, Any] = {"kind": query.kind, "rows": query.rows, "reason": question.reason}
    if isinstance(question, BoardQuestion):
        about["groups"] = [(group.number, group.rows) for group in query.groups]
        about["predicted"] = question.predicted
    else:
        about["same_cluster"] = question.same_cluster
    return json.dumps({**about, "orders": query.orders, "exam": query.exam})


def _question(about: dict[str, Any]) -> Asked:
    rows = tuple(int(row) for row in about["rows"])
    if about["kind"] == "pair":
        return PairQuestion((rows[0], rows[1]), about["reason"], about["same_cluster"])
    cards = tuple(
        Card(int(number), tuple(int(row) for row in shown), None)
        for number, shown in about["groups"]
    )
    return BoardQuestion(rows[0], cards, about["reason"], about["predicted"])


def _text(text: str) -> str:
    """Text that SQLite can hold."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "�")
