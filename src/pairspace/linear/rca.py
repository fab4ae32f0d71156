"""RCA: whiten by the covariance within chunklets."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from pairspace._core.data import Rows
from pairspace._core.graphs import Blocks, Complete
from pairspace._core.linalg import Eigen, rank, spectrum, within
from pairspace.base import Needs, Supervision
from pairspace.linear._shrinkage import SHRINKAGE, Shrinkage, ShrinkageReducer, shrunk
from pairspace.linear._solve import require_rank


class RCA(ShrinkageReducer):
    r"""Relevant component analysis.

    Chunklets are the rows that must-links (or the same label) join, directly or through others,
    and :math:`C` is the covariance about their means,

    .. math:: C = \frac{1}{N} \sum_j \sum_{i \in j} (x_i - m_j)(x_i - m_j)^\top ,

    over the N rows in chunklets. The space is whitened by it, :math:`W^\top C W = I`: a direction
    in which rows of one chunklet differ counts for little. With fewer components than features,
    Fisher's criterion chooses them first (:class:`CFLD`), as the paper does.

    It needs must-links or labels; cannot-links say nothing to it. Directions in which no chunklet
    varies are left out, so with few must-links give it ``shrinkage``.

    Parameters
    ----------
    n_components : int or None, default=2
        None whitens without reduction: a component for each direction in which chunklets vary.
    shrinkage : None, "auto" or float in [0, 1], default=None
        How far C is shrunk towards a multiple of the identity: not at all, as Ledoit and Wolf
        estimate it, or by this much.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
    mean_ : ndarray of shape (n_features,)
    eigenvalues_ : ndarray of shape (n_components,)
        The ratios of total to within-chunklet variance, descending; without reduction, the
        eigenvalues of C.
    rank_ : int
        The rank of C, the largest ``n_components`` possible.

    References
    ----------
    A. Bar-Hillel, T. Hertz, N. Shental, D. Weinshall, "Learning Distance Functions using
    Equivalence Relations", ICML 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import RCA, Constraints
    >>> X, y = load_iris(return_X_y=True)
    >>> answers = Constraints.from_labels(y, n_pairs=60, random_state=0)
    >>> round(RCA(n_components=None).fit(X, answers).score(X, y), 2)
    0.96
    """

    needs: ClassVar[Needs] = Needs(
        must="required",
        cannot="ignored",
        unlabelled=("spread",),
        span="links",
        class_sums=True,
        best_for="a metric without reduction",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "shrinkage": SHRINKAGE,
    }
    n_components: int | None  # type: ignore[assignment]

    def __init__(self, n_components: int | None = 2, *, shrinkage: Shrinkage = None) -> None:
        self.n_components = n_components
        self.shrinkage = shrinkage

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        sizes = known.chunklets.sizes
        C = Blocks(known.chunklets, pooled=1 / sizes[sizes > 1].sum()).scatter(Z)
        C = shrunk(C, self.shrinkage, Z, known)
        values, vectors = spectrum(C)
        self.rank_ = rank(values)
        values = values[: self.rank_]
        V = vectors[:, : self.rank_] / values**0.5
        if self.n_components is None:
            return Eigen(values, V)
        require_rank(
            self.n_components, self.rank_, "the scatter of the must-links (shrinkage=None)"
        )
        return within(V, Complete(len(Z), 1 / len(Z)).scatter(Z), self.n_components)
