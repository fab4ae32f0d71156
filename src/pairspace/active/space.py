"""The space and the groups that questions are chosen in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from pairspace._core.typing import Floats, Ints
from pairspace.cluster.groups import Groups
from pairspace.constraints import Constraints


@dataclass(frozen=True)
class Space:
    """A fitted space with the rows of the data in it, in groups and in smaller regions.

    Parameters
    ----------
    embedding : ndarray of shape (n_samples, n_components)
        The rows in the space.
    clusters : ndarray of shape (n_samples,)
        The likeliest group of each row.
    probabilities : ndarray of shape (n_samples, n_groups)
        The probability of each group for each row.
    regions : ndarray of shape (n_samples,)
        The region of each row. There are many more regions than clusters.
    medoids : ndarray of shape (n_regions,)
        The row nearest to the centre of each region.
    doubtful : ndarray of int
        Rows whose group is in doubt, apart from each other, the most important first.
    groups : Groups
        How the groups were found; predicts those of new rows.
    fitted_rows : ndarray of int
        The rows that it was fitted on, in the order in which ``groups`` has them.
    group_of_placed : dict
        For each row that the answers place, the number of its group.
    outvoted : ndarray of int
        Rows whose predicted group is not the one that they were placed in, or one that they were
        taken out of: the other answers speak against what was said about them.
    constraints : Constraints
        The answers it was fitted to.
    labels : ndarray of shape (n_samples,)
        The numbers of the groups that rows were placed in; −1 for other rows.
    n_answers : int
        The number of questions that had been answered.
    model : Pipeline
        A fitted scaler and reducer: ``model.transform(X)`` transforms new rows.
    """

    embedding: Floats
    clusters: Ints
    probabilities: Floats
    regions: Ints
    medoids: Ints
    doubtful: Ints
    groups: Groups
    fitted_rows: Ints
    group_of_placed: dict[int, int]
    outvoted: Ints
    constraints: Constraints
    labels: Ints
    n_answers: int
    model: Pipeline

    def predict(self, X: Any) -> Ints:
        """Assign new rows to groups.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            New rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The likeliest group of each row.
        """
        return np.asarray(self.groups.predict(X).argmax(axis=1))
