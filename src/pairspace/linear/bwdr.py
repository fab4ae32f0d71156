"""BWDR: make all directions equal between the classes, then keep those that are small within."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from pairspace._core.data import Rows
from pairspace._core.linalg import Eigen, bottom, rank, spectrum
from pairspace.base import Needs, Supervision
from pairspace.linear._leading import n_leading
from pairspace.linear._shrinkage import SHRINKAGE, Shrinkage, ShrinkageReducer, shrunk
from pairspace.linear._solve import require_rank


class BWDR(ShrinkageReducer):
    r"""Dimensionality reduction by increasing between-class differences.

    Let :math:`S_B` and :math:`S_W` be the scatter of the cannot-links and of the must-links,

    .. math:: S_P = \sum_{(j,k) \in P} (x_j - x_k)(x_j - x_k)^\top .

    The leading eigenvectors of :math:`S_B` are stretched until it is the same in all of them
    (Proposition 1), :math:`V = (\sqrt{\lambda_1 / \lambda_j}\, e_j)_{j \le i}` (eq. 6), so that
    only the within-class scatter is left to be made small (eq. 8):

    .. math:: \min_U \operatorname{tr}(U^\top V^\top S_W V U)
              \quad \text{subject to} \quad U^\top U = I ,

    and the space is :math:`W = V U`, for which :math:`W^\top S_B W = \lambda_1 I`.

    It needs cannot-links, and many of them: with a few dozen answers PCA is the better space.
    Prefer it to :class:`WBDR` when some features are noise, for it drops the directions in which
    the cannot-links hardly differ.

    Parameters
    ----------
    n_components : int, default=2
    threshold : float, default=0.95
        The share of :math:`\operatorname{tr} S_B` that the leading eigenvectors may hold, in
        (0, 1]; at least ``n_components`` of them are kept. 1 keeps all that are not zero.
    shrinkage : None, "auto" or float in [0, 1], default=None
        How far :math:`S_W` is shrunk towards a multiple of the identity, which is not in the paper:
        not at all, as Ledoit and Wolf estimate it, or by this much.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The columns of W as rows.
    mean_ : ndarray of shape (n_features,)
    eigenvalues_ : ndarray of shape (n_components,)
        The within-class scatter along each component, ascending.
    rank_ : int
        The rank of :math:`S_B`, the largest ``n_components`` possible.

    Notes
    -----
    Where the must-links leave several directions without any within-class scatter, those with the
    larger :math:`\lambda` come first. The solutions for different ``n_components`` are not nested.

    The paper's text asks for the largest eigenvalues of problem (8); its algorithm and its theory
    take the smallest, and so do we. Cost: the scatters, one eigenproblem of order
    min(n_samples, n_features) and one of the kept directions.

    References
    ----------
    Algorithm 1 of the paper that introduced BWDR and WBDR (2020): see docs/papers.md.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import BWDR, Constraints
    >>> X, y = load_iris(return_X_y=True)
    >>> answers = Constraints.from_labels(y, n_pairs=300, random_state=0)
    >>> round(BWDR(n_components=1).fit(X, answers).score(X, y), 2)
    0.95
    """

    needs: ClassVar[Needs] = Needs(
        must="used",
        cannot="required",
        spread=False,
        span="links",
        class_sums=True,
        best_for="many pairs, some features noise",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ShrinkageReducer._parameter_constraints,
        "threshold": [Interval(Real, 0, 1, closed="right")],
        "shrinkage": SHRINKAGE,
    }

    def __init__(
        self, n_components: int = 2, *, threshold: float = 0.95, shrinkage: Shrinkage = None
    ) -> None:
        self.n_components = n_components
        self.threshold = threshold
        self.shrinkage = shrinkage

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        S_B, S_W = known.cannot.scatter(Z), known.must.scatter(Z)
        S_W = shrunk(S_W, self.shrinkage, Z, known)
        values, vectors = spectrum(S_B)
        self.rank_ = rank(values)
        require_rank(self.n_components, self.rank_, "the scatter of the cannot-links")
        if not known.must.total:
            warnings.warn(
                "BWDR got no must-links: nothing says which directions are small within a class, "
                "so those in which the cannot-links differ most are taken",
                UserWarning,
                stacklevel=5,
            )
        i = n_leading(values, self.rank_, self.threshold, self.n_components)
        stretch = values[0] / values[:i]
        V = vectors[:, :i] * np.sqrt(stretch)
        within = bottom(V.T @ S_W @ V, self.n_components, ties=np.diag(stretch))
        return Eigen(within.values, V @ within.vectors)
