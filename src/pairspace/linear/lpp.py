"""LPP, SLPP and LPPSI: keep near what a graph joins."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from pairspace._core.data import Rows
from pairspace._core.graphs import Edges, Graph
from pairspace._core.linalg import Eigen, whiten, within
from pairspace._core.neighbors import nearest, neighbor_edges
from pairspace._core.typing import Floats, Ints
from pairspace.base import Needs, Supervision
from pairspace.linear._base import LinearReducer
from pairspace.linear._partial_fit import IncrementalReducer
from pairspace.linear._solve import require_rank

MAX_PAIRS = 10_000_000


class LocalityPreserving(LinearReducer):
    r"""Base of the three: :math:`X^\top L X z = \lambda X^\top D X z`, smallest :math:`\lambda`."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LinearReducer._parameter_constraints,
        "weights": [StrOptions({"heat", "binary"})],
        "sigma": [StrOptions({"mean"}), Interval(Real, 0, None, closed="neither")],
    }
    weights: str
    sigma: float | str

    def _graph(self, Z: Rows, known: Supervision) -> Graph:
        raise NotImplementedError

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        graph = self._graph(Z, known)
        V = whiten(graph.degree_gram(Z))
        self.rank_ = V.shape[1]
        require_rank(self.n_components, self.rank_, "the graph's XᵀDX")
        return within(V, graph.scatter(Z), self.n_components, largest=False)

    def _weighted(self, Z: Rows, pairs: Ints) -> Floats:
        """1, or exp(−d²/σ²) by the distance d of the pair."""
        if self.weights == "binary":
            return np.ones(len(pairs))
        # The mean of the squared distances of all pairs is twice the total variance.
        squared = 2 * np.trace(Z.gram) / (len(Z) - 1)
        if self.sigma != "mean":
            squared = float(self.sigma) ** 2
        if not squared:
            raise ValueError("all rows are identical: there is no nearness to keep")
        weight = np.exp(-Z.squared_lengths(pairs) / squared)
        vanished = np.mean(weight == 0) if len(weight) else 0.0
        if vanished:
            raise ValueError(
                f"sigma={self.sigma} is too small for the distances: {vanished:.0%} of the "
                "weights exp(-d²/sigma²) are 0; give a larger one, or sigma='mean'"
            )
        return weight


class LPP(LocalityPreserving):
    r"""Locality preserving projections, an unsupervised method.

    Neighbours are joined by the weights :math:`w_{ij} = \exp(-\|x_i - x_j\|^2 / \sigma^2)`; with
    their Laplacian L and degrees D, and X centred,

    .. math:: \min_z z^\top X^\top L X z \quad \text{subject to} \quad z^\top X^\top D X z = 1 :

    the generalised problem :math:`X^\top L X z = \lambda X^\top D X z`, smallest :math:`\lambda`.

    It needs no supervision and ignores any. Prefer it to PCA where neighbours are mostly of one
    class though the classes are not what spreads most.

    Parameters
    ----------
    n_components : int, default=2
    n_neighbors : int, default=5
        Rows are joined if one is among so many nearest of the other; clipped to n_samples − 1.
    weights : {"heat", "binary"}, default="heat"
        The weights above, or 1.
    sigma : "mean" or float, default="mean"
        :math:`\sigma`, or the root of the mean squared distance of all pairs.
    random_state : int, RandomState or None
        For the nearest neighbours where they are approximate.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
    mean_ : ndarray of shape (n_features,)
    eigenvalues_ : ndarray of shape (n_components,)
        Ascending, between 0 and 2.
    rank_ : int
        The rank of :math:`X^\top D X`, the largest ``n_components`` possible.
    n_directions_ : int or None
        How many leading directions of the data were searched, if it is too wide for all; None is
        all: see docs/scale.md.
    learned_rows_ : ndarray or None
        The numbers of the rows learned from, if X is read in blocks and these are a sample; None
        is all of them.

    References
    ----------
    X. He, P. Niyogi, "Locality Preserving Projections", NIPS 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import LPP
    >>> X, y = load_iris(return_X_y=True)
    >>> round(LPP(n_components=1).fit(X).score(X, y), 2)
    0.95
    """

    needs: ClassVar[Needs] = Needs(
        must="ignored",
        cannot="ignored",
        unlabelled=("neighbours",),
        best_for="no answers, classes are local",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LocalityPreserving._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 5,
        weights: str = "heat",
        sigma: float | str = "mean",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.sigma = sigma
        self.random_state = random_state

    def _graph(self, Z: Rows, known: Supervision) -> Graph:
        pairs = self._neighbor_pairs(Z)
        return Edges(len(Z), pairs, self._weighted(Z, pairs))

    def _neighbor_pairs(self, Z: Rows) -> Ints:
        return neighbor_edges(nearest(Z.values, self.n_neighbors, random_state=self.random_state))


class LPPSI(LPP):
    r"""LPP with side information: pairs, or labels, correct the graph of neighbours.

    As :class:`LPP`, but must-links join with their own weight (1 if not given) and cannot-links
    cut, whatever the distance; a label stands for all its pairs. Reconstructed from its description
    in the DSP papers: the source was not to be had.

    It takes pairs, labels or both; with none it is :class:`LPP`. Prefer it to LPP as soon as there
    are answers.

    Parameters
    ----------
    n_components, n_neighbors, weights, sigma, random_state
        As in :class:`LPP`.

    Attributes
    ----------
    components_, mean_, eigenvalues_, rank_, n_directions_, learned_rows_
        As in :class:`LPP`.

    References
    ----------
    S. An, W. Liu, S. Venkatesh, 2008, as cited by the DSP papers: see docs/papers.md.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import LPPSI, Constraints
    >>> X, y = load_iris(return_X_y=True)
    >>> answers = Constraints.from_labels(y, n_pairs=60, random_state=0)
    >>> round(LPPSI(n_components=1).fit(X, answers).score(X, y), 2)
    0.96
    """

    needs: ClassVar[Needs] = Needs(
        unlabelled=("neighbours",), best_for="classes are local, some pairs are known"
    )

    def _graph(self, Z: Rows, known: Supervision) -> Graph:
        pairs = self._neighbor_pairs(Z)
        pairs = pairs[~known.about(pairs)]
        return Edges(len(Z), pairs, self._weighted(Z, pairs)) + known.must


class SLPP(LocalityPreserving, IncrementalReducer):
    r"""Supervised LPP: the graph joins rows of the same class, near or far.

    As :class:`LPP`, :math:`X^\top L X z = \lambda X^\top D X z` for the smallest :math:`\lambda`,
    on the graph of all pairs of the same label and of the must-links.

    It needs labels or must-links; cannot-links say nothing to it. With binary weights labels cost
    one reading of the rows; heat weights need every pair of a class, n² / classes of them.

    Parameters
    ----------
    n_components : int, default=2
    weights : {"binary", "heat"}, default="binary"
        Weight 1, or :math:`\exp(-\|x_i - x_j\|^2 / \sigma^2)`; times the weight of a must-link.
    sigma : "mean" or float, default="mean"
        As in :class:`LPP`.

    Attributes
    ----------
    components_, mean_, eigenvalues_, rank_, n_directions_
        As in :class:`LPP`.

    References
    ----------
    Compared with DSP in the DSP papers: see docs/papers.md.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import SLPP
    >>> X, y = load_iris(return_X_y=True)
    >>> round(SLPP(n_components=1).fit(X, y).score(X, y), 2)
    0.98
    """

    needs: ClassVar[Needs] = Needs(
        must="required", cannot="ignored", class_sums=True, best_for="labels"
    )

    def __init__(
        self, n_components: int = 2, *, weights: str = "binary", sigma: float | str = "mean"
    ) -> None:
        self.n_components = n_components
        self.weights = weights
        self.sigma = sigma

    def _current_needs(self) -> Needs:
        # Weights by distance need the rows, not sums over them.
        return replace(self.needs, class_sums=self.weights == "binary")

    def _graph(self, Z: Rows, known: Supervision) -> Graph:
        if self.weights == "binary":
            return known.must
        pairs, weight = known.must_pairs(MAX_PAIRS)
        return Edges(len(Z), pairs, weight * self._weighted(Z, pairs))
