"""The steps of people in an answers file: all of a step is on the disk, or nothing of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from pairspace._core.typing import Pair
from pairspace.active.kinds import Answer, AnswerValue, PairQuestion, Step
from pairspace.constraints.answers_file import AnswerStore, StoredAnswer, StoreError, clean_name

SCHEMA = """
CREATE TABLE IF NOT EXISTS steps (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,  -- pair, board, pick, sweep, merge, split, name, retract
    time TEXT NOT NULL,
    annotator TEXT NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0,  -- 1 also for answers that contradict earlier ones
    detail TEXT NOT NULL  -- JSON: ids of its answers and of those it replaces, groups, names, piles
)
"""
SAME: dict[str, bool | None] = {"same": True, "different": False, "skip": None}
VALUE: dict[bool | None, Any] = {same: value for value, same in SAME.items()}
# What a step says beyond its answers, as it stands in the file.
FIELDS = (
    *("founds", "merges", "names", "piles", "predicted", "number", "reason"),
    *("looked", "drawn"),
)


class StoredStep(NamedTuple):
    """A step of the file that was not taken back.

    Parameters
    ----------
    id : int
        Its number in the file; negative for an answer that was written without a step.
    step : Step
        What it says.
    time : str
        When it was taken.
    annotator : str
        Who took it.
    """

    id: int
    step: Step
    time: str
    annotator: str


class StepStore:
    """Steps in an answers file.

    The answers of a step stand in the table of answers, so that every reader of answers finds
    them; a table of its own says which belong together, and what else the person did.

    Parameters
    ----------
    store : AnswerStore
        The answers file.
    """

    def __init__(self, store: AnswerStore) -> None:
        self.store = store
        with store.writing():
            store.connection.execute(SCHEMA)
        # Of each step its answers, and those that it replaced.
        self._answers: dict[int, list[int]] = {}
        self._replaced: dict[int, list[int]] = {}

    def read(self) -> list[StoredStep]:
        """All steps that were not taken back, oldest first.

        Answers that stand in the file without a step, of an older version or another program, are
        steps of their own.
        """
        with self.store.one_state():
            return self._read()

    def _read(self) -> list[StoredStep]:
        live = {answer.id: answer for answer in self.store.answers()}
        all_answers = self.store.all_answers()
        found: list[tuple[tuple[int, int], StoredStep]] = []
        inside: set[int] = set()
        replaced: set[int] = set()
        self._answers, self._replaced = {}, {}
        query = "SELECT id, kind, time, annotator, undone, detail FROM steps ORDER BY id"
        for number, kind, time, annotator, undone, text in self._execute(query):
            detail = self._detail(number, text)
            inside.update(detail["answers"])
            if undone:
                continue
            replaced.update(detail["replaces"])
            self._answers[number] = detail["answers"]
            self._replaced[number] = detail["replaces"]
            try:
                answers = tuple(_answer(all_answers[each]) for each in detail["answers"])
                retracts = tuple(all_answers[each].pair for each in detail["replaces"])
                step = _step(kind, answers, retracts, detail, annotator)
            except (KeyError, TypeError, ValueError):
                raise self._damaged(number) from None
            # In the order in which they were written, whatever the clock said.
            found.append(((detail["after"], number), StoredStep(number, step, time, annotator)))
        for number, answer in all_answers.items():
            if number not in inside and (number in live or number in replaced):
                step = Step("pair", (_answer(answer),), reason=_reason(answer), by=answer.annotator)
                alone = StoredStep(-number, step, answer.time, answer.annotator)
                found.append(((number, 0), alone))
        return [stored for _, stored in sorted(found, key=lambda each: each[0])]

    def add(self, step: Step, annotator: str, replaced: Mapping[Pair, AnswerValue]) -> StoredStep:
        """Write a step, inside ``store.writing()``.

        Parameters
        ----------
        step : Step
            The step.
        annotator : str
            Who took it.
        replaced : mapping
            What counted until now for each pair that the step retracts.

        Returns
        -------
        StoredStep
            The step as it stands in the file.
        """
        replaces = self._ids_of(replaced)
        self.store.retract(replaces)
        written = [
            self.store.add(
                question.pair,
                SAME[value],
                annotator,
                reason=question.reason,
                same_cluster=question.same_cluster,
            ).id
            for question, value in step.answers
        ]
        stored = self._insert(step, annotator, {"answers": written, "replaces": replaces})
        self._answers[stored.id], self._replaced[stored.id] = written, replaces
        return stored

    def add_refused(self, step: Step, annotator: str) -> StoredStep:
        """Keep a step that contradicts earlier answers, inside ``store.writing()``.

        It does not count. It shows how far people agree.

        Parameters
        ----------
        step : Step
            The step.
        annotator : str
            Who took it.

        Returns
        -------
        StoredStep
            The step as it stands in the file.
        """
        refused = [(*question.pair, value) for question, value in step.answers]
        return self._insert(
            step, annotator, {"answers": [], "replaces": [], "refused": refused}, undone=True
        )

    def forget(self, number: int) -> None:
        """Take back a step that :meth:`add_refused` kept, inside ``store.writing()``."""
        (text,) = self._execute("SELECT detail FROM steps WHERE id = ?", (number,)).fetchone()
        detail = {**self._detail(number, text), "refused": []}
        self._execute("UPDATE steps SET detail = ? WHERE id = ?", (json.dumps(detail), number))

    def _insert(
        self, step: Step, annotator: str, detail: dict[str, Any], *, undone: bool = False
    ) -> StoredStep:
        (last,) = self._execute("SELECT max(id) FROM answers").fetchone()
        detail |= {"after": last or 0} | {name: getattr(step, name) for name in FIELDS}
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        who = clean_name(annotator)
        cursor = self._execute(
            "INSERT INTO steps (kind, time, annotator, undone, detail) VALUES (?, ?, ?, ?, ?)",
            (step.kind, now, who, undone, json.dumps(detail)),
        )
        return StoredStep(int(cursor.lastrowid or 0), step._replace(by=who), now, who)

    def take_back(self, number: int) -> None:
        """Mark a step as taken back, inside ``store.writing()``; what it replaced counts again."""
        if number < 0:
            self.store.retract([-number])
            return
        self._execute("UPDATE steps SET undone = 1 WHERE id = ?", (number,))
        self.store.retract(self._answers.pop(number, ()))
        again = set(self._replaced.pop(number, ()))
        # Not if another step replaced it, too.
        again -= {each for others in self._replaced.values() for each in others}
        self.store.restore(sorted(again))

    def answer_ids(self, number: int) -> list[int]:
        """The answers of a step."""
        return [-number] if number < 0 else self._answers[number]

    def _ids_of(self, replaced: Mapping[Pair, AnswerValue]) -> list[int]:
        """The stored answers that give pairs these answers."""
        if not replaced:
            return []
        wanted = {((min(pair), max(pair)), SAME[value]) for pair, value in replaced.items()}
        return [each.id for each in self.store.answers() if (each.pair, each.same) in wanted]

    def _execute(self, query: str, values: Sequence[Any] = ()) -> Any:
        with self.store.explained():
            return self.store.connection.execute(query, values)

    def _detail(self, number: int, text: Any) -> dict[str, Any]:
        try:
            detail = json.loads(text)
            numbers = [*detail["answers"], *detail["replaces"], detail["after"]]
            if all(isinstance(each, int) for each in numbers):
                return detail
        except (KeyError, TypeError, ValueError):
            pass
        raise self._damaged(number)

    def _damaged(self, number: int) -> StoreError:
        return StoreError(
            f"{self.store.path}: step {number} can't be read; was the file changed by hand?"
        )


def _answer(stored: StoredAnswer) -> Answer:
    pair = (stored.a_row, stored.b_row)
    return Answer(PairQuestion(pair, _reason(stored), stored.same_cluster), VALUE[stored.same])


def _reason(stored: StoredAnswer) -> Any:
    return stored.reason


def _step(
    kind: str,
    answers: tuple[Answer, ...],
    retracts: tuple[Pair, ...],
    detail: dict[str, Any],
    annotator: str,
) -> Step:
    pairs = {name: _pairs(detail[name]) for name in ("founds", "merges", "names", "piles")}
    return Step(
        kind,
        answers,
        retracts,
        **pairs,
        predicted=detail["predicted"],
        number=detail["number"],
        reason=detail["reason"],
        by=annotator,
        looked=tuple(int(row) for row in detail.get("looked", ())),
        drawn=tuple(int(row) for row in detail.get("drawn", ())),
    )


def _pairs(values: Any) -> tuple[tuple[int, Any], ...]:
    return tuple((int(a), b) for a, b in values)
