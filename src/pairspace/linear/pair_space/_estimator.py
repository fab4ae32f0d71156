"""PairSpace: a few answers, the neighbours, and all the data."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from pairspace._core.data import Rows
from pairspace._core.graphs import Edges
from pairspace._core.linalg import Eigen, rank_of, whiten, within
from pairspace._core.neighbors import nearest, neighbor_edges
from pairspace._core.typing import Floats
from pairspace.base import Needs, Supervision
from pairspace.linear._base import LinearReducer
from pairspace.linear._shrinkage import Within
from pairspace.linear._solve import require_rank
from pairspace.linear.pair_space._mixture import GridPoint, Scatters
from pairspace.linear.pair_space._weighting import weighted_mixture

# The grid of "auto", its default first.
RIDGES = (0.5, 0.02, 0.1, 0.3, 0.7, 0.9)
SHIFTS = (-0.5, 0.0, 0.5, 1.0)  # see GridPoint: half of Ledoit and Wolf's shrinkage, theirs, …


class PairSpace(LinearReducer):
    r"""Within-class scatter of must-links and neighbours, mixed by held-out weighting.

    PairSpace maximises the total variance relative to the within-class scatter. With few pairs the
    scatter of the must-links is a poor estimate of the within-class scatter, and methods that use
    it alone are worse than PCA. PairSpace mixes the within-class scatter of must-links with that of
    nearest neighbours, which are mostly of one class, and with the identity. It weights mixtures by
    cross-validation on held-out pairs (see Notes). With the covariance :math:`S_t` of all rows, the
    mean outer product :math:`S_m` of the differences :math:`(x_i - x_j)/\sqrt 2` of must-links, and
    the same of neighbours :math:`S_k` and the identity :math:`I`, both scaled to the trace of
    :math:`S_m`,

    .. math::

        \max_w \; w^\top S_t w \quad \text{subject to} \quad w^\top B w = 1, \qquad
        B = (1-r)\,[(1-\alpha) S_m + \alpha ((1-r) S_k + r I)] + r I .

    The ridge r = 1 is PCA. The shrinkage :math:`\alpha = 1`, which is also used without
    supervision, is locality preserving projections with a ridge. With many must-links and r = 0 it
    approaches :class:`CFLD`.

    A group of c rows joined by must-links counts with c − 1 degrees of freedom, so the closure of
    the must-links changes little. Labels count as the deviations from the means of their classes.
    Cannot-links are used to choose r and :math:`\alpha`.

    It takes pairs, labels, both or nothing. Prefer it with 20 to 500 pairs. With a large share of
    all pairs :class:`WBDR`, or :class:`CFLD` with ``shrinkage``, is better on some data: see
    docs/study.md.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    n_neighbors : int, default=5
        Two rows are joined if one is among this number of nearest neighbours of the other; at most
        n_samples − 1.
    ridge : "auto" or float in [0, 1], default="auto"
        The weight r of the identity; "auto" chooses it by held-out weighting.
    shrinkage : "auto" or float in [0, 1], default="auto"
        The weight :math:`\alpha` of the neighbours; "auto" chooses it by held-out weighting.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds of "auto", and of the approximate search for neighbours above 50,000 rows.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The directions w of the space, one per row, with :math:`w^\top B w = 1`.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The ratios :math:`w^\top S_t w / w^\top B w` of total to within-class variance, descending.
    ridge_ : float
        The r of the B that was used.
    shrinkage_ : float
        The :math:`\alpha` of the B that was used.
    rank_ : int
        The rank of B, or with a ridge that of X, the largest possible ``n_components``.
    n_directions_ : int or None
        The number of leading directions of X that were searched; None means all. Only a very wide
        X is limited: see docs/scale.md.
    learned_rows_ : ndarray or None
        The row numbers of the subsample that was learned from, if X is read in blocks; None means
        all rows.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        The column names of X, if all of them are strings.

    See Also
    --------
    CFLD : Uses the must-links alone.
    LPP : Uses the neighbours alone.
    WBDR : Better on some data with a large share of all pairs.

    Notes
    -----
    "auto" uses held-out weighting if there are at least 4 independent must-links and 4 cannot-links
    to hold out (labels give both); otherwise it is r = 0.5 and the :math:`\alpha` of Ledoit and
    Wolf [1]_.

    Held-out weighting tries a grid of r and :math:`\alpha`. The rows of must-links and the labelled
    rows are split into 4 folds. For each fold a space is fitted with nothing known about its rows,
    and scored by how often a held-out must-link is shorter than a cannot-link. Each point of the
    grid gets a weight that grows exponentially with its lead, in standard errors, over the starting
    point: r = 0.5 and half the :math:`\alpha` of Ledoit and Wolf. If the scores do not differ, the
    starting point has half of the total weight. B is the weighted mean over the grid.

    References
    ----------
    .. [1] O. Ledoit, M. Wolf, "A Well-Conditioned Estimator for Large-Dimensional Covariance
       Matrices", Journal of Multivariate Analysis, 88(2):365-411, 2004.
       https://doi.org/10.1016/S0047-259X(03)00096-4

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import scale
    >>> from pairspace import Constraints, PairSpace
    >>> X, y = load_wine(return_X_y=True)
    >>> X = scale(X)
    >>> answers = Constraints.from_labels(y, n_pairs=30, random_state=0)
    >>> space = PairSpace(n_components=2, random_state=0).fit(X, answers)
    >>> space.transform(X).shape
    (178, 2)
    """

    needs: ClassVar[Needs] = Needs(
        unlabelled=("neighbours", "spread"),
        best_for="up to a few hundred answers",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LinearReducer._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "ridge": [StrOptions({"auto"}), Interval(Real, 0, 1, closed="both")],
        "shrinkage": [StrOptions({"auto"}), Interval(Real, 0, 1, closed="both")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: int | float | str | None = 2,
        *,
        n_neighbors: int = 5,
        ridge: float | str = "auto",
        shrinkage: float | str = "auto",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.ridge = ridge
        self.shrinkage = shrinkage
        self.random_state = random_state

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        random = check_random_state(self.random_state)
        learned = Within.of_classes(Z, known.classes) + Within.of_must_links(Z, known)
        total = Z.gram / len(Z)
        span = rank_of(total)
        require_rank(self.n_components, span, "X")
        scatters = Scatters(total, self._near(Z, random), learned)
        mixture = weighted_mixture(Z, known, scatters, self._grid(), self.n_components, random)
        if mixture is None:
            mixture = self._point(0.5, 0.0).mixture(scatters)
        self.shrinkage_, self.ridge_ = mixture.shrinkage, mixture.ridge

        V = whiten(mixture.of(scatters.parts))
        self.rank_ = min(V.shape[1], span)
        require_rank(
            self.n_components, self.rank_, "the scatter of must-links and neighbours (ridge=0)"
        )
        return within(V, total, self.n_components)

    def _near(self, Z: Rows, random: np.random.RandomState) -> Floats:
        pairs = neighbor_edges(nearest(Z.values, self.n_neighbors, random_state=random))
        return Edges(len(Z), pairs, np.full(len(pairs), 0.5 / len(pairs))).scatter(Z)

    def _grid(self) -> list[GridPoint]:
        """The grid of "auto", its default first; one point if both parameters are given."""
        ridges = RIDGES if self.ridge == "auto" else RIDGES[:1]
        shifts = SHIFTS if self.shrinkage == "auto" else SHIFTS[:1]
        return [self._point(ridge, shift) for ridge in ridges for shift in shifts]

    def _point(self, ridge: float, shift: float) -> GridPoint:
        """The ridge and the shrinkage, as far as they were not given."""
        return GridPoint(
            ridge if self.ridge == "auto" else float(self.ridge),
            shift,
            None if self.shrinkage == "auto" else float(self.shrinkage),
        )
