"""MMC and WMMC: large between the classes less large within them."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from pairspace._core.data import Rows
from pairspace._core.graphs import Blocks, Complete
from pairspace._core.linalg import Eigen
from pairspace.base import Needs, Supervision
from pairspace.linear._partial_fit import IncrementalReducer
from pairspace.linear._solve import top_where_data_varies


class WMMC(IncrementalReducer):
    r"""Weighted maximum margin criterion.

    .. math:: \max_W \operatorname{tr}\bigl(W^\top (S_b - a\, S_w)\, W\bigr)
              \quad \text{subject to} \quad W^\top W = I ,

    where :math:`S_w` is the scatter about the means of the classes and :math:`S_b = S_t - S_w`,
    both divided by the number of rows; :math:`S_t` is over all rows, labelled or not.
    Reconstructed: the SSWMV paper uses the weighted form without writing it out.

    It needs labels or must-links, whose components stand for classes; cannot-links say nothing to
    it. Unlike a ratio of scatters it needs no inverse, so few labels in many features are no
    trouble, but the scales of the features matter: standardise first.

    Parameters
    ----------
    n_components : int, default=2
    weight : float, default=1.0
        The weight a of the scatter within classes; 1 is :class:`MMC`.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Orthonormal rows.
    mean_ : ndarray of shape (n_features,)
    eigenvalues_ : ndarray of shape (n_components,)
        Descending by value, negative ones last.
    rank_ : int
        The number of directions in which the data varies.

    References
    ----------
    H. Li, T. Jiang, K. Zhang, "Efficient and Robust Feature Extraction by Maximum Margin
    Criterion", 2006; the weighted form as in the SSWMV paper: see docs/papers.md.

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
        "weight": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(self, n_components: int = 2, *, weight: float = 1.0) -> None:
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
    r"""Maximum margin criterion: :class:`WMMC` with weight 1, :math:`S_b - S_w`.

    Parameters
    ----------
    n_components : int, default=2

    Attributes
    ----------
    components_, mean_, eigenvalues_, rank_
        As in :class:`WMMC`.

    References
    ----------
    H. Li, T. Jiang, K. Zhang, "Efficient and Robust Feature Extraction by Maximum Margin
    Criterion", 2006.

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

    def __init__(self, n_components: int = 2) -> None:
        self.n_components = n_components

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        return self._maximum_margin(Z, known, 1.0)
