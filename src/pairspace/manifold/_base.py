"""What graph methods share: validation, the eigenproblem, and the embedding of new rows."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from sklearn.base import _fit_context
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.sparsefuncs import mean_variance_axis
from sklearn.utils.validation import check_is_fitted

from pairspace._core.data import Rows, read_table, require_in_memory, rows_of
from pairspace._core.graphs import Edges, Graph
from pairspace._core.linalg import smallest_eigenvectors
from pairspace._core.neighbors import nearest, nearest_among, neighbor_edges
from pairspace._core.pairs import component_of_rows
from pairspace._core.typing import Floats, Ints, Seed
from pairspace._core.warn import warn_caller
from pairspace.base import (
    WIDTH,
    Needs,
    Reducer,
    Supervision,
    unchanged_if_it_fails,
    with_plain_numbers,
)
from pairspace.constraints import Constraints
from pairspace.manifold._bridges import with_bridges
from pairspace.manifold._constrained_graph import with_constraints, with_propagated_constraints


class GraphReducer(Reducer):
    """Base of the graph methods.

    A method defines the weights of its graph in ``_pull``. A method with a second graph, whose
    edges push rows apart, defines both in ``_graphs``. All solve
    (L_pull − L_push) y = λ D_pull y for the smallest λ.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "sigma": [StrOptions({"mean"}), WIDTH],
        "bridge": ["boolean"],
        "propagation": [None, Interval(Real, 0, 1, closed="neither")],
        "eigen_solver": [StrOptions({"auto", "dense", "lanczos", "shift-invert", "amg"})],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }
    needs: ClassVar[Needs] = Needs(unlabelled=("neighbours",))
    n_components: int
    n_neighbors: int | None
    sigma: float | str
    bridge: bool
    propagation: float | None
    eigen_solver: str
    random_state: Seed
    verbose: int | bool

    def _pull(self, rows: Rows, known: Supervision) -> Edges:
        """The graph of the rows that should be close. ``self._squared_sigma`` is set."""
        raise NotImplementedError

    def _graphs(self, rows: Rows, known: Supervision) -> tuple[Edges, Edges | None]:
        """The graph of the rows that should be close, and that of rows that should be apart."""
        return self._pull(rows, known), None

    def _embed_new(self, X: Any, near: Ints, squared: Floats) -> Floats:
        """The embedding of new rows, from their nearest training rows and squared distances."""
        raise NotImplementedError

    @with_plain_numbers
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> Self:
        """Compute the embedding.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data.
        y : Constraints, or labels of shape (n_samples,), default=None
            Pairs, or labels; −1, None or NaN is an unknown label. Labels stand for all their pairs.
        constraints : Constraints, default=None
            Pairs in addition to ``y``, for example where ``y`` has labels.

        Returns
        -------
        object
            The fitted estimator.
        """
        with unchanged_if_it_fails(self):
            self._fit(X, y, constraints)
        return self

    def _fit(self, X: Any, y: Any, constraints: Constraints | None) -> None:
        require_in_memory(self, X)
        X = read_table(X, of=self, at_least=2)
        known = Supervision(y, constraints, X.shape[0])
        known.require_consistency()
        self._require_supervision(known, y)
        self._check_sizes(X.shape[0])
        if rows_of(X).all_equal():
            raise ValueError(
                "all rows are identical, up to rounding: a graph of neighbours needs rows that "
                "differ"
            )
        dtype = X.dtype
        self._origin: Floats | None = None if issparse(X) else rows_of(X).mean
        X = self._centred(X)
        rows = rows_of(X)
        self._squared_sigma = self._compute_squared_sigma(rows)
        pull, push = self._graphs(rows, known)
        if self.propagation is not None:
            with self._stage("constraint propagation"):
                constrained = self._edge_supervision(known)
                pull = with_propagated_constraints(pull, constrained, self.propagation)
        pull = with_constraints(pull, self._edge_supervision(known))
        self._require_edges(pull)
        self.affinity_matrix_ = _adjacency(pull)
        component = component_of_rows(len(rows), pull.pairs)
        n_connected = int(component.max()) + 1
        if n_connected > 1 and push is None:
            self._warn_disconnected(n_connected)
        graph: Graph = pull if push is None else pull - push
        with self._stage("eigenvectors"):
            found = smallest_eigenvectors(
                graph.laplacian(),
                pull.degrees(),
                self.n_components,
                component=component if push is None else np.zeros_like(component),
                solver=self.eigen_solver if push is None else "lanczos",
                random_state=self.random_state,
            )
        self.n_connected_components_ = n_connected
        self.eigenvalues_, self.residual_ = found.values, found.residual
        self.embedding_ = found.vectors.astype(dtype)
        if not np.isfinite(self.embedding_).all():
            raise ValueError(
                f"sigma={self.sigma} is too small: the weights of a row's edges are so near 0 that "
                f"the embedding overflows as {dtype}; raise sigma, or use sigma='mean'"
            )
        self._fit_X = X

    def fit_transform(
        self, X: Any, y: Any = None, *, constraints: Constraints | None = None
    ) -> NDArray[Any]:
        """Compute the embedding and return it.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data.
        y : Constraints, or labels of shape (n_samples,), default=None
            Pairs, or labels; see ``fit``.
        constraints : Constraints, default=None
            Pairs in addition to ``y``.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            ``embedding_``.
        """
        return self.fit(X, y, constraints=constraints).embedding_

    @with_plain_numbers
    def transform(self, X: Any) -> NDArray[Any]:
        """Embed rows: training rows as fitted, new rows by the Nyström formula.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data. If it is the training data, the result is ``embedding_``. Otherwise a row
            that equals several training rows gets the embedding of the first.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            The embedded rows.
        """
        check_is_fitted(self)
        require_in_memory(self, X)
        X = read_table(X, of=self, fit=False)
        dtype = X.dtype
        X = self._centred(X)
        if _equal(X, self._fit_X):
            return self.embedding_.copy()
        near, squared = nearest_among(self._fit_X, X, self.n_neighbors or 10)
        embedded = self.embedding_[near[:, 0]].astype(dtype)
        new = np.flatnonzero(squared[:, 0] > 0)
        if len(new):
            embedded[new] = self._embed_new(X[new], near[new], squared[new])
        return embedded

    @property
    def _n_features_out(self) -> int:
        return self.embedding_.shape[1]

    # ---- Shared steps ------------------------------------------------------------------------

    def _centred(self, X: Any) -> Any:
        """X about the mean of the training rows, as distances far from the origin lose digits.

        Sparse training rows are not centred: most of their values are 0.
        """
        if self._origin is None:
            return X.astype(np.float64, copy=False)
        return (X.toarray() if issparse(X) else X) - self._origin

    def _neighbor_pairs(self, rows: Rows) -> Ints:
        """The pairs of the graph of nearest neighbours, and its bridges if ``bridge`` is True."""
        with self._stage("neighbours"):
            near = nearest(rows.values, self.n_neighbors or 10, random_state=self.random_state)
            pairs = neighbor_edges(near)
        if self.bridge:
            with self._stage("bridges"):
                pairs = with_bridges(rows, pairs)
        return pairs

    def _heat(self, squared: Floats) -> Floats:
        """exp(−d²/σ²)"""
        weight = np.exp(-squared / self._squared_sigma)
        if not weight.all():
            raise ValueError(
                f"sigma={self.sigma} is too small: {np.mean(weight == 0):.0%} of the edges have "
                "weight exp(-d²/sigma²) = 0; raise sigma, or use sigma='mean'"
            )
        return weight

    def _edge_supervision(self, known: Supervision) -> Supervision:
        """The supervision that changes single edges. Labels stand for all their pairs."""
        return known

    def _nystrom_divisor(self) -> Floats:
        """1 − λ, by which the mean of a row's neighbours is divided; 1 where that is 0."""
        divisor = 1 - self.eigenvalues_
        return np.where(np.abs(divisor) > 1e-10, divisor, 1.0)

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        if self.verbose:
            print(f"[{type(self).__name__}] {name} …", end="", flush=True)
        yield
        if self.verbose:
            print(f" {time.perf_counter() - start:.1f} s", flush=True)

    # ---- Checks ------------------------------------------------------------------------------

    def _check_sizes(self, n_samples: int) -> None:
        for name, value in (("n_components", self.n_components), ("n_neighbors", self.n_neighbors)):
            if value is not None and value >= n_samples:
                raise ValueError(
                    f"{name}={value} must be at most {n_samples - 1}, one less than "
                    f"n_samples={n_samples}"
                )

    def _compute_squared_sigma(self, rows: Rows) -> float:
        """σ²; "mean" is the mean squared distance of all pairs, which is 2 · total variance."""
        return 2 * total_variance(rows) if self.sigma == "mean" else float(self.sigma) ** 2

    def _require_edges(self, pull: Edges) -> None:
        isolated = np.flatnonzero(pull.degrees() == 0)
        if len(isolated):
            raise ValueError(
                f"row {isolated[0]} has no edges ({len(isolated)} such rows): cannot-links or "
                "labels remove the edges to all its neighbours; raise n_neighbors, or drop the row"
            )

    def _warn_disconnected(self, n_connected: int) -> None:
        warn_caller(
            f"the graph has {n_connected} connected components, which the first columns separate; "
            "raise n_neighbors, or set bridge=True",
            UserWarning,
        )


def total_variance(rows: Rows) -> float:
    """The sum of the variances of the features, with ddof=1."""
    n = len(rows)
    if issparse(rows.values):
        variance = mean_variance_axis(rows.values.astype(np.float64), axis=0)[1]
        return float(variance.sum()) * n / (n - 1)
    deviation = rows.squared_deviations(np.zeros(n, dtype=np.int64), rows.mean[None])
    return float(deviation.sum()) / (n - 1)


def _adjacency(edges: Edges) -> csr_array:
    i, j = edges.pairs.T.astype(np.int32)  # SciPy's graph routines need 32-bit indices
    n = edges.n_samples
    half = csr_array((edges.weight, (i, j)), shape=(n, n))
    return csr_array(half + half.T)


def _equal(X: Any, Y: Any) -> bool:
    if X.shape != Y.shape or issparse(X) != issparse(Y):
        return False
    return not (X != Y).nnz if issparse(X) else np.array_equal(X, Y)
