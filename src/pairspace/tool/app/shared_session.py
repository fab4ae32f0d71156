"""A labelling session that several people and programs share: audits, exams, disagreements."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Hashable, Set
from typing import Any, NamedTuple

from pairspace._core.typing import Pair
from pairspace.active import BoardQuestion, Kind, PairQuestion, Question, Step, SweepQuestion
from pairspace.active.refit import Refit
from pairspace.asking.annotators import Annotators
from pairspace.asking.audit import Audit, AuditResult, audit_of, audit_result, next_sweep
from pairspace.asking.exams import next_exam
from pairspace.asking.judgements import annotators_in
from pairspace.asking.reply_log import has_replies, read_replies
from pairspace.asking.weights import confirmed_rows, row_weights
from pairspace.constraints import Contradiction
from pairspace.constraints.answers_file import StoreError
from pairspace.tool.app.places import Places
from pairspace.tool.app.session import LabellingSession

SLOW_SECONDS = 0.5  # reading of what all annotators said: then not after each answer
EXAM_EVERY = 20  # one in so many questions to a person is one that another annotator has answered


class AuditState(NamedTuple):
    """How far an audit is.

    Parameters
    ----------
    audit : Audit
        What was said, and what was looked at.
    result : AuditResult or None
        How often the annotator is right; None before there are enough looks.
    """

    audit: Audit
    result: AuditResult | None


class SharedSession(LabellingSession):
    """The state behind the page, with what concerns several annotators."""

    def __init__(self, X: Any, store: Any, **options: Any) -> None:
        # Of which version, what they said, when that was read, and how long it took.
        self._annotators: tuple[int, Annotators, float, float] | None = None
        super().__init__(X, store, **options)
        self._places = Places(store)
        self._exams: Counter[str] | None = None  # answered by each person
        self._refused: list[tuple[int, str, Step]] = []  # exams with another answer than that used

    # ---- Annotators --------------------------------------------------------------------------

    def annotators(self, *, may_be_old: bool = False) -> Annotators:
        """What each person and program said; read once for each version.

        With very many answers that takes a while. What stands beside the question ``may_be_old``:
        then a tenth of the time, at most, goes into reading.
        """
        with self._lock:
            now = time.monotonic()
            if self._annotators is not None:
                version, said, read_at, seconds = self._annotators
                is_slow = seconds > SLOW_SECONDS
                if version == self.version or (
                    may_be_old and is_slow and now < read_at + 10 * seconds
                ):
                    return said
            try:
                said = annotators_in(self.store)
            except StoreError:
                if may_be_old and self._annotators is not None:
                    return self._annotators[1]
                raise
            ended = time.monotonic()
            self._annotators = (self.version, said, ended, ended - now)
            return said

    @property
    def several(self) -> bool:
        """Whether there is a program or a second person beside the one who answers."""
        with self._lock:
            if len({each.annotator for each in self._accepted}) > 1:
                return True
            with self.store.explained():
                names = "SELECT DISTINCT annotator FROM steps LIMIT 2"  # also of refused answers
                connection = self.store.connection
                return has_replies(connection) or len(connection.execute(names).fetchall()) > 1

    def plan(self) -> Refit:
        """What a new fit needs; rows that only programs have placed count less."""
        with self._lock:
            with self.store.explained():
                if not has_replies(self.store.connection):
                    return self.questions.plan()
                replies = read_replies(self.store.connection, self.store.path)
            said = self.annotators()
            by_people = [each for each in self._accepted if each.annotator not in said.programs]
            confirmed = {row for each in by_people for row in confirmed_rows(each)}
            return self.questions.plan(row_weights(self.questions.labels, replies, said, confirmed))

    # ---- Questions ---------------------------------------------------------------------------

    def question_of(
        self, page: Hashable, kind: Kind, annotator: str, *, resume: bool = False
    ) -> Question | None:
        """The next question of a person: where they stopped, an exam, or what the kind asks."""
        with self._lock:
            if resume:
                question = self.resumed(page, annotator)
                if question is not None:
                    self._open[page] = question
                    return question
            if self._exam_is_due(annotator):
                self._sync()
                about = "pair" if kind == "pair" else "board"
                exam = next_exam(self.questions, self.annotators(), annotator, about)
                if exam is not None and not set(exam.rows) & self._taken(page):
                    self._open[page] = exam
                    return exam
            return self.question_for(page, kind)

    def keep_place(self, annotator: str, question: Question) -> None:
        """Note where a person is, to go on there after a break."""
        with self._lock:
            self._places.keep(annotator, question)

    def tick(self) -> None:
        """Check the file and the background fit; call it a few times a second."""
        with self._lock:
            super().tick()
            self._places.write()

    def close(self) -> None:
        """Wait for the running fit, and close the file."""
        with self._lock:
            self._places.write(now=True)
            super().close()

    def resumed(self, page: Hashable, annotator: str) -> Question | None:
        """The question at which a person stopped; None if it is answered or shown elsewhere."""
        with self._lock:
            self._sync()
            question = self._places.question_of(annotator, self.questions)
            if question is None or self.is_answered(question):
                return None
            return None if set(question.rows) & self._taken(page) else question

    def _taken(self, page: Hashable) -> set[int]:
        """Rows that other pages show."""
        return {row for other, each in self._open.items() if other != page for row in each.rows}

    def _exam_is_due(self, annotator: str) -> bool:
        if not self.several:
            return False
        if self._exams is None:
            self._exams = Counter(self.annotators().exams)
        n_own = sum(each.annotator == annotator for each in self._accepted)
        n_own += sum(who == annotator for _, who, _ in self._refused)
        return (n_own + 1) // EXAM_EVERY > self._exams[annotator]

    def pair_for(self, page: Hashable, pair: Pair) -> PairQuestion:
        """A pair whose answers differ, to be looked at again."""
        with self._lock:
            question = self.questions.pair_of(*pair)._replace(reason="recheck")
            self._open[page] = question
            return question

    # ---- Audits ------------------------------------------------------------------------------

    def audit_for(
        self, page: Hashable, name: str, besides: Set[int] = frozenset()
    ) -> SweepQuestion | None:
        """The next rows of an annotator to look at; None if all were looked at."""
        with self._lock:
            self._sync()
            self._open.pop(page, None)
            question = next_sweep(
                self.questions, audit_of(self.annotators(), name), self._taken(page) | besides
            )
            if question is not None:
                self._open[page] = question
            return question

    def audit_state(self, name: str) -> AuditState:
        """How far the audit of an annotator is, and what it shows."""
        with self._lock:
            audit = audit_of(self.annotators(may_be_old=True), name)
            return AuditState(audit, audit_result(audit))

    # ---- Answers -----------------------------------------------------------------------------

    def answer(self, question: Question, response: Any, annotator: str) -> Contradiction | None:
        """Save an answer; that to an exam counts only if it is the one that counts already."""
        with self._lock:
            if question.reason == "exam" and self._exams is not None:
                self._exams[annotator] += 1
            if question.reason == "exam" and not self._agrees(question, response):
                self._refuse(question, response, annotator)
                return None
            found = super().answer(question, response, annotator)
            if found is not None:
                self.version += 1  # there is a disagreement
            return found

    def _agrees(self, question: Question, response: Any) -> bool:
        if response == "skip":
            return True  # it says nothing
        if isinstance(question, BoardQuestion):
            group = self.questions.log.group_of(question.row)
            return group is not None and response == group.number
        known = self.entails((question.rows[0], question.rows[1]))
        return known is None or known == (response == "same")

    def _refuse(self, question: Question, response: Any, annotator: str) -> None:
        step = self.questions.step(question, response)
        if isinstance(question, BoardQuestion) and not isinstance(response, int):
            step = step._replace(number=0)  # in none of the groups
        with self.store.writing():
            stored = self._steps.add_refused(step, annotator)
        self._refused.append((stored.id, annotator, step))
        self.version += 1

    def undo(self, annotator: str) -> Step | None:
        """Take back the last step of a person, also an answer to an exam that did not count."""
        with self._lock:
            own = [each for each in self._refused if each[1] == annotator]
            last = max(
                (each.id for each in self._accepted if each.annotator == annotator), default=0
            )
            if own and own[-1][0] > last:
                with self.store.writing():
                    self._steps.forget(own[-1][0])
                self._refused.remove(own[-1])
                self.version += 1
                return own[-1][2]
            return super().undo(annotator)

    def has_answers_of(self, annotator: str) -> bool:
        """Whether a person has steps that could be undone."""
        with self._lock:
            refused = any(who == annotator for _, who, _ in self._refused)
            return refused or super().has_answers_of(annotator)

    def rows_of(self, annotator: str) -> set[int]:
        """The rows that a person has judged."""
        with self._lock:
            own = [each.step for each in self._accepted if each.annotator == annotator]
            return {row for step in own for row in step.looked}
