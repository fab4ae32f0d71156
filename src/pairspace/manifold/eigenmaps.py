"""Laplacian eigenmaps."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from pairspace._core.data import Rows
from pairspace._core.graphs import Edges
from pairspace._core.typing import Floats, Ints
from pairspace.base import Needs, Supervision
from pairspace.manifold._base import GraphReducer


class LaplacianEigenmaps(GraphReducer):
    r"""Laplacian eigenmaps: rows that a graph of neighbours joins stay near each other.

    Rows are joined if one is among the ``n_neighbors`` nearest of the other, with the weight
    :math:`w_{ij} = \exp(-\|x_i - x_j\|^2 / \sigma^2)`; D has the sums of the weights of each row.

    .. math:: \min_Y \sum_{i<j} w_{ij} \|y_i - y_j\|^2 \quad \text{subject to} \quad
        Y^\top D Y = I, \; Y^\top D 1 = 0 :

    :math:`L y = \lambda D y` for the smallest :math:`\lambda`, :math:`L = D - W`, without the
    constant vector. A graph in m components has m − 1 more vectors with :math:`\lambda = 0`, which
    tell the components apart and come first.

    It needs no supervision. Pairs correct the graph: must-links join with weight 1 (or their own),
    cannot-links cut, and labels are such pairs. On the handwritten digits that helped, and with
    ``propagation`` more (see docs/papers.md). Prefer it to linear methods where classes lie on
    curved sheets, and scikit-learn's ``SpectralEmbedding`` where ready affinities are given.

    Parameters
    ----------
    n_components : int, default=2
    n_neighbors : int, default=10
        Less than the number of rows.
    sigma : "mean" or float, default="mean"
        :math:`\sigma`, or the root of the mean squared distance of all pairs.
    bridge : bool, default=False
        Join the components of the graph of neighbours by their shortest edges.
    propagation : float between 0 and 1, default=None
        Let pairs also act on edges near them, and join the neighbours of rows that must-links join:
        the share that travels on at each step along the graph, e.g. 0.8. By default they act on
        themselves only.
    eigen_solver : {"auto", "dense", "lanczos", "shift-invert", "amg"}, default="auto"
        "auto" factorises graphs of low bandwidth (curves, sheets) and iterates on others
        (Lanczos); where that stalls it factorises if it can afford it, or else takes "amg", which
        ``pip install 'pairspace[amg]'`` brings. All give the same up to rounding.
    random_state : int, RandomState or None
        Where the iteration starts; and for the nearest neighbours where they are approximate, which
        is for more than 50,000 dense rows if faiss is installed.
    verbose : bool, default=False
        Print each stage and its seconds.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        Y, with a sign that makes the largest entry of a column positive.
    eigenvalues_ : ndarray of shape (n_components,)
        :math:`\lambda`, ascending, between 0 and 2.
    residual_ : float
        The largest :math:`\|D^{-1/2} L y - \lambda D^{1/2} y\|` of a column.
    n_connected_components_ : int
    affinity_matrix_ : csr_array of shape (n_samples, n_samples)
        W, with all that pairs have changed.
    n_features_in_, feature_names_in_

    References
    ----------
    M. Belkin, P. Niyogi, "Laplacian Eigenmaps for Dimensionality Reduction and Data
    Representation", Neural Computation 15, 2003. New rows: Y. Bengio et al., "Out-of-Sample
    Extensions for LLE, Isomap, MDS, Eigenmaps, and Spectral Clustering", NIPS 2003. Propagation: Z.
    Lu, H. Ip, "Constrained Spectral Clustering via Exhaustive and Efficient Constraint
    Propagation", ECCV 2010.

    Examples
    --------
    >>> from sklearn.datasets import make_swiss_roll
    >>> from pairspace import LaplacianEigenmaps
    >>> X, angle = make_swiss_roll(1000, random_state=0)
    >>> method = LaplacianEigenmaps(n_components=1, random_state=0).fit(X[:900])
    >>> rank = method.transform(X[900:]).ravel().argsort().argsort()
    >>> bool(abs(np.corrcoef(rank, angle[900:].argsort().argsort())[0, 1]) > 0.99)
    True
    """

    needs: ClassVar[Needs] = Needs(
        unlabelled=("neighbors",), best_for="classes lie on curved sheets"
    )

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 10,
        sigma: float | str = "mean",
        bridge: bool = False,
        propagation: float | None = None,
        eigen_solver: str = "auto",
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.sigma = sigma
        self.bridge = bridge
        self.propagation = propagation
        self.eigen_solver = eigen_solver
        self.random_state = random_state
        self.verbose = verbose

    def _pull(self, rows: Rows, known: Supervision) -> Edges:
        pairs = self._near_pairs(rows)
        return Edges(len(rows), pairs, self._heat(rows.squared_lengths(pairs)))

    def _mean_of_neighbors(self, X: Any, found: Ints, squared: Floats) -> Floats:
        # Weights count in proportion only, so that the nearest may have 1: none underflows.
        weight = np.exp((squared[:, :1] - squared) / self._squared_sigma) * self._share(X, found)
        weight /= weight.sum(axis=1, keepdims=True)
        return np.einsum("ij,ijk->ik", weight, self.embedding_[found]) / self._spread()

    def _share(self, X: Any, found: Ints) -> Floats | float:
        """What is left of the weights between new rows and their neighbours."""
        return 1.0
