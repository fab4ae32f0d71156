"""SSWMV: weighted maximum variance that also uses the rows without labels, in four ways."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from pairspace._core.data import Classes, Rows
from pairspace._core.graphs import Blocks, Edges, Graph
from pairspace._core.linalg import Eigen
from pairspace._core.neighbors import nearest, neighbor_edges
from pairspace._core.typing import Ints, Seed
from pairspace._core.warn import warn_caller
from pairspace.base import Needs, Supervision
from pairspace.constraints import UNKNOWN
from pairspace.linear.wmv import WMV

SILHOUETTE_SAMPLE = 5_000  # rows on which a clustering is judged: more do not change the choice


class SSWMV(WMV):
    r"""Semi-supervised weighted maximum variance (SSWMV).

    SSWMV (section II.B of [1]_) solves

    .. math:: \max_W \operatorname{tr}(W^\top M W) \quad \text{subject to} \quad W^\top W = I,
              \qquad M = S_t - 2\,(\alpha S'_w + \beta S'_b) ,

    where :math:`S_t` is the covariance of all rows, and :math:`S'_w` and :math:`S'_b` are 1/n times
    the scatter of all pairs of the same and of different labels. Pairs with an unknown label count,
    too, depending on ``propagation``:

    - ``"neighbors"``: weight :math:`\alpha` if one row is a nearest neighbour of the other;
    - ``"majority"``: an unknown label becomes that of most of the nearest labelled rows (on a tie
      the class of the nearest row); then all pairs count by label;
    - ``"clusters"``: :math:`\alpha` within a cluster of k-means and :math:`\beta` between clusters;
    - ``"silhouette"``: the same, with the number of clusters from 2 to 10 whose mean silhouette is
      largest ([1]_ does not say how it uses the silhouette).

    It takes labels, pairs or both; a must-link adds an edge of weight :math:`\alpha`, a cannot-link
    one of weight :math:`\beta`. Prefer "neighbors": it was the only one of the four as good as
    :class:`WMV` in our reproduction of [1]_. We could not reproduce the advantage of SSWMV with few
    labels.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    alpha : float, default=1.0
        The weight of pairs of the same class, 0 or more.
    beta : float, default=-1.0
        The weight of pairs of different classes, 0 or less.
    propagation : {"neighbors", "majority", "clusters", "silhouette"}, default="neighbors"
        How pairs with an unknown label are weighted: see above.
    n_neighbors : int, default=None
        The number of neighbours for "neighbors" and "majority"; None means 5 and 15. At most all
        rows, or all labelled rows, are used.
    n_clusters : int, default=None
        The number of clusters for "clusters"; None means the number of classes.
    random_state : int, RandomState instance or None, default=None
        Seed of k-means, and of the approximate search for neighbours above 50,000 rows.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The directions of the space, one per row; the rows are orthonormal.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The largest eigenvalues of M by value, descending; they may be negative.
    rank_ : int
        The rank of X if it was computed, otherwise its upper bound min(n_samples − 1, n_features).
    n_directions_ : int or None
        The number of leading directions of X that were searched; None means all. Only a very wide
        X is limited: see :doc:`/guide/scale`.
    learned_rows_ : ndarray or None
        The row numbers of the subsample that was learned from, if X is read in blocks; None means
        all rows.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (n_features,)
        The column names of X, if all of them are strings.

    See Also
    --------
    WMV : Uses known labels and pairs only.
    WMVSearchCV : Chooses beta and the number of components by cross-validation.

    References
    ----------
    .. [1] P. S. Andalam, U. Roshan, "Semi-Supervised Weighted Maximum Variance Dimensionality
       Reduction", New Jersey Institute of Technology.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import SSWMV
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # half of the labels are not known
    >>> round(SSWMV(n_components=1).fit(X, y).score(X, y), 2)
    0.95
    """

    needs: ClassVar[Needs] = Needs(
        unlabelled=("neighbours", "clusters"),
        best_for="classes that are clusters",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **WMV._parameter_constraints,
        "propagation": [StrOptions({"neighbors", "majority", "clusters", "silhouette"})],
        "n_neighbors": [Interval(Integral, 1, None, closed="left"), None],
        "n_clusters": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: int | float | str | None = 2,
        *,
        alpha: float = 1.0,
        beta: float = -1.0,
        propagation: str = "neighbors",
        n_neighbors: int | None = None,
        n_clusters: int | None = None,
        random_state: Seed = None,
    ) -> None:
        super().__init__(n_components, alpha=alpha, beta=beta)
        self.propagation = propagation
        self.n_neighbors = n_neighbors
        self.n_clusters = n_clusters
        self.random_state = random_state

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        solution = super()._solve(Z, known)
        if solution.values[0] <= 0:
            warn_caller(
                "no direction spreads more than its neighbours and classes pull: all eigenvalues "
                "are negative; lower alpha or n_neighbors",
                UserWarning,
            )
        return solution

    def _local_graph(self, Z: Rows, known: Supervision) -> Graph:
        add = getattr(self, f"_{self.propagation}")
        return super()._local_graph(Z, known) + add(Z, known)

    def _neighbors(self, Z: Rows, known: Supervision) -> Graph:
        found = nearest(Z.values, self.n_neighbors or 5, random_state=self.random_state)
        edges = neighbor_edges(found)
        edges = edges[(known.labels[edges] == UNKNOWN).any(axis=1)]
        return Edges(len(Z), edges, np.full(len(edges), float(self.alpha)))

    def _majority(self, Z: Rows, known: Supervision) -> Graph:
        return self._instead_of(
            known, Classes(majority_labels(Z, known.labels, self.n_neighbors or 15))
        )

    def _clusters(self, Z: Rows, known: Supervision) -> Graph:
        n_clusters = self.n_clusters or int(np.sum(known.classes.sizes > 0))
        if not n_clusters:
            raise ValueError(
                "there are as many clusters as classes, and no label is known: give n_clusters"
            )
        return self._instead_of(known, Classes(self._k_means(Z, min(n_clusters, len(Z)))))

    def _silhouette(self, Z: Rows, known: Supervision) -> Graph:
        return self._instead_of(known, Classes(self._k_means(Z, self.silhouette_clusters(Z))))

    def silhouette_clusters(self, Z: Rows) -> int:
        """Find the number of clusters with the largest mean silhouette; labels are not used.

        Parameters
        ----------
        Z : Rows
            The rows to cluster.

        Returns
        -------
        int
            The number of clusters, from 2 to 10; 1 if there are fewer than three rows.
        """
        best, best_score = 1, -np.inf
        points = Z.centred()
        for n_clusters in range(2, min(10, len(Z) - 1) + 1):
            score = silhouette_score(
                points,
                self._k_means(Z, n_clusters),
                sample_size=SILHOUETTE_SAMPLE if len(Z) > SILHOUETTE_SAMPLE else None,
                random_state=check_random_state(self.random_state),
            )
            if score > best_score:
                best, best_score = n_clusters, score
        return best

    def _k_means(self, Z: Rows, n_clusters: int) -> Ints:
        k_means = KMeans(n_clusters, n_init=10, random_state=self.random_state)
        return k_means.fit_predict(Z.centred()).astype(np.int64)

    def _instead_of(self, known: Supervision, guess: Classes) -> Graph:
        """Pairs by the guessed classes, less those of two known labels, which count already."""
        labelled = Classes(np.where(known.labels == UNKNOWN, UNKNOWN, guess.codes))
        weights = {"within": self.alpha, "between": self.beta}
        return Blocks(guess, **weights) - Blocks(labelled, **weights)


def majority_labels(Z: Rows, labels: Ints, n_neighbors: int) -> Ints:
    """Labels in which the unknown are the majority of the nearest labelled rows."""
    known = labels != UNKNOWN
    if not known.any():
        raise ValueError("majority needs labels to choose among, and none is known")
    if known.all():
        return labels
    points = Z.centred()
    index = NearestNeighbors(n_neighbors=min(n_neighbors, int(known.sum()))).fit(points[known])
    near = labels[known][index.kneighbors(points[~known], return_distance=False)]
    n_votes = (near[:, :, None] == near[:, None, :]).sum(axis=2)
    filled = labels.copy()
    # Votes are in order of distance, and argmax takes the first of those that tie.
    filled[~known] = near[np.arange(len(near)), n_votes.argmax(axis=1)]
    return filled
