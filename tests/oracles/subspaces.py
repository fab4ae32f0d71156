"""Comparing two matrices by what their columns span, or column by column up to sign."""

import numpy as np
import scipy.linalg


def principal_angles(A, B):
    """The largest sine of the principal angles between the column spaces of A and B.

    Accurate for small angles (`scipy.linalg.subspace_angles`). The columns are scaled to unit
    length first, so that columns of very different length all count; spaces of different
    dimension are at sine 1.
    """
    A = np.asarray(A, dtype=np.float64)
    B = np.asarray(B, dtype=np.float64)
    A = A / np.linalg.norm(A, axis=0)
    B = B / np.linalg.norm(B, axis=0)
    if np.linalg.matrix_rank(A) != np.linalg.matrix_rank(B):
        return 1.0
    return float(np.sin(np.max(scipy.linalg.subspace_angles(A, B))))


def same_columns_up_to_sign(A, B, rtol):
    """Whether each column of A is the column of B or its negative, to rtol times its length."""
    A = np.asarray(A, dtype=np.float64)
    B = np.asarray(B, dtype=np.float64)
    if A.shape != B.shape:
        return False
    for a, b in zip(A.T, B.T, strict=True):
        length = max(np.linalg.norm(a), np.linalg.norm(b))
        # "not ≤" rather than ">", so that a NaN is never the same
        if not min(np.linalg.norm(a - b), np.linalg.norm(a + b)) <= rtol * length:
            return False
    return True
