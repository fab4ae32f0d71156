"""LPP, SLPP and LPPSI: keep near what a graph joins."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from pairspace._core.data import Rows
from pairspace._core.graphs import Edges, Graph
from pairspace._core.linalg import Eigen, whiten, within
from pairspace._core.neighbors import nearest, neighbor_edges
from pairspace._core.pairs import MAX_PAIRS
from pairspace._core.typing import Floats, Ints, Seed
from pairspace.base import WIDTH, Needs, Supervision
from pairspace.linear._base import LinearReducer
from pairspace.linear._partial_fit import IncrementalReducer
from pairspace.linear._solve import require_rank


class LocalityPreserving(LinearReducer):
    r"""Base of the three: :math:`X^\top L X z = \lambda X^\top D X z`, smallest :math:`\lambda`."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LinearReducer._parameter_constraints,
        "weights": [StrOptions({"heat", "binary"})],
        "sigma": [StrOptions({"mean"}), WIDTH],
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
    r"""Locality preserving projections (LPP), an unsupervised method.

    LPP [1]_ joins neighbours by the weights :math:`w_{ij} = \exp(-\|x_i - x_j\|^2 / \sigma^2)`.
    With their Laplacian L and degrees D, and X centred, it solves

    .. math:: \min_z z^\top X^\top L X z \quad \text{subject to} \quad z^\top X^\top D X z = 1 ,

    the generalised eigenproblem :math:`X^\top L X z = \lambda X^\top D X z`, smallest
    :math:`\lambda`.

    It needs no supervision and ignores any. Prefer it to PCA where neighbours are mostly of one
    class but the classes are not the directions of largest variance.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    n_neighbors : int, default=5
        Two rows are joined if one is among this number of nearest neighbours of the other; at most
        n_samples − 1.
    weights : {"heat", "binary"}, default="heat"
        The weights of the edges: the formula above, or 1.
    sigma : "mean" or float, default="mean"
        The width :math:`\sigma` of the weights; "mean" is the square root of the mean squared
        distance of all pairs.
    random_state : int, RandomState instance or None, default=None
        Seed of the approximate search for neighbours above 50,000 rows.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The directions of the space, one per row.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The eigenvalues :math:`\lambda`, ascending, between 0 and 2.
    rank_ : int
        The rank of :math:`X^\top D X`, the largest possible ``n_components``.
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
    LPPSI : Corrects the graph of neighbours by pairs or labels.
    SLPP : Joins all rows of a class.
    LaplacianEigenmaps : The nonlinear counterpart.

    References
    ----------
    .. [1] X. He, P. Niyogi, "Locality Preserving Projections", Advances in Neural Information
       Processing Systems 16 (NIPS), 2003.
       https://papers.nips.cc/paper/2003/hash/d69116f8b0140cdeb1f99a4d5096ffe4-Abstract.html

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import LPP
    >>> X, y = load_iris(return_X_y=True)
    >>> bool(LPP(n_components=1).fit(X).score(X, y) > 0.9)
    True
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
        n_components: int | float | str | None = 2,
        *,
        n_neighbors: int = 5,
        weights: str = "heat",
        sigma: float | str = "mean",
        random_state: Seed = None,
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
    r"""Locality preserving projections with side information (LPPSI).

    Neighbours are joined by the weights :math:`w_{ij} = \exp(-\|x_i - x_j\|^2 / \sigma^2)`.
    Must-links get their own weight (1 by default) and cannot-links the weight 0, at any distance.
    With the Laplacian L and the degrees D of this graph, and X centred, LPPSI [1]_ solves

    .. math:: \min_z z^\top X^\top L X z \quad \text{subject to} \quad z^\top X^\top D X z = 1 ,

    the generalised eigenproblem :math:`X^\top L X z = \lambda X^\top D X z`, smallest
    :math:`\lambda`.

    It takes pairs, labels or both; a label stands for all its pairs. Without supervision it is
    :class:`LPP`.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    n_neighbors : int, default=5
        Two rows are joined if one is among this number of nearest neighbours of the other; at most
        n_samples − 1.
    weights : {"heat", "binary"}, default="heat"
        The weights of neighbours: the formula above, or 1.
    sigma : "mean" or float, default="mean"
        The width :math:`\sigma` of the weights; "mean" is the square root of the mean squared
        distance of all pairs.
    random_state : int, RandomState instance or None, default=None
        Seed of the approximate search for neighbours above 50,000 rows.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The directions of the space, one per row.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The eigenvalues :math:`\lambda`, ascending, between 0 and 2.
    rank_ : int
        The rank of :math:`X^\top D X`, the largest possible ``n_components``.
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
    LPP : The same without supervision.
    DSP : Keeps cannot-links apart instead of ignoring their distance.

    Notes
    -----
    Reconstructed from its description in [2]_. The source was not available.

    References
    ----------
    .. [1] S. An, W. Liu, S. Venkatesh, "Exploiting Side Information in Locality Preserving
       Projection", IEEE Conference on Computer Vision and Pattern Recognition (CVPR), 1-8, 2008, as
       cited in [2].
    .. [2] S. Yan, S. Bouaziz, D. Lee, J. Barlow, "Semi-Supervised Dimensionality Reduction for
       Analyzing High-Dimensional Data with Constraints", Neurocomputing, available online 2011.

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
    r"""Supervised locality preserving projections (SLPP).

    SLPP [1]_ joins all pairs of the same label and all must-links, at any distance. With the
    Laplacian L and the degrees D of this graph, and X centred, it solves

    .. math:: \min_z z^\top X^\top L X z \quad \text{subject to} \quad z^\top X^\top D X z = 1 ,

    the generalised eigenproblem :math:`X^\top L X z = \lambda X^\top D X z`, smallest
    :math:`\lambda`. It is compared with DSP in [2]_.

    It needs labels or must-links. Cannot-links are ignored. Binary weights need one pass over the
    rows; heat weights need every pair of a class, about n² / n_classes of them.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    weights : {"binary", "heat"}, default="binary"
        The weights of the edges: 1, or :math:`\exp(-\|x_i - x_j\|^2 / \sigma^2)`; a must-link's own
        weight multiplies it.
    sigma : "mean" or float, default="mean"
        The width :math:`\sigma` of heat weights; "mean" is the square root of the mean squared
        distance of all pairs.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The directions of the space, one per row.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The eigenvalues :math:`\lambda`, ascending, between 0 and 2.
    rank_ : int
        The rank of :math:`X^\top D X`, the largest possible ``n_components``.
    n_directions_ : int or None
        The number of leading directions of X that were searched; None means all. Only a very wide
        X is limited: see :doc:`/guide/scale`.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (n_features,)
        The column names of X, if all of them are strings.

    See Also
    --------
    LPP : The unsupervised method, which joins neighbours.
    LPPSI : Joins neighbours, corrected by pairs or labels.

    References
    ----------
    .. [1] Z. Zheng, F. Yang, W. Tan, J. Jia, J. Yang, "Gabor Feature-Based Face Recognition using
       Supervised Locality Preserving Projection", Signal Processing, 87(10):2473-2483, 2007.
       https://doi.org/10.1016/j.sigpro.2007.03.006
    .. [2] S. Yan, S. Bouaziz, D. Lee, J. Barlow, "Semi-Supervised Dimensionality Reduction for
       Analyzing High-Dimensional Data with Constraints", Neurocomputing, available online 2011.

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
        self,
        n_components: int | float | str | None = 2,
        *,
        weights: str = "binary",
        sigma: float | str = "mean",
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
