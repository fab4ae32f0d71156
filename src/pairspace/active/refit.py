"""A fit of the space and the groups to the answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import has_fit_parameter

from pairspace._core.linalg import rank_of, span_of
from pairspace._core.neighbors import nearest_among
from pairspace._core.rounding import rounded
from pairspace._core.typing import Bools, Floats, Ints
from pairspace.active.doubt import doubtful_rows
from pairspace.active.looks import Tally
from pairspace.active.space import Space
from pairspace.base import Supervision
from pairspace.cluster.groups import Groups, fit_groups
from pairspace.cluster.panel import ErrorPrior, PanelTable
from pairspace.cluster.region_groups import n_regions_of
from pairspace.cluster.regions import regions_of
from pairspace.constraints import UNKNOWN, Constraints
from pairspace.linear import PairSpace

FIT_ROWS = 10_000  # rows that a space is fitted on; the others are only transformed
N_EQUALLY_NEAR = 8  # rows: two in a region, or the corners of a square, are as near to its centre
N_DOUBTFUL = 20  # rows in doubt that are found with each fit


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
    labels : ndarray of shape (n_samples,)
        The numbers of the groups that a person has placed rows in; −1 for other rows.
    firm : ndarray of bool of shape (n_samples,)
        Rows about which two looks agreed, and rows that are equal to them: their group is not
        outvoted.
    denied : tuple of (int, int)
        Rows, and the numbers of groups that two looks agreed they are not in.
    tally : Tally
        How many answers second looks have shown to be wrong, and how many to be right.
    first_equal : ndarray of int of shape (n_samples,)
        For each row the first row that is equal to it: they share an answer.
    n_answers : int
        The number of questions that were answered.
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
    weights : ndarray of shape (n_samples,), default=None
        How far the group that each row was placed in counts; 1 by default.
    """

    X: Any
    constraints: Constraints
    labels: Ints
    firm: Bools
    denied: tuple[tuple[int, int], ...]
    tally: Tally
    first_equal: Ints
    n_answers: int
    reducer: Any
    n_components: int
    n_clusters: int | None
    seed: int
    learners: Any
    cache: TableCache
    weights: Floats | None = None

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
        placed = np.flatnonzero(self._labels != UNKNOWN)
        rows = _rows_to_fit(self.X.shape[0], np.union1d(links, placed), random)
        # Of rows in groups the group says it all, and says that other groups differ.
        X, labels, known = self.X[rows], self._labels[rows], self._unplaced_pairs()[rows]
        scaler = StandardScaler(with_mean=not issparse(X)).fit(X)
        # Rounding errors would decide between neighbours that are equally near, and between
        # clusters that are equally good: neither the reducer nor k-means may see them.
        scaled = _rounded_table(scaler.transform(X))
        table = self.cache.table(self.X, rows, self.seed)
        answers = Supervision(labels, known, len(rows))
        weights = None if self.weights is None else self.weights[rows]
        groups = fit_groups(
            table,
            answers,
            self.n_clusters,
            self.learners,
            random,
            weights=weights,
            sure=self.firm[rows],
            shared=self.first_equal[rows],
            # Answers that count less are wrong at their own rates.
            error_prior=ErrorPrior() if weights is not None else ErrorPrior().after(*self.tally),
        )
        reducer = self._fitted_reducer(scaled, labels, known, groups)
        model = make_pipeline(scaler, reducer)
        embedding = rounded(model.transform(self.X))
        fitted = embedding[rows]

        n_distinct = len(np.unique(fitted, axis=0))
        n_known = max(len(links), len(placed))
        n_regions = n_regions_of(min(groups.n_groups, n_distinct), n_known, n_distinct)
        regions = regions_of(fitted, n_regions, random)
        group_of_placed = dict(
            zip(rows[groups.placed.rows].tolist(), groups.placed.groups.tolist(), strict=True)
        )
        excluded = self._excluded(groups.n_groups, group_of_placed)
        probabilities = self._probabilities(groups, rows)
        _exclude(probabilities, excluded & self._denied(groups.n_groups, group_of_placed))
        clusters = probabilities.argmax(axis=1)
        in_doubt = doubtful_rows(table, groups, N_DOUBTFUL, random)
        return Space(
            embedding=embedding,
            clusters=clusters,
            probabilities=probabilities,
            regions=np.asarray(regions.predict(embedding), dtype=np.int64),
            medoids=rows[_medoids(regions.cluster_centers_, fitted)],
            doubtful=rows[in_doubt],
            groups=groups,
            fitted_rows=rows,
            group_of_placed=group_of_placed,
            outvoted=_outvoted(clusters, group_of_placed, excluded),
            constraints=self.constraints,
            labels=self.labels,
            n_answers=self.n_answers,
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

    @property
    def _labels(self) -> Ints:
        """The groups of placed rows; of one group alone, pairs say all there is to say."""
        one = len(np.unique(self.labels[self.labels != UNKNOWN])) < 2
        return np.full_like(self.labels, UNKNOWN) if one else self.labels

    def _unplaced_pairs(self) -> Constraints:
        """The answers about pairs of which at least one row is in no group."""
        must, cannot = (
            links[(self._labels[links] == UNKNOWN).any(axis=1)]
            for links in (self.constraints.must_link, self.constraints.cannot_link)
        )
        return Constraints(len(self.constraints), must, cannot)

    def _excluded(self, n_groups: int, group_of_placed: dict[int, int]) -> Bools:
        """The groups that rows in no group were said to differ from."""
        column = np.full(self.X.shape[0], UNKNOWN)
        column[list(group_of_placed)] = list(group_of_placed.values())
        excluded = np.zeros((len(column), n_groups), dtype=bool)
        for i, j in (self.constraints.cannot_link.T, self.constraints.cannot_link.T[::-1]):
            of_open = (column[i] == UNKNOWN) & (column[j] != UNKNOWN)
            excluded[i[of_open], column[j[of_open]]] = True
        return excluded

    def _denied(self, n_groups: int, group_of_placed: dict[int, int]) -> Bools:
        """The groups that two looks at a row, or at one that is equal, denied."""
        column = {int(self._labels[row]): at for row, at in group_of_placed.items()}
        denied = np.zeros((self.X.shape[0], n_groups), dtype=bool)
        for row, number in self.denied:
            if number in column:
                denied[self.first_equal == row, column[number]] = True
        return denied

    def _fitted_reducer(self, scaled: Any, labels: Ints, known: Constraints, groups: Groups) -> Any:
        if self.reducer is not None:
            reducer = clone(self.reducer)
            if (labels == UNKNOWN).all():
                return reducer.fit(scaled, known)
            takes_both = has_fit_parameter(reducer, "constraints")
            return reducer.fit(scaled, labels, **({"constraints": known} if takes_both else {}))
        rank = rank_of(span_of(scaled).rows.gram)
        space = PairSpace(
            min(self.n_components, rank), teacher=Finished(groups), random_state=self.seed
        )
        # The teacher is for this fit only: the model need not keep all rows.
        return space.fit(scaled, labels, constraints=known).set_params(teacher="auto")


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


def _exclude(P: Floats, excluded: Bools) -> None:
    """Rows are not predicted to be in these groups.

    A row that is in none of the groups keeps its probabilities.
    """
    rows = np.flatnonzero(excluded.any(axis=1) & ~excluded.all(axis=1))
    left = np.where(excluded[rows], 0, np.maximum(P[rows], 1e-12))
    P[rows] = left / left.sum(axis=1, keepdims=True)


def _outvoted(clusters: Ints, group_of_placed: dict[int, int], excluded: Bools) -> Ints:
    moved = [row for row, column in group_of_placed.items() if clusters[row] != column]
    put_back = excluded[np.arange(len(clusters)), clusters] & ~excluded.all(axis=1)
    return np.union1d(moved, np.flatnonzero(put_back)).astype(np.int64)


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
