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
from pairspace._core.neighbors import neighbor_edges
from pairspace._core.typing import Floats, Ints
from pairspace.base import Needs, Supervision
from pairspace.manifold._knowledge import MAX_PAIRS
from pairspace.manifold.eigenmaps import LaplacianEigenmaps

BLOCK = 2_000_000  # distances to hold at a time


class GGLE(LaplacianEigenmaps):
    r"""Laplacian eigenmaps with generalised Gaussian weights (GGLE), reconstructed.

    The source was not to be had. Geodesic distances d are the lengths of the shortest ways along
    the graph of nearest neighbours. All rows with a way between them are joined, or the ``reach``
    nearest by such ways, with the weight

    .. math:: w_{ij} = \exp(-(d_{ij} / \sigma)^p) .

    On the neighbours alone, p = 2 would be :class:`LaplacianEigenmaps`, for there a geodesic is the
    edge itself. The rest is as there: :math:`L y = \lambda D y` for the smallest :math:`\lambda`.

    Supervision as in :class:`LaplacianEigenmaps`. Prefer it where few neighbours are noisy and the
    surroundings of a row should count as a whole.

    Parameters
    ----------
    n_components, n_neighbors, sigma, bridge, propagation, eigen_solver, random_state, verbose
        As in :class:`LaplacianEigenmaps`.
    power : float, default=2.0
        p: 2 is a Gaussian, 1 falls off more slowly, more than 2 is flatter near 0.
    reach : int, default=None
        Join each row to so many nearest by geodesic distance. By default to all, n² / 2 pairs: up
        to 4,400 rows.

    Attributes
    ----------
    embedding_, eigenvalues_, residual_, n_connected_components_, affinity_matrix_
        As in :class:`LaplacianEigenmaps`.

    References
    ----------
    Zeng et al., as cited by the LE-CAS paper: see docs/papers.md.

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
        random_state: Any = None,
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
        if self.reach is None and n * (n - 1) // 2 > MAX_PAIRS:
            raise ValueError(
                f"GGLE joins all pairs, and {n:,} rows have {n * (n - 1) // 2:,}, more than "
                f"{MAX_PAIRS:,}: give reach, e.g. 100, to join the nearest by geodesic distance"
            )
        near = super()._pull(rows, known)
        lengths = np.sqrt(rows.squared_lengths(near.pairs))
        self._general_heat(lengths, whole=True)
        # SciPy's graph routines read narrow indices only.
        self._ways = csr_array((lengths, near.pairs.T.astype(np.int32)), shape=(n, n))
        with self._stage("geodesic distances"):
            pairs, distance = self._all_ways(n) if self.reach is None else self._near_ways(n)
        weight = self._general_heat(distance)
        return Edges(n, pairs[weight > 0], weight[weight > 0])

    def _general_heat(self, distance: Floats, *, whole: bool = False) -> Floats:
        """exp(−(d/σ)^p). Far rows may have weight 0, but not those on all of the neighbours."""
        exponent = (distance / np.sqrt(self._squared_sigma)) ** self.power
        return self._heat(exponent * self._squared_sigma) if whole else np.exp(-exponent)

    def _all_ways(self, n: int) -> tuple[Ints, Floats]:
        pairs, distances = [], []
        for block in slices(n, BLOCK // n):
            some = np.arange(block.start, block.stop)
            distance = self._distances(some)
            i, j = np.nonzero((some[:, None] < np.arange(n)) & np.isfinite(distance))
            pairs.append(np.column_stack([some[i], j]))
            distances.append(distance[i, j])
        return np.vstack(pairs), np.concatenate(distances)

    def _near_ways(self, n: int) -> tuple[Ints, Floats]:
        assert self.reach is not None
        reach = min(self.reach, n - 1)
        near, length = np.empty((n, reach), dtype=np.int64), np.empty((n, reach))
        for block in slices(n, BLOCK // n):
            some = np.arange(block.start, block.stop)
            distance = self._distances(some)
            distance[np.arange(len(some)), some] = np.inf
            near[block] = np.argsort(distance, axis=1, kind="stable")[:, :reach]
            length[block] = np.take_along_axis(distance, near[block], axis=1)
        near = np.where(np.isfinite(length), near, near[:, :1])  # fewer than reach are to be had
        pairs = neighbor_edges(near)
        i = np.repeat(np.arange(n), reach)
        keys = np.minimum(i, near.ravel()) * n + np.maximum(i, near.ravel())
        order = np.argsort(keys)
        at = np.searchsorted(keys[order], pairs[:, 0] * n + pairs[:, 1])
        return pairs, np.where(np.isfinite(length), length, length[:, :1]).ravel()[order[at]]

    def _distances(self, rows: Ints) -> Floats:
        return np.atleast_2d(dijkstra(self._ways, directed=False, indices=rows))

    def _mean_of_neighbors(self, X: Any, found: Ints, squared: Floats) -> Floats:
        placed = np.empty((len(found), self.n_components))
        n = len(self.embedding_)
        for block in slices(len(found), BLOCK // (n * found.shape[1])):
            via, position = np.unique(found[block], return_inverse=True)
            onward = self._distances(via)[position.reshape(found[block].shape)]
            distance = (np.sqrt(squared[block])[:, :, None] + onward).min(axis=1)
            if self.reach is not None and self.reach < n:
                limit = np.partition(distance, self.reach - 1, axis=1)[:, self.reach - 1, None]
                distance[distance > limit] = np.inf
            exponent = (distance / np.sqrt(self._squared_sigma)) ** self.power
            weight = np.exp(exponent.min(axis=1, keepdims=True) - exponent)
            placed[block] = weight @ self.embedding_ / weight.sum(axis=1, keepdims=True)
        return placed / self._spread()
