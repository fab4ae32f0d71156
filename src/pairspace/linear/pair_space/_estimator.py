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
from pairspace.linear.pair_space._mixture import Candidate, Scatters
from pairspace.linear.pair_space._weighting import vote

# What "auto" chooses from, where it starts first.
RIDGES = (0.5, 0.02, 0.1, 0.3, 0.7, 0.9)
LEANS = (-0.5, 0.0, 0.5, 1.0)  # see Candidate: half the shrinkage of Ledoit and Wolf, theirs, …


class PairSpace(LinearReducer):
    r"""The method of the house, for the few dozen answers a person will really give.

    With few pairs the scatter of the must-links is a poor estimate of how rows of one class differ,
    and methods that trust it lose to PCA. So it is shrunk twice: towards the scatter of nearest
    neighbours, which are mostly of one class and of which there are plenty, and towards the
    identity. With the total covariance :math:`S_t`, the mean outer product :math:`S_m` of the
    differences :math:`(x_i - x_j)/\sqrt 2` of must-links, the same of neighbours :math:`S_k` scaled
    to its trace, and :math:`I` likewise,

    .. math::

        \max_w \; w^\top S_t w \quad \text{subject to} \quad w^\top B w = 1, \qquad
        B = (1-r)\,[(1-\alpha) S_m + \alpha ((1-r) S_k + r I)] + r I .

    The ridge r = 1 is PCA; the shrinkage :math:`\alpha = 1`, which is also what it is without any
    supervision, is locality preserving projections with a ridge; with many must-links and no ridge
    it is :class:`CFLD`.

    Must-links that follow from each other count by their degrees of freedom, so that the closure of
    the answers changes little; labels count as the deviations from the means of their classes.
    Cannot-links take part in choosing r and :math:`\alpha`.

    It takes pairs, labels, both or nothing. Prefer it with a few dozen to a few hundred answers;
    with a large share of all pairs :class:`WBDR` or :class:`CFLD` with ``shrinkage`` is better on
    some data: docs/study.md has the figures.

    Parameters
    ----------
    n_components : int, default=2
    n_neighbors : int, default=5
        Rows are joined if one is among so many nearest of the other; clipped to n_samples − 1.
    ridge : "auto" or float in [0, 1], default="auto"
        r. "auto": see Notes.
    shrinkage : "auto" or float in [0, 1], default="auto"
        :math:`\alpha`. "auto": see Notes.
    random_state : int, RandomState or None
        For the folds of "auto", and for the nearest neighbours where they are approximate.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        With the length that :math:`w^\top B w = 1` gives them.
    mean_ : ndarray of shape (n_features,)
    eigenvalues_ : ndarray of shape (n_components,)
        :math:`w^\top S_t w`: how much farther apart rows are than rows of one class; descending.
    ridge_, shrinkage_ : float
        The r and :math:`\alpha` of the B that was used.
    rank_ : int
        The rank of B (of the data, if there is a ridge), the largest ``n_components`` possible.
    n_directions_, learned_rows_
        As in :class:`LPP`: where X is too wide, or too long, to look at all of it.

    Notes
    -----
    "auto" is r = 0.5 and the :math:`\alpha` of Ledoit and Wolf, unless there are must-links and
    cannot-links enough. Then the answers vote. For each of a grid of r and :math:`\alpha`, spaces
    are made from three quarters of the must-links, and judged by how often a held-out must-link is
    shorter than a cannot-link. Nothing else about a held-out row is learned from. B is the mean
    over the grid, weighted by these votes as far as they differ by more than chance; as far as they
    do not, half of the weight is at r = 0.5 and half that :math:`\alpha`. Labels vote by pairs of
    held-out rows.

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
        n_components: int = 2,
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
        mixture = vote(Z, known, scatters, self._candidates(), self.n_components, random)
        if mixture is None:
            mixture = self._candidate(0.5, 0.0).mixture(scatters)
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

    def _candidates(self) -> list[Candidate]:
        """What "auto" may choose from, the start first; one if nothing is to be chosen."""
        ridges = RIDGES if self.ridge == "auto" else RIDGES[:1]
        leans = LEANS if self.shrinkage == "auto" else LEANS[:1]
        return [self._candidate(ridge, lean) for ridge in ridges for lean in leans]

    def _candidate(self, ridge: float, lean: float) -> Candidate:
        """The ridge and the shrinkage, as far as they were not given."""
        return Candidate(
            ridge if self.ridge == "auto" else float(self.ridge),
            lean,
            None if self.shrinkage == "auto" else float(self.shrinkage),
        )
