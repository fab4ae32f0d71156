"""LE-CAS: Laplacian eigenmaps with clustering-adjusted similarity."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.metrics import euclidean_distances, pairwise_distances_argmin, silhouette_score
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from pairspace.cluster import KernelKMeans
from pairspace.graphs import Edges
from pairspace.manifold.eigenmaps import LaplacianEigenmaps
from pairspace.rows import Rows
from pairspace.supervision import Supervision

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SAMPLE = 1_000  # rows on which the number of clusters is chosen
N_LANDMARKS, N_INIT = 50, 3  # of kernel k-means, from as many rows as the sample has
MOST_CLUSTERS = 10


class LECAS(LaplacianEigenmaps):
    r"""Laplacian eigenmaps based on clustering-adjusted similarity (LE-CAS).

    As :class:`LaplacianEigenmaps`, but the rows are clustered first, and edges between clusters
    weigh less: with the centroids :math:`u_h` in the space of the features,

    .. math:: \tilde w_{ij} = S_{l_i l_j} \exp(-\|x_i - x_j\|^2 / \sigma^2), \qquad
        S_{hh'} = \exp(-\|u_h - u_{h'}\|^2 / \sigma^2),

    where :math:`l_i` is the cluster of row i (eq. 3, 5 and 11). Within a cluster S is 1; with one
    cluster it is :class:`LaplacianEigenmaps`.

    Supervision as there. The paper's large advantage over Laplacian eigenmaps does not reproduce:
    few edges run between clusters (see docs/papers.md). Prefer it where clusters that touch should
    be kept apart.

    Parameters
    ----------
    n_components, n_neighbors, sigma, bridge, propagation, eigen_solver, random_state, verbose
        As in :class:`LaplacianEigenmaps`; ``random_state`` is for the clusters as well.
    n_clusters : "silhouette" or int, default="silhouette"
        From 2 to 10, the number with the largest mean silhouette. Of more than 1,000 rows so many
        are drawn and clustered, and the others join the nearest cluster.
    clusterer : {"kernel-kmeans", "kmeans"} or a clusterer, default="kernel-kmeans"
        Kernel k-means with the kernel :math:`\exp(-d^2/\sigma^2)`; k-means; or any estimator with
        ``fit_predict``, whose own number of clusters counts if it has no ``n_clusters`` to set.

    Attributes
    ----------
    embedding_, eigenvalues_, residual_, n_connected_components_, affinity_matrix_
        As in :class:`LaplacianEigenmaps`.
    labels_ : ndarray of shape (n_samples,)
        The clusters.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        u. A new row belongs to the nearest.

    References
    ----------
    The paper that introduced LE-CAS: see docs/papers.md.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import LECAS
    >>> X, y = load_iris(return_X_y=True)
    >>> method = LECAS(n_components=2, bridge=True, random_state=0).fit(X)
    >>> len(method.cluster_centers_)
    2
    >>> method.transform(X[:3] + 0.01).shape
    (3, 2)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LaplacianEigenmaps._parameter_constraints,
        "n_clusters": [StrOptions({"silhouette"}), Interval(Integral, 1, None, closed="left")],
        "clusterer": [StrOptions({"kernel-kmeans", "kmeans"}), HasMethods("fit_predict")],
    }

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 10,
        n_clusters: str | int = "silhouette",
        clusterer: Any = "kernel-kmeans",
        sigma: float | str = "mean",
        bridge: bool = False,
        propagation: float | None = None,
        eigen_solver: str = "auto",
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(
            n_components,
            n_neighbors=n_neighbors,
            sigma=sigma,
            bridge=bridge,
            propagation=propagation,
            eigen_solver=eigen_solver,
            random_state=random_state,
            verbose=verbose,
        )
        self.n_clusters = n_clusters
        self.clusterer = clusterer

    def _pull(self, rows: Rows, known: Supervision) -> Edges:
        with self._stage("clusters"):
            labels = self._cluster(rows.values)
        self.labels_ = np.unique(labels, return_inverse=True)[1]
        self.cluster_centers_ = rows.class_means(self.labels_, np.bincount(self.labels_))
        squared = euclidean_distances(self.cluster_centers_, squared=True)
        self._similarity = np.exp(-squared / self._squared_sigma)
        near = super()._pull(rows, known)
        i, j = self.labels_[near.pairs].T
        return Edges(len(rows), near.pairs, self._similarity[i, j] * near.weight)

    def _share(self, X: Any, found: Ints) -> Floats:
        own = pairwise_distances_argmin(X, self.cluster_centers_.astype(X.dtype))
        return self._similarity[own[:, None], self.labels_[found]]

    def _cluster(self, X: Any) -> Ints:
        if self.n_clusters != "silhouette":
            return np.asarray(self._new_clusterer(X, int(self.n_clusters)).fit_predict(X))
        clusterer = self._new_clusterer(X, 2)
        if "n_clusters" not in clusterer.get_params():
            return np.asarray(clusterer.fit_predict(X))
        sample = X
        if X.shape[0] > SAMPLE:
            random = check_random_state(self.random_state)
            sample = X[np.sort(random.choice(X.shape[0], SAMPLE, replace=False))]
        clusterer, labels = self._best_by_silhouette(sample)
        if sample is X:
            return labels
        if hasattr(clusterer, "predict"):
            return np.asarray(clusterer.predict(X))
        return np.asarray(clone(clusterer).fit_predict(X))

    def _best_by_silhouette(self, X: Any) -> tuple[Any, Ints]:
        distances = euclidean_distances(X)
        np.fill_diagonal(distances, 0)
        best, best_score = self._new_clusterer(X, 1), -np.inf
        best_labels = np.zeros(X.shape[0], dtype=np.int64)
        for n_clusters in range(2, min(MOST_CLUSTERS, X.shape[0] - 1) + 1):
            clusterer = self._new_clusterer(X, n_clusters)
            labels = np.asarray(clusterer.fit_predict(X))
            if not 1 < len(np.unique(labels)) < X.shape[0]:
                continue
            score = silhouette_score(distances, labels, metric="precomputed")
            if score > best_score:  # the smaller number of two that tie
                best, best_score, best_labels = clusterer, score, labels
        return best, best_labels

    def _new_clusterer(self, X: Any, n_clusters: int) -> Any:
        if self.clusterer == "kmeans":
            return KMeans(n_clusters, n_init=10, random_state=self.random_state)
        if self.clusterer == "kernel-kmeans":
            many = X.shape[0] >= SAMPLE
            few: dict[str, Any] = {"n_landmarks": N_LANDMARKS, "n_init": N_INIT} if many else {}
            return KernelKMeans(
                n_clusters, gamma=1 / self._squared_sigma, random_state=self.random_state, **few
            )
        clusterer = clone(self.clusterer)
        if "n_clusters" in clusterer.get_params() and n_clusters:
            clusterer.set_params(n_clusters=n_clusters)
        return clusterer
