"""SSWMV: weighted maximum variance that also uses the rows without labels, in four ways."""

from __future__ import annotations

import warnings
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
from pairspace._core.typing import Ints
from pairspace.base import Needs, Supervision
from pairspace.constraints import UNKNOWN
from pairspace.linear.wmv import WMV

SILHOUETTE_SAMPLE = 5_000  # rows on which a clustering is judged: more do not change the choice


class SSWMV(WMV):
    r"""Semi-supervised weighted maximum variance.

    As :class:`WMV`, :math:`M = S_t - 2(\alpha S'_w + \beta S'_b)`, where pairs of rows with at
    least one unknown label count, too:

    - ``"neighbors"``: weight :math:`\alpha` if one is among the nearest neighbours of the other;
    - ``"majority"``: an unknown label becomes the majority of the nearest labelled rows (on a tie
      the class with the nearest member), then all pairs count by label;
    - ``"clusters"``: :math:`\alpha` in the same cluster of k-means and :math:`\beta` in different
      ones, as many clusters as classes;
    - ``"silhouette"``: the same, with the number of clusters from 2 to 10 whose mean silhouette is
      largest (the paper does not say how it uses the silhouette).

    It takes labels, pairs or both; pairs are edges of weight :math:`\alpha` or :math:`\beta`
    besides. Prefer "neighbors": it is the only one of the four that was as good as :class:`WMV` in
    our reproduction of the paper, whose advantage of SSWMV at few labels we do not see.

    Parameters
    ----------
    n_components : int, default=2
    alpha : float, default=1.0
    beta : float, default=-1.0
    propagation : {"neighbors", "majority", "clusters", "silhouette"}, default="neighbors"
    n_neighbors : int, default=None
        By default 5 for "neighbors" and 15 for "majority"; more than there are is all there are.
    n_clusters : int, default=None
        For "clusters"; by default the number of classes.
    random_state : int, RandomState or None
        For k-means, and for the nearest neighbours where they are approximate.

    Attributes
    ----------
    components_, mean_, eigenvalues_, rank_
        As in :class:`WMV`.
    n_directions_, learned_rows_
        As in :class:`LPP`: where X is too wide, or too long, to look at all of it.

    References
    ----------
    The paper that introduced 2P-WMV and SSWMV, section II.B: see docs/papers.md.

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
        n_components: int = 2,
        *,
        alpha: float = 1.0,
        beta: float = -1.0,
        propagation: str = "neighbors",
        n_neighbors: int | None = None,
        n_clusters: int | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(n_components, alpha=alpha, beta=beta)
        self.propagation = propagation
        self.n_neighbors = n_neighbors
        self.n_clusters = n_clusters
        self.random_state = random_state

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        solution = super()._solve(Z, known)
        if solution.values[0] <= 0:
            warnings.warn(
                "no direction spreads more than its neighbours and classes pull: all eigenvalues "
                "are negative; lower alpha or n_neighbors",
                UserWarning,
                stacklevel=5,
            )
        return solution

    def _local_graph(self, Z: Rows, known: Supervision) -> Graph:
        add = getattr(self, f"_{self.propagation}")
        return super()._local_graph(Z, known) + add(Z, known)

    def _neighbors(self, Z: Rows, known: Supervision) -> Graph:
        found = nearest(Z.values, self.n_neighbors or 5, random_state=self.random_state)
        edges = neighbor_edges(found)
        edges = edges[(known.labels[edges] == UNKNOWN).any(axis=1)]
        return Edges(len(Z), edges, np.full(len(edges), self.alpha))

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
        """The number of clusters with the largest mean silhouette; labels have no part in it."""
        best, best_score = 1, -np.inf
        for n_clusters in range(2, min(10, len(Z) - 1) + 1):
            score = silhouette_score(
                Z.values,
                self._k_means(Z, n_clusters),
                sample_size=SILHOUETTE_SAMPLE if len(Z) > SILHOUETTE_SAMPLE else None,
                random_state=check_random_state(self.random_state),
            )
            if score > best_score:
                best, best_score = n_clusters, score
        return best

    def _k_means(self, Z: Rows, n_clusters: int) -> Ints:
        k_means = KMeans(n_clusters, n_init=10, random_state=self.random_state)
        return k_means.fit_predict(Z.values).astype(np.int64)

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
    index = NearestNeighbors(n_neighbors=min(n_neighbors, int(known.sum()))).fit(Z.values[known])
    near = labels[known][index.kneighbors(Z.values[~known], return_distance=False)]
    n_votes = (near[:, :, None] == near[:, None, :]).sum(axis=2)
    filled = labels.copy()
    # Votes are in order of distance, and argmax takes the first of those that tie.
    filled[~known] = near[np.arange(len(near)), n_votes.argmax(axis=1)]
    return filled
