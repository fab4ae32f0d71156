"""What the replies of programs say: steps derived from the log, beside those of people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from pairspace._core.typing import Floats, Pair
from pairspace.active import BoardQuestion, PairQuestion, PairQuestions, Step
from pairspace.active.answer_log import ordered
from pairspace.active.kinds import ASIDE, SKIP
from pairspace.active.step_store import StepStore
from pairspace.asking import reply_log
from pairspace.asking.audit import chances_of_right
from pairspace.asking.judgements import annotators_in
from pairspace.asking.queries import NEW, NONE, NOT_SURE, Asked, with_all_groups
from pairspace.asking.reply_log import ReplyLog, StoredReply, judged_subject, subject_of
from pairspace.asking.weights import confirmed_rows, row_weights
from pairspace.constraints.answers_file import AnswerStore, clean_name


class Wanted(NamedTuple):
    """A question that has to be asked before a reply can be used.

    Parameters
    ----------
    question : BoardQuestion or PairQuestion
        The question.
    other_order : bool
        Whether the rows or groups are to be shown in the other order than that of the question.
    """

    question: Asked
    other_order: bool


class Recorder:
    """The steps of people and programs in an answers file, and the questions that follow.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data.
    store : AnswerStore
        The answers file.
    annotator : str
        The name of the program.
    **options
        Options of :class:`pairspace.active.PairQuestions`.
    """

    def __init__(self, X: Any, store: AnswerStore, annotator: str, **options: Any) -> None:
        self.store, self.annotator = store, clean_name(annotator)
        self.steps, self.log = StepStore(store), ReplyLog(store)
        self.questions = PairQuestions(X, **options)
        self.set_aside: list[Asked] = []  # questions not to ask again in this run
        self.confirmed: set[int] = set()  # rows in groups that a person has confirmed
        self._read()
        if self.questions.history:
            self.refit()

    def refit(self) -> None:
        """Fit the groups to all answers, to choose the next questions by."""
        self.questions.adopt(self.questions.plan(self.weights()).fit())

    def weights(self) -> Floats:
        """How far the group of each row counts."""
        said = annotators_in(self.store)
        return row_weights(self.questions.labels, self.log.all(), said, self.confirmed)

    # ---- What people and other programs wrote ------------------------------------------------

    def sync(self) -> None:
        """Read the file if another program changed it."""
        if self.store.changed_by_others():
            self._read()

    def _read(self) -> None:
        """Steps that contradict earlier ones do not count."""
        self.questions.restore(())
        programs = self.log.programs() | {self.annotator}
        self.confirmed = set()
        for stored in self.steps.read():
            if self.questions.record(stored.step) is None and stored.annotator not in programs:
                self.confirmed |= confirmed_rows(stored)
        self._programs = programs

    # ---- Using replies -----------------------------------------------------------------------

    def derive(self) -> list[Wanted]:
        """Use all replies that were not used yet; returns what has to be asked first for some."""
        self.sync()
        pending: dict[Any, list[StoredReply]] = {}
        for reply in self.log.all("outcome IS NULL AND annotator = ?", (self.annotator,)):
            pending.setdefault(reply.subject, []).append(reply)
        wanted = (self._use(replies) for replies in pending.values())
        return [each for each in wanted if each is not None]

    def give_up(self, question: Asked) -> None:
        """A question failed: it is not asked again in this run, and waits for no second order."""
        self.set_aside.append(question)
        subject = subject_of(question)
        pending = self.log.all("outcome IS NULL AND annotator = ?", (self.annotator,))
        self._settle([each for each in pending if each.subject == subject], reply_log.UNCONFIRMED)

    def _use(self, replies: list[StoredReply]) -> Wanted | None:
        """Make a step of the replies to a question, unless another question comes first."""
        first = replies[0]
        question, answer = first.question, first.answer
        if first.exam:
            self._settle(replies, reply_log.EXAM)
        elif {each.answer for each in replies} != {answer}:
            self._record(replies, SKIP, reply_log.FLIPPED)
        elif len(replies) < first.orders:
            return Wanted(question, other_order=True)
        elif isinstance(question, BoardQuestion) and self._outdated(question, answer):
            self._settle(replies, reply_log.STALE)
            return Wanted(with_all_groups(question, self.questions.groups), other_order=False)
        elif answer == NOT_SURE:
            self._record(replies, SKIP, reply_log.NOT_SURE)
        else:
            return self._use_answer(replies)
        return None

    def _use_answer(self, replies: list[StoredReply]) -> Wanted | None:
        question, answer, name = replies[0].question, replies[0].answer, replies[0].name
        response: Any = (NEW, name) if answer == NEW and name else answer
        step = self.questions.step(question, response)
        if self._takes_back_a_person(step):
            self.set_aside.append(question)
            self._settle(replies, reply_log.DISAGREES)
            return None
        # One wrong "same" would join two whole groups: it needs a second answer, or the panel.
        alone = len(replies) < 2 and not _predicted_same(question)
        if alone and self._joins_confirmed(step):
            return Wanted(question, other_order=True)
        self._record(replies, response, reply_log.USED)
        return None

    def _outdated(self, question: BoardQuestion, answer: Any) -> bool:
        """Whether the row may be in a group that was not shown, or the group is gone."""
        numbers = {group.number for group in self.questions.groups}
        shown = {card.number for card in question.cards}
        if answer in (NEW, NONE):
            return not numbers <= shown
        return answer not in (NOT_SURE, ASIDE) and answer not in numbers

    def _record(self, replies: list[StoredReply], response: Any, outcome: str) -> None:
        """Write a step and what became of the replies together."""
        question = replies[0].question
        before = self.questions.history
        try:
            with self.store.writing():
                step = self.questions.step(question, response)
                values = self.questions.log.values
                replaced = {ordered(pair): values[ordered(pair)].value for pair in step.retracts}
                if self.questions.record(step) is not None:
                    self.set_aside.append(question)
                    self.log.settle(replies, reply_log.CONTRADICTS)
                    return
                stored = self.steps.add(step, self.annotator, replaced)
                self.log.settle(replies, outcome, stored.id)
        except BaseException:
            self.questions.restore(before)
            raise

    def _settle(self, replies: list[StoredReply], outcome: str) -> None:
        if replies:
            with self.store.writing():
                self.log.settle(replies, outcome)

    # ---- Exams -------------------------------------------------------------------------------

    def exam(self, kind: str, number: int) -> Asked | None:
        """A question that another annotator has answered and this program has not, people's first.

        ``number`` is the seed of the draw.
        """
        replies = self.log.all("annotator = ?", (self.annotator,))
        own = {judged_subject(reply.question) for reply in replies}
        of_people: list[Asked] = []
        of_programs: list[Asked] = []
        for stored in self.steps.read():
            if stored.annotator == self.annotator or stored.step.kind != kind:
                continue
            found = self._asked_by(stored.step)
            if found is not None and judged_subject(found) not in own:
                (of_programs if stored.annotator in self._programs else of_people).append(found)
        candidates = of_people or of_programs
        if not candidates:
            return None
        return candidates[np.random.RandomState(number).randint(len(candidates))]

    def audit(self, annotator: str) -> Asked | None:
        """A row that an annotator placed, the one that is least likely to be right first."""
        taken = {row for question in self.set_aside for row in question.rows}
        placed = self._placed_by(annotator) - self._placed_by(self.annotator) - taken
        chance = chances_of_right(self.questions)
        for row in sorted(placed, key=lambda row: (chance.get(row, 1.0), row)):
            question = self._board_again(row)
            if question is not None:
                return question._replace(reason="recheck")
        return None

    def _placed_by(self, annotator: str) -> set[int]:
        """The rows that an annotator placed on boards."""
        steps = [stored.step for stored in self.steps.read() if stored.annotator == annotator]
        rows = {placed_row(step) for step in steps if step.kind == "board"}
        return {row for row in rows if row is not None}

    def _asked_by(self, step: Step) -> Asked | None:
        """The question that a step answers, as it would be asked now; None if it can't be."""
        if step.kind == "pair":
            question, value = step.answers[0]
            return None if value == "skip" else question
        row = placed_row(step)
        return None if row is None else self._board_again(row)

    def _board_again(self, row: int) -> BoardQuestion | None:
        """A board for a placed row; None if its group has no other row to compare with."""
        group = self.questions.log.group_of(row)
        if group is None or len(group.rows) < 2:
            return None
        return self.questions.board_of(row)

    # ---- What people confirmed ---------------------------------------------------------------

    def _joins_confirmed(self, step: Step) -> bool:
        known = self.questions.log.known
        groups = {known.group_of(row) for row in self.confirmed}
        return any(
            value == "same" and len({known.group_of(row) for row in question.pair} & groups) == 2
            for question, value in step.answers
        )

    def _takes_back_a_person(self, step: Step) -> bool:
        """Whether a step replaces what a person said."""
        if any(number == 0 and row in self.confirmed for row, number in step.founds):
            return True
        if not step.retracts:
            return False
        gone = {ordered(pair) for pair in step.retracts}
        return any(pair in gone for pair in self._said_by_people())

    def _said_by_people(self) -> Iterable[Pair]:
        for stored in self.steps.read():
            if stored.annotator not in self._programs:
                for question, _ in stored.step.answers:
                    yield ordered(question.pair)


def placed_row(step: Step) -> int | None:
    """The row that a board placed in a group: the first of its last pair."""
    if not step.number:
        return None
    if step.answers:
        return step.answers[-1].question.pair[0]
    return step.founds[-1][0] if step.founds else None


def _predicted_same(question: Asked) -> bool:
    """Whether the panel agrees: both rows were in one predicted group before the answer."""
    return isinstance(question, PairQuestion) and bool(question.same_cluster)
