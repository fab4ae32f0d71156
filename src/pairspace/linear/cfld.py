"""cFLD: Fisher's discriminant with chunklets in place of classes."""

from __future__ import annotations

from typing import Any, ClassVar

from pairspace._core.data import Rows
from pairspace._core.graphs import Blocks, Complete
from pairspace._core.linalg import Eigen, whiten, within
from pairspace.base import Needs, Supervision
from pairspace.linear._shrinkage import SHRINKAGE, Shrinkage, ShrinkageReducer, shrunk
from pairspace.linear._solve import require_rank


class CFLD(ShrinkageReducer):
    r"""Constrained Fisher linear discriminant.

    Chunklets are the rows that must-links (or the same label) join, directly or through others.
    With the scatter :math:`S_w` about the means of the chunklets and the total scatter
    :math:`S_t` of all rows,

    .. math:: S_t\, w = \mu\, S_w\, w , \qquad w^\top S_w w = 1 , \qquad \text{largest } \mu .

    It needs must-links or labels; cannot-links say nothing to it. Rows in no chunklet count in
    the total scatter. Directions in which no chunklet varies are left out, so with few must-links
    give it ``shrinkage``.

    Parameters
    ----------
    n_components : int, default=2
    shrinkage : None, "auto" or float in [0, 1], default=None
        How far :math:`S_w` is shrunk towards a multiple of the identity: not at all, as Ledoit and
        Wolf estimate it, or by this much.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
    mean_ : ndarray of shape (n_features,)
    eigenvalues_ : ndarray of shape (n_components,)
        The ratios :math:`\mu`, descending.
    rank_ : int
        The rank of :math:`S_w`, the largest ``n_components`` possible.

    References
    ----------
    The constrained form of Fisher's discriminant by N. Shental, A. Bar-Hillel and others, as the
    BWDR/WBDR paper compares it: see docs/papers.md.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import CFLD, Constraints
    >>> X, y = load_iris(return_X_y=True)
    >>> answers = Constraints.from_labels(y, n_pairs=60, random_state=0)
    >>> round(CFLD(n_components=1).fit(X, answers).score(X, y), 2)
    0.97
    """

    needs: ClassVar[Needs] = Needs(
        must="required",
        cannot="ignored",
        unlabelled=("spread",),
        span="links",
        class_sums=True,
        best_for="only must-links",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ShrinkageReducer._parameter_constraints,
        "shrinkage": SHRINKAGE,
    }

    def __init__(self, n_components: int = 2, *, shrinkage: Shrinkage = None) -> None:
        self.n_components = n_components
        self.shrinkage = shrinkage

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        S_w = shrunk(Blocks(known.chunklets, pooled=1.0).scatter(Z), self.shrinkage, Z, known)
        V = whiten(S_w)
        self.rank_ = V.shape[1]
        require_rank(
            self.n_components, self.rank_, "the scatter of the must-links (shrinkage=None)"
        )
        S_t = Complete(len(Z), 1 / len(Z)).scatter(Z)
        return within(V, S_t, self.n_components)
