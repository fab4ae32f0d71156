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
from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted

from pairspace._core import linalg
from pairspace._core.data import (
    DenseRows,
    LazyRows,
    Rows,
    dask_array,
    is_dask,
    read_table,
    require_range,
    shows_range,
)
from pairspace._core.linalg import NO_LINKS, Eigen, Span, links_may_do, span_of
from pairspace.base import (
    Reducer,
    Supervision,
    subsample,
    unchanged_if_it_fails,
    validated_rows,
    with_plain_numbers,
)
from pairspace.constraints import Constraints
from pairspace.linear._components import solved


class LinearReducer(Reducer):
    """Base of the linear methods.

    A method defines its graphs and its eigenproblem in ``_solve(Z, known)``. ``Z`` are the rows, in
    coordinates with no more features than needed; ``known.must`` and ``known.cannot`` are the
    graphs of the must-links and cannot-links. ``_solve`` returns ``Eigen(values, vectors)``, one
    vector for each component, and sets ``self.rank_``. ``needs`` declares what it learns from.

    See Also
    --------
    pairspace.base.Reducer : Base of all methods.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="neither"),
            StrOptions({"auto"}),
            None,
        ],
    }
    n_components: Any  # in _solve, an integer
    solves_none: ClassVar[bool] = False  # whether _solve has a meaning of its own for None
    rank_: int
    learned_rows_: NDArray[np.int64] | None

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        raise NotImplementedError

    def _rows(
        self,
        X: Any,
        *,
        reset: bool,
        at_least: int,
        counted: bool = True,
        in_range: bool = True,
    ) -> Rows:
        if isinstance(X, Rows):  # of AutoReducer, which fits many methods on the same rows
            self.n_features_in_ = X.shape[1]
            return X
        return validated_rows(
            self, X, reset=reset, at_least=at_least, counted=counted, in_range=in_range
        )

    def _in_memory(self, rows: Rows, known: Supervision) -> tuple[Rows, Supervision]:
        """The rows and their supervision, of a table that is not in memory a subsample."""
        self.learned_rows_ = None
        if isinstance(rows, LazyRows):
            random_state = getattr(self, "random_state", None)
            rows, known, self.learned_rows_ = subsample(rows, known, random_state)
        return rows, known

    @with_plain_numbers
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> Self:
        """Find the space.

        Parameters
        ----------
        X : array-like, sparse matrix, table on disk or Dask table, of shape (n_samples, n_features)
            The data. A ``numpy.memmap``, Zarr or HDF5 array larger than scikit-learn's
            ``working_memory`` is read in blocks. A Dask array or frame is summed up by its workers:
            see :doc:`/guide/dask`.
        y : Constraints, or array-like of shape (n_samples,), default=None
            Pairs, or labels; the label −1, None or NaN means unknown.
        constraints : Constraints, default=None
            Pairs, if ``y`` is labels or belongs to another step of a pipeline. They are used in
            addition to ``y``.

        Returns
        -------
        object
            The fitted estimator.
        """
        with unchanged_if_it_fails(self):
            self._fit(X, y, constraints)
        return self

    def _fit(self, X: Any, y: Any, constraints: Constraints | None) -> None:
        rows = self._rows(X, reset=True, at_least=2)
        known = Supervision(y, constraints, len(rows))
        self._require_supervision(known, y)
        given = known
        needs = self._current_needs()
        if needs.row_values:
            rows, known = self._in_memory(rows, known)
        elif isinstance(rows, LazyRows):
            rows.prefetch(known.linked_rows, spread=needs.spread)
            rows = rows.in_memory_if_small()
        links = known.links if links_may_do(rows, needs.span) else NO_LINKS
        # All components cost as much as the whole problem.
        k = self.n_components if isinstance(self.n_components, Integral) else min(rows.shape)
        span = span_of(rows, links, needs.span, int(k), self._most_directions(rows))
        self._learn(span, known, rows.dtype)
        if needs.uses_links:
            given.warn_of_contradictions()

    def _most_directions(self, rows: Rows) -> int | None:
        """The number of leading directions of X to search in; None is all that fit in memory."""
        return None

    def _require_solution(self) -> None:
        """Raise NotFittedError before a fit; after ``partial_fit``, solve."""
        if "components_" not in vars(self):  # many times faster to see than by the check
            check_is_fitted(self)

    def _learn(self, span: Span, known: Supervision, dtype: np.dtype[Any]) -> None:
        asked = self.n_components
        if isinstance(asked, Integral) and int(asked) > self.n_features_in_:
            raise ValueError(
                f"n_components={asked} must be at most n_features={self.n_features_in_}"
            )
        solution = solved(self, span.rows, known)
        directions = linalg.oriented(span.lift(solution.vectors))
        size, limits = np.abs(directions).max(axis=0), np.finfo(dtype)
        if not np.all((limits.tiny <= size) & (size <= limits.max)):
            raise ValueError(
                f"the components are too large or too small for {dtype}: scale the columns of X "
                "first, e.g. with StandardScaler, or choose parameters nearer to 1"
            )
        self.n_directions_ = span.n_directions
        self.components_ = directions.T.astype(dtype, order="C")
        self.mean_ = span.mean.astype(dtype)
        self.eigenvalues_ = solution.values

    def transform(self, X: Any) -> NDArray[Any]:
        """Project rows into the space: ``(X − mean_) @ components_.T``.

        Parameters
        ----------
        X : array-like, sparse matrix, table on disk or Dask table, of shape (n_samples, n_features)
            The rows to project.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            The projected rows; a Dask array if X is a Dask table.
        """
        self._require_solution()
        if is_dask(X) and _get_output_config("transform", self)["dense"] != "default":
            raise ValueError(
                "a frame would bring all rows of a Dask table to this machine: use "
                "set_output(transform='default')"
            )
        rows = self._rows(X, reset=False, at_least=1, counted=False, in_range=False)
        if not isinstance(rows, DenseRows):
            return rows.project(self.components_, self.mean_)
        # Reading the rows again to check them would take as long as half of the product.
        with np.errstate(all="ignore"):
            found = rows.project(self.components_, self.mean_)
            if shows_range(found, self.components_):
                return found
        require_range(rows.values, estimator_name=type(self).__name__, smallest=False)
        return rows.project(self.components_, self.mean_)

    def inverse_transform(self, X: Any) -> NDArray[Any]:
        """Map points of the space back to the features, by least squares.

        Parameters
        ----------
        X : array-like or Dask array of shape (n_samples, n_components)
            Points of the space.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            The rows nearest to ``mean_`` that ``transform`` maps to X; a Dask array if X is one.
        """
        self._require_solution()
        if is_dask(X):
            X = dask_array(X, count_rows=False)
        else:
            X = read_table(X, fit=False, sparse=False)
        if X.shape[1] != len(self.components_):
            raise ValueError(
                f"X has {X.shape[1]} columns, but the space has {len(self.components_)}"
            )
        back = scipy.linalg.pinv(self.components_.astype(np.float64))
        return X @ back.T.astype(X.dtype) + self.mean_.astype(X.dtype)

    @property
    def _n_features_out(self) -> int:
        self._require_solution()
        return len(self.components_)
