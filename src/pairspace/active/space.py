"""The space that the answers so far make, and what questions are chosen by in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.metrics import pairwise_distances_argmin
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from pairspace.active.clusters import seeded_clusters
from pairspace.active.knowledge import Knowledge, knowledge_of
from pairspace.constraints import Constraints
from pairspace.linear import PairSpace
from pairspace.spans import span_of
from pairspace.spectral import rank_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FIT_ROWS = 10_000  # rows that a space is fitted on; the others are only placed in it


@dataclass(frozen=True)
class Space:
    """A fitted space, all rows in it, and two ways to part them.

    Attributes
    ----------
    embedding : ndarray of shape (n_samples, n_components)
    clusters : ndarray of shape (n_samples,)
        As many as there are classes, as far as is known; the answers hold in them.
    centres : ndarray of shape (n_clusters, n_components)
    regions : ndarray of shape (n_samples,)
        Many more small parts, to ask about.
    medoids : ndarray of shape (n_regions,)
        A row in the middle of each region.
    constraints : Constraints
        The answers it was fitted with.
    model : Pipeline
        What was fitted: ``model.transform(X)`` places new rows.
    """

    embedding: Floats
    clusters: Ints
    centres: Floats
    regions: Ints
    medoids: Ints
    constraints: Constraints
    model: Pipeline

    @property
    def answers_seen(self) -> int:
        """How many answers it was fitted with."""
        return len(self.constraints.must_link) + len(self.constraints.cannot_link)

    def predict(self, X: Any) -> Ints:
        """The cluster of each of some new rows."""
        placed = np.asarray(self.model.transform(X), dtype=np.float64)
        return np.asarray(pairwise_distances_argmin(placed, self.centres), dtype=np.int64)


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
        model = make_pipeline(StandardScaler(with_mean=not issparse(X)), self._reducer(X))
        model.fit(X, known)
        embedding = np.asarray(model.transform(self.X), dtype=np.float64)
        fitted = embedding[rows]

        groups = _knowledge(known)
        n_clusters = self.n_clusters or max(2, len(groups.different_groups()))
        n_distinct = len(np.unique(fitted, axis=0))
        n_clusters = min(n_clusters, n_distinct)
        centres, clusters = seeded_clusters(fitted, groups, n_clusters, random)
        regions = KMeans(
            min(n_distinct, 2 * n_clusters + 10 + len(links) // 2),
            n_init=1,
            random_state=random,
        ).fit(fitted)
        medoids = rows[pairwise_distances_argmin(regions.cluster_centers_, fitted)]
        if len(rows) < len(embedding):
            all_clusters = pairwise_distances_argmin(embedding, centres).astype(np.int64)
            all_clusters[rows] = clusters
            clusters = all_clusters
        return Space(
            embedding=embedding,
            clusters=clusters,
            centres=centres,
            regions=regions.predict(embedding).astype(np.int64),
            medoids=medoids,
            constraints=self.constraints,
            model=model,
        )

    def _reducer(self, X: Any) -> Any:
        if self.reducer is not None:
            return clone(self.reducer)
        scaled = StandardScaler(with_mean=not issparse(X)).fit_transform(X)
        rank = rank_of(span_of(scaled).rows.gram)
        if not rank:
            raise ValueError("all rows of X are equal: there is nothing to ask about")
        return PairSpace(min(self.n_components, rank), random_state=self.seed)


def _rows_to_fit(n_rows: int, asked: Ints, random: np.random.RandomState) -> Ints:
    if n_rows <= FIT_ROWS:
        return np.arange(n_rows)
    return np.union1d(asked, random.choice(n_rows, FIT_ROWS, replace=False))


def _knowledge(pairs: Constraints) -> Knowledge:
    told = [((i, j), True) for i, j in pairs.must_link.tolist()]
    told += [((i, j), False) for i, j in pairs.cannot_link.tolist()]
    return knowledge_of(len(pairs), told)
