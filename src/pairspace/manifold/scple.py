"""SCPLE: supervised cluster-preserving Laplacian eigenmaps."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from pairspace._core.typing import Bools, Floats
from pairspace.base import Needs
from pairspace.manifold._classes import ClassGraphReducer


class SCPLE(ClassGraphReducer):
    r"""Supervised cluster-preserving Laplacian eigenmaps (SCPLE), reconstructed.

    The original paper [1]_ was not available. This is a reconstruction from its description in
    [2]_: a within-class graph and a between-class graph, weights by similarity, and adaptive
    thresholds. The similarity of two rows is :math:`s_{ij} = \exp(-\|x_i - x_j\|^2 / \sigma^2)`. A
    row is joined to the rows of its class that are more similar to it than the mean of its class
    (:math:`W_w = s`), and to the rows of other classes that are more similar to it than the mean of
    those (:math:`W_b = s`). The embedding solves

    .. math:: \min_Y \sum_{i<j} \left((1 - \gamma) W_w - \gamma W_b\right)_{ij} \|y_i - y_j\|^2
        \quad \text{subject to} \quad Y^\top D_w Y = I, \; Y^\top D_w 1 = 0,

    that is :math:`(\gamma L_b + (1 - \gamma) W_w) y = \lambda D_w y` for the largest
    :math:`\lambda`, without the constant vector.

    It needs labels or pairs. A row of unknown label is joined to all similar rows in the
    within-class graph. Pairs are edges of weight 1 or their own, must-links in the within-class
    graph and cannot-links in the between-class graph. A new row is embedded at the mean of its
    nearest rows of one class, the class with the largest sum of similarities among them. Prefer it
    to :class:`SLE` if classes differ much in size or density.

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
        threshold, which is possible for up to about 5,000 rows.
    sigma : "mean" or float, default="mean"
        The width :math:`\sigma` of the weights. "mean" is the root of the mean squared distance of
        all pairs.
    propagation : float between 0 and 1, default=None
        Constraint propagation [3]_: the share of a constraint that each step along the within-class
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
    SLE : Has one threshold for all classes.
    LaplacianEigenmaps : Needs no labels.

    References
    ----------
    .. [1] Ning et al., supervised cluster preserving Laplacian eigenmap (SCPLE), as cited in [2].
    .. [2] H. Zhou, J. Wang, "Laplacian Eigenmaps Dimensionality Reduction Based on
       Clustering-Adjusted Similarity", Algorithms, 12(10):210, 2019.
       https://doi.org/10.3390/a12100210
    .. [3] Z. Lu, H. H. S. Ip, "Constrained Spectral Clustering via Exhaustive and Efficient
       Constraint Propagation", Computer Vision - ECCV 2010, 1-14, Springer, 2010.
       https://doi.org/10.1007/978-3-642-15567-3_1

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from pairspace import SCPLE
    >>> X, y = load_wine(return_X_y=True)
    >>> pipeline = make_pipeline(StandardScaler(), SCPLE(2), KNeighborsClassifier(5))
    >>> round(pipeline.fit(X[::2], y[::2]).score(X[1::2], y[1::2]), 2)
    0.93
    """

    needs: ClassVar[Needs] = Needs(
        either=True, unlabelled=("neighbours",), best_for="classes of different density"
    )

    def _thresholds(self, similarity: Floats, same: Bools, other: Bools) -> Floats:
        overall = similarity.sum(axis=1, keepdims=True) / (similarity.shape[1] - 1)
        threshold = np.broadcast_to(overall, similarity.shape)
        for group in (same, other):
            size = np.maximum(group.sum(axis=1, keepdims=True), 1)
            mean = np.einsum("ij,ij->i", similarity, group)[:, None] / size
            threshold = np.where(group, mean, threshold)
        return threshold

    def _push_weight(self, squared: Floats) -> Floats:
        return np.exp(-squared / self._squared_sigma)
