"""The desk at which people answer: one set of data, its questions, its file of answers.

All tabs of a server share one desk. Other programs may write to the same file: their answers are
taken in before a question is chosen and before an answer is written.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

from pairspace._core.typing import Pair
from pairspace.active import Answer as Said
from pairspace.active import PairQuestions
from pairspace.active import Question as Asked
from pairspace.constraints import Contradiction, ContradictionError
from pairspace.constraints.answers_file import Answer, AnswerStore, StoreError
from pairspace.tool.app.background import BackgroundFit
from pairspace.tool.app.view import view_of

SAME: dict[str, bool | None] = {"same": True, "different": False, "skip": None}
SAID: dict[bool | None, Any] = {same: said for said, same in SAME.items()}


class Conflict(NamedTuple):
    """A stored answer that the others deny."""

    contradiction: Contradiction
    odd: Answer


class Desk:
    """The state behind the page.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data in whose space the questions are chosen.
    store : AnswerStore
        Where the answers are kept.
    **options
        Of :class:`pairspace.active.PairQuestions`: strategy, n_components, …

    Attributes
    ----------
    questions : PairQuestions
    view : View
        The latest space as the map shows it.
    version : int
        Changes whenever the answers or the space did.
    failure : str
        Why the last fit gave no space; empty if it did.
    """

    def __init__(self, X: Any, store: AnswerStore, **options: Any) -> None:
        self.store = store
        self.version = 0
        self.failure = ""
        self._lock = threading.RLock()
        self._open: dict[Hashable, Pair] = {}
        self._fit: BackgroundFit | None = None
        self._tried = -1
        self._standing: dict[int, Answer] = {}
        self._refused: dict[int, Answer] = {}
        stored = store.answers()
        try:
            self.questions = PairQuestions(X, answers=map(_as_said, stored), **options)
            self._standing = {answer.id: answer for answer in stored}
        except ContradictionError:
            # Another program wrote it: the page asks which of the answers is wrong.
            self.questions = PairQuestions(X, **options)
            self._take_in(stored)
        self.view = view_of(self.questions.space, None)
        self.fitted_at = time.monotonic()

    # ---- Questions ---------------------------------------------------------------------------

    def question_for(self, page: Hashable) -> Pair | None:
        """The next pair for one of the open pages: not one that another page shows."""
        with self._lock:
            self._catch_up()
            self._open.pop(page, None)
            pair = self._next_besides(set(map(_ordered, self._open.values())))
            if pair is not None:
                self._open[page] = pair
            return pair

    def hold(self, page: Hashable, pair: Pair) -> None:
        """A page asks about a pair of the person's choice: others are not asked it."""
        with self._lock:
            self._open[page] = pair

    def leave(self, page: Hashable) -> None:
        """A page was closed."""
        with self._lock:
            self._open.pop(page, None)

    def known(self, pair: Pair) -> bool | None:
        """What the answers say of a pair by now: the same, different, or None."""
        with self._lock:
            return self.questions.constraints.entails(*pair)

    def _next_besides(self, taken: set[Pair]) -> Pair | None:
        passed = 0
        try:
            while (pair := self.questions.next()) is not None and _ordered(pair) in taken:
                self.questions.answer(pair, "skip")  # for the moment: undone below
                passed += 1
            return pair
        finally:
            for _ in range(passed):
                self.questions.undo()

    # ---- Answers -----------------------------------------------------------------------------

    def answer(self, pair: Pair, said: Any, annotator: str) -> Contradiction | None:
        """Keep an answer: when this returns None it is on the disk.

        A contradiction is returned and nothing is kept; a :class:`StoreError` is raised and
        nothing is kept if the file can't be written.
        """
        with self._lock:
            before = len(self.questions.history)
            try:
                with self.store.writing():
                    self._catch_up()
                    before = len(self.questions.history)
                    found = self.questions.answer(pair, said)
                    if found is not None:
                        return found
                    # Without a new entry somebody else had said it: then it is no exam, either.
                    new = self.questions.history[before:]
                    why = new[0].question if new else Asked(pair, "person")
                    answer = self.store.add(
                        pair, SAME[said], annotator, reason=why.reason, together=why.together
                    )
            except StoreError:
                if len(self.questions.history) > before:
                    self.questions.undo()
                raise
            self._standing[answer.id] = answer
            self.version += 1
            return None

    def undo(self, annotator: str) -> Answer | None:
        """Take back the last answer of a person; None if there is none."""
        with self._lock:
            self._catch_up()
            own = [each for each in self._standing.values() if each.annotator == annotator]
            if not own:
                return None
            self.take_back([own[-1].id])
            return own[-1]

    def take_back(self, answer_ids: Iterable[int]) -> None:
        """Take answers back, in the file and here."""
        with self._lock:
            with self.store.writing():
                self.store.take_back(answer_ids)
            self._take_in(self.store.answers())

    def answers_to(self, pair: Pair, same: bool) -> list[Answer]:
        """The stored answers that say this of a pair, oldest first."""
        with self._lock:
            stored = [*self._standing.values(), *self._refused.values()]
            return [each for each in stored if (each.pair, each.same) == (_ordered(pair), same)]

    def has_answers_of(self, annotator: str) -> bool:
        with self._lock:
            return any(answer.annotator == annotator for answer in self._standing.values())

    @property
    def standing(self) -> list[Answer]:
        """All answers that count, oldest first."""
        with self._lock:
            return list(self._standing.values())

    def conflict(self) -> Conflict | None:
        """An answer that another program wrote and that the others deny."""
        with self._lock:
            for odd in self._refused.values():
                found = self.questions.answer(odd.pair, SAID[odd.same])
                assert found is not None, "what is no longer denied was taken in"
                return Conflict(found, odd)
            return None

    # ---- The answers of others ---------------------------------------------------------------

    def _catch_up(self) -> None:
        if self.store.changed_by_others():
            self._take_in(self.store.answers())

    def _take_in(self, stored: list[Answer]) -> None:
        """Make the questions know what is stored, whoever stored it."""
        now = {answer.id: answer for answer in stored}
        gone = [each for key, each in self._standing.items() if key not in now]
        self._refused = {key: each for key, each in self._refused.items() if key in now}
        for answer in gone:
            del self._standing[answer.id]
            self._forget(answer)
        # Those that were denied may be true now.
        new = [each for key, each in now.items() if key not in self._standing]
        for answer in new:
            if self.questions.answer(answer.pair, SAID[answer.same]) is None:
                self._standing[answer.id] = answer
                self._refused.pop(answer.id, None)
            else:
                self._refused[answer.id] = answer
        self._standing = dict(sorted(self._standing.items()))
        if gone or new:
            self.version += 1

    def _forget(self, answer: Answer) -> None:
        if answer.same is not None and self.answers_to(answer.pair, answer.same):
            return  # somebody else said it, too
        last = self.questions.history[-1]
        if (_ordered(last.question.pair), last.said) == (answer.pair, SAID[answer.same]):
            self.questions.undo()  # which keeps the reason for asking it
        elif answer.same is not None:
            self.questions.take_back(answer.pair)

    # ---- The space ---------------------------------------------------------------------------

    def tick(self) -> None:
        """Look at the file and at the fit that runs beside; call it a few times a second."""
        with self._lock:
            self._catch_up()
            if self._fit is not None and self._fit.done:
                fit, self._fit = self._fit, None
                self.failure = fit.failure
                if fit.space is not None:
                    self.questions.adopt(fit.space)
                    self.view = view_of(fit.space, self.view)
                    self.fitted_at = time.monotonic()
                self.version += 1
                self._tried = self.version if fit.space is None else -1
            if self._fit is None and self.questions.outdated and self._tried != self.version:
                self._tried = self.version
                self._fit = BackgroundFit(self.questions.plan())

    @property
    def fitting(self) -> bool:
        return self._fit is not None

    def close(self) -> None:
        """Let the fit under way end, and close the file.

        A thread in the middle of compiled code must not be cut off by the end of the program.
        """
        with self._lock:
            if self._fit is not None:
                self._fit.wait()
            self.store.close()


def _as_said(answer: Answer) -> Said:
    reason: Any = answer.reason
    return Said(Asked(answer.pair, reason, answer.together), SAID[answer.same])


def _ordered(pair: Pair) -> Pair:
    return min(pair), max(pair)
