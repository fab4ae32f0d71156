"""SKK-means: kernel k-means in the null space of the must-links."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import StrOptions

from pairspace._core.kernels import NAMES, Kernel, KernelNullSpace, KernelPoints, LandmarkPoints
from pairspace._core.typing import Ints
from pairspace.base import Supervision, unchanged_if_it_fails, with_plain_numbers
from pairspace.cluster.kernel_kmeans import KernelKMeans
from pairspace.constraints import Constraints


class SKKMeans(KernelKMeans):
    r"""Subspace kernel k-means (SKK-means): kernel k-means that satisfies all must-links.

    The kernel is projected so that must-linked rows become one point, and k-means clusters these
    points [1]_:

    .. math:: \min_{\pi} \sum_h \sum_{i \in \pi_h} \|\hat\phi(x_i) - \hat m_h\|^2 \quad
        \text{(eq. 24)}, \qquad \hat K = K - K E (E^\top K E)^+ E^\top K \quad \text{(eq. 6)},

    where E has a column :math:`e_i - e_j` for each must-link. The projection removes the
    differences of must-linked rows from all rows. Must-links, and pairs that follow from them, are
    never violated. Cannot-links are ignored, but must not contradict the must-links. A labelled row
    is must-linked to all rows of its label.

    Prefer it to :class:`KernelKMeans` if there are must-links. :class:`~pairspace.DSP` followed by
    k-means also uses cannot-links, and predicts new rows faster.

    Parameters
    ----------
    n_clusters : int, default=8
        The number of clusters.
    kernel : str or callable, default="rbf"
        The name of a kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`, or a function of
        two tables that returns the kernel matrix of their rows.
    gamma : float, "scale" or None, default="scale"
        The parameter of the kernels that have one; "rbf" is :math:`\exp(-\gamma \|x - y\|^2)`. It
        is :math:`1 / (2 \delta^2)` for the width :math:`\delta` of [1]_. "scale" is
        1 / (n_features · variance of all values of X), as in scikit-learn's ``SVC``; None is
        1 / n_features.
    init : {"k-means++", "random"}, default="k-means++"
        How a run starts: from k-means++ seeds [2]_, or from a random partition, which ends in worse
        optima.
    n_init : int, default=10
        The number of runs. The best one counts.
    max_iter : int, default=300
        The largest number of iterations of a run.
    n_landmarks : int, default=None
        Approximate the kernel by this many random rows and all must-linked rows (Nyström). By
        default up to 3,000 points are clustered exactly, and more from 300 landmarks.
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
    KernelKMeans : The same without constraints.
    DSP : A space from the same projection that also uses cannot-links.

    References
    ----------
    .. [1] S. Yan, S. Bouaziz, D. Lee, J. Barlow, "Semi-Supervised Dimensionality Reduction for
       Analyzing High-Dimensional Data with Constraints", Neurocomputing, available online 2011.
       Section 4.5.
    .. [2] D. Arthur, S. Vassilvitskii, "k-means++: The Advantages of Careful Seeding", Proceedings
       of the 18th Annual ACM-SIAM Symposium on Discrete Algorithms (SODA), 1027-1035, 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import Constraints, SKKMeans
    >>> from pairspace.metrics import pair_f_score
    >>> X, y = load_iris(return_X_y=True)
    >>> answers = Constraints.from_labels(y, n_pairs=60, random_state=0)
    >>> found = SKKMeans(3, random_state=0).fit_predict(X, answers)
    >>> round(pair_f_score(y, found), 2)
    0.82
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **KernelKMeans._parameter_constraints,
        "kernel": [StrOptions(NAMES - {"precomputed"}), callable],
    }

    @with_plain_numbers
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data.
        y : Constraints, or labels of shape (n_samples,), default=None
            Pairs, or labels; −1, None or NaN is an unknown label.
        constraints : Constraints, default=None
            Pairs in addition to ``y``.

        Returns
        -------
        object
            The fitted estimator.
        """
        with unchanged_if_it_fails(self):
            self._fit_supervised(X, y, constraints)
        return self

    def _fit_supervised(self, X: Any, y: Any, constraints: Constraints | None) -> None:
        X, random = self._checked(X), check_random_state(self.random_state)
        known = Supervision(y, constraints, X.shape[0])
        known.require_consistency()
        kernel = Kernel(self.kernel, self._gamma(X), X)
        space = KernelNullSpace(kernel, X, known.chunklets.codes)
        points: KernelPoints = (
            space.gram_points()
            if self._is_exact(len(space))
            else LandmarkPoints(
                space.landmark_map(self._landmarks(X.shape[0], random)), space.points
            )
        )
        labels = self._cluster(kernel, points, space.sizes.astype(np.float64), random)
        self.labels_ = labels[space.component]

    def fit_predict(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> Ints:
        """Find the clusters and return the labels.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data.
        y : Constraints, or labels of shape (n_samples,), default=None
            Pairs, or labels; −1, None or NaN is an unknown label.
        constraints : Constraints, default=None
            Pairs in addition to ``y``.

        Returns
        -------
        ndarray of shape (n_samples,)
            The cluster of each row.
        """
        return self.fit(X, y, constraints=constraints).labels_
