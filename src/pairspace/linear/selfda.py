"""SELF: between LFDA and PCA."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from pairspace._core.data import Rows
from pairspace._core.linalg import Eigen, range_of, rank_of, top_definite
from pairspace._core.typing import Floats, Seed
from pairspace.base import Needs, Supervision
from pairspace.linear._apart import most_directions_apart
from pairspace.linear._base import LinearReducer
from pairspace.linear._local_scatter import local_scatters
from pairspace.linear._solve import largest_ratios, require_rank


class SELFDA(LinearReducer):
    r"""Semi-supervised local Fisher discriminant analysis (SELF).

    With the scatters :math:`S_{lb}` and :math:`S_{lw}` of :class:`LFDA`, which are those of the
    labelled rows, and the total scatter :math:`S_t` of all rows, SELF [1]_ solves

    .. math:: \bigl((1 - \beta) S_{lb} + \beta S_t\bigr)\, w
              = \mu\, \bigl((1 - \beta) S_{lw} + \beta I\bigr)\, w , \qquad \text{largest } \mu ,

    where :math:`w^\top ((1 - \beta) S_{lw} + \beta I)\, w = 1`. It is LFDA at :math:`\beta = 0`,
    and PCA at :math:`\beta = 1` and without labels.

    Labels and pairs are optional if :math:`\beta > 0`. Pairs are not part of [1]_: they count as in
    LFDA. The identity has no units, so :math:`\beta` depends on the scale of X: standardise first.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    beta : float, default=0.5
        The weight :math:`\beta` of PCA, in [0, 1].
    n_neighbors : int, default=7
        The k of LFDA's :math:`\sigma_i`; in a class of fewer rows, :math:`n_c - 1`.
    weights : {"local", "binary"}, default="local"
        LFDA's affinity: by locally scaled distances, or 1.
    random_state : int, RandomState instance or None, default=None
        Seed of the subsample of a table that is read in blocks.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The directions of the space, one per row.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The ratios :math:`\mu`, descending.
    rank_ : int
        The largest possible ``n_components``: the rank of X, or at :math:`\beta = 0` that of LFDA.
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
    LFDA : The supervised method.
    SDA : Uses the neighbours of unlabelled rows instead of their spread.

    Notes
    -----
    [1]_ calls it SELF, which is another name of this class: ``pairspace.SELF``. The class has a
    longer one because ``make_pipeline`` names a step after it, and in scikit-learn no step can be
    named "self".

    :math:`S_t` is a sum over the rows. The author's code divides it by their number, and looks for
    the k-th nearest row among all rows instead of those of the class, so that it is not LFDA at
    :math:`\beta = 0`.

    References
    ----------
    .. [1] M. Sugiyama, T. Idé, S. Nakajima, J. Sese, "Semi-Supervised Local Fisher Discriminant
       Analysis for Dimensionality Reduction", Machine Learning, 78:35-61, 2010.
       https://doi.org/10.1007/s10994-009-5125-7

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import scale
    >>> from pairspace import SELFDA
    >>> X, y = load_wine(return_X_y=True)
    >>> X = scale(X)
    >>> few = np.where(np.arange(len(y)) % 10 == 0, y, -1)
    >>> round(SELFDA(n_components=2).fit(X, few).score(X, y), 2)
    0.88
    """

    needs: ClassVar[Needs] = Needs(
        unlabelled=("spread",),
        compares_rows=True,
        best_for="few labels, a class of several clusters",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LinearReducer._parameter_constraints,
        "beta": [Interval(Real, 0, 1, closed="both")],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "weights": [StrOptions({"local", "binary"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: int | float | str | None = 2,
        *,
        beta: float = 0.5,
        n_neighbors: int = 7,
        weights: str = "local",
        random_state: Seed = None,
    ) -> None:
        self.n_components = n_components
        self.beta = beta
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.random_state = random_state

    def _current_needs(self) -> Needs:
        if self.beta:
            return self.needs
        return replace(self.needs, must="required", cannot="required")

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        known.require_consistency()
        S_lb, S_lw = local_scatters(Z, known, self.n_neighbors, self.weights)
        if not self.beta:
            found, self.rank_ = largest_ratios(
                S_lb,
                S_lw,
                self.n_components,
                of_A="the local scatter between classes",
                of_B="the local scatter within classes (beta=0)",
                most=most_directions_apart(known) if self.weights == "binary" else None,
            )
            return found
        self.rank_ = rank_of(Z.gram)
        require_rank(self.n_components, self.rank_, "X")
        A = (1 - self.beta) * S_lb + self.beta * Z.gram
        B = (1 - self.beta) * S_lw + self.beta * np.eye(len(S_lw))
        if self.rank_ == len(A):
            return self._solved(A, B)
        # Where X has no spread, only the identity is left: a small beta makes rounding count there.
        V = range_of(Z.gram)
        values, vectors = self._solved(V.T @ A @ V, V.T @ B @ V)
        return Eigen(values, V @ vectors)

    def _solved(self, A: Floats, B: Floats) -> Eigen:
        solution = top_definite(A, B, self.n_components)
        if solution is None:
            raise ValueError(
                f"beta={self.beta} times the identity is below rounding beside the local scatter "
                "within classes: scale the columns of X, e.g. with StandardScaler, or raise beta"
            )
        return solution
