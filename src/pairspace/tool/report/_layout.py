"""The curved layout of the map, with its score on held-out answers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from pairspace._core.typing import Floats, Ints
from pairspace.base import Supervision, fitted
from pairspace.constraints import Constraints
from pairspace.model_selection import cross_validate_pairs
from pairspace.plot import curved_layout
from pairspace.tool.report._map import Shown

LEAST_ROWS = 4
N_FOLDS = 3  # each is a fit and a layout
WARNING = (
    "t-SNE of all components, started from the first two. Neighbours stay neighbours; distances "
    "between groups, their sizes and the gaps mean nothing."
)


class LaidOut(TransformerMixin, BaseEstimator):
    """A model and the layout of its space, fitted to row numbers: t-SNE places no new rows."""

    def __init__(self, model: Any, X: Any) -> None:
        self.model = model
        self.X = X

    def __sklearn_clone__(self) -> LaidOut:
        return LaidOut(self.model, self.X)

    def fit(self, rows: Ints, y: Any = None, *, constraints: Any = None) -> Self:
        """Fit the model to all rows with these answers, and lay them out."""
        known = Supervision(y, constraints, len(rows))
        self.layout_ = curved_layout(fitted(self.model, self.X, known).transform(self.X))
        return self

    def transform(self, rows: Ints) -> Floats:
        """The places of these rows."""
        return self.layout_[np.asarray(rows)[:, 0]]


def laid_out(model: Any, X: Any, Z: Floats, labels: Any, constraints: Constraints | None) -> Shown:
    """The layout of the space, with the pair AUC of both on answers that were held out."""
    numbers = np.arange(len(Z))[:, None]
    pairs = Constraints(len(Z)) if constraints is None else constraints

    def score(estimator: Any, table: Any) -> str:
        found = cross_validate_pairs(
            estimator, table, pairs, y=labels, cv=N_FOLDS, n_repeats=1, random_state=0
        )
        return f"{found.mean:.2f} ± {found.standard_error:.2f}"

    try:
        note = (
            f"Pair AUC on held-out answers: {score(LaidOut(model, X), numbers)} in the layout, "
            f"{score(model, X)} in the space."
        )
    except ValueError:  # too few answers to hold some out
        note = "There are too few answers to judge it by."
    return Shown(curved_layout(Z), f"{WARNING} {note}", "layout")
