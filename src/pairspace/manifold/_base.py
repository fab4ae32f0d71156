"""The life of a graph method: validate, weigh, solve, place new rows."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from scipy.sparse.csgraph import connected_components
from sklearn.base import _fit_context
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.sparsefuncs import mean_variance_axis
from sklearn.utils.validation import check_is_fitted, validate_data

from pairspace._core.data import Rows, require_in_memory, rows_of
from pairspace._core.graphs import Edges, Graph
from pairspace._core.linalg import smoothest
from pairspace._core.neighbors import nearest, nearest_among, neighbor_edges
from pairspace._core.typing import Floats, Ints
from pairspace.base import Needs, Reducer, Supervision
from pairspace.constraints import Constraints
from pairspace.manifold._bridges import bridges
from pairspace.manifold._knowledge import linked, propagated


class GraphReducer(Reducer):
    """Base of the graph methods. A method is its weights, which it says in ``_pull``.

    If anything drives rows apart as well, ``_graphs`` returns both. The rest is the same:
    (L_pull − L_push) y = λ D_pull y for the smallest λ.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "sigma": [StrOptions({"mean"}), Interval(Real, 0, None, closed="neither")],
        "bridge": ["boolean"],
        "propagation": [None, Interval(Real, 0, 1, closed="neither")],
        "eigen_solver": [StrOptions({"auto", "dense", "lanczos", "shift-invert", "amg"})],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }
    needs: ClassVar[Needs] = Needs(unlabelled=("neighbors",))
    n_components: int
    n_neighbors: int | None
    sigma: float | str
    bridge: bool
    propagation: float | None
    eigen_solver: str
    random_state: Any
    verbose: int | bool

    def _pull(self, rows: Rows, known: Supervision) -> Edges:
        """What draws rows together. ``self._squared_sigma`` is set."""
        raise NotImplementedError

    def _graphs(self, rows: Rows, known: Supervision) -> tuple[Edges, Edges | None]:
        """What draws rows together, and what drives them apart if anything does."""
        return self._pull(rows, known), None

    def _mean_of_neighbors(self, X: Any, found: Ints, squared: Floats) -> Floats:
        """Σ w y / Σ w for new rows, of which the nearest training rows were found."""
        raise NotImplementedError

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> Self:
        """Find the embedding.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data.
        y : Constraints, or labels of shape (n_samples,), default=None
            Pairs, or labels of which some may be unknown: −1, None or NaN. Labels stand for all
            their pairs.
        constraints : Constraints, default=None
            Pairs, where ``y`` is labels or belongs to another step of a pipeline. They add to
            what ``y`` says.
        """
        with self._unchanged_if_it_fails():
            self._fit(X, y, constraints)
        return self

    def _fit(self, X: Any, y: Any, constraints: Constraints | None) -> None:
        require_in_memory(self, X)
        X = validate_data(
            self, X, accept_sparse="csr", dtype=(np.float64, np.float32), ensure_min_samples=2
        )
        known = Supervision(y, constraints, X.shape[0])
        known.require_consistency()
        self._require_supervision(known, y)
        self._check_sizes(X.shape[0])
        rows = rows_of(X)
        self._squared_sigma = self._read_sigma(rows)
        pull, push = self._graphs(rows, known)
        if self.propagation is not None:
            with self._stage("propagation of what is known"):
                pull = propagated(pull, self._pairs_of(known), self.propagation)
        pull = linked(pull, self._pairs_of(known))
        self._require_edges(pull)
        self.affinity_matrix_ = _adjacency(pull)
        n_parts, part = connected_components(self.affinity_matrix_, directed=False)
        if n_parts > 1 and push is None:
            self._warn_of_parts(n_parts)
        force: Graph = pull if push is None else pull - push
        with self._stage("eigenvectors"):
            found = smoothest(
                force.laplacian(),
                pull.degrees(),
                self.n_components,
                component=part if push is None else np.zeros_like(part),
                solver=self.eigen_solver if push is None else "lanczos",
                random_state=self.random_state,
            )
        self.n_connected_components_ = int(n_parts)
        self.eigenvalues_, self.residual_ = found.values, found.residual
        self.embedding_ = found.vectors.astype(X.dtype)
        self._fit_X = X

    def fit_transform(
        self, X: Any, y: Any = None, *, constraints: Constraints | None = None
    ) -> NDArray[Any]:
        """``fit(X, y, constraints=constraints).embedding_``"""
        return self.fit(X, y, constraints=constraints).embedding_

    def transform(self, X: Any) -> NDArray[Any]:
        """New rows by the Nyström formula; rows that were fitted are where they were put.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data. Of several equal rows that were fitted, a single one gets the place of the
            first; all rows that were fitted, in their order, get ``embedding_``.
        """
        check_is_fitted(self)
        require_in_memory(self, X)
        X = validate_data(self, X, accept_sparse="csr", dtype=(np.float64, np.float32), reset=False)
        if _same(X, self._fit_X):
            return self.embedding_.copy()
        found, squared = nearest_among(self._fit_X, X, self.n_neighbors or 10)
        placed = self.embedding_[found[:, 0]].astype(X.dtype)
        new = np.flatnonzero(squared[:, 0] > 0)
        if len(new):
            placed[new] = self._mean_of_neighbors(X[new], found[new], squared[new])
        return placed

    @property
    def _n_features_out(self) -> int:
        return self.embedding_.shape[1]

    # ---- The parts of a graph that methods share ---------------------------------------------

    def _near_pairs(self, rows: Rows) -> Ints:
        """The pairs of which one is a neighbour of the other, and bridges if they are wanted."""
        with self._stage("neighbours"):
            found = nearest(rows.values, self.n_neighbors or 10, random_state=self.random_state)
            pairs = neighbor_edges(found)
        if self.bridge:
            with self._stage("bridges"):
                pairs = bridges(rows, pairs)
        return pairs

    def _heat(self, squared: Floats) -> Floats:
        """exp(−d²/σ²)"""
        weight = np.exp(-squared / self._squared_sigma)
        if not weight.all():
            raise ValueError(
                f"sigma={self.sigma} is too small for the distances: {np.mean(weight == 0):.0%} of "
                "the edges have the weight exp(-d²/sigma²) = 0; give a larger one, or sigma='mean'"
            )
        return weight

    def _pairs_of(self, known: Supervision) -> Supervision:
        """What acts on the edges pair by pair. Labels are all their pairs."""
        return known

    def _spread(self) -> Floats:
        """What the mean of a row's neighbours is divided by: 1 − λ, or 1 where that is 0."""
        share = 1 - self.eigenvalues_
        return np.where(np.abs(share) > 1e-10, share, 1.0)

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        if self.verbose:
            print(f"[{type(self).__name__}] {name} …", end="", flush=True)
        yield
        if self.verbose:
            print(f" {time.perf_counter() - start:.1f} s", flush=True)

    # ---- What can't be -----------------------------------------------------------------------

    def _check_sizes(self, n_samples: int) -> None:
        if self.n_components + 1 > n_samples:
            raise ValueError(
                f"n_components={self.n_components}, but n_samples={n_samples} rows have at most "
                f"{n_samples - 1} besides the constant"
            )
        if self.n_neighbors is not None and self.n_neighbors >= n_samples:
            raise ValueError(
                f"n_neighbors={self.n_neighbors}, but each of n_samples={n_samples} rows has "
                f"{n_samples - 1} others: give at most {n_samples - 1}"
            )

    def _read_sigma(self, rows: Rows) -> float:
        """σ²; by default the mean squared distance of all pairs, twice the total variance."""
        first_to_all = np.column_stack([np.zeros(len(rows), int), np.arange(len(rows))])
        if not rows.squared_lengths(first_to_all).any():
            raise ValueError("all rows are identical: there is no nearness to keep")
        squared = 2 * total_variance(rows) if self.sigma == "mean" else float(self.sigma) ** 2
        if not 0 < squared < np.inf:
            raise ValueError(
                f"sigma={self.sigma} and its square must be positive and finite: the data or sigma "
                "has values too large to square, or too small; scale the columns first, e.g. with "
                "StandardScaler"
            )
        return squared

    def _require_edges(self, pull: Edges) -> None:
        alone = np.flatnonzero(pull.degrees() == 0)
        if len(alone):
            raise ValueError(
                f"nothing joins row {alone[0]} to another ({len(alone)} such rows): what is "
                "known cuts all its edges; raise n_neighbors, or leave the row out"
            )

    def _warn_of_parts(self, n_parts: int) -> None:
        warnings.warn(
            f"the graph falls into {n_parts} components, which the first columns tell apart: "
            f"n_connected_components_={n_parts}; raise n_neighbors, or join them by bridge=True",
            UserWarning,
            stacklevel=5,
        )


def total_variance(rows: Rows) -> float:
    """Σ over the features of the variance, ddof = 1."""
    n = len(rows)
    if issparse(rows.values):
        variance = mean_variance_axis(rows.values.astype(np.float64), axis=0)[1]
        return float(variance.sum()) * n / (n - 1)
    deviation = rows.squared_deviations(np.zeros(n, dtype=np.int64), rows.mean[None])
    return float(deviation.sum()) / (n - 1)


def _adjacency(edges: Edges) -> csr_array:
    i, j = edges.pairs.T.astype(np.int32)  # all that SciPy's graph routines read
    n = edges.n_samples
    half = csr_array((edges.weight, (i, j)), shape=(n, n))
    return csr_array(half + half.T)


def _same(X: Any, Y: Any) -> bool:
    if X.shape != Y.shape or issparse(X) != issparse(Y):
        return False
    return not (X != Y).nnz if issparse(X) else np.array_equal(X, Y)
