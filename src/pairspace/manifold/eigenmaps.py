"""Laplacian eigenmaps."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from pairspace._core.data import Rows
from pairspace._core.graphs import Edges
from pairspace._core.typing import Floats, Ints, Seed
from pairspace.base import Needs, Supervision
from pairspace.manifold._base import GraphReducer


class LaplacianEigenmaps(GraphReducer):
    r"""Laplacian eigenmaps: an embedding that keeps nearest neighbours close.

    Two rows are joined if one is among the ``n_neighbors`` nearest of the other. The weight is
    :math:`w_{ij} = \exp(-\|x_i - x_j\|^2 / \sigma^2)`, and D has the sums of the weights of each
    row on its diagonal. The embedding solves

    .. math:: \min_Y \sum_{i<j} w_{ij} \|y_i - y_j\|^2 \quad \text{subject to} \quad
        Y^\top D Y = I, \; Y^\top D 1 = 0,

    that is :math:`L y = \lambda D y` with :math:`L = D - W` for the smallest :math:`\lambda`,
    without the constant vector [1]_. A graph of m connected components has m − 1 more vectors with
    :math:`\lambda = 0`. They come first and separate the components. New rows are embedded by the
    Nyström formula [2]_.

    Supervision is optional. Must-links become edges of weight 1, or of their own weight.
    Cannot-links remove edges. Labels stand for all their pairs. On handwritten digits pairs
    improved the embedding, and ``propagation`` improved it more (see :doc:`/papers/index`). Prefer
    it to linear methods if classes lie on curved sheets.

    Parameters
    ----------
    n_components : int, default=2
        The number of columns of the embedding, less than the number of rows.
    n_neighbors : int, default=10
        The number of nearest neighbours of a row, less than the number of rows.
    sigma : "mean" or float, default="mean"
        The width :math:`\sigma` of the weights. "mean" is the root of the mean squared distance of
        all pairs.
    bridge : bool, default=False
        Join the connected components of the graph of neighbours by their shortest edges.
    propagation : float between 0 and 1, default=None
        Constraint propagation [3]_: the share of a constraint that each step along the graph passes
        on, e.g. 0.8. Pairs then change the weights of edges near them, too, and the neighbours of
        must-linked rows are joined. By default a pair changes its own edge only.
    eigen_solver : {"auto", "dense", "lanczos", "shift-invert", "amg"}, default="auto"
        How the eigenproblem is solved; all give the same result up to rounding. "auto" factorises
        graphs of low bandwidth, such as those of curves and sheets, and uses Lanczos for others. If
        Lanczos stalls, it factorises where memory allows, and uses "amg" otherwise. "amg" needs
        ``pip install 'pairspace[amg]'``.
    random_state : int, RandomState instance or None, default=None
        Seed of the start vectors of the solver, and of the approximate search for neighbours, which
        is used for more than 50,000 dense rows if faiss is installed.
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
    n_features_in_ : int
        The number of features of the training data.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, if the training data has names that are all strings.

    See Also
    --------
    LECAS : Lowers the weights of edges between clusters.
    GGLE : Uses geodesic distances.
    SLE : Uses labels of most rows.
    sklearn.manifold.SpectralEmbedding : Takes affinities, but no constraints.

    References
    ----------
    .. [1] M. Belkin, P. Niyogi, "Laplacian Eigenmaps for Dimensionality Reduction and Data
       Representation", Neural Computation, 15(6):1373-1396, 2003.
       https://doi.org/10.1162/089976603321780317
    .. [2] Y. Bengio, J.-F. Paiement, P. Vincent, O. Delalleau, N. Le Roux, M. Ouimet,
       "Out-of-Sample Extensions for LLE, Isomap, MDS, Eigenmaps, and Spectral Clustering",
       Advances in Neural Information Processing Systems 16 (NIPS), 177-184, 2003.
    .. [3] Z. Lu, H. H. S. Ip, "Constrained Spectral Clustering via Exhaustive and Efficient
       Constraint Propagation", Computer Vision - ECCV 2010, 1-14, Springer, 2010.
       https://doi.org/10.1007/978-3-642-15567-3_1

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
        unlabelled=("neighbours",), best_for="classes lie on curved sheets"
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
        random_state: Seed = None,
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
        pairs = self._neighbor_pairs(rows)
        return Edges(len(rows), pairs, self._heat(rows.squared_lengths(pairs)))

    def _embed_new(self, X: Any, near: Ints, squared: Floats) -> Floats:
        squared = squared + self._more_squared(X, near)
        # The weights are normalised, so that the largest may be 1: not all underflow to 0.
        weight = np.exp((squared.min(axis=1, keepdims=True) - squared) / self._squared_sigma)
        weight /= weight.sum(axis=1, keepdims=True)
        return np.einsum("ij,ijk->ik", weight, self.embedding_[near]) / self._nystrom_divisor()

    def _more_squared(self, X: Any, near: Ints) -> Floats | float:
        """What is added to the squared distances of new rows from their nearest rows."""
        return 0.0
