"""Tables as they are given, made into arrays or CSR matrices of numbers that can be squared."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils import check_array
from sklearn.utils.validation import assert_all_finite, validate_data

from pairspace._core.limits import LARGEST, SMALLEST


def read_table(
    X: Any,
    *,
    of: Any = None,
    fit: bool = True,
    sparse: bool = True,
    at_least: int = 1,
    in_range: bool = True,
) -> Any:
    """X as a float array or CSR matrix, validated; X itself if it is one already.

    A sparse matrix of which more than half is stored becomes an array: that takes no more memory,
    and columns far from 0 keep their digits, since arrays are centred before they are squared.

    Parameters
    ----------
    X : array-like or sparse matrix
        The table.
    of : estimator, default=None
        The estimator that is given X: it checks or, in ``fit``, keeps the names of the columns.
    fit : bool, default=True
        Whether X is learned from. If not, its values may be of any smaller size.
    sparse : bool, default=True
        Whether X may be sparse.
    at_least : int, default=1
        The smallest number of rows.
    in_range : bool, default=True
        Whether the values of an array are checked: not if its product will be, which is smaller.
    """
    _refuse_dates(X)
    if of is None:
        X = _as_array(X)
    checks: dict[str, Any] = {
        "accept_sparse": "csr" if sparse else False,
        "dtype": (np.float64, np.float32),
        "ensure_all_finite": False,  # see require_range
        "ensure_min_samples": at_least,
    }
    X = check_array(X, **checks) if of is None else validate_data(of, X, reset=fit, **checks)
    name = None if of is None else type(of).__name__
    if in_range or issparse(X):
        require_range(X.data if issparse(X) else X, estimator_name=name, smallest=fit)
    if not issparse(X):
        return X
    return X.toarray() if 2 * X.nnz > X.shape[0] * X.shape[1] else _usual(X)


def require_range(values: Any, *, estimator_name: str | None = None, smallest: bool = True) -> None:
    """Refuse values that are not finite, or that can't be squared."""
    if not values.size or _shows_own_range(values, smallest):
        return
    with np.errstate(invalid="ignore"):  # NaN and infinity stay what they are
        largest = max(float(values.max()), -float(values.min()))
        if not np.isfinite(largest):
            assert_all_finite(values, estimator_name=estimator_name, input_name="X")
    if largest > LARGEST:
        raise ValueError(
            "X has values too large to square; scale the columns first, e.g. with StandardScaler: "
            f"the largest is {largest:.1e}, and at most {LARGEST:.0e} is possible"
        )
    if smallest and 0 < largest < SMALLEST:
        raise ValueError(
            "X has values too small to square; scale the columns first, e.g. with MaxAbsScaler: "
            f"the largest is {largest:.1e}, and at least {SMALLEST:.0e} is needed"
        )


def _shows_own_range(values: Any, smallest: bool) -> bool:
    """Whether the sum of the squares shows that the values are in range.

    That takes one fast pass, the largest and the least value two. Half of the limits, for rounding.
    """
    if not (values.flags.c_contiguous or values.flags.f_contiguous) or values.dtype.kind != "f":
        return False
    flat = values.ravel(order="K")
    with np.errstate(all="ignore"):
        squared = float(np.vdot(flat, flat))
    least = 2 * SMALLEST if smallest else 0.0
    return least <= np.sqrt(squared / flat.size) and np.sqrt(squared) <= LARGEST / 2  # no NaN


def shows_range(product: Any, components: Any) -> bool:
    """Whether a product X · componentsᵀ shows that the values of X are in range.

    NaN or infinity in X is in the product, too, if no component is 0. A value that is too large
    makes the product large, unless others cancel it.
    """
    smallest = float(np.abs(components).min())
    length = float(np.sqrt(np.vdot(product, product)))  # at least the largest; one fast pass
    return bool(smallest > 0 and length <= LARGEST / 2 * smallest)  # False for NaN


def _as_array(X: Any) -> Any:
    """A pandas frame of NumPy's floats and integers as an array; any other table as it is.

    scikit-learn would do the same, but imports an adapter for frames of every library first.
    """
    if type(X).__module__.partition(".")[0] != "pandas" or not hasattr(X, "dtypes"):
        return X
    kinds = {getattr(dtype, "kind", "") for dtype in np.atleast_1d(X.dtypes)}
    plain = all(isinstance(dtype, np.dtype) for dtype in np.atleast_1d(X.dtypes))
    return X.to_numpy() if plain and kinds <= {"f", "i", "u"} else X


def _refuse_dates(X: Any) -> None:
    """NumPy turns dates into numbers without a word, and pandas fails to mix them with others."""
    if hasattr(X, "columns") and hasattr(X, "dtypes"):
        for name, dtype in zip(X.columns, X.dtypes, strict=True):
            if _is_date(dtype):
                raise ValueError(
                    f"X must be numbers, but the column {name!r} has dates or times: turn them "
                    "into numbers first, e.g. with make_pipeline(pairspace.make_recipe(X), …)"
                )
    elif _is_date(getattr(X, "dtype", None)):
        raise ValueError(
            f"X must be numbers, but its type is {X.dtype}: turn dates and times into numbers "
            "first, e.g. into days since the first"
        )


def _is_date(dtype: Any) -> bool:
    of_polars = getattr(dtype, "is_temporal", None)
    return getattr(dtype, "kind", "") in ("m", "M") or bool(of_polars and of_polars())


def _usual(X: Any) -> Any:
    """A CSR matrix as compiled code wants it: 32-bit indices in order, in memory to write to.

    What the caller passed stays as it is.
    """
    parts = X.data, X.indices, X.indptr
    wide = X.indices.dtype != np.int32 and max(X.nnz, *X.shape) < 2**31
    locked = not all(part.flags.writeable for part in parts)
    if wide or locked:
        index = np.int32 if wide else X.indices.dtype
        data, indices, indptr = X.data.copy(), X.indices.astype(index), X.indptr.astype(index)
        X = csr_array((data, indices, indptr), shape=X.shape)
    if not X.has_canonical_format:
        X = csr_array(X, copy=True)
        X.sum_duplicates()
    return X
