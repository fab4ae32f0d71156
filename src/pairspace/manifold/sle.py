"""S-LE: supervised Laplacian eigenmaps."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from pairspace._core.typing import Bools, Floats
from pairspace.base import Needs
from pairspace.manifold._classes import ClassGraphReducer


class SLE(ClassGraphReducer):
    r"""Supervised Laplacian eigenmaps (S-LE).

    The similarity of two rows is :math:`s_{ij} = \exp(-\|x_i - x_j\|^2 / \sigma^2)`. The neighbours
    of a row are the rows more similar to it than the mean of all others, and at least one row of
    its class. Neighbours of one class have the weight :math:`W_w = s` in the within-class graph,
    neighbours of different classes the weight :math:`W_b = 1` in the between-class graph. The
    embedding solves

    .. math:: \max_Y \operatorname{tr} Y^\top (\gamma L_b + (1 - \gamma) W_w) Y
        \quad \text{subject to} \quad Y^\top D_w Y = I, \; Y^\top D_w 1 = 0,

    that is :math:`(\gamma L_b + (1 - \gamma) W_w) y = \lambda D_w y` for the largest
    :math:`\lambda`, without the constant vector.

    It needs labels or pairs. We add two things to the paper: a row of unknown label is joined to
    all its neighbours in the within-class graph, and pairs are edges of weight 1 or their own,
    must-links in the within-class graph and cannot-links in the between-class graph. A new row is
    embedded at the mean of its nearest rows of one class, the class with the largest sum of
    similarities among them. Prefer it to :class:`LaplacianEigenmaps` if most rows have labels.

    Parameters
    ----------
    n_components : int, default=2
        The number of columns of the embedding, less than the number of rows.
    gamma : float, default=0.01
        The weight :math:`\gamma` of the between-class graph, at least 0 and less than 1. Most pairs
        are of different classes, so that small values suffice. On the digits, with 0.05 or more
        single rows far from their class get a column of their own.
    n_neighbors : int, default=None
        Keep at most this many edges of a row, to the nearest rows. By default all rows above the
        threshold, as in the paper, which is possible for up to about 5,000 rows.
    sigma : "mean" or float, default="mean"
        The width :math:`\sigma` of the weights. "mean" is the root of the mean squared distance of
        all pairs.
    propagation : float between 0 and 1, default=None
        Constraint propagation [2]_: the share of a constraint that each step along the within-class
        graph passes on, e.g. 0.8. Only pairs are propagated, not labels. By default a pair changes
        its own edge only.
    random_state : int, RandomState instance or None, default=None
        Seed of the start vectors of the solver.
    verbose : bool, default=False
        Print each stage of ``fit`` and its seconds.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The embedding Y. The largest entry of each column is positive.
    eigenvalues_ : ndarray of shape (n_components,)
        The eigenvalues :math:`\lambda`, descending.
    residual_ : float
        The largest :math:`\|D_w^{-1/2} M y - \mu D_w^{1/2} y\|` of a column, where
        :math:`M = L_w - \gamma / (1 - \gamma) L_b` and :math:`\mu = 1 - \lambda / (1 - \gamma)`.
    n_connected_components_ : int
        The number of connected components of the within-class graph, at least the number of
        classes.
    affinity_matrix_ : csr_array of shape (n_samples, n_samples)
        The weights :math:`W_w`, after the constraints.

    See Also
    --------
    SCPLE : Has a threshold for each class.
    LaplacianEigenmaps : Needs no labels.

    References
    ----------
    .. [1] B. Raducanu, F. Dornaika, "A Supervised Non-Linear Dimensionality Reduction Approach for
       Manifold Learning", Pattern Recognition, 45(6):2432-2444, 2012.
       https://doi.org/10.1016/j.patcog.2011.12.006
    .. [2] Z. Lu, H. H. S. Ip, "Constrained Spectral Clustering via Exhaustive and Efficient
       Constraint Propagation", Computer Vision - ECCV 2010, 1-14, Springer, 2010.
       https://doi.org/10.1007/978-3-642-15567-3_1

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from pairspace import SLE
    >>> X, y = load_wine(return_X_y=True)
    >>> pipeline = make_pipeline(StandardScaler(), SLE(2), KNeighborsClassifier(5))
    >>> round(pipeline.fit(X[::2], y[::2]).score(X[1::2], y[1::2]), 2)
    0.93
    """

    needs: ClassVar[Needs] = Needs(
        either=True, unlabelled=("neighbours",), best_for="most rows are labelled"
    )

    def _thresholds(self, similarity: Floats, same: Bools, other: Bools) -> Floats:
        return similarity.sum(axis=1, keepdims=True) / (similarity.shape[1] - 1)

    def _push_weight(self, squared: Floats) -> Floats:
        return np.ones(len(squared))
