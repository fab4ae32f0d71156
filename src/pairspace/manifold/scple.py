"""SCPLE: supervised cluster-preserving Laplacian eigenmaps."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from pairspace._core.typing import Bools, Floats
from pairspace.base import Needs
from pairspace.manifold._classes import ClassGraphReducer


class SCPLE(ClassGraphReducer):
    r"""Supervised cluster-preserving Laplacian eigenmaps (SCPLE), reconstructed.

    The source was not to be had; this is what its description in the LE-CAS paper says: a graph
    within the classes and one between them, weights by similarity, thresholds that adapt. With
    :math:`s_{ij} = \exp(-\|x_i - x_j\|^2 / \sigma^2)`, a row's classmates that are more similar to
    it than the mean of its classmates pull it (:math:`W_w = s`), rows of other classes that are
    more similar to it than the mean of those push it (:math:`W_b = s`):

    .. math:: \min_Y \sum_{i<j} \left((1 - \gamma) W_w - \gamma W_b\right)_{ij} \|y_i - y_j\|^2
        \quad \text{subject to} \quad Y^\top D_w Y = I, \; Y^\top D_w 1 = 0.

    The eigenvalues are counted as in :class:`SLE`:
    :math:`(\gamma L_b + (1 - \gamma) W_w) y = \lambda D_w y` for the largest :math:`\lambda`.
    Labels, pairs and new rows as there. Prefer it to :class:`SLE` where classes are of very
    different size or density, for their thresholds are their own.

    Parameters
    ----------
    n_components, gamma, n_neighbors, sigma, propagation, random_state, verbose
        As in :class:`SLE`.

    Attributes
    ----------
    embedding_, eigenvalues_, residual_, n_connected_components_, affinity_matrix_
        As in :class:`SLE`.

    References
    ----------
    Ning et al., as cited by the LE-CAS paper: see docs/papers.md.

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
        either=True, unlabelled=("neighbors",), best_for="classes of different density"
    )

    def _thresholds(self, similarity: Floats, same: Bools, other: Bools) -> Floats:
        everyone = similarity.sum(axis=1, keepdims=True) / (similarity.shape[1] - 1)
        limit = np.broadcast_to(everyone, similarity.shape)
        for group in (same, other):
            size = np.maximum(group.sum(axis=1, keepdims=True), 1)
            mean = np.einsum("ij,ij->i", similarity, group)[:, None] / size
            limit = np.where(group, mean, limit)
        return limit

    def _push_weight(self, squared: Floats) -> Floats:
        return np.exp(-squared / self._squared_sigma)
