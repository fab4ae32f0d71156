"""Which pair to ask next: a state machine without input and output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from pairspace._core.data import read_table
from pairspace._core.typing import Pair
from pairspace.active.answer_log import (
    Answer,
    AnswerLog,
    AnswerValue,
    Question,
    Reason,
    check_answers,
    check_pair,
    check_value,
    ordered,
)
from pairspace.active.progress import Progress, progress_of, with_snapshot
from pairspace.active.quality import draw_test_pairs
from pairspace.active.space import Refit, Space, TableCache
from pairspace.active.strategies import (
    QuestionContext,
    RowStrategy,
    Strategy,
    random_pairs,
    strategy_of,
)
from pairspace.constraints import Constraints, Contradiction


class PairQuestions:
    """Ask "are these two the same?", one pair at a time, and learn from the answers.

    It has no input and output and starts no thread: a page, a notebook or a simulated person
    drives it. It never asks a pair whose answer is given or implied. A skipped pair may come back
    after 20 answers. An error changes nothing.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data. It is standardised before it is reduced.
    answers : Constraints, or an iterable of Answer, default=None
        Answers to start from: constraints, or the ``history`` of earlier questions.
    strategy : str or Strategy, default="medoids"
        How the next pair is chosen: "random", "uncertain", "explore-consolidate", "min-max" or
        "medoids"; docs/asking.md compares them.
    reducer : estimator, default=None
        Makes the space; ``PairSpace`` by default.
    n_components : int, default=9
        The number of components of ``PairSpace``, at most. Ignored if a reducer is given.
    n_clusters : int, default=None
        The number of classes. By default, as many as the answers have shown to differ.
    learners : "auto", list of str or dict, default="auto"
        The learners that predict the groups of all rows: see :class:`PairClusters`.
    test_every : int or None, default=10
        Every so many questions, one is a test question, drawn at random to judge the clusters.
        None: no test questions.
    random_state : int, RandomState or None, default=None
        With an int, the same answers lead to the same questions.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, species = load_iris(return_X_y=True)
    >>> questions = PairQuestions(X, random_state=0)
    >>> for _ in range(30):
    ...     i, j = questions.next()
    ...     questions.answer((i, j), "same" if species[i] == species[j] else "different")
    >>> questions.adopt(questions.plan().fit())
    >>> questions.progress.answers
    30
    """

    def __init__(
        self,
        X: Any,
        *,
        answers: Constraints | Iterable[Answer] | None = None,
        strategy: str | Strategy = "medoids",
        reducer: Any = None,
        n_components: int = 9,
        n_clusters: int | None = None,
        learners: Any = "auto",
        test_every: int | None = 10,
        random_state: Any = None,
    ) -> None:
        _check_integer("n_components", n_components, least=1)
        _check_integer("n_clusters", n_clusters, least=2, or_none=True)
        _check_integer("test_every", test_every, least=2, or_none=True)
        self._X = read_table(X, at_least=2)
        self._strategy = strategy_of(strategy)
        self._reducer = reducer
        self._n_components = n_components
        self._n_clusters = n_clusters
        self._learners = learners
        self._test_every = test_every
        self._seed = int(check_random_state(random_state).randint(2**31 - 1))
        self._log = check_answers(answers, self._X.shape[0])
        self._current: Question | None = None
        # Questions proposed beside the current one: an answer is recorded with their reason.
        self._proposed: dict[Pair, Question] = {}
        self._cache = TableCache()
        self._space = self.plan().fit()
        self._snapshots = with_snapshot([], self._space)

    # ---- Questions and answers ---------------------------------------------------------------

    def next(self, *, besides: Iterable[Pair] = ()) -> Pair | None:
        """Return the pair to ask next.

        It stays the same until it is answered or another is asked.

        Parameters
        ----------
        besides : iterable of pairs, default=()
            Pairs not to return, for example because other people are being asked about them. The
            current question stays what it is.

        Returns
        -------
        tuple of two ints, or None
            Two rows; None if no pair is left. Pairs skipped recently do not count as left.
        """
        excluded = {ordered(pair) for pair in besides}
        question = self._current
        if question is None or ordered(question.pair) in excluded:
            question = self._choose(excluded)
        if question is None:
            return None
        if excluded:
            self._proposed[ordered(question.pair)] = question
        else:
            self._current = question
        return question.pair

    def next_row(self) -> int | None:
        """Return the row to place next beside the known groups.

        Groups come from answers, so the first question is a pair: see :meth:`next`.

        Returns
        -------
        int or None
            A row that the answers do not place; None if no row is left.
        """
        context = self._context()
        asked = set(context.asked_rows.tolist())
        rows = self._strategy.rows(context) if isinstance(self._strategy, RowStrategy) else ()
        drawn = context.random.permutation(self._X.shape[0]).tolist()
        return next((row for row in chain(rows, drawn) if row not in asked), None)

    def representatives(self) -> list[int]:
        """Return a row for each known group, to compare the next row with.

        Returns
        -------
        list of int
            For each group the row nearest to its mean.
        """
        return self._context().representatives()

    def place(self, row: int, same_as: int | None) -> Contradiction | None:
        """Record that a row is of the group of another row, or of a group of its own.

        This records "same" with the given row and "different" with a row of each other group.

        Parameters
        ----------
        row : int
            The row to place.
        same_as : int or None
            A row of its group; None if it is of none of the known groups.

        Returns
        -------
        Contradiction or None
            The contradiction with earlier answers, if nothing was recorded; None otherwise.
        """
        n_rows = self._X.shape[0]
        log = AnswerLog(n_rows, self._log.answers)
        pairs: list[tuple[Pair, AnswerValue]] = []
        if same_as is not None:
            pairs.append((check_pair((row, same_as), n_rows), "same"))
        for other in self.representatives():
            if other != row and (same_as is None or log.known.entails(same_as, other) is not True):
                pairs.append((check_pair((row, other), n_rows), "different"))
        for pair, value in pairs:
            contradiction = log.add(Question(pair, "strategy", self._same_cluster(pair)), value)
            if contradiction is not None:
                return contradiction
        if not pairs:
            raise ValueError("there is no group to place a row beside: answer a pair first")
        self._log, self._current = log, None
        return None

    def ask(self, i: int, j: int) -> None:
        """Make a pair that the person chose the current question, known or not.

        Parameters
        ----------
        i, j : int
            Two rows.
        """
        pair = check_pair((i, j), self._X.shape[0])
        self._current = Question(pair, "person", self._same_cluster(pair))

    def answer(self, pair: Pair, value: AnswerValue) -> Contradiction | None:
        """Record the answer to a pair, the current one or another.

        An answer that contradicts earlier ones is not recorded. Retract one of the answers of the
        contradiction, and answer again.

        Parameters
        ----------
        pair : tuple of two ints
            Two rows, in any order.
        value : {"same", "different", "skip"}
            The answer.

        Returns
        -------
        Contradiction or None
            The contradiction with earlier answers; None if the answer was recorded.
        """
        value = check_value(value)
        question = self.question_about(pair)
        contradiction = self._log.add(question, value)
        if contradiction is not None:
            return contradiction
        self._proposed.pop(ordered(question.pair), None)
        current = self._current
        if current is not None:
            chosen_here = current.reason != "person"
            if question is current or (chosen_here and not self._log.may_ask(current.pair)):
                self._current = None
        return None

    def contradiction_with(self, pair: Pair, value: AnswerValue) -> Contradiction | None:
        """Check whether an answer would contradict earlier ones; nothing is recorded.

        Parameters
        ----------
        pair : tuple of two ints
            Two rows, in any order.
        value : {"same", "different", "skip"}
            The answer.

        Returns
        -------
        Contradiction or None
            The contradiction, with the shortest chain of answers that proves it.
        """
        return self._log.contradiction_with(check_pair(pair, self._X.shape[0]), check_value(value))

    def question_about(self, pair: Pair) -> Question:
        """Return the question that an answer to a pair would be recorded with.

        Parameters
        ----------
        pair : tuple of two ints
            Two rows, in any order.

        Returns
        -------
        Question
            The question as it was asked. For a pair that was not asked, the reason is "person".
        """
        pair = check_pair(pair, self._X.shape[0])
        if self._current is not None and ordered(self._current.pair) == ordered(pair):
            return self._current
        proposed = self._proposed.get(ordered(pair))
        return proposed or Question(pair, "person", self._same_cluster(pair))

    def retract(self, pair: Pair) -> None:
        """Remove the answer to a pair.

        Parameters
        ----------
        pair : tuple of two ints
            Two rows, in any order.
        """
        self._log = self._log.without(check_pair(pair, self._X.shape[0]))

    def undo(self) -> Pair | None:
        """Remove the last answer or skip, and make its pair the current question again.

        Returns
        -------
        tuple of two ints, or None
            The pair; None if there is no answer.
        """
        if not self._log.answers:
            return None
        last = self._log.answers[-1].question
        self._log, self._current = self._log.without_last(), last
        return last.pair

    # ---- What is known -----------------------------------------------------------------------

    @property
    def history(self) -> tuple[Answer, ...]:
        """All answers and skips in order; pass them as ``answers=`` to continue later."""
        return tuple(self._log.answers)

    @property
    def constraints(self) -> Constraints:
        """The answers as constraints, without what they imply."""
        return self._log.constraints

    @property
    def progress(self) -> Progress:
        """The progress so far, and whether to stop."""
        return progress_of(self._log, self._snapshots)

    # ---- The space ---------------------------------------------------------------------------

    @property
    def space(self) -> Space:
        """The space that questions are chosen in, from the last ``adopt``."""
        return self._space

    @property
    def outdated(self) -> bool:
        """Whether the answers have changed since the space was fitted."""
        return self.space.constraints != self.constraints

    def plan(self) -> Refit:
        """Return all that a new fit needs, as of now.

        Returns
        -------
        Refit
            Its ``fit()`` may run in a thread or a process.
        """
        return Refit(
            X=self._X,
            constraints=self.constraints,
            reducer=self._reducer,
            n_components=self._n_components,
            n_clusters=self._n_clusters,
            seed=self._seed,
            learners=self._learners,
            cache=self._cache,
        )

    def adopt(self, space: Space) -> None:
        """Choose the next questions in a new space.

        Parameters
        ----------
        space : Space
            What ``plan().fit()`` returned.
        """
        if not isinstance(space, Space) or len(space.embedding) != self._X.shape[0]:
            raise ValueError("space must be the result of plan().fit() on the same data")
        self._snapshots, self._space = with_snapshot(self._snapshots, space), space

    # ---- Choosing ----------------------------------------------------------------------------

    def _context(self) -> QuestionContext:
        # Made anew for each question, so that undo and the same answer lead to the same one.
        random = np.random.RandomState([self._seed, len(self._log.answers)])
        return QuestionContext(self.space, self._log, self._n_clusters, random)

    def _choose(self, excluded: set[Pair]) -> Question | None:
        context = self._context()
        random = context.random
        chosen = chain(
            self._strategy.pairs(context),
            random_pairs(self._X.shape[0], random),
            self._log.known.open_pairs(),
        )
        by_reason: dict[Reason, Iterator[Pair]] = {
            "test": self._test_pairs(random),
            "strategy": chosen,
        }
        for reason, pairs in by_reason.items():
            for pair in pairs:
                if self._log.may_ask(pair) and ordered(pair) not in excluded:
                    return Question(pair, reason, self._same_cluster(pair))
        return None

    def _test_pairs(self, random: np.random.RandomState) -> Iterator[Pair]:
        constraints = self.constraints
        n_answers = len(constraints.must_link) + len(constraints.cannot_link)
        if self._test_every is None or (n_answers + 1) % self._test_every:
            return
        n_tests = sum(answer.question.reason == "test" for answer in self._log.answers)
        yield from draw_test_pairs(
            self.space.clusters, same_cluster=n_tests % 2 == 0, random=random
        )

    def _same_cluster(self, pair: Pair) -> bool:
        i, j = self.space.clusters[list(pair)]
        return bool(i == j)


def _check_integer(name: str, value: Any, *, least: int, or_none: bool = False) -> None:
    if value is None and or_none:
        return
    if not isinstance(value, Integral) or isinstance(value, bool) or int(value) < least:
        kind = f"an integer of at least {least}" + " or None" * or_none
        raise ValueError(f"{name} must be {kind}; got {value!r}")
