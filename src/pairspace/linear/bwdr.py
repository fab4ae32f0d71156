"""BWDR: make all directions equal between the classes, then keep those that are small within."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from pairspace._core.data import Rows
from pairspace._core.linalg import Eigen, bottom, rank, spectrum
from pairspace._core.warn import warn_caller
from pairspace.base import Needs, Supervision
from pairspace.linear._leading import n_leading
from pairspace.linear._shrinkage import SHRINKAGE, Shrinkage, ShrinkageReducer, shrunk
from pairspace.linear._solve import require_rank


class BWDR(ShrinkageReducer):
    r"""Dimensionality reduction by increasing between-class differences (BWDR).

    Let :math:`S_B` and :math:`S_W` be the scatters of the cannot-links and of the must-links,

    .. math:: S_P = \sum_{(j,k) \in P} (x_j - x_k)(x_j - x_k)^\top .

    BWDR (Algorithm 1 of [1]_) stretches the leading eigenvectors of :math:`S_B` until it is equal
    in all of them (Proposition 1), :math:`V = (\sqrt{\lambda_1 / \lambda_j}\, e_j)_{j \le i}` (eq.
    6), and then minimises the within-class scatter (eq. 8):

    .. math:: \min_U \operatorname{tr}(U^\top V^\top S_W V U)
              \quad \text{subject to} \quad U^\top U = I .

    The space is :math:`W = V U`, for which :math:`W^\top S_B W = \lambda_1 I`.

    BWDR needs many cannot-links; with a few dozen pairs PCA is better. Prefer it to :class:`WBDR`
    when some features are noise: it drops the directions in which cannot-links hardly differ.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    threshold : float, default=0.95
        The largest share of :math:`\operatorname{tr} S_B` that the kept eigenvectors may hold, in
        (0, 1]; at least ``n_components`` of them are kept. 1 keeps all with a nonzero eigenvalue.
    shrinkage : None, "auto" or float in [0, 1], default=None
        The weight of a multiple of the identity in the estimate of :math:`S_W`: None means 0,
        "auto" is the estimate of Ledoit and Wolf [2]_. Shrinkage is not part of [1]_.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The columns of W, one per row.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The within-class scatter along each component, ascending.
    rank_ : int
        The rank of :math:`S_B`, the largest possible ``n_components``.
    n_directions_ : int or None
        The number of leading directions of X that were searched; None means all. Only a very wide
        X is limited: see :doc:`/guide/scale`.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (n_features,)
        The column names of X, if all of them are strings.

    See Also
    --------
    WBDR : Equalises the within-class scatter and maximises the between-class scatter.
    PairSpace : Better with few pairs.

    Notes
    -----
    Where several directions have no within-class scatter, those with the larger :math:`\lambda`
    come first. The solutions for different ``n_components`` are not nested.

    The text of [1]_ asks for the largest eigenvalues of problem (8); its algorithm and theory use
    the smallest, as here. Cost: the scatters, one eigenproblem of order min(n_samples, n_features)
    and one of the number of kept directions.

    References
    ----------
    .. [1] The paper that introduced BWDR and WBDR, vol. 8, 2020: see :doc:`/papers/index`.
    .. [2] O. Ledoit, M. Wolf, "A Well-Conditioned Estimator for Large-Dimensional Covariance
       Matrices", Journal of Multivariate Analysis, 88(2):365-411, 2004.
       https://doi.org/10.1016/S0047-259X(03)00096-4

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
        self,
        n_components: int | float | str | None = 2,
        *,
        threshold: float = 0.95,
        shrinkage: Shrinkage = None,
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
            warn_caller(
                "BWDR got no must-links: nothing says which directions are small within a class, "
                "so those in which the cannot-links differ most are taken",
                UserWarning,
            )
        i = n_leading(values, self.rank_, self.threshold, self.n_components)
        stretch = values[0] / values[:i]
        V = vectors[:, :i] * np.sqrt(stretch)
        within = bottom(V.T @ S_W @ V, self.n_components, ties=np.diag(stretch))
        return Eigen(within.values, V @ within.vectors)
