"""The space fitted to the answers, and what the next question is chosen from."""

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
from pairspace.cluster.regions import RegionClustering, cluster_regions
from pairspace.constraints import Constraints
from pairspace.constraints.known_groups import KnownGroups
from pairspace.linear import PairSpace

FIT_ROWS = 10_000  # rows that a space is fitted on; the others are only transformed
MAX_REGIONS = 500  # the table of their distances grows with the square
N_EQUALLY_NEAR = 8  # rows: two in a region, or the corners of a square, are as near to its centre


@dataclass(frozen=True)
class Space:
    """A fitted space with the rows of the data in it, in clusters and in smaller regions.

    Parameters
    ----------
    embedding : ndarray of shape (n_samples, n_components)
        The rows in the space.
    clusters : ndarray of shape (n_samples,)
        The cluster of each row.
    regions : ndarray of shape (n_samples,)
        The region of each row. There are many more regions than clusters.
    medoids : ndarray of shape (n_regions,)
        The row nearest to the centre of each region.
    clustering : RegionClustering
        Assigns rows to regions and clusters.
    constraints : Constraints
        The answers it was fitted to.
    model : Pipeline
        A fitted scaler and reducer: ``model.transform(X)`` transforms new rows.
    """

    embedding: Floats
    clusters: Ints
    regions: Ints
    medoids: Ints
    clustering: RegionClustering
    constraints: Constraints
    model: Pipeline

    @property
    def n_answers(self) -> int:
        """The number of answers it was fitted to."""
        return len(self.constraints.must_link) + len(self.constraints.cannot_link)

    def predict(self, X: Any) -> Ints:
        """Assign new rows to clusters.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            New rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            The cluster of each row.
        """
        return self.clustering.predict(np.asarray(self.model.transform(X), dtype=np.float64))


@dataclass(frozen=True)
class Refit:
    """Everything that a fit needs, as of the moment it was planned.

    It can be sent to another thread or process; ``fit`` changes nothing.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        The data.
    constraints : Constraints
        The answers.
    reducer : estimator or None
        The reducer to fit; ``PairSpace`` if None.
    n_components : int
        The number of components of ``PairSpace``, at most.
    n_clusters : int or None
        The number of clusters; from the answers if None.
    seed : int
        The seed of all random draws.
    """

    X: Any
    constraints: Constraints
    reducer: Any
    n_components: int
    n_clusters: int | None
    seed: int

    def fit(self) -> Space:
        """Fit the space.

        Above 10,000 rows it is fitted on 10,000 rows drawn at random and on all rows that have
        answers; the other rows are only transformed.

        Returns
        -------
        Space
            The space for these answers.
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
        clustering = cluster_regions(fitted, known, n_clusters, max(n_clusters, n_regions), random)
        return Space(
            embedding=embedding,
            clusters=clustering.predict(embedding),
            regions=clustering.regions(embedding),
            medoids=rows[_medoids(clustering.centres, fitted)],
            clustering=clustering,
            constraints=self.constraints,
            model=model,
        )

    def _reducer(self, scaled: Any) -> Any:
        if self.reducer is not None:
            return clone(self.reducer)
        rank = rank_of(span_of(scaled).rows.gram)
        if not rank:
            raise ValueError("all rows of X are equal")
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
    """The number of classes that the answers show to differ; at least two."""
    known = KnownGroups(len(pairs))
    for links, same in ((pairs.must_link, True), (pairs.cannot_link, False)):
        for i, j in links.tolist():
            known.add(i, j, same=same)
    return max(2, len(known.different_groups()))
