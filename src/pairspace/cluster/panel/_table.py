"""What the learners share: the rows in two scalings, their neighbours, PairSpace's scatters.

None of it depends on the answers, so it is computed once and kept while answers come in.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.preprocessing import StandardScaler

from pairspace._core.data import DenseRows, rows_of
from pairspace._core.linalg import rank, span_of, top
from pairspace._core.rounding import rounded
from pairspace._core.typing import Floats
from pairspace._within import ClosedForm
from pairspace.cluster.panel._spreading import affinities

DIRECTIONS = 50  # leading directions of the columns: more are mostly noise, and cost time
CLOSED_FORM_NEIGHBORS = 5


class Projection:
    """Maps rows to some directions of their columns: ``(X − mean) @ components.T``."""

    def __init__(self, components: Floats, mean: Floats) -> None:
        self.components = components
        self.mean = mean

    def transform(self, X: Any) -> Floats:
        """The coordinates of rows, rounded: rounding errors must not decide between neighbours."""
        return rounded(np.asarray(rows_of(X).project(self.components, self.mean), np.float64))

    def then(self, W: Floats) -> Projection:
        """The projection of the coordinates to the columns of W."""
        return Projection(W.T @ self.components, self.mean)


class View:
    """The rows along the leading directions of their columns, raw or standardised."""

    def __init__(self, X: Any, scale: Floats, random: np.random.RandomState) -> None:
        span = span_of(csr_array(X.multiply(1 / scale)) if issparse(X) else X / scale)
        gram = span.rows.gram
        values, vectors = top(gram, min(DIRECTIONS, len(gram)))
        if not rank(values):
            raise ValueError("all rows of X are equal, up to rounding")
        vectors = vectors[:, : rank(values)]
        self.projection = Projection(span.lift(vectors).T / scale, span.mean * scale)
        self.rows = self.projection.transform(X)
        self._seed = int(random.randint(2**31 - 1))

    @cached_property
    def affinities(self) -> csr_array:
        """The graph of nearest neighbours."""
        return affinities(self.rows, self._seed)

    @cached_property
    def closed_form(self) -> ClosedForm:
        """PairSpace's problem in these coordinates."""
        random = np.random.RandomState(self._seed)
        return ClosedForm(DenseRows(self.rows), CLOSED_FORM_NEIGHBORS, random)


class PanelTable:
    """The rows that a panel learns from.

    Parameters
    ----------
    X : ndarray or csr matrix of shape (n_rows, n_features)
        The rows, in memory.
    random : RandomState
        Seeds the approximate search for neighbours.
    """

    def __init__(self, X: Any, random: np.random.RandomState) -> None:
        self.X = X
        self._random = random

    def __len__(self) -> int:
        return int(self.X.shape[0])

    @cached_property
    def raw(self) -> View:
        """The columns as they are, in a common unit: results may not depend on that of X."""
        unit = np.sqrt(np.mean(self.scaler.var_, dtype=np.float64)) or 1.0
        return View(self.X, np.full(self.X.shape[1], unit), self._random)

    @cached_property
    def standardised(self) -> View:
        """The columns with variance 1."""
        return View(self.X, np.asarray(self.scaler.scale_, dtype=np.float64), self._random)

    @cached_property
    def scaler(self) -> StandardScaler:
        """Standardises the columns; sparse ones are not centred."""
        return StandardScaler(with_mean=not issparse(self.X)).fit(self.X)

    @cached_property
    def columns(self) -> Any:
        """All columns, standardised."""
        return self.scaler.transform(self.X)

    def view(self, name: str) -> View:
        """The view "raw" or "standardised"."""
        return self.raw if name == "raw" else self.standardised
