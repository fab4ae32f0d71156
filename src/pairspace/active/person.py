"""A simulated person, who answers any kind of question by known labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from pairspace._core.typing import Seed
from pairspace.active.kinds import (
    NEW,
    BoardQuestion,
    Group,
    Marked,
    PairQuestion,
    PickQuestion,
    Response,
)


class SimulatedPerson:
    """Answers questions by known labels, for tests and studies.

    Like a person, it knows what each of its groups is about: the class of the row that founded it.
    It answers each row of a grid on its own, and errs on each with the same chance.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The class of each row.
    wrong : float, default=0.0
        The chance of a wrong answer. A wrong placement names another class at random.
    random_state : int, RandomState or None, default=None
        The source of the errors.

    Examples
    --------
    >>> from pairspace.active import PairQuestions
    >>> from sklearn.datasets import load_iris
    >>> X, species = load_iris(return_X_y=True)
    >>> questions = PairQuestions(X, random_state=0)
    >>> person = SimulatedPerson(species)
    >>> for _ in range(10):
    ...     question = questions.next()
    ...     questions.answer(question, person(question, questions.groups))
    >>> len(questions.groups)
    3
    """

    def __init__(self, y: Any, *, wrong: float = 0.0, random_state: Seed = None) -> None:
        self.y = np.asarray(y)
        self.wrong = wrong
        self._random = check_random_state(random_state)
        self._means: dict[int, Any] = {}  # number of a group: the class it is about

    def __call__(self, question: Any, groups: Sequence[Group] | None = None) -> Response:
        """Answer a question.

        Parameters
        ----------
        question : Question, or Query
            A question of any kind; or what ``pairspace.ask`` passes, which has the groups.
        groups : sequence of Group, default=None
            The groups so far.

        Returns
        -------
        object
            The answer, as ``PairQuestions.answer`` takes it.
        """
        if groups is None:
            question, groups = question.question, question.known
        for group in groups:
            self.meaning(group)
        if isinstance(question, PairQuestion):
            i, j = question.pair
            return "same" if self._said(self.y[i] == self.y[j]) else "different"
        if isinstance(question, BoardQuestion):
            return self._place(question, groups)
        if isinstance(question, PickQuestion):
            same = self.y[list(question.candidates)] == self.y[question.row]
            marks = [self._said(each) for each in same]
        else:
            means = self._means[question.number]
            marks = [self._said(self.y[row] != means) for row in question.candidates]
        rows = zip(question.candidates, marks, strict=True)
        return Marked(tuple(row for row, marked in rows if marked))

    def meaning(self, group: Group) -> Any:
        """Return the class that a group is about.

        Parameters
        ----------
        group : Group
            A group.

        Returns
        -------
        object
            One of the values of ``y``.
        """
        return self._means.setdefault(group.number, self.y[group.anchor])

    def _place(self, question: BoardQuestion, groups: Sequence[Group]) -> Response:
        means = self.y[question.row]
        if self.wrong and self._random.random_sample() < self.wrong:
            others = np.setdiff1d(self.y, [means])
            means = self._random.choice(others) if len(others) else means  # one class: no error
        found = [group.number for group in groups if self._means[group.number] == means]
        if found:
            return found[0]
        # The class that it believes the row to be of, which the row need not be.
        self._means[1 + max([group.number for group in groups], default=0)] = means
        return NEW

    def _said(self, truth: Any) -> bool:
        return bool(truth) != bool(self.wrong and self._random.random_sample() < self.wrong)
