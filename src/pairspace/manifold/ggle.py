"""GGLE: Laplacian eigenmaps with a generalised Gaussian of geodesic distances."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra
from sklearn.utils._param_validation import Interval

from pairspace._core.data import Rows, slices
from pairspace._core.graphs import Edges
from pairspace._core.pairs import MAX_PAIRS, count_pairs, pairs_of_keys, unordered_pair_keys
from pairspace._core.typing import Floats, Ints, Seed
from pairspace.base import Needs, Supervision
from pairspace.manifold.eigenmaps import LaplacianEigenmaps

BLOCK = 2_000_000  # distances to hold at a time


class GGLE(LaplacianEigenmaps):
    r"""Laplacian eigenmaps with generalised Gaussian weights (GGLE), reconstructed.

    The original paper [1]_ was not available. This is a reconstruction from its description in
    [2]_. The geodesic distance d of two rows is the length of the shortest path along the graph of
    nearest neighbours. Two rows are joined if there is a path between them, or if one is among the
    ``reach`` nearest of the other by geodesic distance. The weight is

    .. math:: w_{ij} = \exp(-(d_{ij} / \sigma)^p) .

    The embedding solves :math:`L y = \lambda D y` for the smallest :math:`\lambda`, where D has the
    sums of the weights of the rows and :math:`L = D - W`. With p = 2, the weights of nearest
    neighbours are those of :class:`LaplacianEigenmaps`, as the geodesic between them is the edge.

    Supervision is optional. Must-links become edges of weight 1, or of their own weight.
    Cannot-links remove edges. Labels stand for all their pairs. Prefer it if nearest neighbours are
    noisy and a wider neighbourhood should count.

    Parameters
    ----------
    n_components : int, default=2
        The number of columns of the embedding, less than the number of rows.
    n_neighbors : int, default=10
        The number of nearest neighbours of a row, less than the number of rows.
    power : float, default=2.0
        The exponent p: 2 is a Gaussian, 1 decays more slowly, above 2 it is flatter near 0.
    reach : int, default=None
        The number of nearest rows by geodesic distance that each row is joined to. By default all,
        which is n² / 2 pairs and possible for up to 4,400 rows.
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

    See Also
    --------
    LaplacianEigenmaps : Joins nearest neighbours only.
    LECAS : Lowers the weights of edges between clusters.

    References
    ----------
    .. [1] Zeng et al., geodesic distance-based generalized Gaussian Laplacian eigenmap (GGLE), as
       cited in [2].
    .. [2] H. Zhou, J. Wang, "Laplacian Eigenmaps Dimensionality Reduction Based on
       Clustering-Adjusted Similarity", Algorithms, 12(10):210, 2019.
       https://doi.org/10.3390/a12100210
    .. [3] Z. Lu, H. H. S. Ip, "Constrained Spectral Clustering via Exhaustive and Efficient
       Constraint Propagation", Computer Vision - ECCV 2010, 1-14, Springer, 2010.
       https://doi.org/10.1007/978-3-642-15567-3_1

    Examples
    --------
    >>> from sklearn.datasets import make_swiss_roll
    >>> from pairspace import GGLE
    >>> X, angle = make_swiss_roll(500, random_state=0)
    >>> y = GGLE(n_components=1, reach=30, random_state=0).fit_transform(X).ravel()
    >>> bool(abs(np.corrcoef(y.argsort().argsort(), angle.argsort().argsort())[0, 1]) > 0.99)
    True
    """

    needs: ClassVar[Needs] = Needs(
        unlabelled=("geodesics",), best_for="single neighbours are noisy"
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LaplacianEigenmaps._parameter_constraints,
        "power": [Interval(Real, 0, None, closed="neither")],
        "reach": [None, Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 10,
        power: float = 2.0,
        reach: int | None = None,
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
        self.power = power
        self.reach = reach

    def _pull(self, rows: Rows, known: Supervision) -> Edges:
        n = len(rows)
        if self.reach is None and count_pairs(n) > MAX_PAIRS:
            raise ValueError(
                f"{n:,} rows have {count_pairs(n):,} pairs, but GGLE can join at most "
                f"{MAX_PAIRS:,}: set reach, e.g. reach=100, to join the nearest rows by geodesic "
                "distance"
            )
        pairs = self._neighbor_pairs(rows)
        lengths = np.sqrt(rows.squared_lengths(pairs))
        self._heat(self._exponent(lengths) * self._squared_sigma)  # an error if weights underflow
        # SciPy's graph routines need 32-bit indices.
        self._neighbor_graph = csr_array((lengths, pairs.T.astype(np.int32)), shape=(n, n))
        with self._stage("geodesic distances"):
            pairs, distance = self._all_geodesics(n) if self.reach is None else self._nearest(n)
        weight = np.exp(-self._exponent(distance))
        return Edges(n, pairs[weight > 0], weight[weight > 0])

    def _exponent(self, distance: Floats) -> Floats:
        """(d/σ)^p"""
        return np.asarray((distance / np.sqrt(self._squared_sigma)) ** self.power)

    def _all_geodesics(self, n: int) -> tuple[Ints, Floats]:
        """All pairs with a path between them, and their geodesic distances."""
        pairs, distances = [], []
        for block in slices(n, BLOCK // n):
            some = np.arange(block.start, block.stop)
            distance = self._geodesics_from(some)
            i, j = np.nonzero((some[:, None] < np.arange(n)) & np.isfinite(distance))
            pairs.append(np.column_stack([some[i], j]))
            distances.append(distance[i, j])
        return np.vstack(pairs), np.concatenate(distances)

    def _nearest(self, n: int) -> tuple[Ints, Floats]:
        """Each row with its ``reach`` nearest by geodesic distance, and these distances."""
        assert self.reach is not None
        reach = min(int(self.reach), n - 1)
        near, length = np.empty((n, reach), dtype=np.int64), np.empty((n, reach))
        for block in slices(n, BLOCK // n):
            some = np.arange(block.start, block.stop)
            distance = self._geodesics_from(some)
            distance[np.arange(len(some)), some] = np.inf
            near[block] = np.argsort(distance, axis=1, kind="stable")[:, :reach]
            length[block] = np.take_along_axis(distance, near[block], axis=1)
        row, at = np.nonzero(np.isfinite(length))  # a small component has fewer than reach rows
        keys = unordered_pair_keys(np.column_stack([row, near[row, at]]), n)
        keys, first = np.unique(keys, return_index=True)
        return pairs_of_keys(keys, n), length[row, at][first]

    def _geodesics_from(self, rows: Ints) -> Floats:
        return np.atleast_2d(dijkstra(self._neighbor_graph, directed=False, indices=rows))

    def _embed_new(self, X: Any, near: Ints, squared: Floats) -> Floats:
        embedded = np.empty((len(near), self.n_components))
        n = len(self.embedding_)
        for block in slices(len(near), BLOCK // (n * near.shape[1])):
            via, position = np.unique(near[block], return_inverse=True)
            onward = self._geodesics_from(via)[position.reshape(near[block].shape)]
            distance = (np.sqrt(squared[block])[:, :, None] + onward).min(axis=1)
            if self.reach is not None and self.reach < n:
                limit = np.partition(distance, self.reach - 1, axis=1)[:, self.reach - 1, None]
                distance[distance > limit] = np.inf
            exponent = self._exponent(distance)
            weight = np.exp(exponent.min(axis=1, keepdims=True) - exponent)
            embedded[block] = weight @ self.embedding_ / weight.sum(axis=1, keepdims=True)
        return embedded / self._nystrom_divisor()
