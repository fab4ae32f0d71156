"""DSP: neighbours in the null space of the must-links stay near, far rows and cannot-links far."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from pairspace._core.data import Rows
from pairspace._core.graphs import Edges
from pairspace._core.kernels import Kernel, KernelNullSpace, null_graph
from pairspace._core.linalg import Eigen, bottom, rank_of, whiten
from pairspace._core.pairs import MAX_PAIRS
from pairspace._core.typing import Floats, Seed
from pairspace._core.warn import warn_caller
from pairspace.base import WIDTH, Needs, Supervision
from pairspace.linear._asked_rows import AskedRows, asked_rows, far_pairs
from pairspace.linear._base import LinearReducer
from pairspace.linear._solve import require_rank
from pairspace.linear._width import best_width

FLOOR = 1e-4  # of the largest eigenvalue: columns are no longer than this one makes them


class DSP(LinearReducer):
    r"""Dual subspace projections (DSP).

    DSP [1]_ [2]_ first projects the must-links out of the space of an RBF kernel. That leaves a
    distance :math:`\hat d` by which linked rows are one point. Then, with the weights
    :math:`S_{ij} = 1 - \hat d_{ij} / \max \hat d` on neighbours by :math:`\hat d` and
    :math:`\tilde R_{ij} = 1 - d_{ij} / \max d` on the farthest rows and the cannot-links, it solves

    .. math:: \min_z \frac{z^\top X^\top L_S X z}{z^\top X^\top L_{\tilde R} X z} ,

    the generalised eigenproblem :math:`A z = \lambda B z` (eq. 21 of [1]_, Algorithm 1), smallest
    :math:`\lambda`, zero included, where B is not zero.

    It takes pairs, labels or both; a label stands for all its pairs. Without supervision it keeps
    neighbours together. Prefer it where must-links are few and a class is not one linear cloud.
    Scale the features first (``MinMaxScaler``).

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    n_neighbors : int, default=5
        The number of nearest rows, and of farthest rows, of each row; at most n_samples − 1.
    sigma : "auto" or float, default="auto"
        The width :math:`\delta` of the kernel :math:`\exp(-d^2 / 2\delta^2)`. "auto" tries
        multiples of the median distance from 1/8 to 2 and takes the one with which
        :class:`~pairspace.SKKMeans` separates most cannot-links (the largest on a tie), with
        n_components + 1 clusters or more if the cannot-links need more. Without cannot-links it is
        half the median. Above 1,000 rows "auto" uses a subsample.
    n_queries : int, "auto" or None, default="auto"
        The number of rows without must-links, drawn at random, whose nearest and farthest rows are
        searched for; their edges count as many times as there are rows for each that is drawn. All
        rows with must-links are asked, too. None stands for all rows. "auto" is all of up to 8,000
        rows; of more rows it is 2,000, or 20 for each feature if that is more: see
        :doc:`/guide/scale` for what is lost.
    scale : {"within", "unit", "between"}, default="within"
        The length of the columns z: :math:`z^\top A z = 1` (where :math:`\lambda` is at least 1e-4
        of the largest), :math:`z^\top z = 1`, or :math:`z^\top B z = 1`. Distances, and so k-means,
        depend on it; "unit" is better with more features than rows.
    random_state : int, RandomState instance or None, default=None
        Seed of ``sigma="auto"``, of the rows drawn for ``n_queries``, and of the approximate search
        for the neighbours of all of more than 8,000 rows.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The directions of the space, one per row.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The eigenvalues :math:`\lambda`, ascending.
    sigma_ : float
        The width :math:`\delta` that was used.
    n_queries_ : int or None
        The number of rows that were drawn and asked; None means that all rows were asked.
    rank_ : int
        The rank of B, the largest possible ``n_components``.
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
    SKKMeans : Clusters by the same distance.
    LPPSI : Joins neighbours, corrected by pairs or labels.

    References
    ----------
    .. [1] S. Yan, S. Bouaziz, D. Lee, J. Barlow, "Semi-Supervised Dimensionality Reduction for
       Analyzing High-Dimensional Data with Constraints", Neurocomputing, available online 2011.
    .. [2] S. Yan, S. Bouaziz, D. Lee, "DSP: Robust Semi-Supervised Dimensionality Reduction Using
       Dual Subspace Projections", IEEE/WIC/ACM International Conferences, 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> from pairspace import DSP, Constraints
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> answers = Constraints.from_labels(y, n_pairs=60, random_state=0)
    >>> round(DSP(random_state=0).fit(X, answers).score(X, y), 2)
    0.96
    """

    needs: ClassVar[Needs] = Needs(
        unlabelled=("neighbours", "farthest rows"),
        best_for="a class of several clouds",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LinearReducer._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "sigma": [StrOptions({"auto"}), WIDTH],
        "n_queries": [None, StrOptions({"auto"}), Interval(Integral, 1, None, closed="left")],
        "scale": [StrOptions({"within", "unit", "between"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: int | float | str | None = 2,
        *,
        n_neighbors: int = 5,
        sigma: float | str = "auto",
        n_queries: int | str | None = "auto",
        scale: str = "within",
        random_state: Seed = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.sigma = sigma
        self.n_queries = n_queries
        self.scale = scale
        self.random_state = random_state

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        known.require_consistency()
        if not rank_of(Z.gram):
            raise ValueError("all rows are identical: none is far from another")
        random = check_random_state(self.random_state)
        self.sigma_ = (
            best_width(Z, known, self.n_components, random)
            if self.sigma == "auto"
            else float(self.sigma)
        )
        asked = asked_rows(Z.shape, known.chunklets.codes >= 0, self.n_queries, random)
        self.n_queries_ = asked.n_drawn
        V = whiten(self._far(Z, known, asked).scatter(Z))
        self.rank_ = V.shape[1]
        require_rank(
            self.n_components,
            self.rank_,
            "the scatter of the farthest rows and the cannot-links",
            if_zero="all rows are equally far from each other",
        )
        A = V.T @ self._near(Z, known, asked, random).scatter(Z) @ V
        # Where A has several zero eigenvalues, the directions of most spread come first.
        values, vectors = bottom(A, len(A), ties=-(V.T @ Z.gram @ V))
        chosen = Eigen(values[: self.n_components], V @ vectors[:, : self.n_components])
        return Eigen(chosen.values, self._scaled(chosen, FLOOR * values[-1]))

    def _near(
        self, Z: Rows, known: Supervision, asked: AskedRows, random: np.random.RandomState
    ) -> Edges:
        """S: 1 − d̂ / max d̂ on the neighbours by d̂."""
        kernel = Kernel("rbf", 1 / (2 * self.sigma_**2), Z.values)
        space = KernelNullSpace(kernel, Z.values, known.chunklets.codes)
        if len(space) == 1:
            warn_caller(
                "all rows are linked: they are one point, and any of them are neighbours",
                UserWarning,
            )
        graph = null_graph(space, Z, self.n_neighbors, random, asked.rows)
        pairs, distances, largest = graph
        if distances.any() and not np.exp(-kernel.gamma * Z.squared_lengths(pairs)).any():
            raise ValueError(
                f"sigma={self.sigma} is too small for the distances: all rows seem equally far "
                "from each other; give a larger one, or sigma='auto'"
            )
        return Edges(len(Z), pairs, asked.weight(pairs) * (1 - distances / (largest or 1.0)))

    def _far(self, Z: Rows, known: Supervision, asked: AskedRows) -> Edges:
        """R̃: 1 − d / max d on the farthest rows and, times their weight, the cannot-links."""
        cannot, weight = known.cannot_pairs(MAX_PAIRS)
        far, largest = far_pairs(Z, self.n_neighbors, asked)
        far = far[~np.isin(np.sort(far) @ [len(Z), 1], cannot @ [len(Z), 1])]
        pairs, weight = np.vstack([far, cannot]), np.concatenate([asked.weight(far), weight])
        distances = np.sqrt(Z.squared_lengths(pairs))
        return Edges(len(Z), pairs, weight * (1 - distances / max(largest, distances.max())))

    def _scaled(self, solution: Eigen, floor: float) -> Floats:
        values, vectors = solution  # zᵀBz = 1, and so zᵀAz = λ
        if self.scale == "within":
            return vectors / np.sqrt(np.maximum(values, floor))
        return vectors / np.linalg.norm(vectors, axis=0) if self.scale == "unit" else vectors
