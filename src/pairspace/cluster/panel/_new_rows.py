"""The probabilities of rows that a learner was not fitted on."""

from __future__ import annotations

from typing import Any

import numpy as np

from pairspace._core.neighbors import nearest_among
from pairspace._core.typing import Floats, Ints
from pairspace.cluster.panel._spreading import NEIGHBORS


class NeighborVote:
    """The mean probabilities of the nearest fitted rows, in some coordinates."""

    def __init__(self, before: Any, rows: Floats, probabilities: Floats) -> None:
        self.before = before
        self.rows = rows
        self.probabilities = probabilities

    def predict(self, X: Any) -> Floats:
        """The probabilities of new rows."""
        near, _ = nearest_among(self.rows, self.before.transform(X), NEIGHBORS)
        return np.asarray(self.probabilities[near].mean(axis=1))


class GroupClassifier:
    """A classifier's probabilities for all groups; groups that it has not seen have none."""

    def __init__(self, model: Any, classes: Ints, n_groups: int) -> None:
        self.model = model  # None if there is a single class
        self.classes = classes
        self.n_groups = n_groups

    def predict_proba(self, X: Any) -> Floats:
        """The probability of each group."""
        P = np.zeros((X.shape[0], self.n_groups))
        P[:, self.classes] = 1.0 if self.model is None else self.model.predict_proba(X)
        return P


class ModelVote:
    """The mean probabilities of some classifiers."""

    def __init__(self, before: Any, models: list[GroupClassifier]) -> None:
        self.before = before
        self.models = models

    def predict(self, X: Any) -> Floats:
        """The probabilities of new rows."""
        return self.of_transformed(X if self.before is None else self.before.transform(X))

    def of_transformed(self, X: Any) -> Floats:
        """The probabilities of rows as the classifiers get them."""
        return np.asarray(np.mean([each.predict_proba(X) for each in self.models], axis=0))
