"""LFDA: Fisher's discriminant that keeps the clusters of a class apart."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval, StrOptions

from pairspace._core.data import Rows
from pairspace._core.linalg import Eigen
from pairspace._core.typing import Seed
from pairspace.base import Needs, Supervision
from pairspace.linear._apart import most_directions_apart
from pairspace.linear._base import LinearReducer
from pairspace.linear._local_scatter import local_scatters
from pairspace.linear._shrinkage import SHRINKAGE, Shrinkage, shrunk
from pairspace.linear._solve import largest_ratios


class LFDA(LinearReducer):
    r"""Local Fisher discriminant analysis (LFDA).

    A pair of rows of one class has the affinity :math:`A_{ij} = \exp(-\|x_i - x_j\|^2 / (\sigma_i
    \sigma_j))`, where :math:`\sigma_i` is the distance to the k-th nearest row of the class [2]_.
    With l labelled rows, :math:`n_c` of them in class c, the two scatters of LFDA [1]_ are

    .. math:: S_{lw} = \sum_{i<j} W^{lw}_{ij} \delta \delta^\top , \quad
              S_{lb} = \sum_{i<j} W^{lb}_{ij} \delta \delta^\top , \quad \delta = x_i - x_j ,

    where :math:`W^{lw}_{ij} = A_{ij} / n_c` and :math:`W^{lb}_{ij} = A_{ij} (1/l - 1/n_c)` within a
    class, and 0 and 1/l between classes. LFDA solves

    .. math:: S_{lb}\, w = \mu\, S_{lw}\, w , \qquad w^\top S_{lw} w = 1 , \qquad
              \text{largest } \mu .

    Far rows of a class have little weight, so a class may stay in several clusters, and there may
    be more components than classes − 1.

    Labels of two classes or more are needed, one of them with two rows, or both kinds of links.
    Unlabelled rows are not used: :class:`SELFDA` uses them. Pairs are not part of [1]_: rows that
    must-links join count as a class in :math:`S_{lw}`, and each cannot-link is an edge of weight
    1/l in :math:`S_{lb}`, where l is the number of rows of which something is known.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    n_neighbors : int, default=7
        The k of :math:`\sigma_i`; in a class of fewer rows, :math:`n_c - 1`.
    weights : {"local", "binary"}, default="local"
        The affinity: the formula above, or 1, which gives linear discriminant analysis.
    shrinkage : None, "auto" or float in [0, 1], default=None
        The weight of a multiple of the identity in :math:`S_{lw}`: None means 0, "auto" is the
        estimate of Ledoit and Wolf [3]_ for the scatter within classes. Shrinkage is not part of
        [1]_. It is needed where l − classes is less than the number of features.
    random_state : int, RandomState instance or None, default=None
        Seed of the subsample of a table that is read in blocks.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The directions of the space, one per row.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The ratios :math:`\mu`, descending.
    rank_ : int
        The number of directions in which both scatters are not zero, the largest possible
        ``n_components``.
    n_directions_ : int or None
        The number of leading directions of X that were searched; None means all. Only a very wide
        X is limited: see :doc:`/guide/scale`.
    learned_rows_ : ndarray or None
        The row numbers of the subsample that was learned from, if X is read in blocks; None means
        all rows.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (n_features,)
        The column names of X, if all of them are strings.

    See Also
    --------
    SELFDA : Uses unlabelled rows, too.
    MFA : Joins near rows of a class, and drives apart the nearest rows of different classes.

    Notes
    -----
    The time grows with the square of the size of a class, the memory does not. If :math:`\sigma_i`
    is 0, because a row has k copies, its affinities are 0, which is their limit.

    References
    ----------
    .. [1] M. Sugiyama, "Dimensionality Reduction of Multimodal Labeled Data by Local Fisher
       Discriminant Analysis", Journal of Machine Learning Research, 8:1027-1061, 2007.
       https://www.jmlr.org/papers/v8/sugiyama07b.html
    .. [2] L. Zelnik-Manor, P. Perona, "Self-Tuning Spectral Clustering", Advances in Neural
       Information Processing Systems 17 (NIPS), 2004.
    .. [3] O. Ledoit, M. Wolf, "A Well-Conditioned Estimator for Large-Dimensional Covariance
       Matrices", Journal of Multivariate Analysis, 88(2):365-411, 2004.
       https://doi.org/10.1016/S0047-259X(03)00096-4

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import scale
    >>> from pairspace import LFDA
    >>> X, y = load_wine(return_X_y=True)
    >>> X = scale(X)
    >>> round(LFDA(n_components=2).fit(X, y).score(X, y), 2)
    0.99
    """

    needs: ClassVar[Needs] = Needs(
        must="required",
        cannot="required",
        compares_rows=True,
        best_for="labels, a class of several clusters",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LinearReducer._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "weights": [StrOptions({"local", "binary"})],
        "shrinkage": SHRINKAGE,
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: int | float | str | None = 2,
        *,
        n_neighbors: int = 7,
        weights: str = "local",
        shrinkage: Shrinkage = None,
        random_state: Seed = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.shrinkage = shrinkage
        self.random_state = random_state

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        known.require_consistency()
        S_lb, S_lw = local_scatters(Z, known, self.n_neighbors, self.weights)
        found, self.rank_ = largest_ratios(
            S_lb,
            shrunk(S_lw, self.shrinkage, Z, known),
            self.n_components,
            of_A="the local scatter between classes",
            of_B="the local scatter within classes (shrinkage=None)",
            most=most_directions_apart(known) if self.weights == "binary" else None,
        )
        return found
