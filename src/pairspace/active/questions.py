"""Which question to ask next: a state machine without input and output."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any, get_args

from sklearn.utils import check_random_state

from pairspace._core.data import read_table
from pairspace._core.typing import Pair, Seed
from pairspace.active.actions import step_of
from pairspace.active.answer_log import check_pair, check_row
from pairspace.active.choosing import Chooser
from pairspace.active.fitted import FittedSteps
from pairspace.active.kinds import (
    BoardQuestion,
    Kind,
    PairQuestion,
    PickQuestion,
    Question,
    Reason,
    Response,
    Step,
    SweepQuestion,
    check_kind,
)
from pairspace.active.strategies import Strategy, strategy_of
from pairspace.constraints import Constraints, Contradiction


class PairQuestions(FittedSteps):
    """Ask a person about a few rows, one screen at a time, and learn from the answers.

    It has no input and output and starts no thread: a page, a notebook or a simulated person
    drives it. It never asks what is known or implied. A skipped question may come back after 20
    others. An error changes nothing. Rows that are exactly equal are one question.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data.
    answers : Constraints, or an iterable of Step, default=None
        Answers to start from: constraints, or the ``history`` of earlier questions.
    kind : {"mixed", "board", "pick", "sweep", "pair"}, default="mixed"
        The kind of questions. "board": which of these groups is this row in? "pick": which of
        these are the same as this row? "sweep": which of these do not belong to this group?
        "pair": are these two the same? "mixed" asks boards and sweeps. All but "pair" start with
        boards, until the groups of other rows can be predicted.
    strategy : str or Strategy, default=None
        How pairs and rows are chosen: "random", "uncertain", "explore-consolidate", "min-max",
        "medoids" or "doubt"; :doc:`/guide/asking` compares them. By default "medoids" for pairs and
        "doubt" otherwise.
    reducer : estimator, default=None
        Makes the space; ``PairSpace`` by default.
    n_components : int, default=9
        The number of components of ``PairSpace``, at most. Ignored if a reducer is given.
    n_clusters : int, default=None
        The number of classes. By default, as many as the answers have shown to differ.
    learners : "auto", list of str or dict, default="auto"
        The learners that predict the groups of all rows: see :class:`PairClusters`.
    test_every : int or None, default=10
        Every so many questions, one is a test question, drawn at random to judge the predicted
        groups. None: no test questions.
    random_state : int, RandomState or None, default=None
        With an int, the same answers lead to the same questions.

    Examples
    --------
    >>> from pairspace.active import SimulatedPerson
    >>> from sklearn.datasets import load_iris
    >>> X, species = load_iris(return_X_y=True)
    >>> questions = PairQuestions(X, random_state=0)
    >>> person = SimulatedPerson(species)
    >>> for _ in range(12):
    ...     question = questions.next()
    ...     questions.answer(question, person(question, questions.groups))
    >>> [len(group.rows) > 1 for group in questions.groups]
    [True, True, True]
    >>> questions.adopt(questions.plan().fit())
    >>> questions.space.clusters.shape
    (150,)
    """

    def __init__(
        self,
        X: Any,
        *,
        answers: Constraints | Iterable[Step] | None = None,
        kind: Kind = "mixed",
        strategy: str | Strategy | None = None,
        reducer: Any = None,
        n_components: int = 9,
        n_clusters: int | None = None,
        learners: Any = "auto",
        test_every: int | None = 10,
        random_state: Seed = None,
    ) -> None:
        _check_integer("n_components", n_components, least=1)
        _check_integer("n_clusters", n_clusters, least=2, or_none=True)
        _check_integer("test_every", test_every, least=2, or_none=True)
        self._kind = check_kind(kind)
        self._given_strategy = None if strategy is None else strategy_of(strategy)
        self._test_every = test_every
        super().__init__(
            read_table(X, at_least=2),
            answers,
            reducer=reducer,
            n_components=n_components,
            n_clusters=n_clusters,
            learners=learners,
            seed=int(check_random_state(random_state).randint(2**31 - 1)),
        )

    # ---- Questions and answers ---------------------------------------------------------------

    def next(
        self, kind: Kind | None = None, *, besides: Iterable[Question] = ()
    ) -> Question | None:
        """Return the question to ask next.

        It stays the same until it is answered or another is asked.

        Parameters
        ----------
        kind : {"mixed", "board", "pick", "sweep", "pair"}, default=None
            The kind of question, if not that of the constructor.
        besides : iterable of questions, default=()
            Questions that other people are being asked: none of their rows is asked about.

        Returns
        -------
        PairQuestion, BoardQuestion, PickQuestion, SweepQuestion or None
            The question; None if nothing is left to ask. What was skipped recently does not count
            as left.
        """
        kind = self._kind if kind is None else check_kind(kind)
        others = list(besides)
        current = self._current
        if (
            current is not None
            and current not in others
            and (current.reason == "person" or kind in ("mixed", current.kind))
        ):
            return current
        chooser = self._chooser(kind, others)
        if kind == "pair":
            pairs = {other.pair for other in others if isinstance(other, PairQuestion)}
            question: Question | None = chooser.pair({*pairs, *(pair[::-1] for pair in pairs)})
        else:
            question = chooser.next(kind)
        if not others:
            self._current = question
        return question

    def pair_of(self, *pair: int) -> PairQuestion:
        """Return the question whether two rows that the person chose are the same.

        Parameters
        ----------
        *pair : int
            Two rows.

        Returns
        -------
        PairQuestion
            The question.
        """
        rows = check_pair(pair, self._X.shape[0])
        return PairQuestion(rows, "person", self._same_cluster(rows))

    def board_of(self, row: int, *, again: bool = False) -> BoardQuestion:
        """Return the question which group a row that the person chose is in.

        Parameters
        ----------
        row : int
            A row, placed or not.
        again : bool, default=False
            Whether what was said about it may be wrong: then the answer replaces it, and is no
            contradiction.

        Returns
        -------
        BoardQuestion
            The question.
        """
        reason: Reason = "recheck" if again else "person"
        return self._chooser("board").board_of(check_row(row, self._X.shape[0]), reason)

    def pick_of(self, row: int, candidates: Sequence[int]) -> PickQuestion:
        """Return the question which of some rows are the same as a row.

        Parameters
        ----------
        row : int
            A row.
        candidates : sequence of int
            Other rows.

        Returns
        -------
        PickQuestion
            The question.
        """
        n_rows = self._X.shape[0]
        rows = tuple(check_row(each, n_rows) for each in candidates if each != row)
        return PickQuestion(check_row(row, n_rows), rows, "person")

    def sweep_of(self, number: int, rows: Sequence[int] | None = None) -> SweepQuestion:
        """Return the question which rows do not belong to a group.

        Parameters
        ----------
        number : int
            The number of the group.
        rows : sequence of int, default=None
            The rows to look at; by default the members and predicted members that are least sure.

        Returns
        -------
        SweepQuestion
            The question.
        """
        chooser, group = self._chooser("sweep"), self._log.group(number)
        if rows is None:
            rows = chooser.members_to_sweep(group)
        return chooser.sweep_of(group, [check_row(row, self._X.shape[0]) for row in rows], "person")

    def answer(
        self, question: Question | Pair, response: Response, *, by: str = ""
    ) -> Contradiction | None:
        """Record the answer to a question, the current one or another.

        An answer that contradicts earlier ones is not recorded. Take back one of the answers of
        the contradiction, and answer again. A row placed on a board is no contradiction where the
        same person alone has said that it is not in this group: the newer word replaces theirs.

        Parameters
        ----------
        question : Question, or tuple of two ints
            The question, or a pair that the person chose.
        response : object
            Pair: "same", "different" or "skip". Board: the number of a group, "new" or
            ("new", name), "none", "skip" or "aside". Pick and sweep: the marked rows, or a
            :class:`Marked`.
        by : str, default=""
            Who answers.

        Returns
        -------
        Contradiction or None
            The contradiction with earlier answers; None if the answer was recorded.
        """
        return self.record(self.step(question, response, by=by))

    def step(self, question: Question | Pair, response: Response, *, by: str = "") -> Step:
        """Return what an answer would record; nothing is recorded.

        Parameters
        ----------
        question : Question, or tuple of two ints
            The question, or a pair that the person chose.
        response : object
            The answer: see :meth:`answer`.
        by : str, default=""
            Who answers.

        Returns
        -------
        Step
            The step, for :meth:`record`.
        """
        asked = question if isinstance(question, get_args(Question)) else self.pair_of(*question)
        return step_of(self._log, asked, response, self._same_cluster, by)

    # ---- Choosing ----------------------------------------------------------------------------

    def _chooser(self, kind: Kind, others: Sequence[Question] = ()) -> Chooser:
        strategy = self._given_strategy or strategy_of("medoids" if kind == "pair" else "doubt")
        taken = frozenset(row for other in others for row in other.rows)
        return Chooser(self._context(), strategy, self._test_every, self._first_equal, taken)


def _check_integer(name: str, value: Any, *, least: int, or_none: bool = False) -> None:
    if value is None and or_none:
        return
    if not isinstance(value, Integral) or isinstance(value, bool) or int(value) < least:
        kind = f"an integer of at least {least}" + " or None" * or_none
        raise ValueError(f"{name} must be {kind}; got {value!r}")
