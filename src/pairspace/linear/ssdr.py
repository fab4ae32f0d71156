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
    r"""Semi-supervised dimensionality reduction.

    Over all pairs of the data, the cannot-links C and the must-links M,

    .. math:: \max_W \operatorname{tr}(W^\top X^\top L X W)
              \quad \text{subject to} \quad W^\top W = I ,

    where L is the Laplacian of the weights :math:`1/n^2` on every pair, :math:`+\alpha/|C|` on the
    cannot-links and :math:`-\beta/|M|` on the must-links.

    It takes pairs, labels or both, and needs only one kind of pair. The spread of all the data
    keeps it near PCA when there are few answers, where it is the safest method of its family.

    Parameters
    ----------
    n_components : int, default=2
    alpha : float, default=1.0
        How hard cannot-links push.
    beta : float, default=20.0
        How hard must-links pull.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Orthonormal rows.
    mean_ : ndarray of shape (n_features,)
    eigenvalues_ : ndarray of shape (n_components,)
        Descending; negative where pulling outweighs spread.
    rank_ : int
        The number of directions in which the data varies.

    Notes
    -----
    Cost: the scatters of the data and of the pairs, and one eigenproblem of order
    min(n_samples, n_features).

    References
    ----------
    D. Zhang, Z.-H. Zhou, S. Chen, "Semi-Supervised Dimensionality Reduction", SDM 2007.

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

    def __init__(self, n_components: int = 2, *, alpha: float = 1.0, beta: float = 20.0) -> None:
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
