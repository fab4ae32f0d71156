"""The life cycle of a linear method: validate, span, solve, lift."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
import scipy.linalg
from numpy.typing import NDArray
from sklearn.base import (
    _fit_context,
)
from sklearn.utils import check_array
from sklearn.utils._param_validation import Interval
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted, validate_data

from pairspace._core import linalg
from pairspace._core.data import (
    LazyRows,
    Rows,
    dask_array,
    is_dask,
    is_lazy,
    loaded_if_small,
    rows_of,
)
from pairspace._core.graphs import Graph
from pairspace._core.linalg import NO_LINKS, Eigen, Reach, Span, links_may_do, matrix_fits, span_of
from pairspace._core.typing import Floats
from pairspace.base import Reducer, Supervision, subsample
from pairspace.constraints import Constraints


class LinearReducer(Reducer):
    """Base of the linear methods. A method says in ``_solve`` which graphs and which eigenproblem.

    ``_solve(Z, known)`` gets the rows in coordinates in which d ≤ n, and what is known about them
    as graphs (``known.must``, ``known.cannot``); it returns ``Eigen(values, vectors)``, a vector
    for each component, and sets ``self.rank_``. ``_reach`` says where the solution lies, so that
    wide tables need not be searched everywhere, and ``_looks_at_rows`` whether the rows themselves
    are needed, as for neighbours, and not only sums over them. ``_uses_spread`` says whether the
    scatter of all rows is; if it is wrong, tables that are not in memory are read once more.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
    }
    _looks_at_rows = False
    _uses_spread = True
    n_components: int
    rank_: int
    learned_rows_: NDArray[np.int64] | None

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        raise NotImplementedError

    def _reach(self) -> Reach:
        """Where the solution lies: see :mod:`pairspace._core.linalg`."""
        return "rows"

    def _rows(self, X: Any, *, reset: bool, at_least: int, counted: bool = True) -> Rows:
        """The rows of X, checked; what is read a block at a time is checked as it is read.

        The rows of a Dask table need not be counted where they are only projected.
        """
        if is_dask(X):
            array = dask_array(X, count_rows=counted)
            named = X._meta if hasattr(X, "columns") else array  # a frame of no rows has its names
            validate_data(self, named, reset=reset, skip_check_array=True)
            self._check_lazy(array, at_least)
            return rows_of(array)
        lazy = is_lazy(X)
        X = validate_data(
            self,
            loaded_if_small(X),
            reset=reset,
            skip_check_array=lazy,
            accept_sparse="csr",
            dtype=(np.float64, np.float32),
            ensure_min_samples=at_least,
        )
        if lazy:
            self._check_lazy(X, at_least)
        return rows_of(X)

    def _in_memory(self, rows: Rows, known: Supervision) -> tuple[Rows, Supervision]:
        """The rows to look at and what is known about them: a sample if they are not in memory."""
        self.learned_rows_ = None
        if isinstance(rows, LazyRows):
            random_state = getattr(self, "random_state", None)
            rows, known, self.learned_rows_ = subsample(rows, known, random_state)
        return rows, known

    def _check_lazy(self, X: Any, at_least: int) -> None:
        """What can be seen without reading X."""
        n_samples, n_features = X.shape
        if X.dtype.kind not in "fiub":
            raise ValueError(f"dtype={X.dtype} of X: it must be a table of numbers")
        if n_samples < at_least or not n_features:
            raise ValueError(
                f"Found array with {n_samples} sample(s) and {n_features} feature(s) "
                f"(shape={X.shape}) while a minimum of {at_least} and 1 is required by "
                f"{type(self).__name__}."
            )

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> Self:
        """Find the space.

        Parameters
        ----------
        X : array-like, sparse matrix, table on a disk or of Dask, of shape (n_samples, n_features)
            The data. A ``numpy.memmap``, or a Zarr or HDF5 array, that is larger than
            scikit-learn's ``working_memory`` is read in blocks. A Dask array or frame is summed up
            by its workers: see docs/dask.md.
        y : Constraints, or labels of shape (n_samples,), default=None
            Pairs, or labels of which some may be unknown: −1, None or NaN.
        constraints : Constraints, default=None
            Pairs, where ``y`` is labels or belongs to another step of a pipeline. They add to
            what ``y`` says.
        """
        self._reset()
        rows = self._rows(X, reset=True, at_least=2)
        known = Supervision(y, constraints, len(rows))
        self._require_supervision(known, y)
        if self._looks_at_rows:
            rows, known = self._in_memory(rows, known)
        elif isinstance(rows, LazyRows):
            rows.prefetch(known.linked_rows, spread=self._uses_spread)
            rows = rows.in_memory_if_small()
        links = known.links if links_may_do(rows, self._reach()) else NO_LINKS
        span = span_of(rows, links, self._reach(), self.n_components)
        self._learn(span, known, rows.dtype)
        return self

    def _reset(self) -> None:
        """Forget what was learned from batches."""

    def _learn(self, span: Span, known: Supervision, dtype: np.dtype[Any]) -> None:
        if self.n_components is not None and self.n_components > self.n_features_in_:
            raise ValueError(
                f"n_components={self.n_components} is more than the data has: "
                f"n_features={self.n_features_in_}"
            )
        solution = self._solve(span.rows, known)
        directions = linalg.oriented(span.lift(solution.vectors))
        self.n_directions_ = span.n_directions
        self.components_ = directions.T.astype(dtype, order="C")
        self.mean_ = span.mean.astype(dtype)
        self.eigenvalues_ = solution.values

    def transform(self, X: Any) -> NDArray[Any]:
        """``(X − mean_) @ components_.T``; of a Dask array or frame, as a Dask array."""
        check_is_fitted(self)
        if is_dask(X) and _get_output_config("transform", self)["dense"] != "default":
            raise ValueError(
                "a frame would bring all rows of a Dask table to this machine: use "
                "set_output(transform='default')"
            )
        return self._rows(X, reset=False, at_least=1, counted=False).project(
            self.components_, self.mean_
        )

    def inverse_transform(self, X: Any) -> NDArray[Any]:
        """The rows nearest to the mean that ``transform`` sends to X (least squares)."""
        check_is_fitted(self)
        if is_dask(X):
            X = dask_array(X, count_rows=False)
        else:
            X = check_array(X, dtype=(np.float64, np.float32))
        if X.shape[1] != len(self.components_):
            raise ValueError(
                f"X has {X.shape[1]} columns, but the space has {len(self.components_)}"
            )
        back = scipy.linalg.pinv(self.components_.astype(np.float64))
        return X @ back.T.astype(X.dtype) + self.mean_.astype(X.dtype)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _require_cannot_links(self, known: Supervision) -> None:
        if not known.cannot.total:
            raise ValueError(
                f"{type(self).__name__} needs cannot-links, or labels of more than one class: it "
                "looks for directions that keep them apart (1 class or none was given)"
            )

    def _require_must_links(self, known: Supervision) -> None:
        if not known.must.total:
            raise ValueError(
                f"{type(self).__name__} needs must-links, or labels with two rows of one class: it "
                "learns how rows of one class differ (no 2 rows are known to be the same)"
            )

    def _require_rank(self, rank: int, what: str) -> None:
        if self.n_components > rank:
            raise ValueError(
                f"n_components={self.n_components}, but {what} span only {rank} "
                f"direction{'s' * (rank != 1)}: lower n_components or give more of them"
            )

    def _top_of_full_rank(self, scatter: Floats, what: str) -> Eigen:
        """The top components of a scatter, each of them with something in it."""
        found = linalg.top(scatter, min(self.n_components, len(scatter)))
        if linalg.rank(found.values) < self.n_components:
            self._require_rank(linalg.rank_of(scatter), what)
        return found

    def _top_where_data_varies(self, graph: Graph, Z: Rows) -> Eigen:
        """The top components of a scatter that may be indefinite, where the data is not constant.

        A direction without any variation has the eigenvalue 0, which would outrank negative ones.
        """
        n_samples, n_features = Z.shape
        self.rank_ = min(n_samples - 1, n_features)
        if Z.in_memory and not matrix_fits(min(Z.shape)):
            return self._top_by_products(graph, Z)
        if Z.in_memory and linalg.iteration_pays(min(Z.shape), self.n_components):
            found = linalg.leading(graph.scatter_operator(Z), self.n_components)
            if found and linalg.rank(found.values) == self.n_components:
                return found
        if n_features > n_samples:
            span = span_of(Z)
            solution = self._top_where_data_varies(graph, span.rows)
            return Eigen(solution.values, span.lift(solution.vectors))
        M = graph.scatter(Z)
        if self.n_components <= n_features:
            found = linalg.top(M, self.n_components)
            if linalg.rank(found.values) == self.n_components:
                return found
        V = linalg.range_of(Z.gram)
        self.rank_ = V.shape[1]
        self._require_rank(self.rank_, "the rows of X")
        values, vectors = linalg.top(V.T @ M @ V, self.n_components)
        return Eigen(values, V @ vectors)

    def _top_by_products(self, graph: Graph, Z: Rows) -> Eigen:
        """The same where the scatter is too large to be written down."""
        found = linalg.leading(graph.scatter_operator(Z), self.n_components, patient=True)
        if found is None or linalg.rank(found.values) < self.n_components:
            raise ValueError(
                f"no {self.n_components} directions stand out among {Z.shape[1]} features: lower "
                "n_components, reduce X first, e.g. with TruncatedSVD, or solve the whole problem: "
                f"sklearn.set_config(working_memory={8 * min(Z.shape) ** 2 // 2**20 + 1})"
            )
        return found
