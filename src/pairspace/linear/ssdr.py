"""SSDR: keep the spread of the data, push cannot-links apart, pull must-links together."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from pairspace._core.data import Rows
from pairspace._core.graphs import Complete
from pairspace._core.linalg import Eigen
from pairspace.base import Needs, Supervision
from pairspace.linear._partial_fit import IncrementalReducer
from pairspace.linear._solve import top_where_data_varies


class SSDR(IncrementalReducer):
    r"""Semi-supervised dimensionality reduction (SSDR).

    SSDR [1]_ keeps the spread of all rows, pushes the cannot-links C apart and pulls the must-links
    M together:

    .. math:: \max_W \operatorname{tr}(W^\top X^\top L X W)
              \quad \text{subject to} \quad W^\top W = I ,

    where L is the Laplacian of the weights :math:`1/n^2` on every pair, :math:`+\alpha/|C|` on the
    cannot-links and :math:`-\beta/|M|` on the must-links.

    It takes pairs, labels or both, and one kind of pair is enough. With few pairs it stays near
    PCA, which makes it the safest of the methods that use pairs alone.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    alpha : float, default=1.0
        The weight of the cannot-links.
    beta : float, default=20.0
        The weight of the must-links.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The directions of the space, one per row; the rows are orthonormal.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The objective along each component, descending; it may be negative.
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
    WMV : A similar objective, with labels in mind.
    PairSpace : Also uses nearest neighbours.

    Notes
    -----
    Cost: the scatters of the rows and of the pairs, and one eigenproblem of order
    min(n_samples, n_features).

    References
    ----------
    .. [1] D. Zhang, Z.-H. Zhou, S. Chen, "Semi-Supervised Dimensionality Reduction", Proceedings of
       the 7th SIAM International Conference on Data Mining (SDM), 629-634, 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import SSDR, Constraints
    >>> X, y = load_iris(return_X_y=True)
    >>> answers = Constraints.from_labels(y, n_pairs=30, random_state=0)
    >>> round(SSDR(n_components=1).fit(X, answers).score(X, y), 2)
    0.94
    """

    needs: ClassVar[Needs] = Needs(
        either=True,
        unlabelled=("spread",),
        span="products",
        class_sums=True,
        best_for="few pairs: it stays near PCA",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **IncrementalReducer._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="left")],
        "beta": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self, n_components: int | float | str | None = 2, *, alpha: float = 1.0, beta: float = 20.0
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.beta = beta

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        n = len(Z)
        graph = (
            Complete(n, 1 / n**2)
            + self.alpha * known.cannot.normalized()
            - self.beta * known.must.normalized()
        )
        found, self.rank_ = top_where_data_varies(graph, Z, self.n_components)
        return found
