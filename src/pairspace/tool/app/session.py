"""A labelling session: one set of data, its questions, its answers file.

All tabs of a server share one session. Other programs may write to the same file: their answers are
read before a question is chosen and before an answer is written.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable, Iterable
from typing import Any

from pairspace._core.typing import Pair
from pairspace.active import Answer, PairQuestions, Question
from pairspace.active.answer_log import ordered
from pairspace.constraints import Contradiction, ContradictionError
from pairspace.constraints.answers_file import AnswerStore, StoredAnswer
from pairspace.tool.app.background import BackgroundFit
from pairspace.tool.app.view import view_of

# How an answer is stored, and back.
SAME: dict[str, bool | None] = {"same": True, "different": False, "skip": None}
VALUE: dict[bool | None, Any] = {same: value for value, same in SAME.items()}


class LabellingSession:
    """The state behind the page.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data that the questions are chosen from.
    store : AnswerStore
        Where the answers are stored.
    **options
        Options of :class:`pairspace.active.PairQuestions`, for example ``strategy``.

    Attributes
    ----------
    questions : PairQuestions
        The questions and what is known.
    view : View
        The latest space as the map shows it.
    version : int
        Changes whenever the answers or the space change.
    failure : str
        The error of the last fit; empty if it succeeded.
    """

    def __init__(self, X: Any, store: AnswerStore, **options: Any) -> None:
        self.store = store
        self.version = 0
        self.failure = ""
        self._lock = threading.RLock()
        self._open: dict[Hashable, Pair] = {}
        self._fit: BackgroundFit | None = None
        self._tried = -1
        self._accepted: dict[int, StoredAnswer] = {}
        # Answers of other programs that contradict the accepted ones.
        self._rejected: dict[int, StoredAnswer] = {}
        stored = store.answers()
        try:
            self.questions = PairQuestions(X, answers=map(_as_answer, stored), **options)
            self._accepted = {answer.id: answer for answer in stored}
        except ContradictionError:
            # Another program wrote it: the page asks which of the answers is wrong.
            self.questions = PairQuestions(X, **options)
            self._apply(stored)
        self.view = view_of(self.questions.space, None)
        self.fitted_at = time.monotonic()

    # ---- Questions ---------------------------------------------------------------------------

    def question_for(self, page: Hashable) -> Pair | None:
        """The next pair for one of the open pages: not one that another page shows."""
        with self._lock:
            self._sync()
            self._open.pop(page, None)
            pair = self.questions.next(besides=self._open.values())
            if pair is not None:
                self._open[page] = pair
            return pair

    def reserve(self, page: Hashable, pair: Pair) -> None:
        """Note that a page shows a pair that the person chose, so that other pages do not."""
        with self._lock:
            self._open[page] = pair

    def release(self, page: Hashable) -> None:
        """Note that a page was closed."""
        with self._lock:
            self._open.pop(page, None)

    def entails(self, pair: Pair) -> bool | None:
        """What the answers imply about a pair: True for the same, False for different, or None."""
        with self._lock:
            return self.questions.constraints.entails(*pair)

    # ---- Answers -----------------------------------------------------------------------------

    def answer(self, pair: Pair, value: Any, annotator: str) -> Contradiction | None:
        """Save an answer: it is on the disk when this returns None.

        If it contradicts earlier answers, the contradiction is returned. If the file can't be
        written, a :class:`StoreError` is raised. In both cases nothing is saved.
        """
        with self._lock:
            with self.store.writing():
                self._sync()
                found = self.questions.contradiction_with(pair, value)
                if found is not None:
                    return found
                question = self.questions.question_about(pair)
                stored = self.store.add(
                    pair,
                    SAME[value],
                    annotator,
                    reason=question.reason,
                    same_cluster=question.same_cluster,
                )
            self.questions.answer(pair, value)
            self._accepted[stored.id] = stored
            self.version += 1
            return None

    def undo(self, annotator: str) -> StoredAnswer | None:
        """Retract the last answer of a person; None if there is none."""
        with self._lock:
            self._sync()
            own = [each for each in self._accepted.values() if each.annotator == annotator]
            if not own:
                return None
            self.retract([own[-1].id])
            return own[-1]

    def retract(self, answer_ids: Iterable[int]) -> None:
        """Retract answers, in the file and here."""
        with self._lock:
            with self.store.writing():
                self.store.retract(answer_ids)
            self._apply(self.store.answers())

    def answers_to(self, pair: Pair, same: bool) -> list[StoredAnswer]:
        """The stored answers that give a pair this answer, oldest first."""
        with self._lock:
            stored = [*self._accepted.values(), *self._rejected.values()]
            return [each for each in stored if (each.pair, each.same) == (ordered(pair), same)]

    def has_answers_of(self, annotator: str) -> bool:
        """Whether a person has answers that could be undone."""
        with self._lock:
            return any(answer.annotator == annotator for answer in self._accepted.values())

    @property
    def accepted(self) -> list[StoredAnswer]:
        """All answers that contradict no earlier one, oldest first."""
        with self._lock:
            return list(self._accepted.values())

    def stored_contradiction(self) -> Contradiction | None:
        """A contradiction in the file, which another program must have written."""
        with self._lock:
            for answer in self._rejected.values():
                return self.questions.contradiction_with(answer.pair, VALUE[answer.same])
            return None

    # ---- The answers of others ---------------------------------------------------------------

    def _sync(self) -> None:
        """Read the file if another program changed it."""
        if self.store.changed_by_others():
            self._apply(self.store.answers())

    def _apply(self, stored: list[StoredAnswer]) -> None:
        """Bring the questions up to date with the stored answers."""
        now = {answer.id: answer for answer in stored}
        gone = [each for key, each in self._accepted.items() if key not in now]
        self._rejected = {key: each for key, each in self._rejected.items() if key in now}
        for answer in gone:
            del self._accepted[answer.id]
            self._forget(answer)
        # A rejected answer may be accepted now.
        new = [each for key, each in now.items() if key not in self._accepted]
        for answer in new:
            if self.questions.answer(answer.pair, VALUE[answer.same]) is None:
                self._accepted[answer.id] = answer
                self._rejected.pop(answer.id, None)
            else:
                self._rejected[answer.id] = answer
        self._accepted = dict(sorted(self._accepted.items()))
        if gone or new:
            self.version += 1

    def _forget(self, answer: StoredAnswer) -> None:
        if answer.same is not None and self.answers_to(answer.pair, answer.same):
            return  # another person gave the same answer
        last = self.questions.history[-1]
        if (ordered(last.question.pair), last.value) == (answer.pair, VALUE[answer.same]):
            self.questions.undo()  # which keeps the reason of the question
        elif answer.same is not None:
            self.questions.retract(answer.pair)

    # ---- The space ---------------------------------------------------------------------------

    def tick(self) -> None:
        """Check the file and the background fit; call it a few times a second."""
        with self._lock:
            self._sync()
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
        """Whether a fit is running."""
        return self._fit is not None

    def close(self) -> None:
        """Wait for the running fit, and close the file.

        The end of the program must not stop a thread in the middle of compiled code.
        """
        with self._lock:
            if self._fit is not None:
                self._fit.wait()
            self.store.close()


def _as_answer(answer: StoredAnswer) -> Answer:
    reason: Any = answer.reason
    return Answer(Question(answer.pair, reason, answer.same_cluster), VALUE[answer.same])
