"""The space and the groups fitted to the answers, and what the next question is chosen from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, clone
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from pairspace._core.linalg import rank_of, span_of
from pairspace._core.neighbors import nearest_among
from pairspace._core.rounding import rounded
from pairspace._core.typing import Floats, Ints
from pairspace.active.doubt import doubtful_rows
from pairspace.base import Supervision
from pairspace.cluster.groups import Groups, fit_groups
from pairspace.cluster.panel import PanelTable
from pairspace.cluster.region_groups import n_regions_of
from pairspace.cluster.regions import regions_of
from pairspace.constraints import Constraints
from pairspace.linear import PairSpace

FIT_ROWS = 10_000  # rows that a space is fitted on; the others are only transformed
N_EQUALLY_NEAR = 8  # rows: two in a region, or the corners of a square, are as near to its centre
N_DOUBTFUL = 20  # rows in doubt that are found with each fit


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
    group_of_placed : dict
        For each row that the answers place, the number of its group.
    constraints : Constraints
        The answers it was fitted to.
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
    group_of_placed: dict[int, int]
    constraints: Constraints
    model: Pipeline

    @property
    def n_answers(self) -> int:
        """The number of answers it was fitted to."""
        return len(self.constraints.must_link) + len(self.constraints.cannot_link)

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


class TableCache:
    """The table of the panel: neighbours and scatters are kept while answers come in."""

    def __init__(self) -> None:
        self._rows: Ints | None = None
        self._table: PanelTable | None = None

    def table(self, X: Any, rows: Ints, seed: int) -> PanelTable:
        """The table of some rows of X, made anew only if the rows have changed."""
        if self._table is None or self._rows is None or not np.array_equal(rows, self._rows):
            self._rows, self._table = rows, PanelTable(X[rows], np.random.RandomState(seed))
        return self._table


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
    learners : "auto", list of str or dict
        The learners of the panel: see ``PairClusters``.
    cache : TableCache
        What an earlier fit on the same rows has computed.
    """

    X: Any
    constraints: Constraints
    reducer: Any
    n_components: int
    n_clusters: int | None
    seed: int
    learners: Any
    cache: TableCache

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
        table = self.cache.table(self.X, rows, self.seed)
        answers = Supervision(known, None, len(rows))
        groups = fit_groups(table, answers, self.n_clusters, self.learners, random)
        reducer = self._fitted_reducer(scaled, known, groups)
        model = make_pipeline(scaler, reducer)
        embedding = rounded(model.transform(self.X))
        fitted = embedding[rows]

        n_distinct = len(np.unique(fitted, axis=0))
        n_regions = n_regions_of(min(groups.n_groups, n_distinct), len(links), n_distinct)
        regions = regions_of(fitted, n_regions, random)
        probabilities = self._probabilities(groups, rows)
        in_doubt = doubtful_rows(table, groups, N_DOUBTFUL, random)
        return Space(
            embedding=embedding,
            clusters=probabilities.argmax(axis=1),
            probabilities=probabilities,
            regions=np.asarray(regions.predict(embedding), dtype=np.int64),
            medoids=rows[_medoids(regions.cluster_centers_, fitted)],
            doubtful=rows[in_doubt],
            groups=groups,
            group_of_placed=dict(
                zip(rows[groups.placed.rows].tolist(), groups.placed.groups.tolist(), strict=True)
            ),
            constraints=self.constraints,
            model=model,
        )

    def _probabilities(self, groups: Groups, rows: Ints) -> Floats:
        """Those of the fitted rows as they are, of the others by prediction."""
        n_rows = self.X.shape[0]
        found = np.empty((n_rows, groups.n_groups))
        found[rows] = groups.probabilities
        others = np.setdiff1d(np.arange(n_rows), rows)
        for start in range(0, len(others), FIT_ROWS):
            some = others[start : start + FIT_ROWS]
            found[some] = groups.predict(self.X[some])
        return found

    def _fitted_reducer(self, scaled: Any, known: Constraints, groups: Groups) -> Any:
        if self.reducer is not None:
            return clone(self.reducer).fit(scaled, known)
        rank = rank_of(span_of(scaled).rows.gram)
        space = PairSpace(
            min(self.n_components, rank), teacher=Finished(groups), random_state=self.seed
        )
        # The teacher is for this fit only: the model need not keep all rows.
        return space.fit(scaled, known).set_params(teacher="auto")


class Finished(BaseEstimator):
    """A teacher that has already found the groups."""

    def __init__(self, groups: Groups) -> None:
        self.groups = groups

    def __sklearn_clone__(self) -> Finished:
        return Finished(self.groups)

    def fit(self, X: Any, y: Any = None, *, constraints: Any = None) -> Finished:
        """Take the groups as they are."""
        self.probabilities_ = self.groups.probabilities
        self.labels_ = self.probabilities_.argmax(axis=1)
        return self

    def fit_predict(self, X: Any, y: Any = None, *, constraints: Any = None) -> Ints:
        """The groups."""
        return self.fit(X).labels_


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
