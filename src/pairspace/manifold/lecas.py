"""LE-CAS: Laplacian eigenmaps with clustering-adjusted similarity."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.kernel_approximation import Nystroem
from sklearn.metrics import euclidean_distances, pairwise_distances_argmin, silhouette_score
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from threadpoolctl import threadpool_limits

from pairspace._core.data import Rows
from pairspace._core.graphs import Edges
from pairspace._core.typing import Floats, Ints, Seed
from pairspace.base import Needs, Supervision
from pairspace.cluster import KernelKMeans
from pairspace.manifold.eigenmaps import LaplacianEigenmaps

SAMPLE = 1_000  # rows by which the number of clusters is chosen
N_LANDMARKS, N_INIT = 50, 3  # of kernel k-means on the sample
MAX_CLUSTERS = 10


class LECAS(LaplacianEigenmaps):
    r"""Laplacian eigenmaps based on clustering-adjusted similarity (LE-CAS).

    Two rows are joined if one is among the ``n_neighbors`` nearest of the other, as in Laplacian
    eigenmaps. The rows are clustered first, and edges between clusters get lower weights. With the
    centroids :math:`u_h` of the clusters,

    .. math:: \tilde w_{ij} = S_{l_i l_j} \exp(-\|x_i - x_j\|^2 / \sigma^2), \qquad
        S_{hh'} = \exp(-\|u_h - u_{h'}\|^2 / \sigma^2),

    where :math:`l_i` is the cluster of row i (eq. 3, 5 and 11 of [1]_). Within a cluster S is 1.
    With one cluster the method is :class:`LaplacianEigenmaps`.

    Supervision is optional. Must-links become edges of weight 1, or of their own weight.
    Cannot-links remove edges. Labels stand for all their pairs. We could not reproduce the paper's
    large advantage over Laplacian eigenmaps, because few edges run between clusters (see
    :doc:`/papers/index`). Prefer it if clusters that touch should be separated.

    Parameters
    ----------
    n_components : int, default=2
        The number of columns of the embedding, less than the number of rows.
    n_neighbors : int, default=10
        The number of nearest neighbours of a row, less than the number of rows.
    n_clusters : "silhouette" or int, default="silhouette"
        The number of clusters. "silhouette" is the number from 2 to 10 with the largest mean
        silhouette. With more than 1,000 rows, a random sample of 1,000 is clustered, and the other
        rows join the nearest cluster.
    clusterer : {"kernel-kmeans", "kmeans"} or a clusterer, default="kernel-kmeans"
        Kernel k-means with the kernel :math:`\exp(-d^2/\sigma^2)`, k-means, or any estimator with
        ``fit_predict``. ``n_clusters`` is ignored if the estimator has no such parameter.
    sigma : "mean" or float, default="mean"
        The width :math:`\sigma` of the weights. "mean" is the root of the mean squared distance of
        all pairs.
    bridge : bool, default=False
        Join the connected components of the graph of neighbours by their shortest edges.
    propagation : float between 0 and 1, default=None
        Constraint propagation [2]_: the share of a constraint that each step along the graph passes
        on, e.g. 0.8. Pairs then change the weights of edges near them, too, and the neighbours of
        must-linked rows are joined. By default a pair changes its own edge only.
    eigen_solver : {"auto", "dense", "lanczos", "shift-invert", "amg"}, default="auto"
        How the eigenproblem is solved; all give the same result up to rounding. "auto" factorises
        graphs of low bandwidth, such as those of curves and sheets, and uses Lanczos for others. If
        Lanczos stalls, it factorises where memory allows, and uses "amg" otherwise. "amg" needs
        ``pip install 'pairspace[amg]'``.
    random_state : int, RandomState instance or None, default=None
        Seed of the clustering, of the start vectors of the solver, and of the approximate search
        for neighbours, which is used for more than 50,000 dense rows if faiss is installed.
    verbose : bool, default=False
        Print each stage of ``fit`` and its seconds.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The embedding Y. The largest entry of each column is positive.
    eigenvalues_ : ndarray of shape (n_components,)
        The eigenvalues :math:`\lambda`, ascending, between 0 and 2.
    residual_ : float
        The largest :math:`\|D^{-1/2} L y - \lambda D^{1/2} y\|` of a column.
    n_connected_components_ : int
        The number of connected components of the graph.
    affinity_matrix_ : csr_array of shape (n_samples, n_samples)
        The weights W, after the constraints.
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The centroids u. A new row belongs to the cluster of the nearest one.

    See Also
    --------
    LaplacianEigenmaps : The same without clusters.
    KernelKMeans : The default clusterer.

    References
    ----------
    .. [1] H. Zhou, J. Wang, "Laplacian Eigenmaps Dimensionality Reduction Based on
       Clustering-Adjusted Similarity", Algorithms, 12(10):210, 2019.
       https://doi.org/10.3390/a12100210
    .. [2] Z. Lu, H. H. S. Ip, "Constrained Spectral Clustering via Exhaustive and Efficient
       Constraint Propagation", Computer Vision - ECCV 2010, 1-14, Springer, 2010.
       https://doi.org/10.1007/978-3-642-15567-3_1

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
        unlabelled=("neighbours", "clusters"), best_for="clusters that touch should be kept apart"
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
        random_state: Seed = None,
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
        self._centers = rows.class_means(self.labels_, np.bincount(self.labels_))
        self.cluster_centers_ = (
            self._centers if self._origin is None else (self._centers + self._origin)
        )
        self._between_centers = euclidean_distances(self._centers, squared=True)
        edges = super()._pull(rows, known)
        i, j = self.labels_[edges.pairs].T
        similarity = np.exp(-self._between_centers / self._squared_sigma)
        return Edges(len(rows), edges.pairs, similarity[i, j] * edges.weight)

    def _more_squared(self, X: Any, near: Ints) -> Floats:
        own = pairwise_distances_argmin(X, self._centers)
        return self._between_centers[own[:, None], self.labels_[near]]

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
            # k-means on Nyström features, which are the same for every number of clusters.
            features = Nystroem(
                gamma=1 / self._squared_sigma,
                n_components=N_LANDMARKS,
                random_state=self.random_state,
            ).fit(sample)
            clusterer = self._best_by_silhouette(
                sample, features.transform(sample), self._new_k_means
            )[0]
            return np.asarray(clusterer.predict(features.transform(X)))
        clusterer = self._best_by_silhouette(sample, sample, self._new_clusterer)[0]
        if hasattr(clusterer, "predict"):
            return np.asarray(clusterer.predict(X))
        return np.asarray(clone(clusterer).fit_predict(X))

    def _best_by_silhouette(
        self, X: Any, features: Any, new_clusterer: Callable[[int], Any]
    ) -> tuple[Any, Ints]:
        """The clusterer of the features with the largest mean silhouette of X, and its labels."""
        counts = range(2, min(MAX_CLUSTERS, X.shape[0] - 1) + 1)
        clusterers = [new_clusterer(n_clusters) for n_clusters in counts]
        with threadpool_limits(1):  # for so few rows one thread is faster than two
            labels = [np.asarray(clusterer.fit_predict(features)) for clusterer in clusterers]
        distances = euclidean_distances(X)
        np.fill_diagonal(distances, 0)
        scores = [_silhouette(distances, found) for found in labels]
        if max(scores, default=-np.inf) == -np.inf:
            return new_clusterer(1).fit(features), np.zeros(X.shape[0], dtype=np.int64)
        best = int(np.argmax(scores))  # the smallest number if there is a tie
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


def _silhouette(distances: Floats, labels: Ints) -> float:
    """The mean silhouette; −∞ where it is not defined: for one cluster, or as many as rows."""
    if not 1 < len(np.unique(labels)) < len(labels):
        return -np.inf
    return float(silhouette_score(distances, labels, metric="precomputed"))
