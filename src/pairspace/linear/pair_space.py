"""PairSpace: a few answers, the neighbours, and all the data."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.base import clone
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from pairspace._core.data import Rows, rows_of
from pairspace._core.linalg import NO_LINKS, Eigen, Span, oriented, span_of
from pairspace._core.typing import Floats, Ints, Seed
from pairspace._core.warn import warn_caller
from pairspace._within import ClosedForm, Taught
from pairspace.base import Needs, Supervision, labels_of, placed_rows
from pairspace.cluster import PairClusters
from pairspace.linear._base import LinearReducer
from pairspace.linear._solve import require_rank

ALL_TO, LEADING = 2_000, 300  # rows and features of sparse X; directions searched of more
JUDGED_COMPONENTS = 9  # by which scalings are compared if the number of components is not given
MOST_TAUGHT = 0.6  # the weight of the predicted groups if they were certain


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

    If the answers place rows in groups that differ, as labels do, a teacher first predicts the
    groups of all rows, by default :class:`PairClusters`. The within-class scatter of these groups
    is mixed into B: see ``teacher``.

    A group of c rows joined by must-links counts with c − 1 degrees of freedom, so the closure of
    the must-links changes little. Labels count as the deviations from the means of their classes.
    Cannot-links are used to choose r and :math:`\alpha`; without must-links and labels, r alone.

    It takes pairs, labels, both or nothing. Prefer it with 20 to 500 pairs. With a large share of
    all pairs :class:`WBDR`, or :class:`CFLD` with ``shrinkage``, is better on some data: see
    :doc:`/results/study`.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components. A float between 0 and 1 is the share of the spread of all
        components that they must have. None stands for all: a metric. "auto" is the fewest, at
        least two, with 90 % of the spread of the first 32.
    n_neighbors : int, default=5
        Two rows are joined if one is among this number of nearest neighbours of the other; at most
        n_samples − 1.
    n_queries : int, "auto" or None, default="auto"
        The number of rows, drawn at random, whose neighbours are searched for. None stands for all
        rows. "auto" is all of up to 5,000 rows. Of more rows it is 1,000, then twice as many until
        the standard error of the scatter of neighbours is at most 0.3 of it (in Frobenius
        norm), and at most 8,000. Neighbours are then searched among at least 5,000 rows, or all
        if there are fewer: see :doc:`/guide/scale` for what is lost.
    n_directions : int, "auto" or None, default="auto"
        The number of leading directions of X in which the space is searched for. None stands for
        all, or for 300 if a matrix of them is more than scikit-learn's ``working_memory``. "auto"
        is 300 for sparse X with more than 2,000 rows and features, else None: all directions of
        4,000 texts take a minute, 300 take a second.
    ridge : "auto" or float in [0, 1], default="auto"
        The weight r of the identity; "auto" chooses it by held-out weighting.
    shrinkage : "auto" or float in [0, 1], default="auto"
        The weight :math:`\alpha` of the neighbours; "auto" chooses it by held-out weighting.
    scaling : {None, "standard", "auto"}, default=None
        "standard" divides each column by its standard deviation before the fit, and
        ``components_`` by it afterwards, so that ``transform`` takes X as it is. "auto" does so if
        the space that results ranks held-out pairs better, which costs two more fits; with too few
        pairs to judge by it is None. None leaves X as it is: pixels and other columns of one unit
        are often better so.
    teacher : "auto", None or clusterer, default="auto"
        Predicts the groups of all rows from the answers. "auto" is :class:`PairClusters`; it takes
        about a second for 1,000 rows, far more than the rest of the fit. A clusterer needs
        ``fit(X, y, constraints=)`` and ``labels_``. None uses the answers alone. No teacher is used
        if ``ridge`` and ``shrinkage`` are both given, if the answers place fewer than half of the
        rows they are about (random pairs), if more than half of all rows are placed, or if answers
        contradict each other.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds of "auto", of the rows drawn for ``n_queries``, and of the approximate
        search for the neighbours of all of more than 50,000 rows.

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
    scale_ : ndarray of shape (n_features,) or None
        The standard deviations that columns were divided by for the fit; None if they were not.
    teacher_weight_ : float
        The weight of the within-class scatter of the predicted groups in B; 0 without a teacher.
    n_queries_ : int or None
        The number of rows whose neighbours were searched for; None means all.
    rank_ : int
        The rank of B, or with a ridge that of X, the largest possible ``n_components``.
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
    PairClusters : The groups of all rows, from the same answers.
    CFLD : Uses the must-links alone.
    LPP : Uses the neighbours alone.
    WBDR : Better on some data with a large share of all pairs.

    Notes
    -----
    "auto" uses held-out weighting if there are at least 4 independent must-links and 4 cannot-links
    to hold out (labels give both). Without must-links, 20 cannot-links or more weight r by how
    often they are longer than random pairs. Otherwise it is r = 0.5 and the :math:`\alpha` of
    Ledoit and Wolf [1]_.

    Held-out weighting tries a grid of r and :math:`\alpha`. The rows of must-links and the labelled
    rows are split into 4 folds. For each fold a space is fitted with nothing known about its rows,
    and scored by how often a held-out must-link is shorter than a cannot-link. Each point of the
    grid gets a weight that grows exponentially with its lead, in standard errors, over the starting
    point: r = 0.5 and half the :math:`\alpha` of Ledoit and Wolf. If the scores do not differ, the
    starting point has half of the total weight. B is the weighted mean over the grid.

    With a teacher, :math:`(1-\lambda) B + \lambda B_g` takes the place of B, where :math:`B_g` is
    the within-class scatter of the predicted groups with a ridge of 0.1, scaled to the trace of B.
    :math:`\lambda` is 0.6 times the square of how sure the teacher is: its mean largest probability
    for the rows without answers, rescaled so that chance is 0 and certainty is 1. These
    probabilities are calibrated on held-out answers, so a teacher that predicts held-out answers no
    better than chance has no weight.

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
        "n_queries": [None, StrOptions({"auto"}), Interval(Integral, 1, None, closed="left")],
        "n_directions": [None, StrOptions({"auto"}), Interval(Integral, 1, None, closed="left")],
        "ridge": [StrOptions({"auto"}), Interval(Real, 0, 1, closed="both")],
        "shrinkage": [StrOptions({"auto"}), Interval(Real, 0, 1, closed="both")],
        "scaling": [None, StrOptions({"standard", "auto"})],
        "teacher": [None, StrOptions({"auto"}), HasMethods(["fit", "fit_predict"])],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: int | float | str | None = 2,
        *,
        n_neighbors: int = 5,
        n_queries: int | str | None = "auto",
        n_directions: int | str | None = "auto",
        ridge: float | str = "auto",
        shrinkage: float | str = "auto",
        scaling: str | None = None,
        teacher: Any = "auto",
        random_state: Seed = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.n_queries = n_queries
        self.n_directions = n_directions
        self.ridge = ridge
        self.shrinkage = shrinkage
        self.scaling = scaling
        self.teacher = teacher
        self.random_state = random_state

    def _in_memory(self, rows: Rows, known: Supervision) -> tuple[Rows, Supervision]:
        rows, known = super()._in_memory(rows, known)
        self._taught = self._teach(rows, known)
        self.scale_ = None
        if self.scaling is not None:
            rows = self._scaled(rows, known)
        return rows, known

    def _scaled(self, rows: Rows, known: Supervision) -> Rows:
        """The rows with standardised columns; as they are if held-out pairs find these better."""
        scale = StandardScaler(with_mean=False).fit(rows.values).scale_
        standardised = rows_of(_divided(rows.values, scale))
        if self.scaling == "auto":
            seed = int(check_random_state(self.random_state).randint(2**31 - 1))  # the same folds
            if self._score(standardised, known, seed) <= self._score(rows, known, seed):
                return rows
        self.scale_ = scale
        return standardised

    def _score(self, rows: Rows, known: Supervision, seed: int) -> float:
        """The share of held-out pairs that are ranked right; 0 with too few pairs to judge by."""
        random = np.random.RandomState(seed)
        k = self.n_components if isinstance(self.n_components, Integral) else JUDGED_COMPONENTS
        most = self._most_directions(rows)
        span = span_of(rows, NO_LINKS, self.needs.span, int(k), most)
        problem = ClosedForm(span.rows, self.n_neighbors, random, self.n_queries)
        return problem.held_out_score(known, int(k), random) if problem.span else 0.0

    def _learn(self, span: Span, known: Supervision, dtype: np.dtype[Any]) -> None:
        super()._learn(span, known, dtype)
        if self.scale_ is not None:
            directions = oriented(self.components_.T / self.scale_[:, None])
            self.components_ = directions.T.astype(dtype, order="C")
            self.mean_ = (self.mean_ * self.scale_).astype(dtype)

    def _most_directions(self, rows: Rows) -> int | None:
        if self.n_directions != "auto":
            return None if self.n_directions is None else int(self.n_directions)
        return LEADING if issparse(rows.values) and min(rows.shape) > ALL_TO else None

    def _teach(self, rows: Rows, known: Supervision) -> Taught | None:
        """The groups of all rows, if the answers place some of them."""
        if self.teacher is None or (self.ridge != "auto" and self.shrinkage != "auto"):
            return None
        placed = placed_rows(known)
        if not placed.may_teach or 2 * len(placed.rows) > len(rows) or known.contradicted:
            return None
        teacher: Any = PairClusters() if self.teacher == "auto" else clone(self.teacher)
        if "random_state" in teacher.get_params():
            teacher.set_params(random_state=self.random_state)
        labels = labels_of(known) if known.classes.n_known else None
        teacher.fit(rows.values, labels, constraints=known.pairs)
        groups = np.asarray(teacher.labels_, dtype=np.int64)
        return Taught(groups, MOST_TAUGHT * _sureness(teacher, placed.rows) ** 2)

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        random = check_random_state(self.random_state)
        taught = self.__dict__.pop("_taught", None)  # only for the fit: it has all rows
        self.teacher_weight_ = 0.0 if taught is None else taught.weight
        problem: ClosedForm = Z.once(
            (ClosedForm, self.n_neighbors, self.n_queries),
            lambda: ClosedForm(Z, self.n_neighbors, random, self.n_queries),
        )
        self.n_queries_ = problem.n_queries
        require_rank(1, problem.span, "X")
        found = problem.solve(
            known,
            self.n_components,
            random,
            ridge=None if self.ridge == "auto" else float(self.ridge),
            shrinkage=None if self.shrinkage == "auto" else float(self.shrinkage),
            taught=taught,
        )
        self.ridge_, self.shrinkage_, self.rank_ = found.ridge, found.shrinkage, found.rank
        if found.rank < self.n_components:
            warn_caller(
                f"n_components={self.n_components} is more than the rank {found.rank} of the data: "
                f"the space has {found.rank} components",
            )
        return found.eigen


def _divided(X: Any, scale: Floats) -> Any:
    return csr_array(X.multiply(1 / scale)) if issparse(X) else X / scale.astype(X.dtype)


def _sureness(teacher: Any, placed: Ints) -> float:
    """How far the predicted groups are better than chance, by the teacher's own probabilities.

    0 is chance and 1 is certainty. A teacher without probabilities counts as half sure.
    """
    if not hasattr(teacher, "probabilities_"):
        return 0.5
    P = np.delete(np.asarray(teacher.probabilities_), placed, axis=0)
    chance = 1 / P.shape[1]
    return max((float(P.max(axis=1).mean()) - chance) / (1 - chance), 0.0) if chance < 1 else 0.0
