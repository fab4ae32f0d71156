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

    .. math:: \max_W \operatorname{tr}(W^\top M W) \quad \text{subject to} \quad W^\top W = I,
              \qquad M = S_t - 2\,(\alpha S'_w + \beta S'_b) ,

    where :math:`S_t` is the covariance of all rows, and :math:`S'_w` and :math:`S'_b` are 1/n times
    the scatter of all pairs of the same and of different known labels. With :math:`\alpha > 0`
    rows of a class pull each other together, with :math:`\beta < 0` rows of different classes push
    each other apart. A must-link is an edge of weight :math:`\alpha` times its own, a cannot-link
    one of :math:`\beta`.

    It takes labels, pairs or both; with none known it is PCA, and the rows without labels count in
    the spread. Standardise first: the scales of the features matter. :class:`WMVSearchCV` chooses
    :math:`\beta` and the number of components.

    Parameters
    ----------
    n_components : int, default=2
    alpha : float, default=1.0
        How hard the same class pulls.
    beta : float, default=-1.0
        How hard different classes push, as a negative weight.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Orthonormal rows.
    mean_ : ndarray of shape (n_features,)
    eigenvalues_ : ndarray of shape (n_components,)
        Descending by value, negative ones last.
    rank_ : int
        The number of directions in which the data varies.

    Notes
    -----
    The printed :math:`L_g - L_l` drops a factor 2 that the paper's eq. 1 needs, and its
    :math:`S'_b` is half of what the text defines; here both are as the definitions say. Cost: one
    reading of the rows and one eigenproblem of order min(n_samples, n_features).

    References
    ----------
    The paper that introduced 2P-WMV and SSWMV: see docs/papers.md.

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

    def __init__(self, n_components: int = 2, *, alpha: float = 1.0, beta: float = -1.0) -> None:
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
