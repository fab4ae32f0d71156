"""WBDR: make all directions equally small within the classes, then keep the largest between."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from pairspace._core.data import Rows
from pairspace._core.linalg import Eigen, rank, spectrum
from pairspace.base import Needs, Supervision
from pairspace.linear._leading import n_leading
from pairspace.linear._shrinkage import SHRINKAGE, Shrinkage, ShrinkageReducer, shrunk
from pairspace.linear._solve import top_of_full_rank


class WBDR(ShrinkageReducer):
    r"""Dimensionality reduction by compression of within-class differences (WBDR).

    Let :math:`S_W` and :math:`S_B` be the scatters of the must-links and of the cannot-links,

    .. math:: S_P = \sum_{(j,k) \in P} (x_j - x_k)(x_j - x_k)^\top .

    WBDR (Algorithm 2 of [1]_) compresses the leading eigenvectors of :math:`S_W` to its i-th
    eigenvalue (Proposition 4), :math:`V = (\sqrt{\lambda_i / \lambda_j}\, e_j)_{j \le i}`, keeps
    the other :math:`e_j` as they are (eq. 10), and then maximises the between-class scatter (eq.
    12):

    .. math:: \max_U \operatorname{tr}(U^\top V^\top S_B V U)
              \quad \text{subject to} \quad U^\top U = I .

    The space is :math:`W = V U`.

    WBDR needs many cannot-links and many must-links; with a few dozen pairs PCA is better. Without
    must-links it finds the principal components of the cannot-links. With ``threshold=1`` and as
    many independent must-links as features, the space does not depend on the scales of the
    features.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    threshold : float, default=1.0
        The largest share of :math:`\operatorname{tr} S_W` that the compressed eigenvectors may
        hold, in (0, 1]; at least ``n_components`` of them are compressed. 1 compresses all with a
        nonzero eigenvalue.
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
        The between-class scatter along each component, descending.
    rank_ : int
        The rank of :math:`S_W`.
    n_directions_ : int or None
        The number of leading directions of X that were searched; None means all. Only a very wide
        X is limited: see :doc:`/guide/scale`.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (n_features,)
        The column names of X, if all of them are strings.

    See Also
    --------
    BWDR : Equalises the between-class scatter and minimises the within-class scatter.
    PairSpace : Better with few pairs.

    Notes
    -----
    Directions without within-class scatter are neither compressed nor stretched. Cost: the scatters
    and two eigenproblems of order min(n_samples, n_features).

    References
    ----------
    .. [1] The paper that introduced BWDR and WBDR, vol. 8, 2020: see :doc:`/papers/index`.
    .. [2] O. Ledoit, M. Wolf, "A Well-Conditioned Estimator for Large-Dimensional Covariance
       Matrices", Journal of Multivariate Analysis, 88(2):365-411, 2004.
       https://doi.org/10.1016/S0047-259X(03)00096-4

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import WBDR, Constraints
    >>> X, y = load_iris(return_X_y=True)
    >>> answers = Constraints.from_labels(y, n_pairs=300, random_state=0)
    >>> round(WBDR(n_components=1).fit(X, answers).score(X, y), 2)
    0.98
    """

    needs: ClassVar[Needs] = Needs(
        must="used",
        cannot="required",
        spread=False,
        span="links",
        class_sums=True,
        best_for="many pairs, features on different scales",
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
        threshold: float = 1.0,
        shrinkage: Shrinkage = None,
    ) -> None:
        self.n_components = n_components
        self.threshold = threshold
        self.shrinkage = shrinkage

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        S_W, S_B = known.must.scatter(Z), known.cannot.scatter(Z)
        S_W = shrunk(S_W, self.shrinkage, Z, known)
        values, vectors = spectrum(S_W)
        self.rank_ = rank(values)
        i = n_leading(values, self.rank_, self.threshold, self.n_components)
        compressed = np.ones(len(values))
        compressed[:i] = values[i - 1] / values[:i] if i else 1
        V = vectors * np.sqrt(compressed)
        between = top_of_full_rank(
            V.T @ S_B @ V, self.n_components, "the scatter of the cannot-links"
        )
        return Eigen(between.values, V @ between.vectors)
