"""cFLD: Fisher's discriminant with chunklets in place of classes."""

from __future__ import annotations

from typing import Any, ClassVar

from pairspace._core.data import Rows
from pairspace._core.graphs import Blocks, Complete
from pairspace._core.linalg import Eigen, whiten, within
from pairspace.base import Needs, Supervision
from pairspace.linear._shrinkage import SHRINKAGE, Shrinkage, ShrinkageReducer, shrunk
from pairspace.linear._solve import require_rank


class CFLD(ShrinkageReducer):
    r"""Constrained Fisher linear discriminant (cFLD).

    Chunklets are the groups of rows joined by must-links (or by the same label), directly or
    through other rows. With the scatter :math:`S_w` about the means of the chunklets and the total
    scatter :math:`S_t` of all rows, cFLD [1]_ solves

    .. math:: S_t\, w = \mu\, S_w\, w , \qquad w^\top S_w w = 1 , \qquad \text{largest } \mu .

    It needs must-links or labels. Cannot-links are ignored. Rows in no chunklet count in the total
    scatter. Directions in which no chunklet varies are left out; with few must-links, use
    ``shrinkage``.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    shrinkage : None, "auto" or float in [0, 1], default=None
        The weight of a multiple of the identity in the estimate of :math:`S_w`: None means 0,
        "auto" is the estimate of Ledoit and Wolf [2]_. Shrinkage is not part of [1]_.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The directions of the space, one per row.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The ratios :math:`\mu`, descending.
    rank_ : int
        The rank of :math:`S_w`, the largest possible ``n_components``.
    n_directions_ : int or None
        The number of leading directions of X that were searched; None means all. Only a very wide
        X is limited: see :doc:`/guide/scale`.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (n_features,)
        The column names of X, if all of them are strings.

    See Also
    --------
    RCA : Whitens the covariance within chunklets.
    PairSpace : Shrinks the within-class scatter towards that of nearest neighbours.

    References
    ----------
    .. [1] A. Bar-Hillel, T. Hertz, N. Shental, D. Weinshall, "Learning a Mahalanobis Metric from
       Equivalence Constraints", Journal of Machine Learning Research, 6:937-965, 2005.
       https://www.jmlr.org/papers/v6/bar-hillel05a.html
    .. [2] O. Ledoit, M. Wolf, "A Well-Conditioned Estimator for Large-Dimensional Covariance
       Matrices", Journal of Multivariate Analysis, 88(2):365-411, 2004.
       https://doi.org/10.1016/S0047-259X(03)00096-4

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import CFLD, Constraints
    >>> X, y = load_iris(return_X_y=True)
    >>> answers = Constraints.from_labels(y, n_pairs=60, random_state=0)
    >>> round(CFLD(n_components=1).fit(X, answers).score(X, y), 2)
    0.97
    """

    needs: ClassVar[Needs] = Needs(
        must="required",
        cannot="ignored",
        unlabelled=("spread",),
        span="links",
        class_sums=True,
        best_for="only must-links",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ShrinkageReducer._parameter_constraints,
        "shrinkage": SHRINKAGE,
    }

    def __init__(
        self, n_components: int | float | str | None = 2, *, shrinkage: Shrinkage = None
    ) -> None:
        self.n_components = n_components
        self.shrinkage = shrinkage

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        S_w = shrunk(Blocks(known.chunklets, pooled=1.0).scatter(Z), self.shrinkage, Z, known)
        V = whiten(S_w)
        self.rank_ = V.shape[1]
        require_rank(
            self.n_components, self.rank_, "the scatter of the must-links (shrinkage=None)"
        )
        S_t = Complete(len(Z), 1 / len(Z)).scatter(Z)
        return within(V, S_t, self.n_components)
