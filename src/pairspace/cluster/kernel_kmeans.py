"""Kernel k-means, exact and from landmarks."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin, _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags, check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from pairspace._core.data import require_in_memory
from pairspace._core.kernels import (
    NAMES,
    GramPoints,
    Kernel,
    KernelFunction,
    LandmarkMap,
    LandmarkPoints,
    Points,
)
from pairspace._core.rounding import rounded
from pairspace._core.typing import Floats, Ints
from pairspace.cluster._lloyd import ROUNDING, STARTS, k_means, means_of, squared_means

EXACT_UP_TO = 3_000  # rows, whose n × n products are 72 MB
N_LANDMARKS = 300  # for more rows


class KernelKMeans(ClusterMixin, BaseEstimator):
    r"""k-means in the space of a kernel.

    .. math:: \min_{\pi} \sum_h \sum_{i \in \pi_h} \|\phi(x_i) - m_h\|^2, \qquad
        m_h = \frac{1}{|\pi_h|} \sum_{j \in \pi_h} \phi(x_j),

    where all products :math:`\phi(x)^\top\phi(y)` are :math:`k(x, y)`. It starts several times,
    and the best result counts. A cluster that becomes empty gets the point farthest
    from its own mean, never one that is alone.

    Prefer it to k-means where clusters are not convex but a kernel tells them apart.

    Parameters
    ----------
    n_clusters : int, default=8
    kernel : str or callable, default="rbf"
        A name that :func:`sklearn.metrics.pairwise.pairwise_kernels` knows, "precomputed", or a
        function of two tables that returns the matrix of their rows' products.
    gamma : float, default=None
        Of the kernels that have it; "rbf" is :math:`\exp(-\gamma \|x - y\|^2)`. By default
        1 / n_features, as in scikit-learn, which suits standardised features.
    init : {"k-means++", "random"}, default="k-means++"
        How a start is made: from rows far apart, or from clusters by chance, as in the papers of
        the time; those end in worse optima.
    n_init : int, default=10
        The number of starts.
    max_iter : int, default=300
        The most iterations of a start.
    n_landmarks : int, default=None
        Products are approximated through so many random rows (Nyström), in memory
        n_samples · n_landmarks. By default up to 3,000 rows are clustered exactly, from all their
        products, and more from 300 landmarks. A "precomputed" kernel is always exact.
    random_state : int, RandomState or None
        For the starts and the landmarks.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
    inertia_ : float
        The sum above; with landmarks, of the approximate products.
    n_iter_ : int
        Iterations of the best start.

    References
    ----------
    B. Schölkopf, A. Smola, K.-R. Müller, "Nonlinear Component Analysis as a Kernel Eigenvalue
    Problem", Neural Computation 10, 1998. D. Arthur, S. Vassilvitskii, "k-means++: The Advantages
    of Careful Seeding", SODA 2007.

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
        "gamma": [Interval(Real, 0, None, closed="neither"), None],
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
        gamma: float | None = None,
        init: str = "k-means++",
        n_init: int = 10,
        max_iter: int = 300,
        n_landmarks: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.gamma = gamma
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.n_landmarks = n_landmarks
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data; (n_samples, n_samples) if the kernel is precomputed.
        y : None
            Not used.
        """
        X, random = self._checked(X), check_random_state(self.random_state)
        kernel = Kernel(self.kernel, self.gamma, X)
        if self._is_exact(X.shape[0]):
            points: Points = GramPoints(kernel.gram(X), X)
        else:
            landmarks = X[self._landmarks(X.shape[0], random)]
            points = LandmarkPoints(LandmarkMap(kernel, landmarks), X)
        self.labels_ = self._cluster(kernel, points, np.ones(X.shape[0]), random)
        return self

    def predict(self, X: Any) -> Ints:
        """The cluster with the nearest mean, for each row."""
        check_is_fitted(self)
        X = self._read(X, reset=False)
        products = self._kernel.combine(X, *self._means)
        return np.argmin(self._squared_means - 2 * products, axis=1)

    def _checked(self, X: Any) -> Any:
        X = self._read(X)
        if self.kernel == "precomputed" and X.shape[0] != X.shape[1]:
            raise ValueError(f"a precomputed kernel is square, but X has the shape {X.shape}")
        if self.n_clusters > X.shape[0]:
            raise ValueError(f"n_clusters={self.n_clusters} is more than n_samples={X.shape[0]}")
        return X

    def _read(self, X: Any, *, reset: bool = True) -> Any:
        require_in_memory(self, X)
        sparse = False if self.kernel == "precomputed" else "csr"
        return validate_data(
            self, X, accept_sparse=sparse, dtype=(np.float64, np.float32), reset=reset
        )

    def _is_exact(self, n_rows: int) -> bool:
        return self.kernel == "precomputed" or (self.n_landmarks is None and n_rows <= EXACT_UP_TO)

    def _landmarks(self, n_rows: int, random: np.random.RandomState) -> Ints:
        n_landmarks = min(self.n_landmarks or N_LANDMARKS, n_rows)
        return np.sort(random.choice(n_rows, n_landmarks, replace=False))

    def _cluster(
        self, kernel: Kernel, points: Points, weight: Floats, random: np.random.RandomState
    ) -> Ints:
        """Labels of the points. Sets all that is fitted besides."""
        n_clusters = min(self.n_clusters, len(weight))
        runs = (
            k_means(points, weight, n_clusters, self.max_iter, random, STARTS[self.init])
            for _ in range(self.n_init)
        )
        # Starts often end at the same clusters, numbered differently: then the first counts.
        best = min(runs, key=lambda run: float(rounded(run.inertia)))
        labels, self.inertia_, self.n_iter_ = best
        means = means_of(labels, weight, n_clusters)
        products = points.products(means)
        self._kernel, self._means = kernel, points.on_basis(means)
        self._squared_means = squared_means(means, products)
        self._warn_if_fewer(_n_distinct(means.T @ products))
        return labels

    def _warn_if_fewer(self, n_distinct: int) -> None:
        if n_distinct < self.n_clusters:
            warnings.warn(
                f"only {n_distinct} of n_clusters={self.n_clusters} clusters differ: there are too "
                "few rows that do",
                ConvergenceWarning,
                stacklevel=4,
            )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        tags.input_tags.sparse = not tags.input_tags.pairwise
        return tags


def _n_distinct(products: Floats) -> int:
    """How many means differ, by their products."""
    squares = products.diagonal()
    apart = squares + squares[:, None] - 2 * products
    same = np.triu(apart <= ROUNDING * np.abs(products).max(), k=1)
    return len(products) - int(np.sum(same.any(axis=0)))
