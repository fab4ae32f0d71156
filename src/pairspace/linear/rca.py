"""RCA: whiten by the covariance within chunklets."""

from __future__ import annotations

from typing import Any, ClassVar

from pairspace._core.data import Rows
from pairspace._core.graphs import Blocks, Complete
from pairspace._core.linalg import Eigen, rank, spectrum, within
from pairspace.base import Needs, Supervision
from pairspace.linear._shrinkage import SHRINKAGE, Shrinkage, ShrinkageReducer, shrunk
from pairspace.linear._solve import require_rank


class RCA(ShrinkageReducer):
    r"""Relevant component analysis (RCA).

    Chunklets are the groups of rows joined by must-links (or by the same label), directly or
    through other rows. With the covariance about the means of the chunklets,

    .. math:: C = \frac{1}{N} \sum_j \sum_{i \in j} (x_i - m_j)(x_i - m_j)^\top ,

    over the N rows in chunklets, RCA [1]_ finds W with :math:`W^\top C W = I`: directions in which
    rows of one chunklet differ get a small weight. With fewer components than features, Fisher's
    criterion (:class:`CFLD`) chooses them first, as in [3]_.

    It needs must-links or labels. Cannot-links are ignored. Directions in which no chunklet varies
    are left out; with few must-links, use ``shrinkage``.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have; "auto" is the fewest, at least two, with 90 % of the spread
        of the first 32. None whitens without reduction: one component for each direction in which
        chunklets vary.
    shrinkage : None, "auto" or float in [0, 1], default=None
        The weight of a multiple of the identity in the estimate of :math:`C`: None means 0, "auto"
        is the estimate of Ledoit and Wolf [2]_. Shrinkage is not part of [1]_.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The directions of the space, one per row.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The ratios of total to within-chunklet variance, descending; with ``n_components=None``, the
        eigenvalues of C.
    rank_ : int
        The rank of C, the largest possible ``n_components``.
    n_directions_ : int or None
        The number of leading directions of X that were searched; None means all. Only a very wide
        X is limited: see :doc:`/guide/scale`.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (n_features,)
        The column names of X, if all of them are strings.

    See Also
    --------
    CFLD : Fisher's criterion alone.
    DCA : Also uses cannot-links.

    References
    ----------
    .. [1] A. Bar-Hillel, T. Hertz, N. Shental, D. Weinshall, "Learning Distance Functions using
       Equivalence Relations", Proceedings of the 20th International Conference on Machine Learning
       (ICML), 11-18, 2003.
    .. [2] O. Ledoit, M. Wolf, "A Well-Conditioned Estimator for Large-Dimensional Covariance
       Matrices", Journal of Multivariate Analysis, 88(2):365-411, 2004.
       https://doi.org/10.1016/S0047-259X(03)00096-4
    .. [3] A. Bar-Hillel, T. Hertz, N. Shental, D. Weinshall, "Learning a Mahalanobis Metric from
       Equivalence Constraints", Journal of Machine Learning Research, 6:937-965, 2005.
       https://www.jmlr.org/papers/v6/bar-hillel05a.html

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import RCA, Constraints
    >>> X, y = load_iris(return_X_y=True)
    >>> answers = Constraints.from_labels(y, n_pairs=60, random_state=0)
    >>> round(RCA(n_components=None).fit(X, answers).score(X, y), 2)
    0.96
    """

    needs: ClassVar[Needs] = Needs(
        must="required",
        cannot="ignored",
        unlabelled=("spread",),
        span="links",
        class_sums=True,
        best_for="a metric without reduction",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ShrinkageReducer._parameter_constraints,
        "shrinkage": SHRINKAGE,
    }
    solves_none: ClassVar[bool] = True

    def __init__(
        self, n_components: int | float | str | None = 2, *, shrinkage: Shrinkage = None
    ) -> None:
        self.n_components = n_components
        self.shrinkage = shrinkage

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        sizes = known.chunklets.sizes
        C = Blocks(known.chunklets, pooled=1 / sizes[sizes > 1].sum()).scatter(Z)
        C = shrunk(C, self.shrinkage, Z, known)
        values, vectors = spectrum(C)
        self.rank_ = rank(values)
        values = values[: self.rank_]
        V = vectors[:, : self.rank_] / values**0.5
        require_rank(
            self.n_components or 1, self.rank_, "the scatter of the must-links (shrinkage=None)"
        )
        if self.n_components is None:
            return Eigen(values, V)
        return within(V, Complete(len(Z), 1 / len(Z)).scatter(Z), self.n_components)
