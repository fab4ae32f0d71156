"""MMC and WMMC: large between the classes less large within them."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from pairspace._core.data import Rows
from pairspace._core.graphs import Blocks, Complete
from pairspace._core.limits import LARGEST
from pairspace._core.linalg import Eigen
from pairspace.base import Needs, Supervision
from pairspace.linear._partial_fit import IncrementalReducer
from pairspace.linear._solve import top_where_data_varies


class WMMC(IncrementalReducer):
    r"""Weighted maximum margin criterion (WMMC).

    .. math:: \max_W \operatorname{tr}\bigl(W^\top (S_b - a\, S_w)\, W\bigr)
              \quad \text{subject to} \quad W^\top W = I ,

    where :math:`S_w` is the scatter about the means of the classes and :math:`S_b = S_t - S_w`,
    both divided by the number of rows; :math:`S_t` is over all rows, labelled or not. The weighted
    form is a reconstruction: [2]_ names it without a formula.

    It needs labels or must-links; groups of rows joined by must-links count as classes.
    Cannot-links are ignored. It needs no inverse of a scatter, so few labels in many features
    suffice. The scales of the features matter: standardise first.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    weight : float, default=1.0
        The weight a of the within-class scatter, up to 1e75; 1 is :class:`MMC`.

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
    MMC : The criterion with weight 1.
    WMV : Weights pairs of rows instead of scatters about class means.

    References
    ----------
    .. [1] H. Li, T. Jiang, K. Zhang, "Efficient and Robust Feature Extraction by Maximum Margin
       Criterion", IEEE Transactions on Neural Networks, 17(1):157-165, 2006.
       https://doi.org/10.1109/TNN.2005.860852
    .. [2] P. S. Andalam, U. Roshan, "Semi-Supervised Weighted Maximum Variance Dimensionality
       Reduction", New Jersey Institute of Technology.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import WMMC
    >>> X, y = load_iris(return_X_y=True)
    >>> round(WMMC(n_components=1, weight=5.0).fit(X, y).score(X, y), 2)
    0.96
    """

    needs: ClassVar[Needs] = Needs(
        must="required",
        cannot="ignored",
        unlabelled=("spread",),
        span="products",
        class_sums=True,
        best_for="more features than labels",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **IncrementalReducer._parameter_constraints,
        "weight": [Interval(Real, 0, LARGEST, closed="both")],
    }

    def __init__(self, n_components: int | float | str | None = 2, *, weight: float = 1.0) -> None:
        self.n_components = n_components
        self.weight = weight

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        return self._maximum_margin(Z, known, self.weight)

    def _maximum_margin(self, Z: Rows, known: Supervision, a: float) -> Eigen:
        n = len(Z)
        graph = Complete(n, 1 / n**2) - Blocks(known.chunklets, pooled=(1 + a) / n)
        found, self.rank_ = top_where_data_varies(graph, Z, self.n_components)
        return found


class MMC(WMMC):
    r"""Maximum margin criterion (MMC).

    MMC [1]_ solves

    .. math:: \max_W \operatorname{tr}\bigl(W^\top (S_b - S_w)\, W\bigr)
              \quad \text{subject to} \quad W^\top W = I ,

    where :math:`S_w` is the scatter about the means of the classes and :math:`S_b = S_t - S_w`,
    both divided by the number of rows; :math:`S_t` is over all rows, labelled or not.

    It needs labels or must-links; groups of rows joined by must-links count as classes.
    Cannot-links are ignored. The scales of the features matter: standardise first.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.

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
    WMMC : The same with a weight of the within-class scatter.

    References
    ----------
    .. [1] H. Li, T. Jiang, K. Zhang, "Efficient and Robust Feature Extraction by Maximum Margin
       Criterion", IEEE Transactions on Neural Networks, 17(1):157-165, 2006.
       https://doi.org/10.1109/TNN.2005.860852

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import MMC
    >>> X, y = load_iris(return_X_y=True)
    >>> round(MMC(n_components=1).fit(X, y).score(X, y), 2)
    0.95
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = (
        IncrementalReducer._parameter_constraints
    )

    def __init__(self, n_components: int | float | str | None = 2) -> None:
        self.n_components = n_components

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        return self._maximum_margin(Z, known, 1.0)
