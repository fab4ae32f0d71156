"""Rows that are exactly equal are one question."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from pairspace._core.typing import Ints


def first_equal_rows(X: Any) -> Ints:
    """For each row the number of the first row that is equal to it.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_rows, n_features)
        The rows.

    Returns
    -------
    ndarray of shape (n_rows,)
        Row numbers.

    Examples
    --------
    >>> import numpy as np
    >>> first_equal_rows(np.array([[1.0, 2.0], [0.0, 0.0], [1.0, 2.0], [-0.0, 0.0]])).tolist()
    [0, 1, 0, 1]
    """
    if issparse(X):
        X = csr_array(X, copy=True)  # the next lines change it
        X.sum_duplicates()
        X.eliminate_zeros()
        seen: dict[bytes, int] = {}
        found = np.empty(X.shape[0], dtype=np.int64)
        for row, (start, end) in enumerate(zip(X.indptr[:-1], X.indptr[1:], strict=True)):
            content = X.indices[start:end].tobytes() + X.data[start:end].tobytes()
            found[row] = seen.setdefault(content, row)
        return found
    rows = np.ascontiguousarray(X + 0.0)  # −0 and 0 are equal, but not their bytes
    as_bytes = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, which = np.unique(as_bytes, return_index=True, return_inverse=True)
    return np.asarray(first[which], dtype=np.int64)
