"""SKK-means: kernel k-means in the null space of the must-links."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import StrOptions

from pairspace._core.kernels import NAMES, Kernel, KernelNullSpace, LandmarkPoints, Points
from pairspace._core.typing import Ints
from pairspace.base import Supervision
from pairspace.cluster.kernel_kmeans import KernelKMeans
from pairspace.constraints import Constraints


class SKKMeans(KernelKMeans):
    r"""Subspace kernel k-means: k-means where must-links have made their rows one point.

    .. math:: \min_{\pi} \sum_h \sum_{i \in \pi_h} \|\hat\phi(x_i) - \hat m_h\|^2 \quad
        \text{(eq. 24)}, \qquad \hat K = K - K E (E^\top K E)^+ E^\top K \quad \text{(eq. 6)},

    where E has a column :math:`e_i - e_j` for each must-link. So must-links also say which
    differences do not matter elsewhere; and they are never broken, nor is what follows from them.
    Cannot-links do not count, but may not contradict the must-links.

    Prefer it to :class:`KernelKMeans` as soon as there are must-links; :class:`~pairspace.DSP`
    with k-means after it uses the cannot-links and new rows more cheaply.

    Parameters
    ----------
    n_clusters : int, default=8
    kernel : str or callable, default="rbf"
        As in :class:`KernelKMeans`, but not "precomputed".
    gamma : float, default=None
        :math:`1 / (2 \delta^2)` for the paper's width :math:`\delta`; 1 / n_features by default.
    init, n_init, max_iter, random_state
        As in :class:`KernelKMeans`.
    n_landmarks : int, default=None
        As in :class:`KernelKMeans`; the linked rows are landmarks besides.

    Attributes
    ----------
    labels_, inertia_, n_iter_
        As in :class:`KernelKMeans`.

    References
    ----------
    The DSP papers, section 4.5 of the journal's: see docs/papers.md.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import Constraints, SKKMeans
    >>> from pairspace.metrics import pair_f_score
    >>> X, y = load_iris(return_X_y=True)
    >>> answers = Constraints.from_labels(y, n_pairs=60, random_state=0)
    >>> found = SKKMeans(3, random_state=0).fit_predict(X, answers)
    >>> round(pair_f_score(y, found), 2)
    0.85
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **KernelKMeans._parameter_constraints,
        "kernel": [StrOptions(NAMES - {"precomputed"}), callable],
    }

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data.
        y : Constraints, or labels of shape (n_samples,), default=None
            Pairs, or labels of which some may be unknown: −1, None or NaN.
        constraints : Constraints, default=None
            Pairs that add to what ``y`` says.
        """
        X, random = self._checked(X), check_random_state(self.random_state)
        known = Supervision(y, constraints, X.shape[0])
        known.require_consistency()
        kernel = Kernel(self.kernel, self.gamma, X)
        space = KernelNullSpace(kernel, X, known.chunklets.codes)
        points: Points = (
            space.gram_points()
            if self._is_exact(len(space))
            else LandmarkPoints(
                space.landmark_map(self._landmarks(X.shape[0], random)), space.points
            )
        )
        labels = self._cluster(kernel, points, space.sizes.astype(np.float64), random)
        self.labels_ = labels[space.component]
        return self

    def fit_predict(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> Ints:
        """``fit(X, y, constraints=constraints).labels_``"""
        return self.fit(X, y, constraints=constraints).labels_
