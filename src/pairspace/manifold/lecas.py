"""LE-CAS: Laplacian eigenmaps with clustering-adjusted similarity."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics import euclidean_distances, pairwise_distances_argmin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from threadpoolctl import threadpool_limits

from pairspace._core.data import Rows
from pairspace._core.graphs import Edges
from pairspace._core.typing import Floats, Ints
from pairspace.base import Needs, Supervision
from pairspace.cluster import KernelKMeans
from pairspace.manifold.eigenmaps import LaplacianEigenmaps

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

    needs: ClassVar[Needs] = Needs(
        unlabelled=("neighbors", "clusters"), best_for="clusters that touch should be kept apart"
    )
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
            return np.asarray(self._new_clusterer(int(self.n_clusters)).fit_predict(X))
        if "n_clusters" not in self._new_clusterer(2).get_params():
            return np.asarray(self._new_clusterer(2).fit_predict(X))
        if X.shape[0] <= SAMPLE:
            return self._best_by_silhouette(X, X, self._new_clusterer)[1]
        random = check_random_state(self.random_state)
        sample = X[np.sort(random.choice(X.shape[0], SAMPLE, replace=False))]
        if self.clusterer == "kernel-kmeans":
            # By landmarks it is k-means of what they see, which is the same for all numbers.
            seen_by = Nystroem(
                gamma=1 / self._squared_sigma,
                n_components=N_LANDMARKS,
                random_state=self.random_state,
            ).fit(sample)
            clusterer = self._best_by_silhouette(
                sample, seen_by.transform(sample), self._new_k_means
            )[0]
            return np.asarray(clusterer.predict(seen_by.transform(X)))
        clusterer = self._best_by_silhouette(sample, sample, self._new_clusterer)[0]
        if hasattr(clusterer, "predict"):
            return np.asarray(clusterer.predict(X))
        return np.asarray(clone(clusterer).fit_predict(X))

    def _best_by_silhouette(
        self, X: Any, points: Any, new_clusterer: Callable[[int], Any]
    ) -> tuple[Any, Ints]:
        """The clusterer of the points, and its labels, that separates the rows of X best."""
        counts = range(2, min(MOST_CLUSTERS, X.shape[0] - 1) + 1)
        clusterers = [new_clusterer(n_clusters) for n_clusters in counts]
        with threadpool_limits(1):  # too small for two threads to be worth the waiting
            labels = [np.asarray(clusterer.fit_predict(points)) for clusterer in clusterers]
        distances = euclidean_distances(X)
        np.fill_diagonal(distances, 0)
        scores = [mean_silhouette(distances, found) for found in labels]
        if max(scores, default=-np.inf) == -np.inf:
            return new_clusterer(1).fit(points), np.zeros(X.shape[0], dtype=np.int64)
        best = int(np.argmax(scores))  # the smallest number of those that tie
        return clusterers[best], labels[best]

    def _new_clusterer(self, n_clusters: int) -> Any:
        if self.clusterer == "kmeans":
            return KMeans(n_clusters, n_init=10, random_state=self.random_state)
        if self.clusterer == "kernel-kmeans":
            gamma = 1 / self._squared_sigma
            return KernelKMeans(n_clusters, gamma=gamma, random_state=self.random_state)
        clusterer = clone(self.clusterer)
        if "n_clusters" in clusterer.get_params():
            clusterer.set_params(n_clusters=n_clusters)
        return clusterer

    def _new_k_means(self, n_clusters: int) -> Any:
        return KMeans(n_clusters, n_init=N_INIT, random_state=self.random_state)


def mean_silhouette(distances: Floats, labels: Ints) -> float:
    """Of rows whose distances are known; −∞ for a single cluster or as many as rows.

    ``silhouette_score`` checks the distances every time, which takes longer than this.
    """
    names, codes, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    if not 1 < len(names) < len(labels):
        return -np.inf
    rows = np.arange(len(labels))
    sums = distances @ np.eye(len(names))[codes]
    within = sums[rows, codes] / np.maximum(sizes[codes] - 1, 1)
    sums[rows, codes] = np.inf
    to_next = (sums / sizes).min(axis=1)
    larger = np.maximum(np.maximum(within, to_next), np.finfo(np.float64).tiny)
    return float(np.mean(np.where(sizes[codes] > 1, (to_next - within) / larger, 0)))
