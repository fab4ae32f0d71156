"""The steps that a person has taken, and what they say, without a space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from pairspace._core.typing import Ints, Pair
from pairspace.active.actions import merge_step, name_step, retract_step, split_step
from pairspace.active.answer_log import AnswerLog, check_pair, check_steps, check_value
from pairspace.active.equal_rows import first_equal_rows
from pairspace.active.kinds import AnswerValue, Group, Question, Step
from pairspace.constraints import UNKNOWN, Constraints, Contradiction


class RecordedSteps:
    """Records steps and takes them back: the part of ``PairQuestions`` that needs no space.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        The data.
    answers : Constraints, or an iterable of Step
        What is known at the start.
    """

    def __init__(self, X: Any, answers: Constraints | Iterable[Step] | None) -> None:
        self._X = X
        self._log = check_steps(answers, X.shape[0])
        self._first_equal = first_equal_rows(X)
        self._current: Question | None = None  # the question that is being asked

    def _same_cluster(self, pair: Pair) -> bool | None:
        """Whether two rows are predicted to be in one group; None if nothing is predicted."""
        return None

    @property
    def first_equal(self) -> Ints:
        """For each row the first row that is exactly equal to it: only that one is asked about."""
        return self._first_equal

    # ---- Steps -------------------------------------------------------------------------------

    def record(self, step: Step) -> Contradiction | None:
        """Record a step.

        Parameters
        ----------
        step : Step
            What :meth:`step` returned.

        Returns
        -------
        Contradiction or None
            The contradiction with earlier answers; None if the step was recorded.
        """
        found = self._log.record(step)
        if found is None:
            self._current = None
        return found

    def undo(self) -> Step | None:
        """Take back the last step.

        Returns
        -------
        Step or None
            The step; None if there is none.
        """
        if not self._log.steps:
            return None
        last = self._log.steps[-1]
        self.take_back(len(self._log.steps) - 1)
        return last

    def take_back(self, at: int) -> Contradiction | None:
        """Take back any step.

        Parameters
        ----------
        at : int
            Its place in ``history``.

        Returns
        -------
        Contradiction or None
            If what the step replaced contradicts later answers, the contradiction, and nothing
            changes; None otherwise.
        """
        found = self._log.without(at)
        if found is None:
            self._current = None
        return found

    def restore(self, history: Iterable[Step]) -> None:
        """Replace all steps.

        Parameters
        ----------
        history : iterable of Step
            The new steps.
        """
        self._log, self._current = check_steps(list(history), self._X.shape[0]), None

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

    # ---- Groups ------------------------------------------------------------------------------

    @property
    def groups(self) -> list[Group]:
        """The groups that the person has made, in the order of their numbers."""
        return self._log.groups

    def merge(self, target: int, source: int) -> Contradiction | None:
        """Make a group a part of another one, which keeps its number and name.

        Parameters
        ----------
        target, source : int
            The numbers of two groups.

        Returns
        -------
        Contradiction or None
            None, unless earlier answers contradict it.
        """
        return self.record(merge_step(self._log, target, source, self._same_cluster))

    def split(self, number: int, rows: Sequence[int]) -> Contradiction | None:
        """Make some rows of a group a group of their own.

        Parameters
        ----------
        number : int
            The number of the group.
        rows : sequence of int
            Some of its rows.

        Returns
        -------
        Contradiction or None
            None, unless earlier answers contradict it.
        """
        return self.record(split_step(self._log, number, rows, self._same_cluster))

    def rename(self, number: int, name: str) -> None:
        """Name a group.

        Parameters
        ----------
        number : int
            The number of the group.
        name : str
            The name; empty to remove it.
        """
        self.record(name_step(self._log, number, name))

    def retract(self, pair: Pair) -> Contradiction | None:
        """Take back the answer to a pair.

        Parameters
        ----------
        pair : tuple of two ints
            Two rows, in any order.

        Returns
        -------
        Contradiction or None
            None.
        """
        return self.record(retract_step(self._log, [check_pair(pair, self._X.shape[0])]))

    # ---- What is known -----------------------------------------------------------------------

    @property
    def history(self) -> tuple[Step, ...]:
        """All steps in order; pass them as ``answers=`` to continue later."""
        return tuple(self._log.steps)

    @property
    def log(self) -> AnswerLog:
        """The steps, and what they imply."""
        return self._log

    @property
    def constraints(self) -> Constraints:
        """The answers as constraints, without what they imply."""
        return self._log.constraints

    @property
    def labels(self) -> Ints:
        """The numbers of the groups that rows, and rows equal to them, were placed in; or −1."""
        placed = self._log.placements
        of_first = np.full(self._X.shape[0], UNKNOWN)
        rows = np.fromiter(placed, dtype=np.int64, count=len(placed))
        numbers = np.fromiter(placed.values(), dtype=np.int64, count=len(placed))
        of_first[self._first_equal[rows]] = numbers
        labels = of_first[self._first_equal]
        labels[rows] = numbers
        return labels
