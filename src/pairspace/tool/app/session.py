"""A labelling session: one set of data, its questions, its answers file.

All tabs of a server share one session. Other programs may write to the same file: their answers are
read before a question is chosen and before an answer is written.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from pairspace._core.typing import Pair
from pairspace.active import (
    BoardQuestion,
    Group,
    Kind,
    PairQuestion,
    PairQuestions,
    Question,
    Step,
    SweepQuestion,
)
from pairspace.active.actions import merge_step, name_step, retract_step, split_step
from pairspace.active.answer_log import ordered
from pairspace.active.refit import Refit
from pairspace.active.space import Space
from pairspace.active.step_store import VALUE, StepStore, StoredStep
from pairspace.constraints import Contradiction, ContradictionError
from pairspace.constraints.answers_file import AnswerStore, StoredAnswer, clean_name
from pairspace.tool.app.background import BackgroundFit
from pairspace.tool.app.summary import Summary, summary_of, unsure_rows
from pairspace.tool.app.view import view_of

Fit = Callable[[Refit], Space]


class LabellingSession:
    """The state behind the page.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data that the questions are chosen from.
    store : AnswerStore
        Where the answers are stored.
    fit : callable, default=None
        Makes a space of a plan; by default ``plan.fit()``, in a thread.
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

    def __init__(
        self, X: Any, store: AnswerStore, *, fit: Fit | None = None, **options: Any
    ) -> None:
        self.store = store
        self._fit_plan = fit or (lambda plan: plan.fit())
        self.version = 0
        self.failure = ""
        self._lock = threading.RLock()
        self._open: dict[Hashable, Question] = {}
        self._fit: BackgroundFit | None = None
        self._tried = -1
        self._steps = StepStore(store)
        # Steps that count, as they stand in the file; and those of other programs that contradict
        # them.
        self._accepted: list[StoredStep] = []
        self._rejected: list[StoredStep] = []
        stored = self._steps.read()
        try:
            self.questions = PairQuestions(X, answers=[each.step for each in stored], **options)
            self._accepted = stored
        except ContradictionError:
            # Another program wrote it: the page asks which of the answers is wrong.
            self.questions = PairQuestions(X, **options)
            self._apply(stored)
        self.view = view_of(self.questions.space, None)
        self.fitted_at = time.monotonic()
        self._summary: tuple[int, Summary] | None = None

    # ---- Questions ---------------------------------------------------------------------------

    def question_for(self, page: Hashable, kind: Kind = "mixed") -> Question | None:
        """The next question for one of the open pages: not about rows that another page shows."""
        with self._lock:
            self._sync()
            self._open.pop(page, None)
            question = self.questions.next(kind, besides=self._open.values())
            if question is not None:
                self._open[page] = question
            return question

    def board_for(self, page: Hashable, row: int, *, again: bool = False) -> BoardQuestion:
        """The board for a row that the person chose; ``again`` if an answer may be wrong."""
        with self._lock:
            question = self.questions.board_of(row, again=again)
            self._open[page] = question
            return question

    def sweep_for(
        self, page: Hashable, number: int, rows: Sequence[int] | None = None
    ) -> SweepQuestion:
        """A sweep of rows that the person chose, or through a group."""
        with self._lock:
            question = self.questions.sweep_of(number, rows)
            self._open[page] = question
            return question

    def reserve(self, page: Hashable, question: Question) -> None:
        """Note that a page shows a question that the person chose, so that other pages do not."""
        with self._lock:
            self._open[page] = question

    def release(self, page: Hashable) -> None:
        """Note that a page was closed."""
        with self._lock:
            self._open.pop(page, None)

    def entails(self, pair: Pair) -> bool | None:
        """What the answers imply about a pair: True for the same, False for different, or None."""
        with self._lock:
            return self.questions.log.known.entails(*pair)

    def is_answered(self, question: Question) -> bool:
        """Whether someone else has answered a question meanwhile."""
        with self._lock:
            log = self.questions.log
            if question.reason in ("recheck", "exam"):
                return False  # answered it was before
            if isinstance(question, PairQuestion):
                return log.known.entails(*question.pair) is not None
            if isinstance(question, BoardQuestion):
                return log.group_of(question.row) is not None
            return all(log.group_of(row) is not None for row in question.rows)

    # ---- Answers -----------------------------------------------------------------------------

    def answer(self, question: Question, response: Any, annotator: str) -> Contradiction | None:
        """Save an answer: it is on the disk when this returns None.

        If it contradicts earlier answers, the contradiction is returned; the answer is kept in the
        file, but does not count. If the file can't be written, a :class:`StoreError` is raised.
        """
        by = clean_name(annotator)
        return self._save(lambda: self.questions.step(question, response, by=by), annotator)

    def merge(self, target: int, source: int, annotator: str) -> Contradiction | None:
        """Make a group a part of another one, which keeps its number and name."""
        return self._save(lambda: merge_step(self._log, target, source, _unpredicted), annotator)

    def split(self, number: int, rows: Sequence[int], annotator: str) -> int:
        """Make rows of a group a group of their own; returns its number."""
        self._save(lambda: split_step(self._log, number, rows, _unpredicted), annotator)
        return max(group.number for group in self.groups())

    def rename(self, number: int, name: str, annotator: str) -> None:
        """Name a group."""
        self._save(lambda: name_step(self._log, number, name), annotator)

    def retract(self, answer_ids: Iterable[int], annotator: str) -> None:
        """Take back single answers, which is a step of its own."""
        ids = set(answer_ids)
        with self._lock:
            by_id = self.store.all_answers()
            values = self._log.values
            counted = {
                by_id[each].pair
                for each in ids
                if by_id[each].pair in values
                and values[by_id[each].pair].value == VALUE[by_id[each].same]
            }
            if counted:
                self._save(lambda: retract_step(self._log, counted), annotator)
            # Answers that contradict others never counted: their steps are taken back.
            gone = [each for each in self._rejected if ids & {*self._steps.answer_ids(each.id)}]
            if gone:
                with self.store.writing():
                    for each in gone:
                        self._steps.take_back(each.id)
            self._apply(self._steps.read())

    def undo(self, annotator: str) -> Step | None:
        """Take back the last step of a person; None if there is none."""
        with self._lock:
            self._sync()
            own = [each for each in self._accepted if each.annotator == annotator]
            for stored in reversed(own):
                if self.take_back(stored.id) is None:
                    return stored.step
            return None

    def take_back(self, step_id: int) -> Contradiction | None:
        """Take back any step, unless what it replaced contradicts later answers."""
        with self._lock:
            self._sync()
            at = next((at for at, each in enumerate(self._accepted) if each.id == step_id), None)
            if at is None:
                return None  # someone else took it back
            before = self.questions.history
            found = self.questions.take_back(at)
            if found is not None:
                return found
            try:
                with self.store.writing():
                    self._steps.take_back(step_id)
            except BaseException:
                self.questions.restore(before)
                raise
            del self._accepted[at]
            self.version += 1
            return None

    def _save(self, make: Callable[[], Step], annotator: str) -> Contradiction | None:
        with self._lock:
            before = None
            try:
                with self.store.writing():
                    self._sync()
                    step = make()
                    before = self.questions.history
                    replaced = {pair: self._log.values[pair].value for pair in step.retracts}
                    found = self.questions.record(step)
                    if found is not None:
                        self._steps.add_refused(step, annotator)
                        return found
                    stored = self._steps.add(step, annotator, replaced)
            except BaseException:
                if before is not None:
                    self.questions.restore(before)
                raise
            self._accepted.append(stored)
            self.version += 1
            return None

    @property
    def _log(self) -> Any:
        return self.questions.log

    # ---- What is there -----------------------------------------------------------------------

    def history(self, most: int = 30) -> list[StoredStep]:
        """The last steps, the newest first."""
        with self._lock:
            return self._accepted[: -most - 1 : -1]

    def groups(self) -> list[Group]:
        """The groups that people have made, in the order of their numbers."""
        with self._lock:
            return self.questions.groups

    def has_answers_of(self, annotator: str) -> bool:
        """Whether a person has steps that could be undone."""
        with self._lock:
            return any(each.annotator == annotator for each in self._accepted)

    def answers_to(self, pair: Pair, same: bool) -> list[StoredAnswer]:
        """The stored answers that give a pair this answer, oldest first."""
        with self._lock:
            return [
                each
                for each in self.store.answers()
                if (each.pair, each.same) == (ordered(pair), same)
            ]

    @property
    def accepted(self) -> list[StoredAnswer]:
        """All answers that count, oldest first."""
        with self._lock:
            values = self._log.values
            return [
                each
                for each in self.store.answers()
                if each.same is None
                or (each.pair in values and (values[each.pair].value == "same") == each.same)
            ]

    def stored_contradiction(self) -> Contradiction | None:
        """A contradiction in the file, which another program must have written."""
        with self._lock:
            for stored in self._rejected:
                for question, value in stored.step.answers:
                    found = self.questions.contradiction_with(question.pair, value)
                    if found is not None:
                        return found
            return None

    def summary(self) -> Summary:
        """What an export would contain; computed once for each version."""
        with self._lock:
            if self._summary is None or self._summary[0] != self.version:
                self._summary = (self.version, summary_of(self.questions))
            return self._summary[1]

    def unsure_rows(self) -> list[int]:
        """Rows in no group whose prediction is not sure, the least sure first."""
        with self._lock:
            return unsure_rows(self.questions)

    # ---- The answers of others ---------------------------------------------------------------

    def _sync(self) -> None:
        """Read the file if another program changed it."""
        if self.store.changed_by_others():
            self._apply(self._steps.read())

    def _apply(self, stored: list[StoredStep]) -> None:
        """Bring the questions up to date with the stored steps."""
        if [each.id for each in stored] == [
            each.id for each in (*self._accepted, *self._rejected)
        ] and not self._rejected:
            return
        self.questions.restore(())
        self._accepted, self._rejected = [], []
        rejected = self._record_all(stored)
        # A later step may have taken back what an answer contradicted.
        self._rejected = self._record_all(rejected)
        self.version += 1

    def _record_all(self, stored: list[StoredStep]) -> list[StoredStep]:
        """Record steps; returns those that contradict others."""
        rejected: list[StoredStep] = []
        for each in stored:
            found = self.questions.record(each.step)
            (self._accepted if found is None else rejected).append(each)
        return rejected

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
                plan = self.plan()  # fails while the file can't be read: then it is tried again
                self._tried = self.version
                self._fit = BackgroundFit(plan, self._fit_plan)

    def plan(self) -> Refit:
        """What a new fit needs."""
        with self._lock:
            return self.questions.plan()

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


def _unpredicted(pair: Pair) -> bool | None:
    """Merging and splitting groups is no test of what was predicted."""
    return None
