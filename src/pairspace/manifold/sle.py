"""S-LE: supervised Laplacian eigenmaps with neighbourhoods that regulate themselves."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from pairspace._core.typing import Bools, Floats
from pairspace.base import Needs
from pairspace.manifold._classes import ClassGraphReducer


class SLE(ClassGraphReducer):
    r"""Supervised Laplacian eigenmaps (S-LE).

    The similarity of two rows is :math:`s_{ij} = \exp(-\|x_i - x_j\|^2 / \sigma^2)`. The neighbours
    of a row are those more similar to it than the mean of all others, and at least one row of its
    class. Neighbours of the same class pull each other with :math:`W_w = s`, those of different
    classes push with :math:`W_b = 1`:

    .. math:: \max_Y \operatorname{tr} Y^\top (\gamma L_b + (1 - \gamma) W_w) Y
        \quad \text{subject to} \quad Y^\top D_w Y = I, \; Y^\top D_w 1 = 0 :

    :math:`(\gamma L_b + (1 - \gamma) W_w) y = \lambda D_w y` for the largest :math:`\lambda`,
    without the constant vector.

    It needs labels or pairs. Where labels are not known neighbours pull; must-links pull with
    weight 1 or their own and cannot-links push (both are ours). A new row is put to the mean of its
    nearest rows of the class that they vote for. Prefer it to :class:`LaplacianEigenmaps` when most
    rows are labelled.

    Parameters
    ----------
    n_components : int, default=2
    gamma : float, default=0.01
        :math:`\gamma`, at least 0 and less than 1: the share of what pushes. There are many more
        rows of other classes than classmates. On the digits, from 0.05 on rows that are unlike
        their classmates are pushed so far that single ones have a column for themselves.
    n_neighbors : int, default=None
        At most so many of a row's neighbours, the nearest. By default all, as in the paper, which
        are a large share of all pairs: up to some 5,000 rows.
    sigma : "mean" or float, default="mean"
        :math:`\sigma`, or the root of the mean squared distance of all pairs.
    propagation, random_state, verbose
        As in :class:`LaplacianEigenmaps`; only pairs are propagated, not labels.

    Attributes
    ----------
    embedding_, residual_
        As in :class:`LaplacianEigenmaps`.
    eigenvalues_ : ndarray of shape (n_components,)
        :math:`\lambda`, descending.
    n_connected_components_ : int
        Of what pulls. As classes do not pull each other, it is their number or more.
    affinity_matrix_ : csr_array of shape (n_samples, n_samples)
        :math:`W_w`.

    References
    ----------
    B. Raducanu, F. Dornaika, "A Supervised Non-linear Dimensionality Reduction Approach for
    Manifold Learning", Pattern Recognition 45, 2012.

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
        either=True, unlabelled=("neighbors",), best_for="most rows are labelled"
    )

    def _thresholds(self, similarity: Floats, same: Bools, other: Bools) -> Floats:
        return similarity.sum(axis=1, keepdims=True) / (similarity.shape[1] - 1)

    def _push_weight(self, squared: Floats) -> Floats:
        return np.ones(len(squared))
