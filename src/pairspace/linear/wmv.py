"""WMV (2P-WMV): weighted maximum variance from partial labels, with two parameters."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from pairspace._core.data import Rows
from pairspace._core.graphs import Complete, Graph
from pairspace._core.linalg import Eigen
from pairspace.base import Needs, Supervision
from pairspace.linear._partial_fit import IncrementalReducer
from pairspace.linear._solve import top_where_data_varies


class WMV(IncrementalReducer):
    r"""Two-parameter weighted maximum variance (2P-WMV).

    2P-WMV [1]_ [2]_ solves

    .. math:: \max_W \operatorname{tr}(W^\top M W) \quad \text{subject to} \quad W^\top W = I,
              \qquad M = S_t - 2\,(\alpha S'_w + \beta S'_b) ,

    where :math:`S_t` is the covariance of all rows, and :math:`S'_w` and :math:`S'_b` are 1/n times
    the scatter of all pairs of the same and of different known labels. :math:`\alpha > 0` pulls
    rows of one class together, :math:`\beta < 0` pushes rows of different classes apart. A
    must-link is an edge of weight :math:`\alpha`, a cannot-link one of weight :math:`\beta`, times
    its own weight.

    It takes labels, pairs or both; without supervision it is PCA. Rows without labels count in
    :math:`S_t`. The scales of the features matter: standardise first.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    alpha : float, default=1.0
        The weight of pairs of the same class, 0 or more.
    beta : float, default=-1.0
        The weight of pairs of different classes, 0 or less.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The directions of the space, one per row; the rows are orthonormal.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The largest eigenvalues of M by value, descending; they may be negative.
    rank_ : int
        The rank of X if it was computed, otherwise its upper bound min(n_samples − 1, n_features).
    n_directions_ : int or None
        The number of leading directions of X that were searched; None means all. Only a very wide
        X is limited: see :doc:`/guide/scale`.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (n_features,)
        The column names of X, if all of them are strings.

    See Also
    --------
    WMVSearchCV : Chooses beta and the number of components by cross-validation.
    SSWMV : Also weights pairs with unlabelled rows.
    SSDR : A similar objective, with pairs in mind.

    Notes
    -----
    The printed :math:`L_g - L_l` in [2]_ drops a factor 2 that its eq. 1 needs, and its
    :math:`S'_b` is half of what the text defines; here both follow the definitions. Cost: one pass
    over the rows and one eigenproblem of order min(n_samples, n_features).

    References
    ----------
    .. [1] T. Turki, U. Roshan, "Weighted Maximum Variance Dimensionality Reduction", Pattern
       Recognition, Lecture Notes in Computer Science, 8495:11-20, Springer, 2014, as cited in [2].
    .. [2] P. S. Andalam, U. Roshan, "Semi-Supervised Weighted Maximum Variance Dimensionality
       Reduction", New Jersey Institute of Technology.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import WMV
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # half of the labels are not known
    >>> round(WMV(n_components=1).fit(X, y).score(X, y), 2)
    0.95
    """

    needs: ClassVar[Needs] = Needs(
        unlabelled=("spread",),
        span="products",
        class_sums=True,
        best_for="partial labels",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **IncrementalReducer._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="left")],
        "beta": [Interval(Real, None, 0, closed="right")],
    }

    def __init__(
        self, n_components: int | float | str | None = 2, *, alpha: float = 1.0, beta: float = -1.0
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.beta = beta

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        n = len(Z)
        graph = Complete(n, 1 / n**2) - 2 / n * self._local_graph(Z, known)
        found, self.rank_ = top_where_data_varies(graph, Z, self.n_components)
        return found

    def _local_graph(self, Z: Rows, known: Supervision) -> Graph:
        return self.alpha * known.must + self.beta * known.cannot
