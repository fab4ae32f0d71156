"""The space and the groups fitted to the steps that a person has taken."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from pairspace._core.typing import Floats, Pair
from pairspace.active.kinds import Step
from pairspace.active.progress import Progress, progress_of, with_snapshot
from pairspace.active.recorded import RecordedSteps
from pairspace.active.refit import Refit, TableCache
from pairspace.active.space import Space
from pairspace.active.strategies import QuestionContext
from pairspace.constraints import UNKNOWN, Constraints


class FittedSteps(RecordedSteps):
    """Steps and the space that was last fitted to them: the part of ``PairQuestions`` that fits.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        The data.
    answers : Constraints, or an iterable of Step
        What is known at the start.
    reducer, n_components, n_clusters, learners
        See ``PairQuestions``.
    seed : int
        The seed of all random draws.
    """

    def __init__(
        self,
        X: Any,
        answers: Constraints | Iterable[Step] | None,
        *,
        reducer: Any,
        n_components: int,
        n_clusters: int | None,
        learners: Any,
        seed: int,
    ) -> None:
        super().__init__(X, answers)
        self._reducer = reducer
        self._n_components = n_components
        self._n_clusters = n_clusters
        self._learners = learners
        self._seed = seed
        self._cache = TableCache()
        self._space = self.plan().fit()
        self._snapshots = with_snapshot([], self._space)

    def group_probabilities(self) -> Floats:
        """Return the probability of each of the person's groups for each row.

        Rows that were placed since the last fit are in their group for certain; rows that no group
        is predicted for have equal probabilities.

        Returns
        -------
        ndarray of shape (n_samples, n_groups)
            The columns are in the order of ``groups``.
        """
        P = self._context().probabilities
        column = {group.number: at for at, group in enumerate(self.groups)}
        labels = self.labels
        for row in np.flatnonzero(labels != UNKNOWN).tolist():
            at = column[int(labels[row])]
            if not P[row, at]:
                P[row] = 0
                P[row, at] = 1
        P[~P.any(axis=1)] = 1
        return np.asarray(P / P.sum(axis=1, keepdims=True))

    @property
    def progress(self) -> Progress:
        """The progress so far, and whether to stop."""
        return progress_of(self._log, self._snapshots, self._space)

    @property
    def space(self) -> Space:
        """The space that questions are chosen in, from the last ``adopt``."""
        return self._space

    @property
    def outdated(self) -> bool:
        """Whether the answers have changed since the space was fitted."""
        return (
            self.space.constraints != self.constraints
            or not np.array_equal(self.space.labels, self.labels)
            # A second look that agrees says nothing new, but then its row is not outvoted.
            or self.space.n_answers != len(self._log.answered)
        )

    def plan(self, weights: Floats | None = None) -> Refit:
        """Return all that a new fit needs, as of now.

        Parameters
        ----------
        weights : ndarray of shape (n_samples,), default=None
            How far the group that each row was placed in counts, from 0 to 1; 1 by default.

        Returns
        -------
        Refit
            Its ``fit()`` may run in a thread or a process.
        """
        first, looks, labels = self._first_equal, self._log.looks, self.labels
        standing = looks.standing(self._log.placements, self._log.numbers)
        # A row that is equal, but was placed elsewhere, has answers of its own.
        place = first * (labels.max() + 2) + labels + 1
        return Refit(
            X=self._X,
            constraints=self.constraints,
            labels=labels,
            firm=np.isin(place, place[standing]),
            denied=tuple((int(first[row]), number) for row, number in looks.denied),
            tally=looks.tally,
            first_equal=first,
            n_answers=len(self._log.answered),
            reducer=self._reducer,
            n_components=self._n_components,
            n_clusters=self._n_clusters,
            seed=self._seed,
            learners=self._learners,
            cache=self._cache,
            weights=weights,
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

    def _context(self) -> QuestionContext:
        # Made anew for each question, so that undo and the same answer lead to the same one.
        random = np.random.RandomState([self._seed, len(self._log.steps)])
        return QuestionContext(self.space, self._log, self._n_clusters, random)

    def _same_cluster(self, pair: Pair) -> bool | None:
        return self._context().same_cluster(pair)
