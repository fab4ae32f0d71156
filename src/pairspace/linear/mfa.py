"""MFA: near rows of a class together, the nearest rows of different classes apart."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from pairspace._core.data import Rows
from pairspace._core.graphs import Edges
from pairspace._core.linalg import Eigen
from pairspace._core.neighbors import nearest, neighbor_edges, shortest_pairs
from pairspace._core.typing import Ints, Seed
from pairspace.base import Needs, Supervision
from pairspace.linear._base import LinearReducer
from pairspace.linear._shrinkage import SHRINKAGE, Shrinkage, shrunk
from pairspace.linear._solve import largest_ratios


class MFA(LinearReducer):
    r"""Marginal Fisher analysis (MFA).

    The intrinsic graph joins two rows of a class if one is among the nearest rows of the other in
    the class. The penalty graph has, for each class, the shortest pairs of one of its rows and a
    row of another class. All weights are 1. With the scatters :math:`S_c = X^\top L X` of the first
    and :math:`S_p` of the second, MFA [1]_ solves

    .. math:: S_p\, w = \mu\, S_c\, w , \qquad w^\top S_c w = 1 , \qquad \text{largest } \mu .

    It assumes no shape of the classes, and there may be more components than classes − 1.

    Labels of two classes or more are needed, one of them with two rows, or both kinds of links.
    Unlabelled rows are not used. Pairs are not part of [1]_: must-links are edges of the intrinsic
    graph and cannot-links of the penalty graph, with their weights.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    n_neighbors : int, default=5
        The number of nearest rows of the class in the intrinsic graph; at most all of them.
    n_pairs : int, default=20
        The number of shortest pairs of a class in the penalty graph. Few pairs see few rows: those
        left out may come close.
    shrinkage : None, "auto" or float in [0, 1], default=None
        The weight of a multiple of the identity in :math:`S_c`: None means 0, "auto" is the
        estimate of Ledoit and Wolf [2]_ for the scatter within classes. Shrinkage is not part of
        [1]_, which reduces X by PCA first.
    random_state : int, RandomState instance or None, default=None
        Seed of the approximate search for neighbours in classes above 50,000 rows, and of the
        subsample of a table that is read in blocks.

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
        ``n_components``; at most the number of edges of the penalty graph.
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
    LFDA : Weights all pairs of a class by their distance.
    SDA : Uses the neighbours of unlabelled rows.

    Notes
    -----
    Other programs count the pairs in other ways: the shortest of all classes together, or the
    nearest rows of other classes for each row. This changes the space.

    References
    ----------
    .. [1] S. Yan, D. Xu, B. Zhang, H.-J. Zhang, Q. Yang, S. Lin, "Graph Embedding and Extensions: A
       General Framework for Dimensionality Reduction", IEEE Transactions on Pattern Analysis and
       Machine Intelligence, 29(1):40-51, 2007. https://doi.org/10.1109/TPAMI.2007.250598
    .. [2] O. Ledoit, M. Wolf, "A Well-Conditioned Estimator for Large-Dimensional Covariance
       Matrices", Journal of Multivariate Analysis, 88(2):365-411, 2004.
       https://doi.org/10.1016/S0047-259X(03)00096-4

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import scale
    >>> from pairspace import MFA
    >>> X, y = load_wine(return_X_y=True)
    >>> X = scale(X)
    >>> round(MFA(n_components=2).fit(X, y).score(X, y), 2)
    0.98
    """

    needs: ClassVar[Needs] = Needs(
        must="required",
        cannot="required",
        compares_rows=True,
        best_for="labels, classes that touch along a margin",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LinearReducer._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "n_pairs": [Interval(Integral, 1, None, closed="left")],
        "shrinkage": SHRINKAGE,
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: int | float | str | None = 2,
        *,
        n_neighbors: int = 5,
        n_pairs: int = 20,
        shrinkage: Shrinkage = None,
        random_state: Seed = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.n_pairs = n_pairs
        self.shrinkage = shrinkage
        self.random_state = random_state

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        pairs = known.pairs
        near = self._intrinsic(Z, known)
        margin = shortest_pairs(Z, known.labels, self.n_pairs)
        S_c = _joined(len(Z), near) + Edges(len(Z), pairs.must_link, pairs.must_weight)
        S_p = _joined(len(Z), margin) + Edges(len(Z), pairs.cannot_link, pairs.cannot_weight)
        n_edges = len(margin) + len(pairs.cannot_link)
        found, self.rank_ = largest_ratios(
            S_p.scatter(Z),
            shrunk(S_c.scatter(Z), self.shrinkage, Z, known),
            self.n_components,
            of_A=f"the scatter of the penalty graph, which has {n_edges} edges (n_pairs="
            f"{self.n_pairs})",
            of_B="the scatter of the intrinsic graph (shrinkage=None)",
            most=n_edges,
        )
        return found

    def _intrinsic(self, Z: Rows, known: Supervision) -> Ints:
        """Pairs of a class in which one is among the nearest rows of the other."""
        found = [np.empty((0, 2), dtype=np.int64)]
        for _, members in known.classes.members():
            if members.shape[1] > 1:
                for rows in members:
                    near = nearest(Z.values[rows], self.n_neighbors, random_state=self.random_state)
                    found.append(rows[neighbor_edges(near)])
        return np.vstack(found)


def _joined(n: int, pairs: Ints) -> Edges:
    return Edges(n, pairs, np.ones(len(pairs)))
