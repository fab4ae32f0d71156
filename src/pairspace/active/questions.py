"""Which pair to ask next: a state machine without input and output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils import check_array, check_random_state

from pairspace._core.typing import Pair
from pairspace.active.answers import Answer, Question, Said, read_answers, read_pair, read_said
from pairspace.active.progress import Progress, progress_of, with_snapshot
from pairspace.active.quality import exam_pairs
from pairspace.active.space import Refit, Space
from pairspace.active.strategies import Situation, Strategy, random_pairs, strategy_of
from pairspace.constraints import Constraints, Contradiction


class PairQuestions:
    """Asks "are these two the same?", one pair at a time, and learns from the answers.

    It has no input and output and starts no thread: a page, a notebook or a simulated person drive
    it. It never asks what follows from the answers, and never the same pair twice; a pair that was
    skipped rests for 20 answers. An error leaves it as it was.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data. It is standardised before it is reduced.
    answers : Constraints, or an iterable of Answer, default=None
        What is known already: pairs, or the ``history`` of earlier questions.
    strategy : str or Strategy, default="medoids"
        Which pair is next: "random", "uncertain", "explore-consolidate", "min-max", "medoids".
        docs/asking.md compares them.
    reducer : estimator, default=None
        What makes the space: ``PairSpace`` if not given.
    n_components : int, default=9
        Of the space, at most; not for a given reducer.
    n_clusters : int, default=None
        How many classes there are. None: as many as the answers have shown to differ.
    exam_every : int or None, default=10
        Every so many questions one is drawn at random to judge the clusters; None: never.
    random_state : int, RandomState or None
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
        exam_every: int | None = 10,
        random_state: Any = None,
    ) -> None:
        for name, value, least in (
            ("n_components", n_components, 1),
            ("n_clusters", n_clusters, 2),
            ("exam_every", exam_every, 2),
        ):
            may_be_none = name != "n_components"
            if not (value is None and may_be_none) and not _is_whole(value, least):
                raise ValueError(f"{name}={value!r}: it is a whole number from {least} on")
        self._X = check_array(
            X, accept_sparse="csr", dtype=(np.float64, np.float32), ensure_min_samples=2
        )
        self._strategy = strategy_of(strategy)
        self._reducer = reducer
        self._n_components = n_components
        self._n_clusters = n_clusters
        self._exam_every = exam_every
        self._seed = int(check_random_state(random_state).randint(2**31 - 1))
        self._answers = read_answers(answers, self._X.shape[0])
        self._current: Question | None = None
        self._space = self.plan().fit()
        self._snapshots = with_snapshot([], self._space)

    # ---- Questions and answers ---------------------------------------------------------------

    def next(self) -> Pair | None:
        """The pair to ask: the same until it is answered or another is asked; None if none is left.

        Pairs that were skipped lately do not count as left.
        """
        if self._current is None:
            self._current = self._choose()
        return None if self._current is None else self._current.pair

    def ask(self, i: int, j: int) -> None:
        """Make a pair of the person's choice the current one, known or not."""
        pair = read_pair((i, j), self._X.shape[0])
        self._current = Question(pair, "person", self._together(pair))

    def answer(self, pair: Pair, said: Said) -> Contradiction | None:
        """Record what was said about a pair, be it the current one or another.

        An answer that contradicts earlier ones is not recorded: it is returned with the chain that
        proves it. Take back one of the answers of the chain, and answer again.

        Parameters
        ----------
        pair : (int, int)
            Two rows, in any order.
        said : {"same", "different", "skip"}
            What the person said.
        """
        pair, said = read_pair(pair, self._X.shape[0]), read_said(said)
        question = self._current
        if question is None or set(question.pair) != set(pair):
            question = Question(pair, "person", self._together(pair))
        contradiction = self._answers.add(question, said)
        if contradiction is None and self._current is not None:
            answered = question is self._current
            chosen_here = self._current.reason != "person"
            if answered or (chosen_here and not self._answers.may_ask(self._current.pair)):
                self._current = None
        return contradiction

    def take_back(self, pair: Pair) -> None:
        """Forget the answer to a pair."""
        self._answers = self._answers.without(read_pair(pair, self._X.shape[0]))

    def undo(self) -> Pair | None:
        """Forget the last answer or skip, and ask that pair again; None if there is none."""
        if not self._answers.history:
            return None
        last = self._answers.history[-1].question
        self._answers, self._current = self._answers.without_last(), last
        return last.pair

    # ---- What is known -----------------------------------------------------------------------

    @property
    def history(self) -> tuple[Answer, ...]:
        """All answers in their order: to be kept, and to go on from as ``answers=``."""
        return tuple(self._answers.history)

    @property
    def constraints(self) -> Constraints:
        """The answers as pairs, without what they imply."""
        return self._answers.constraints

    @property
    def progress(self) -> Progress:
        """How far the questions have come, and whether to stop."""
        return progress_of(self._answers, self._snapshots)

    # ---- The space ---------------------------------------------------------------------------

    @property
    def space(self) -> Space:
        """The space that questions are chosen in: as old as the last ``adopt``."""
        return self._space

    @property
    def outdated(self) -> bool:
        """Whether the answers are others than those the space was fitted with."""
        return self.space.constraints != self.constraints

    def plan(self) -> Refit:
        """All that a new fit needs, as of now; its ``fit()`` may run in a thread or a process."""
        return Refit(
            X=self._X,
            constraints=self.constraints,
            reducer=self._reducer,
            n_components=self._n_components,
            n_clusters=self._n_clusters,
            seed=self._seed,
        )

    def adopt(self, space: Space) -> None:
        """Choose the next questions in this space, which ``plan().fit()`` has made."""
        if not isinstance(space, Space) or len(space.embedding) != self._X.shape[0]:
            raise ValueError("adopt takes what plan().fit() returned for the same data")
        self._snapshots, self._space = with_snapshot(self._snapshots, space), space

    # ---- Inside ------------------------------------------------------------------------------

    def _choose(self) -> Question | None:
        # Made anew for each question, so that undo and the same answer lead to the same one.
        random = np.random.RandomState([self._seed, len(self._answers.history)])
        for pair in self._exam(random):
            if self._answers.may_ask(pair):
                return Question(pair, "exam", self._together(pair))
        situation = Situation(self.space, self._answers, self._n_clusters, random)
        pairs = chain(
            self._strategy.pairs(situation),
            random_pairs(self._X.shape[0], random),
            self._answers.known.open_pairs(),
        )
        for pair in pairs:
            if self._answers.may_ask(pair):
                return Question(pair, "strategy", self._together(pair))
        return None

    def _exam(self, random: np.random.RandomState) -> Iterator[Pair]:
        n_answers = len(self._answers.constraints.must_link) + len(
            self._answers.constraints.cannot_link
        )
        if self._exam_every is None or (n_answers + 1) % self._exam_every:
            return
        n_exams = sum(answer.question.reason == "exam" for answer in self._answers.history)
        yield from exam_pairs(self.space.clusters, together=n_exams % 2 == 0, random=random)

    def _together(self, pair: Pair) -> bool:
        i, j = self.space.clusters[list(pair)]
        return bool(i == j)


def _is_whole(value: Any, least: int) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= least
