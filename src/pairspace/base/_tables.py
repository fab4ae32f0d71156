"""Validation of tables of every kind, as scikit-learn does it for arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from pairspace._core.data import (
    Rows,
    dask_array,
    is_dask,
    is_lazy,
    loaded_if_small,
    read_table,
    rows_in_memory,
    rows_of,
)


def validated_rows(
    estimator: Any,
    X: Any,
    *,
    reset: bool,
    at_least: int,
    counted: bool = True,
    in_range: bool = True,
) -> Rows:
    """Validate X and return its rows. Blocks are validated when they are read.

    Parameters
    ----------
    estimator : estimator
        Gets ``n_features_in_`` and ``feature_names_in_``, or is compared with them.
    X : array-like, sparse matrix, table on disk or Dask table
        The table.
    reset : bool
        Whether X is what the estimator is fitted on.
    at_least : int
        The smallest number of rows.
    counted : bool, default=True
        Whether the number of rows must be known. Those of a Dask table need not be counted where
        they are only projected.
    in_range : bool, default=True
        Whether the values of an array are checked; not if those of its product will be.

    Returns
    -------
    Rows
        The rows.
    """
    if not (reset or in_range) and _is_as_fitted(X, estimator):
        return rows_in_memory(X)
    if is_dask(X):
        array = dask_array(X, count_rows=counted)
        named = X._meta if hasattr(X, "columns") else array  # a frame of no rows has its names
        validate_data(estimator, named, reset=reset, skip_check_array=True)
        _check_lazy(estimator, array, at_least)
        return rows_of(array)
    if is_lazy(X):
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        _check_lazy(estimator, X, at_least)
        return rows_of(X)
    X = loaded_if_small(X)
    return rows_of(read_table(X, of=estimator, fit=reset, at_least=at_least, in_range=in_range))


def _is_as_fitted(X: Any, estimator: Any) -> bool:
    """Whether X is an array with nothing to convert or to refuse but its values.

    scikit-learn's checks take a tenth of the time of a product with 20,000 rows.
    """
    return (
        type(X) is np.ndarray
        and X.dtype in (np.float32, np.float64)
        and X.ndim == 2
        and len(X) > 0
        and X.shape[1] == estimator.n_features_in_
        and not hasattr(estimator, "feature_names_in_")
    )


def _check_lazy(estimator: Any, X: Any, at_least: int) -> None:
    """Validate what is known without reading X."""
    n_samples, n_features = X.shape
    if X.dtype.kind not in "fiub":
        raise ValueError(f"dtype={X.dtype} of X: it must be a table of numbers")
    if n_samples < at_least or not n_features:
        raise ValueError(
            f"Found array with {n_samples} sample(s) and {n_features} feature(s) "
            f"(shape={X.shape}) while a minimum of {at_least} and 1 is required by "
            f"{type(estimator).__name__}."
        )
