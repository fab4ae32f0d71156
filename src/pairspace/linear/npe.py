"""NPE: locally linear embedding made linear."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from pairspace._core.data import Rows, slices
from pairspace._core.limits import LARGEST
from pairspace._core.linalg import Eigen, whiten, within
from pairspace._core.neighbors import nearest
from pairspace._core.typing import Floats, Ints, Seed
from pairspace._core.warn import warn_caller
from pairspace.base import Needs, Supervision
from pairspace.linear._base import LinearReducer
from pairspace.linear._solve import require_rank

BLOCK = 500_000  # numbers of differences that are held at a time


class NPE(LinearReducer):
    r"""Neighborhood preserving embedding (NPE), an unsupervised method.

    Each row is reconstructed from its nearest rows: weights :math:`W_{ij}` on them that add up to 1
    minimise :math:`\|x_i - \sum_j W_{ij} x_j\|^2`, as in locally linear embedding (LLE). With
    :math:`M = (I - W)^\top (I - W)` and the total scatter :math:`S_t`, NPE [1]_ solves

    .. math:: \min_w w^\top X^\top M X w \quad \text{subject to} \quad w^\top S_t w = 1 ,

    the generalised eigenproblem :math:`X^\top M X w = \mu S_t w`, smallest :math:`\mu`. If there
    are as many features as rows, the embedding of the rows is that of LLE.

    It needs no supervision and ignores any: :class:`LPPSI` uses neighbours and pairs, and
    :class:`SDA` neighbours and labels.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    n_neighbors : int, default=5
        The number of nearest rows that reconstruct a row; at most n_samples − 1. With more
        neighbours than features every row is reconstructed exactly, ``reg`` alone decides, and a
        warning says so.
    reg : float, default=1e-3
        The regularisation of the weights, relative to the trace of the products of differences, as
        in scikit-learn's ``LocallyLinearEmbedding``; 1e-12 to 1e75.
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
        The eigenvalues :math:`\mu`, ascending.
    rank_ : int
        The rank of X, the largest possible ``n_components``.
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
    LPP : Keeps neighbours near instead of reconstructing rows from them.
    LPPSI : The same with pairs or labels.

    References
    ----------
    .. [1] X. He, D. Cai, S. Yan, H.-J. Zhang, "Neighborhood Preserving Embedding", IEEE
       International Conference on Computer Vision (ICCV), 2005.
       https://doi.org/10.1109/ICCV.2005.167

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import scale
    >>> from pairspace import NPE
    >>> X, y = load_wine(return_X_y=True)
    >>> X = scale(X)
    >>> round(NPE(n_components=2).fit(X).score(X, y), 2)
    0.95
    """

    needs: ClassVar[Needs] = Needs(
        must="ignored",
        cannot="ignored",
        unlabelled=("neighbours", "spread"),
        best_for="no answers, rows lie on a curved sheet",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LinearReducer._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "reg": [Interval(Real, 1e-12, LARGEST, closed="both")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: int | float | str | None = 2,
        *,
        n_neighbors: int = 5,
        reg: float = 1e-3,
        random_state: Seed = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.reg = reg
        self.random_state = random_state

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        V = whiten(Z.gram)
        self.rank_ = V.shape[1]
        require_rank(self.n_components, self.rank_, "X")
        near = nearest(Z.values, self.n_neighbors, random_state=self.random_state)
        if near.shape[1] > self.rank_:
            warn_caller(
                f"n_neighbors={near.shape[1]} is more than the rank of X, {self.rank_}: every row "
                "is reconstructed exactly, so that reg alone decides; lower n_neighbors",
                UserWarning,
            )
        return within(V, self._errors_gram(Z, near), self.n_components, largest=False)

    def _errors_gram(self, Z: Rows, near: Ints) -> Floats:
        """XᵀMX = EᵀE, where E has the errors of the reconstructions, a block at a time."""
        (n, k), d = near.shape, Z.shape[1]
        total = np.zeros((d, d))
        for block in slices(n, max(BLOCK // (k * d), 1)):
            rows = np.arange(block.start, block.stop)
            differences = Z.take(near[block].ravel()).reshape(-1, k, d)
            differences -= Z.take(rows)[:, None]
            weights = self._reconstruction_weights(differences)
            errors = np.matmul(weights[:, None], differences)[:, 0]
            total += errors.T @ errors
        return total

    def _reconstruction_weights(self, differences: Floats) -> Floats:
        """The weights of neighbours that add up to 1, from x_j − x_i of shape (rows, k, d)."""
        G = differences @ differences.transpose(0, 2, 1)
        trace = np.trace(G, axis1=1, axis2=2)
        diagonal = np.arange(G.shape[1])
        # Copies of a row have no differences: all weights are then the same.
        G[:, diagonal, diagonal] += self.reg * np.where(trace > 0, trace, 1.0)[:, None]
        weights = np.linalg.solve(G, np.ones((len(G), len(diagonal), 1)))[..., 0]
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))
