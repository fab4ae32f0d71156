"""The space that the answers so far make, and what questions are chosen by in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from pairspace._core.linalg import rank_of, span_of
from pairspace._core.neighbors import nearest_among
from pairspace._core.rounding import rounded
from pairspace._core.typing import Floats, Ints
from pairspace.active.clusters import Clusters, clusters_of
from pairspace.active.knowledge import Knowledge
from pairspace.constraints import Constraints
from pairspace.linear import PairSpace

FIT_ROWS = 10_000  # rows that a space is fitted on; the others are only placed in it
MAX_REGIONS = 500  # to ask about; the table of their distances is of the square of this
N_EQUALLY_NEAR = 8  # rows: two in a region, or the corners of a square, are as near to its centre


@dataclass(frozen=True)
class Space:
    """A fitted space, all rows in it, and two ways to part them.

    Attributes
    ----------
    embedding : ndarray of shape (n_samples, n_components)
    clusters : ndarray of shape (n_samples,)
        As many as there are classes, as far as is known.
    regions : ndarray of shape (n_samples,)
        Many more small parts of the rows, to ask about.
    medoids : ndarray of shape (n_regions,)
        The row nearest to the centre of each region.
    found : Clusters
        What places rows in regions and clusters.
    constraints : Constraints
        The answers it was fitted with.
    model : Pipeline
        What was fitted: ``model.transform(X)`` places new rows.
    """

    embedding: Floats
    clusters: Ints
    regions: Ints
    medoids: Ints
    found: Clusters
    constraints: Constraints
    model: Pipeline

    @property
    def answers_seen(self) -> int:
        """How many answers it was fitted with."""
        return len(self.constraints.must_link) + len(self.constraints.cannot_link)

    def predict(self, X: Any) -> Ints:
        """The cluster of each of some new rows."""
        return self.found.clusters(np.asarray(self.model.transform(X), dtype=np.float64))


@dataclass(frozen=True)
class Refit:
    """Everything a fit needs, as it was when it was planned: it may run beside the questions.

    It can be sent to another thread or process; ``fit`` changes nothing.
    """

    X: Any
    constraints: Constraints
    reducer: Any
    n_components: int
    n_clusters: int | None
    seed: int

    def fit(self) -> Space:
        """The space for these answers.

        From 10,000 rows on it is fitted on so many of them, drawn at random, and on all rows that
        answers are about; the others are placed in it.
        """
        random = np.random.RandomState(self.seed)
        links = np.vstack([self.constraints.must_link, self.constraints.cannot_link])
        rows = _rows_to_fit(self.X.shape[0], np.unique(links), random)
        X, known = self.X[rows], self.constraints[rows]
        scaler = StandardScaler(with_mean=not issparse(X)).fit(X)
        # Rounding errors would decide between neighbours that are equally near, and between
        # clusters that are equally good: neither the reducer nor k-means may see them.
        scaled = _rounded_table(scaler.transform(X))
        model = make_pipeline(scaler, self._reducer(scaled).fit(scaled, known))
        embedding = rounded(model.transform(self.X))
        fitted = embedding[rows]

        n_distinct = len(np.unique(fitted, axis=0))
        n_clusters = min(self.n_clusters or _n_classes(known), n_distinct)
        n_regions = min(2 * n_clusters + 20 + len(links) // 2, MAX_REGIONS, n_distinct)
        found = clusters_of(fitted, known, n_clusters, max(n_clusters, n_regions), random)
        return Space(
            embedding=embedding,
            clusters=found.clusters(embedding),
            regions=found.regions(embedding),
            medoids=rows[_medoids(found.centres, fitted)],
            found=found,
            constraints=self.constraints,
            model=model,
        )

    def _reducer(self, scaled: Any) -> Any:
        if self.reducer is not None:
            return clone(self.reducer)
        rank = rank_of(span_of(scaled).rows.gram)
        if not rank:
            raise ValueError("all rows of X are equal: there is nothing to ask about")
        return PairSpace(min(self.n_components, rank), random_state=self.seed)


def _rounded_table(X: Any) -> Any:
    if not issparse(X):
        return rounded(X).astype(X.dtype)
    X = X.copy()
    X.data = rounded(X.data).astype(X.dtype)
    return X


def _medoids(centres: Floats, Z: Floats) -> Ints:
    """The row nearest to each centre; the first of those that are equally near."""
    near, squared = nearest_among(Z, centres, N_EQUALLY_NEAR)
    first = np.lexsort((near, rounded(squared, axis=1)), axis=1)[:, :1]
    return np.take_along_axis(near, first, axis=1).ravel()


def _rows_to_fit(n_rows: int, asked: Ints, random: np.random.RandomState) -> Ints:
    """In random order: the first of equally near rows counts, and tables are often sorted by class.

    By row number, a region with two rows of two classes would always ask about the lower class.
    """
    if n_rows <= FIT_ROWS:
        return random.permutation(n_rows)
    drawn = random.choice(n_rows, FIT_ROWS, replace=False)
    return random.permutation(np.union1d(asked, drawn))


def _n_classes(pairs: Constraints) -> int:
    """At least so many classes there are by the answers, and two before them."""
    known = Knowledge(len(pairs))
    for links, same in ((pairs.must_link, True), (pairs.cannot_link, False)):
        for i, j in links.tolist():
            known.tell(i, j, same=same)
    return max(2, len(known.different_groups()))
