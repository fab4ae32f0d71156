"""SDA: Fisher's discriminant that is smooth on the graph of neighbours."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from pairspace._core.data import Rows
from pairspace._core.graphs import Blocks, Edges
from pairspace._core.linalg import Eigen
from pairspace._core.neighbors import nearest, neighbor_edges
from pairspace._core.typing import Floats, Seed
from pairspace.base import Needs, Supervision
from pairspace.linear._apart import most_directions_apart, told_apart
from pairspace.linear._base import LinearReducer
from pairspace.linear._shrinkage import SHRINKAGE, Shrinkage, shrunk
from pairspace.linear._solve import largest_ratios


class SDA(LinearReducer):
    r"""Semi-supervised discriminant analysis (SDA).

    With the between-class scatter :math:`S_b` and the total scatter :math:`S_t` of the labelled
    rows, and the Laplacian L of the graph of nearest neighbours of all rows, whose weights are 1,
    SDA [1]_ solves

    .. math:: S_b\, w = \mu\, (S_t + \alpha X^\top L X)\, w , \qquad
              w^\top (S_t + \alpha X^\top L X)\, w = 1 , \qquad \text{largest } \mu .

    With :math:`\alpha = 0` it is linear discriminant analysis of the labelled rows. Unlabelled rows
    keep the discriminant from separating neighbours.

    Labels of two classes or more are needed, or cannot-links. Pairs are not part of [1]_: rows that
    must-links join count as a class in the within-class part of :math:`S_t`, and each cannot-link
    is an edge of weight 1/l in :math:`S_b` and :math:`S_t`, where l is the number of rows of which
    something is known.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components; at most the number of classes − 1.
        A float between 0 and 1 is the share of the spread of all components that they must have.
        None stands for all: a metric. "auto" is the fewest, at least two, with 90 % of the spread
        of the first 32.
    alpha : float, default=0.1
        The weight :math:`\alpha` of the neighbours. :math:`S_t` grows with the number of labels and
        :math:`X^\top L X` with the number of rows, so the same value means more with few labels.
    n_neighbors : int, default=5
        Two rows are joined if one is among this number of nearest neighbours of the other; at most
        n_samples − 1.
    shrinkage : None, "auto" or float in [0, 1], default=None
        The weight of a multiple of the identity in :math:`S_t + \alpha X^\top L X`: None means 0,
        "auto" is the estimate of Ledoit and Wolf [2]_ for the scatter within classes. Shrinkage is
        not part of [1]_.
    random_state : int, RandomState instance or None, default=None
        Seed of the approximate search for neighbours above 50,000 rows, and of the subsample of a
        table that is read in blocks.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The directions of the space, one per row.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The ratios :math:`\mu`, descending, between 0 and 1.
    rank_ : int
        The rank of :math:`S_b`, the largest possible ``n_components``.
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
    SELFDA : Between local Fisher discriminant analysis and PCA.
    PairSpace : Mixes the scatter of neighbours with that within classes, by cross-validation.

    Notes
    -----
    Both scatters are about the mean of the labelled rows. The authors' code centres by all rows,
    which gives :math:`S_b` one more direction: where the labelled rows lie.

    References
    ----------
    .. [1] D. Cai, X. He, J. Han, "Semi-Supervised Discriminant Analysis", IEEE International
       Conference on Computer Vision (ICCV), 2007.
    .. [2] O. Ledoit, M. Wolf, "A Well-Conditioned Estimator for Large-Dimensional Covariance
       Matrices", Journal of Multivariate Analysis, 88(2):365-411, 2004.
       https://doi.org/10.1016/S0047-259X(03)00096-4

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import scale
    >>> from pairspace import SDA
    >>> X, y = load_wine(return_X_y=True)
    >>> X = scale(X)
    >>> few = np.where(np.arange(len(y)) % 10 == 0, y, -1)
    >>> round(SDA(n_components=2).fit(X, few).score(X, y), 2)
    0.97
    """

    needs: ClassVar[Needs] = Needs(
        cannot="required",
        unlabelled=("neighbours",),
        best_for="few labels, neighbours share them",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LinearReducer._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="left")],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "shrinkage": SHRINKAGE,
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: int | float | str | None = 2,
        *,
        alpha: float = 0.1,
        n_neighbors: int = 5,
        shrinkage: Shrinkage = None,
        random_state: Seed = None,
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.n_neighbors = n_neighbors
        self.shrinkage = shrinkage
        self.random_state = random_state

    def _current_needs(self) -> Needs:
        # Without neighbours and without rows of one class, S_b and S_t would be the same.
        return self.needs if self.alpha else replace(self.needs, must="required")

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        known.require_consistency()
        S_b = self._between(Z, known)
        B = S_b + Blocks(known.chunklets, pooled=1.0).scatter(Z)
        if self.alpha:
            near = nearest(Z.values, self.n_neighbors, random_state=self.random_state)
            pairs = neighbor_edges(near)
            B += self.alpha * Edges(len(Z), pairs, np.ones(len(pairs))).scatter(Z)
        found, self.rank_ = largest_ratios(
            S_b,
            shrunk(B, self.shrinkage, Z, known),
            self.n_components,
            of_A="the scatter between classes, whose rank is at most the number of classes − 1",
            of_B="the scatter of labelled rows and neighbours",
            most=most_directions_apart(known),
        )
        return found

    def _between(self, Z: Rows, known: Supervision) -> Floats:
        S_b = told_apart(known).scatter(Z)
        sizes, n_labelled = known.classes.sizes, known.classes.n_known
        if n_labelled:
            of_means = known.classes.read(Z).of_means(sizes)
            S_b += Z.without_rounding(of_means, float(n_labelled * sizes.max()))
        return S_b
