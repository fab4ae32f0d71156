"""Kernel k-means, exact or from landmarks."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClusterMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags, check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from pairspace._core.data import read_table, require_in_memory
from pairspace._core.kernels import (
    NAMES,
    GramPoints,
    Kernel,
    KernelFunction,
    KernelPoints,
    LandmarkMap,
    LandmarkPoints,
)
from pairspace._core.rounding import rounded
from pairspace._core.typing import Floats, Ints, Seed
from pairspace._core.warn import warn_caller
from pairspace.base import unchanged_if_it_fails, with_plain_numbers
from pairspace.cluster._lloyd import ROUNDING, STARTS, k_means, means_of, squared_means

EXACT_UP_TO = 3_000  # rows: their n × n kernel takes 72 MB
N_LANDMARKS = 300  # for more rows


class KernelKMeans(ClusterMixin, BaseEstimator):
    r"""Kernel k-means.

    It minimises

    .. math:: \min_{\pi} \sum_h \sum_{i \in \pi_h} \|\phi(x_i) - m_h\|^2, \qquad
        m_h = \frac{1}{|\pi_h|} \sum_{j \in \pi_h} \phi(x_j),

    where :math:`\phi(x)^\top\phi(y) = k(x, y)` is the kernel [1]_. It runs several times and keeps
    the best result. A cluster that becomes empty gets the point farthest from its own mean, but no
    point that is alone in its cluster.

    Prefer it to k-means if clusters are not convex and a kernel separates them.

    Parameters
    ----------
    n_clusters : int, default=8
        The number of clusters.
    kernel : str or callable, default="rbf"
        The name of a kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`, "precomputed", or
        a function of two tables that returns the kernel matrix of their rows.
    gamma : float, "scale" or None, default="scale"
        The parameter of the kernels that have one; "rbf" is :math:`\exp(-\gamma \|x - y\|^2)`.
        "scale" is 1 / (n_features · variance of all values of X), as in scikit-learn's ``SVC``;
        None is 1 / n_features, as in its kernels, which suits standardised features.
    init : {"k-means++", "random"}, default="k-means++"
        How a run starts: from k-means++ seeds [2]_, or from a random partition, which ends in worse
        optima.
    n_init : int, default=10
        The number of runs. The best one counts.
    max_iter : int, default=300
        The largest number of iterations of a run.
    n_landmarks : int, default=None
        Approximate the kernel by this many random rows (Nyström [3]_), in memory of
        n_samples · n_landmarks. By default up to 3,000 rows are clustered exactly, and more from
        300 landmarks. A "precomputed" kernel is always exact.
    random_state : int, RandomState instance or None, default=None
        Seed of the starts and of the landmarks.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row.
    inertia_ : float
        The minimised sum; with landmarks, of the approximate kernel.
    n_iter_ : int
        The number of iterations of the best run.

    See Also
    --------
    SKKMeans : Kernel k-means with must-links.
    sklearn.cluster.KMeans : K-means without a kernel.

    References
    ----------
    .. [1] B. Schölkopf, A. Smola, K.-R. Müller, "Nonlinear Component Analysis as a Kernel
       Eigenvalue Problem", Neural Computation, 10(5):1299-1319, 1998.
       https://doi.org/10.1162/089976698300017467
    .. [2] D. Arthur, S. Vassilvitskii, "k-means++: The Advantages of Careful Seeding", Proceedings
       of the 18th Annual ACM-SIAM Symposium on Discrete Algorithms (SODA), 1027-1035, 2007.
    .. [3] C. K. I. Williams, M. Seeger, "Using the Nyström Method to Speed Up Kernel Machines",
       Advances in Neural Information Processing Systems 13 (NIPS), 682-688, 2001.

    Examples
    --------
    >>> from sklearn.datasets import make_circles
    >>> from sklearn.metrics import adjusted_rand_score
    >>> from pairspace import KernelKMeans
    >>> X, y = make_circles(300, factor=0.2, noise=0.05, random_state=0)
    >>> found = KernelKMeans(2, gamma=5.0, random_state=0).fit(X)
    >>> adjusted_rand_score(y, found.labels_)
    1.0
    >>> found.predict([[0.0, 0.2], [0.0, -0.1]]) == found.predict([[0.1, 0.0]])
    array([ True,  True])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "kernel": [StrOptions(NAMES), callable],
        "gamma": [Interval(Real, 0, None, closed="neither"), StrOptions({"scale"}), None],
        "init": [StrOptions(set(STARTS))],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "n_landmarks": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        kernel: str | KernelFunction = "rbf",
        gamma: float | str | None = "scale",
        init: str = "k-means++",
        n_init: int = 10,
        max_iter: int = 300,
        n_landmarks: int | None = None,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.gamma = gamma
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.n_landmarks = n_landmarks
        self.random_state = random_state

    @with_plain_numbers
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data; the kernel of shape (n_samples, n_samples) if it is precomputed.
        y : None
            Ignored.

        Returns
        -------
        object
            The fitted estimator.
        """
        with unchanged_if_it_fails(self):
            self._fit(X)
        return self

    def _fit(self, X: Any) -> None:
        X, random = self._checked(X), check_random_state(self.random_state)
        kernel = Kernel(self.kernel, self._gamma(X), X)
        if self._is_exact(X.shape[0]):
            points: KernelPoints = GramPoints(kernel.gram(X), X)
        else:
            landmarks = X[self._landmarks(X.shape[0], random)]
            points = LandmarkPoints(LandmarkMap(kernel, landmarks), X)
        self.labels_ = self._cluster(kernel, points, np.ones(X.shape[0]), random)

    @with_plain_numbers
    def predict(self, X: Any) -> Ints:
        """Assign each row to the cluster with the nearest mean.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data; its kernel with the training rows, of shape (n_samples, n_fitted), if it is
            precomputed.

        Returns
        -------
        ndarray of shape (n_samples,)
            The cluster of each row.
        """
        check_is_fitted(self)
        X = self._read(X, reset=False)
        products = self._kernel.combine(X, *self._means)
        return np.argmin(self._squared_means - 2 * products, axis=1)

    def _checked(self, X: Any) -> Any:
        X = self._read(X)
        if self.kernel == "precomputed" and X.shape[0] != X.shape[1]:
            raise ValueError(f"a precomputed kernel must be square; got shape={X.shape}")
        if self.n_clusters > X.shape[0]:
            raise ValueError(f"n_clusters={self.n_clusters} must be at most n_samples={X.shape[0]}")
        return X

    def _read(self, X: Any, *, reset: bool = True) -> Any:
        require_in_memory(self, X)
        return read_table(X, of=self, fit=reset, sparse=self.kernel != "precomputed")

    def _gamma(self, X: Any) -> float | None:
        """The number that ``gamma`` stands for; None is left to the kernel."""
        if not isinstance(self.gamma, str):
            return self.gamma
        if self.kernel == "precomputed":
            return None
        if issparse(X):
            n_values, mean = X.shape[0] * X.shape[1], float(X.sum(dtype=np.float64))
            mean /= n_values
            squares = np.sum((X.data - mean) ** 2, dtype=np.float64)
            variance = (squares + (n_values - X.nnz) * mean**2) / n_values
        else:
            variance = np.var(X, dtype=np.float64)
        return float(1 / (X.shape[1] * variance)) if variance else 1.0

    def _is_exact(self, n_rows: int) -> bool:
        return self.kernel == "precomputed" or (self.n_landmarks is None and n_rows <= EXACT_UP_TO)

    def _landmarks(self, n_rows: int, random: np.random.RandomState) -> Ints:
        n_landmarks = min(int(self.n_landmarks or N_LANDMARKS), n_rows)
        return np.sort(random.choice(n_rows, n_landmarks, replace=False))

    def _cluster(
        self, kernel: Kernel, points: KernelPoints, weight: Floats, random: np.random.RandomState
    ) -> Ints:
        """The labels of the best run. It sets all other fitted attributes."""
        n_clusters = min(int(self.n_clusters), len(weight))
        runs = (
            k_means(points, weight, n_clusters, self.max_iter, random, STARTS[self.init])
            for _ in range(self.n_init)
        )
        # Starts often end at the same clusters, numbered differently: then the first counts.
        best = min(runs, key=lambda run: float(rounded(run.inertia)))
        labels, self.inertia_, self.n_iter_ = best
        means = means_of(labels, weight, n_clusters)
        products = points.products(means)
        self._kernel, self._means = kernel, points.expansion(means)
        self._squared_means = squared_means(means, products)
        self._warn_if_fewer(_n_distinct(means.T @ products))
        return labels

    def _warn_if_fewer(self, n_distinct: int) -> None:
        if n_distinct < self.n_clusters:
            warn_caller(
                f"only {n_distinct} of n_clusters={self.n_clusters} clusters differ: X has too few "
                "distinct rows",
                ConvergenceWarning,
            )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        tags.input_tags.sparse = not tags.input_tags.pairwise
        return tags


def _n_distinct(products: Floats) -> int:
    """The number of distinct means, from their inner products."""
    squares = products.diagonal()
    apart = squares + squares[:, None] - 2 * products
    same = np.triu(apart <= ROUNDING * np.abs(products).max(), k=1)
    return len(products) - int(np.sum(same.any(axis=0)))
