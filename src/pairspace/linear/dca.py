"""DCA: far between chunklets that cannot-links join, near within chunklets."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from pairspace._core.data import Classes, Rows
from pairspace._core.graphs import Edges
from pairspace._core.linalg import Eigen, rank, spectrum, whiten
from pairspace._core.typing import Ints
from pairspace.base import Needs, Supervision
from pairspace.linear._shrinkage import SHRINKAGE, Shrinkage, ShrinkageReducer, shrunk
from pairspace.linear._solve import require_rank


class DCA(ShrinkageReducer):
    r"""Discriminative component analysis (DCA).

    Chunklets are the groups of rows joined by must-links (or by the same label); a single row is
    one if a cannot-link contains it. :math:`C_b` is the mean of :math:`(m_a - m_b)(m_a - m_b)^\top`
    over the pairs of chunklets joined by a cannot-link (or by different labels), and :math:`C_w` is
    the mean of the chunklets' covariances. DCA [1]_ solves

    .. math:: \max_W \frac{|W^\top C_b W|}{|W^\top C_w W|}

    by whitening :math:`C_b` and taking the directions in which :math:`C_w` is then smallest
    (Algorithm 1), scaled to :math:`W^\top C_w W = I`.

    It needs must-links and cannot-links, or labels. Directions without variation within or between
    chunklets are left out; with few must-links, use ``shrinkage``.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    shrinkage : None, "auto" or float in [0, 1], default=None
        The weight of a multiple of the identity in the estimate of :math:`C_w`: None means 0,
        "auto" is the estimate of Ledoit and Wolf [2]_. Shrinkage is not part of [1]_.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The directions of the space, one per row.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The variance within chunklets where that between them is 1, ascending.
    rank_ : int
        The number of directions that vary both within and between chunklets, the largest possible
        ``n_components``.
    n_directions_ : int or None
        The number of leading directions of X that were searched; None means all. Only a very wide
        X is limited: see :doc:`/guide/scale`.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (n_features,)
        The column names of X, if all of them are strings.

    See Also
    --------
    RCA : Uses must-links alone.
    BWDR : Uses pairs of rows instead of chunklets.

    References
    ----------
    .. [1] S. C. H. Hoi, W. Liu, M. R. Lyu, W.-Y. Ma, "Learning Distance Metrics with Contextual
       Constraints for Image Retrieval", IEEE Conference on Computer Vision and Pattern Recognition
       (CVPR), 2072-2078, 2006.
    .. [2] O. Ledoit, M. Wolf, "A Well-Conditioned Estimator for Large-Dimensional Covariance
       Matrices", Journal of Multivariate Analysis, 88(2):365-411, 2004.
       https://doi.org/10.1016/S0047-259X(03)00096-4

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from pairspace import DCA, Constraints
    >>> X, y = load_iris(return_X_y=True)
    >>> answers = Constraints.from_labels(y, n_pairs=60, random_state=0)
    >>> round(DCA(n_components=1).fit(X, answers).score(X, y), 2)
    0.97
    """

    needs: ClassVar[Needs] = Needs(
        must="required",
        cannot="required",
        spread=False,
        span="links",
        class_sums=True,
        best_for="differences within and between chunklets matter equally",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ShrinkageReducer._parameter_constraints,
        "shrinkage": SHRINKAGE,
    }

    def __init__(
        self, n_components: int | float | str | None = 2, *, shrinkage: Shrinkage = None
    ) -> None:
        self.n_components = n_components
        self.shrinkage = shrinkage

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        known.require_consistency()
        chunklets, joined = chunklets_and_joins(known)
        read = chunklets.read(Z)
        means, C_w = read.means, read.about_means(lambda size: 1 / size / len(chunklets.sizes))
        C_b = Edges(len(means), joined, np.full(len(joined), 1 / len(joined))).scatter(means)

        V = whiten(C_b)
        require_rank(self.n_components, V.shape[1], "the scatter of the chunklets' means")
        values, vectors = spectrum(V.T @ shrunk(C_w, self.shrinkage, Z, known) @ V)
        self.rank_ = rank(values)
        require_rank(
            self.n_components, self.rank_, "the scatters of must-links and cannot-links together"
        )
        smallest = slice(self.rank_ - self.n_components, self.rank_)
        values, vectors = values[smallest][::-1], vectors[:, smallest][:, ::-1]
        return Eigen(values, V @ (vectors / np.sqrt(values)))


def chunklets_and_joins(known: Supervision) -> tuple[Classes, Ints]:
    """Chunklets, single rows among them, and the pairs of chunklets known to differ."""
    cannot = known.pairs.cannot_link
    if not len(cannot) and not len(known.pairs.must_link):
        return known.classes, _all_pairs(np.flatnonzero(known.classes.sizes))
    code = known.chunklets.codes.copy()
    labelled = known.labels >= 0
    touched = labelled.copy()
    touched[cannot] = True
    single = np.flatnonzero(touched & (code < 0))
    code[single] = code.max() + 1 + np.arange(len(single))
    of_class = np.unique(code[labelled])

    joined = np.sort(np.vstack([code[cannot], _all_pairs(of_class)]), axis=1)
    keys = np.sort(joined[:, 0] * len(code) + joined[:, 1])
    keys = keys[np.diff(keys, prepend=-1) > 0]  # np.unique hashes, which is slower here
    return Classes(code), np.column_stack(np.divmod(keys, len(code)))


def _all_pairs(classes: Ints) -> Ints:
    return classes[np.column_stack(np.triu_indices(len(classes), k=1))]
