"""``pairspace.ask``: questions to a program until the budget is spent, then the groups."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, cast

from sklearn.utils import check_random_state

from pairspace._core.frames import frame_of
from pairspace._core.typing import Seed
from pairspace._core.warn import warn_caller
from pairspace.asking.callers import Caller, Patience
from pairspace.asking.groups import AskedClusters, fit_clusters
from pairspace.asking.progress import Show, Status, showing
from pairspace.asking.queries import Asked, Items, Query, query_of
from pairspace.asking.recorder import Recorder, Wanted
from pairspace.asking.replies import AnswerError, Reply
from pairspace.asking.reply_log import subject_of
from pairspace.constraints.answers_file import AnswerStore
from pairspace.constraints.tables import rows_of_ids

KINDS = ("board", "pair")
SHARED = ("n_clusters", "learners")  # options of the questions that the groups have, too
REFIT_EVERY = 5  # answers, or a tenth of those so far
BOTH_ORDERS = 5  # one in so many questions is asked in both orders
EXAM_EVERY = 20  # one in so many questions is one that another annotator has answered
MOST_FAILURES = 5  # questions in a row that failed: the program is broken
BUDGET, COST, EXHAUSTED = "budget reached", "maximum cost reached", "nothing left to ask"
INTERRUPTED, STOPPED = "interrupted", "stopped"


def ask(
    X: Any,
    answer: Any,
    budget: int = 100,
    *,
    items: Any = None,
    ids: Sequence[Any] | None = None,
    kind: str = "board",
    answers: str | os.PathLike[str] | None = None,
    ask: str = "Are these two the same?",
    annotator: str | None = None,
    version: str = "",
    audit: str | None = None,
    workers: int | None = None,
    max_cost: float | None = None,
    patience: Patience | None = None,
    progress: bool | Show | None = None,
    random_state: Seed = None,
    **options: Any,
) -> AskedClusters:
    """Let a program answer questions about a few rows, and predict the groups of all rows.

    The program is any callable: a rule, a call of a language model, a simulated person. It gets a
    :class:`~pairspace.asking.Query`. For kind "board" it returns the number of one of
    ``query.groups``, "new" (a group of its own), "none" (none of these) or "not sure"; for kind
    "pair", "same", "different" or "not sure". It may return a tuple of the answer and its
    confidence, or a :class:`~pairspace.asking.Reply`, which has a cost, too. It raises
    :class:`~pairspace.asking.AnswerError` if it has no answer; any other error ends the run.

    Every reply is stored in ``answers`` before it is used. After an interrupt, an error or a crash,
    the same call goes on where it was. No question is paid for twice.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data that the questions are chosen from.
    answer : callable
        The program: a function, an async function, or an object with a method ``batch`` that takes
        a list of questions and returns a list of answers.
    budget : int, default=100
        The number of answers, including those of earlier runs that are in ``answers``.
    items : DataFrame or sequence of shape (n_samples,), default=None
        What the program sees of each row; X by default.
    ids : sequence of shape (n_samples,), default=None
        The names of the rows; their numbers by default.
    kind : {"board", "pair"}, default="board"
        "board": which of these groups is this row in? "pair": are these two the same?
    answers : path, default=None
        The answers file, which ``pairspace label`` reads and writes, too. None keeps the answers in
        memory.
    ask : str, default="Are these two the same?"
        What "the same" means: ``query.ask``.
    annotator : str, default=None
        The name under which answers are stored; by default that of the function or class.
    version : str, default=""
        The version of the program. Stored answers of other versions do not replace a call.
    audit : str, default=None
        Ask only about rows that this annotator has placed on boards, those that are least likely to
        be right first. The new answer replaces the old one.
    workers : int, default=None
        How many questions are under way at once. By default 1, and 8 for async functions and
        batches.
    max_cost : float, default=None
        Stop when the costs of all replies reach it.
    patience : Patience, default=None
        How often a failed question is asked again, and the pauses between; three times by default.
    progress : bool or callable, default=None
        Whether to show a progress bar; by default on a terminal, if rich is installed. A callable
        gets a :class:`~pairspace.asking.Status` after each reply, and returns True to stop.
    random_state : int, RandomState or None, default=None
        With an int, the same answers lead to the same questions.
    **options : dict
        Options of :class:`pairspace.active.PairQuestions`, for example ``n_clusters``.

    Returns
    -------
    PairClusters
        The fitted groups of all rows. In addition: ``answers_``, a table of all replies with what
        became of each; ``constraints_``, the answers that count; ``cost_``, the total cost;
        ``groups_``, the groups that answers made; and ``stopped_``, why no more was asked.

    See Also
    --------
    pairspace.label : The same questions to a person.
    pairspace.active.PairQuestions : Chooses the questions.

    Examples
    --------
    >>> import pairspace
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.metrics import adjusted_rand_score
    >>> iris = load_iris(as_frame=True)
    >>> def rule(query):
    ...     kinds = [length_class(group.items[0]) for group in query.groups]
    ...     kind = length_class(query.items[0])
    ...     return query.groups[kinds.index(kind)].number if kind in kinds else "new"
    >>> def length_class(flower):
    ...     return sum(flower["petal length (cm)"] > limit for limit in (2.5, 4.9))
    >>> clusters = pairspace.ask(iris.data, rule, budget=20, random_state=0)
    >>> clusters.stopped_, len(clusters.groups_)
    ('budget reached', 3)
    >>> bool(adjusted_rand_score(iris.target, clusters.labels_) > 0.7)
    True
    """
    _check(budget, kind, workers, max_cost)
    if audit is not None and kind != "board":
        raise ValueError(f"an audit asks boards: kind must be 'board'; got {kind!r}")
    shown = items if isinstance(items, Items) else Items(X, items)
    names = list(rows_of_ids(range(shown.n_rows) if ids is None else ids))
    # Row numbers do not identify the data, so its content must.
    content = shown.digest() if ids is None and answers is not None else b""
    seed = int(check_random_state(random_state).randint(2**31 - 1))
    store = AnswerStore(":memory:" if answers is None else answers, names, content=content)
    try:
        who = str(annotator or getattr(answer, "__name__", None) or type(answer).__name__)
        recorder = Recorder(X, store, who, kind=kind, random_state=seed, **options)
        caller = Caller(answer, workers, patience or Patience())
        run = _Run(recorder, caller, shown, kind, ask, version, budget, max_cost, audit)
        try:
            with showing(progress) as show:
                stopped = run.until_stopped(show)
        finally:
            caller.close()
        of_clusters = {name: options[name] for name in SHARED if name in options}
        clusters = fit_clusters(recorder, X, random_state=seed, **of_clusters)
        clusters.stopped_ = stopped
        clusters.cost_ = recorder.log.totals(recorder.annotator)[1]
        clusters.answers_ = replies_table(recorder, names)
        clusters.constraints_ = recorder.questions.constraints
        clusters.groups_ = recorder.questions.groups
    finally:
        store.close()
    return clusters


class _Run:
    """One run of questions to a program."""

    def __init__(
        self,
        recorder: Recorder,
        caller: Caller,
        items: Items,
        kind: str,
        ask: str,
        version: str,
        budget: int,
        max_cost: float | None,
        audit: str | None,
    ) -> None:
        self._recorder, self._caller, self._items = recorder, caller, items
        self._kind, self._ask, self._version = kind, ask, version
        self._budget, self._max_cost, self._audit = budget, max_cost, audit
        self._failures = self._failed_in_a_row = 0
        self._told_to_stop = False
        self._fitted = recorder.questions.space.n_answers
        self._n_answers, self._cost = recorder.log.totals(recorder.annotator)

    def until_stopped(self, show: Show) -> str:
        """Ask until there is a reason to stop, which is returned."""
        self._told_to_stop = show(self._status) is True
        try:
            # What was answered before an interrupt, and not used yet.
            wanted = self._recorder.derive()
            while True:
                if self._n_answers >= self._budget:
                    return BUDGET
                if self._told_to_stop:
                    return STOPPED
                if self._max_cost is not None and self._cost >= self._max_cost:
                    return COST
                queries = self._next_queries(wanted)
                if not queries:
                    return EXHAUSTED
                self._call(queries, show)
                wanted = self._recorder.derive()
                self._refit_if_due()
        except KeyboardInterrupt:
            warn_caller(
                f"interrupted after {self._n_answers:,} answers: the groups are fitted to these",
            )
            return INTERRUPTED

    @property
    def _status(self) -> Status:
        n_groups = len(self._recorder.questions.groups)
        return Status(self._n_answers, self._budget, self._cost, self._failures, n_groups)

    # ---- Choosing ----------------------------------------------------------------------------

    def _next_queries(self, wanted: Sequence[Wanted]) -> list[Query]:
        """What has to be asked first, and new questions beside it."""
        left = self._budget - self._n_answers
        found = [self._query_for(each) for each in wanted][:left]
        questions = self._recorder.questions
        # With few groups, rows asked about at once would found the same group several times.
        n_at_once = min(self._caller.at_once, max(1, len(questions.groups)))
        left -= len(found)
        if self._audit is not None:
            question = None if found else self._recorder.audit(self._audit)
            return found if question is None else [self._query(question)]
        if not found and self._n_answers % EXAM_EVERY == EXAM_EVERY - 1:
            question = self._recorder.exam(self._kind, self._n_answers)
            if question is not None:
                found.append(replace(self._query(question), exam=True))
        while left > 0 and len(found) < n_at_once:
            taken = [*self._recorder.set_aside, *(query.question for query in found)]
            question = cast("Asked | None", questions.next(besides=taken))
            if question is None:
                break
            query = self._query(question)
            due = (self._n_answers + len(found)) % BOTH_ORDERS == BOTH_ORDERS - 1
            # Not if the other order looks the same: of one group, or of rows that look alike.
            if due and left > 1 and query.in_other_order().id != query.id:
                query = replace(query, orders=2)
            found.append(query)
            left -= query.orders
        return found

    def _query(self, question: Asked, orders: int = 1) -> Query:
        groups = self._recorder.questions.groups
        return query_of(question, groups, self._items, ask=self._ask, orders=orders)

    def _query_for(self, wanted: Wanted) -> Query:
        query = self._query(wanted.question, 1 + wanted.other_order)
        return query.in_other_order() if wanted.other_order else query

    # ---- Calling -----------------------------------------------------------------------------

    def _call(self, queries: Sequence[Query], show: Show) -> None:
        """Ask, and store each reply before anything else happens."""
        log, who = self._recorder.log, self._recorder.annotator
        to_ask: dict[str, Query] = {}
        for query in queries:
            stored = log.find(query, who, self._version)
            if stored is None:
                # Of rows that look alike, one is asked about: the answer serves the others next.
                to_ask.setdefault(query.id, query)
            elif stored.subject == subject_of(query.question):
                # It was answered before, and is open again: the same answer would not help.
                self._recorder.give_up(query.question)
            else:
                log.add(query, stored.as_reply(), who, self._version)
                self._n_answers += 1
        failed: dict[str, tuple[Query, AnswerError]] = {}
        for query, got in self._caller(list(to_ask.values())):
            log.add(query, got, who, self._version)
            self._cost += got.cost
            if isinstance(got, Reply):
                self._n_answers += 1
                failed.pop(query.id, None)
                self._failed_in_a_row = 0
            else:
                self._failures += 1
                failed[query.id] = (query, got)
            if show(self._status) is True:
                self._told_to_stop = True
        for query, failure in failed.values():
            self._recorder.give_up(query.question)
            self._failed_in_a_row += 1
            if self._failed_in_a_row >= MOST_FAILURES:
                raise AnswerError(
                    f"{self._failed_in_a_row} questions in a row failed, the last with: {failure}. "
                    f"{self._n_answers:,} answers are kept; mend the program and start again",
                    raw=failure.raw,
                ) from failure

    def _refit_if_due(self) -> None:
        questions = self._recorder.questions
        n_answered = len(questions.log.answered)
        if n_answered - self._fitted >= max(REFIT_EVERY, n_answered // 10):
            self._recorder.refit()
            self._fitted = n_answered


def replies_table(recorder: Recorder, names: Sequence[Any]) -> Any:
    """All replies of all programs in the file: a frame, or columns if pandas is not installed."""
    replies = recorder.log.all()
    columns: dict[str, list[Any]] = {
        name: [getattr(reply, name) for reply in replies]
        for name in ("time", "annotator", "version")
    }
    columns["kind"] = [reply.question.kind for reply in replies]
    columns["row"] = [names[reply.question.rows[0]] for reply in replies]
    columns["other"] = [
        names[reply.question.rows[1]] if len(reply.question.rows) > 1 else None for reply in replies
    ]
    for name in ("answer", "confidence", "cost", "outcome", "failure", "raw"):
        columns[name] = [getattr(reply, name) for reply in replies]
    return frame_of(columns)


def _check(budget: Any, kind: Any, workers: Any, max_cost: Any) -> None:
    for name, value, least in (("budget", budget, 0), ("workers", workers, 1)):
        if value is None and name == "workers":
            continue
        if not isinstance(value, Integral) or isinstance(value, bool) or int(value) < least:
            raise ValueError(f"{name} must be an integer of at least {least}; got {value!r}")
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(map(repr, KINDS))}; got {kind!r}")
    if max_cost is not None and not (
        isinstance(max_cost, Real) and math.isfinite(float(max_cost)) and float(max_cost) >= 0
    ):
        raise ValueError(f"max_cost must be a number of at least 0 or None; got {max_cost!r}")
