"""WMVSearchCV: how hard WMV pushes and how many components it keeps, chosen as the paper does."""

from __future__ import annotations

import warnings
from dataclasses import replace
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, Interval

from pairspace._core import linalg
from pairspace._core.data import Rows
from pairspace._core.linalg import span_of
from pairspace._core.typing import Floats, Ints, Seed
from pairspace._core.warn import warn_caller
from pairspace.base import Needs, Supervision
from pairspace.constraints import UNKNOWN, Constraints
from pairspace.linear._base import LinearReducer
from pairspace.linear._solve import require_rank
from pairspace.linear.sswmv import SSWMV
from pairspace.linear.wmv import WMV

Splits = list[tuple[Ints, Ints]]

PAPER_BETAS = (*(-tenths / 10 for tenths in range(20, 0, -1)), -0.01)
BLOCK_BYTES = 2**18  # of distances at a time: they and what is added to them fit a core's cache


class WMVSearchCV(LinearReducer):
    r"""Choose :math:`\beta` and the number of components of WMV or SSWMV by cross-validation.

    .. math:: \max_{\beta, k} \; \text{accuracy of 1-NN on the first } k \text{ columns of }
              X W_\beta , \qquad W_\beta \text{ from } M = S_t - 2\,(\alpha S'_w + \beta S'_b) ,

    over stratified folds of the labelled rows. As in [1]_ the search is transductive: the space of
    a fold is found from all rows, with the labels of the fold hidden. Pairs that contain a row of
    the fold are hidden, too, since they would reveal its label. Ties go to fewer components, then
    to the most negative :math:`\beta`.

    It needs labels of at least two classes; pairs are optional. After ``fit`` it transforms with
    the best method, refitted on all rows, labels and pairs. Its attributes are named as in
    scikit-learn's searches. The scales of the features matter: standardise first.

    Parameters
    ----------
    betas : array-like of shape (n_betas,), default=None
        The values of :math:`\beta` to try, 0 or less; None means those of [1]_: −2, −1.9, …, −0.1,
        −0.01.
    alpha : float, default=1.0
        The weight of pairs of the same class, 0 or more.
    max_components : int, default=20
        The largest number of components to try; at most the rank of X is tried.
    cv : int or splitter, default=5
        The number of stratified folds, or an object whose ``split`` gets the row numbers of the
        labelled rows and their classes, e.g. ``StratifiedKFold(5, shuffle=True)``.
    propagation : {None, "neighbors", "majority", "clusters", "silhouette"}, default=None
        How :class:`SSWMV` uses the rows without labels; None means :class:`WMV`.
    n_neighbors : int, default=None
        The number of neighbours for "neighbors" and "majority"; None means 5 and 15.
    n_clusters : int, default=None
        The number of clusters for "clusters"; None means the number of classes.
    random_state : int, RandomState instance or None, default=None
        Seed of k-means, and of the approximate search for neighbours above 50,000 rows; all folds
        and the refit use the same seed.

    Attributes
    ----------
    best_params_ : dict
        The best ``beta`` and ``n_components``.
    best_score_ : float
        The mean accuracy of 1-NN over the folds. (``score`` returns the pair AUC.)
    best_index_ : int
        The index of the best candidate in ``cv_results_``.
    best_estimator_ : WMV or SSWMV
        The best method, refitted on all rows, labels and pairs.
    cv_results_ : dict of arrays
        ``param_beta``, ``param_n_components``, ``params``, ``split0_test_score`` and so on,
        ``mean_test_score``, ``std_test_score``, ``rank_test_score``. There are no times, since the
        candidates share almost all of the work.
    n_splits_ : int
        The number of folds.
    components_ : ndarray of shape (n_components, n_features)
        The directions of ``best_estimator_``, one per row; the rows are orthonormal.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The eigenvalues of ``best_estimator_``, descending.
    rank_ : int
        The rank of X if it was computed, otherwise its upper bound min(n_samples − 1, n_features).
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
    WMV : The method with given parameters.
    SSWMV : The method with given parameters that also weights pairs with unlabelled rows.
    sklearn.model_selection.GridSearchCV : Search over any parameters of an estimator.

    Notes
    -----
    M is affine in :math:`\beta`: a fold reads the rows once and solves one eigenproblem for each
    :math:`\beta`. The squared distances in k + 1 components are those in k plus one square.

    References
    ----------
    .. [1] P. S. Andalam, U. Roshan, "Semi-Supervised Weighted Maximum Variance Dimensionality
       Reduction", New Jersey Institute of Technology.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import StandardScaler
    >>> from pairspace import WMVSearchCV
    >>> X, y = load_wine(return_X_y=True)
    >>> X = StandardScaler().fit_transform(X)
    >>> y[::2] = -1  # half of the labels are not known
    >>> search = WMVSearchCV().fit(X, y)
    >>> search.best_params_, round(search.best_score_, 2)
    ({'beta': -0.1, 'n_components': 3}, 1.0)
    """

    needs: ClassVar[Needs] = replace(SSWMV.needs, either=True)
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SSWMV._parameter_constraints,
        "betas": ["array-like", None],
        "max_components": [Interval(Integral, 1, None, closed="left")],
        "cv": [Interval(Integral, 2, None, closed="left"), HasMethods(["split", "get_n_splits"])],
        "propagation": [*SSWMV._parameter_constraints["propagation"], None],
    }

    def __init__(
        self,
        betas: Any = None,
        *,
        alpha: float = 1.0,
        max_components: int = 20,
        cv: Any = 5,
        propagation: str | None = None,
        n_neighbors: int | None = None,
        n_clusters: int | None = None,
        random_state: Seed = None,
    ) -> None:
        self.betas = betas
        self.alpha = alpha
        self.max_components = max_components
        self.cv = cv
        self.propagation = propagation
        self.n_neighbors = n_neighbors
        self.n_clusters = n_clusters
        self.random_state = random_state

    def _fit(self, X: Any, y: Any, constraints: Constraints | None) -> None:
        """Search, then fit the best with all that is known; ``y`` is labels, pairs come besides."""
        rows = self._rows(X, reset=True, at_least=2)
        given = Supervision(y, constraints, len(rows))
        self._require_classes(given, y)
        rows, known = self._in_memory(rows, given)
        names = np.asarray(y, dtype=object).ravel()
        if self.learned_rows_ is not None:
            names = names[self.learned_rows_]
        betas, splits = self._read_betas(), self._split(known.labels, names)
        # A number, so that the parts of all folds and the refit come from the same draws.
        seed = self.random_state
        if not isinstance(seed, Integral):
            seed = int(check_random_state(seed).randint(2**31 - 1))
        Z = span_of(rows).rows
        pull = self._method(seed, alpha=self.alpha, beta=0.0)
        push = self._method(seed, alpha=0.0, beta=-1.0)
        if self.propagation == "silhouette":  # which is slow, and the same in every fold
            found = SSWMV(random_state=seed).silhouette_clusters(Z)
            for method in (pull, push):
                method.set_params(propagation="clusters", n_clusters=found)
        self._store(betas, self._search(Z, known, splits, betas, pull, push))
        best = self._method(seed, alpha=self.alpha, **self.best_params_)
        self.best_estimator_ = best.fit(X, given.labels, constraints=constraints)
        for name in ("components_", "mean_", "eigenvalues_", "rank_", "n_directions_"):
            setattr(self, name, getattr(best, name))

    def _method(self, seed: int, **parameters: Any) -> WMV:
        if self.propagation is None:
            return WMV(**parameters)
        for name in ("propagation", "n_neighbors", "n_clusters"):
            parameters[name] = getattr(self, name)
        return SSWMV(random_state=seed, **parameters)

    def _search(
        self, Z: Rows, known: Supervision, splits: Splits, betas: Floats, pull: WMV, push: WMV
    ) -> Floats:
        """The accuracies, as folds × betas × numbers of components."""
        n, gram = len(Z), Z.gram
        V = linalg.range_of(gram)  # outside it, zeros would outrank negative eigenvalues
        if V.shape[1] == len(V):
            V = np.eye(len(V))
        n_components = min(self.max_components, V.shape[1])
        require_rank(n_components, V.shape[1], "X")
        spread = V.T @ gram @ V / n
        scores = np.empty((len(splits), len(betas), n_components))
        for fold, (train, test) in enumerate(splits):
            hidden = np.zeros(n, dtype=bool)
            hidden[test] = True
            visible = known.without(hidden)
            pulled, pushed = (
                V.T @ method._local_graph(Z, visible).scatter(Z) @ V for method in (pull, push)
            )
            for i, beta in enumerate(betas):
                M = spread - 2 / n * (pulled - beta * pushed)
                W = V @ linalg.top(M, n_components).vectors
                embedded = np.asarray(Z.values @ W.astype(Z.dtype), dtype=np.float64)
                scores[fold, i] = _nested_accuracies(embedded, known.labels, train, test)
        return scores

    def _store(self, betas: Floats, scores: Floats) -> None:
        self.n_splits_, n_betas, n_components = scores.shape
        by_split = scores.reshape(self.n_splits_, -1)
        mean = by_split.mean(axis=0)
        # The same number of right answers, spread over other folds, may differ in the last digit.
        loss = -mean.round(12)
        beta = np.repeat(betas, n_components)
        k = np.tile(np.arange(1, n_components + 1), n_betas)
        rows = zip(beta.tolist(), k.tolist(), strict=True)
        params = [{"beta": b, "n_components": c} for b, c in rows]
        self.cv_results_: dict[str, Any] = {
            "param_beta": beta,
            "param_n_components": k,
            "params": params,
            **{f"split{i}_test_score": split for i, split in enumerate(by_split)},
            "mean_test_score": mean,
            "std_test_score": by_split.std(axis=0),
            "rank_test_score": rankdata(loss, method="min").astype(np.int32),
        }
        self.best_index_ = int(np.lexsort([beta, k, loss])[0])
        self.best_params_ = dict(params[self.best_index_])
        self.best_score_ = float(mean[self.best_index_])

    def _read_betas(self) -> Floats:
        betas = np.array(PAPER_BETAS if self.betas is None else self.betas, dtype=np.float64)
        if betas.ndim != 1 or not betas.size or not np.isfinite(betas).all() or betas.max() > 0:
            raise ValueError(
                f"betas={self.betas!r}: give a list of one finite number or more, none above 0, "
                "since different classes push with a negative weight"
            )
        return betas

    def _require_classes(self, known: Supervision, y: Any) -> None:
        n_classes = np.unique(known.labels[known.labels != UNKNOWN]).size
        if n_classes < 2:
            lacks = (
                "requires y to be passed, but the target y is None"
                if y is None
                else f"needs labels of 2 classes or more, and {n_classes} is known"
            )
            raise ValueError(
                f"WMVSearchCV {lacks}: it judges by labels, fit(X, y) with -1 for unknown; "
                "with pairs alone use WMV"
            )

    def _split(self, labels: Ints, names: NDArray[Any]) -> Splits:
        """Rows to learn from and rows to judge by, for each fold of the labelled rows."""
        labelled = np.flatnonzero(labels != UNKNOWN)
        codes, splitter = labels[labelled], self.cv
        if isinstance(splitter, Integral):
            sizes = np.bincount(codes)
            small = np.flatnonzero((sizes > 0) & (sizes < int(splitter)))
            few = [names[labels == c][0] for c in small]
            message = f"fewer labelled rows than the {splitter} folds in class {str(few)[1:-1]}"
            if len(few) == np.count_nonzero(sizes):
                raise ValueError(f"{message}: lower cv, or label more rows")
            if few:
                warn_caller(f"{message}: some folds can't judge it", UserWarning)
            splitter = StratifiedKFold(int(splitter))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The least populated class")  # said above, by name
            return [(labelled[a], labelled[b]) for a, b in splitter.split(labelled, codes)]


def _nested_accuracies(embedded: Floats, labels: Ints, train: Ints, test: Ints) -> Floats:
    """The accuracy of 1-NN on the first 1, 2, … columns; of rows as near, the first counts."""
    columns = np.ascontiguousarray(embedded[train].T)
    n_right = np.zeros(len(columns))
    n_rows = max(1, BLOCK_BYTES // columns[0].nbytes)
    for start in range(0, len(test), n_rows):
        block = test[start : start + n_rows]
        distances = np.zeros((len(block), len(train)))
        step = np.empty_like(distances)
        for k, column in enumerate(columns):
            np.subtract(embedded[block, k, None], column, out=step)
            distances += np.square(step, out=step)
            nearest = train[distances.argmin(axis=1)]
            n_right[k] += np.count_nonzero(labels[nearest] == labels[block])
    return n_right / len(test)
