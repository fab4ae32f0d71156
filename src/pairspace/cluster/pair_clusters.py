"""PairClusters: the groups of all rows, from answers about a few."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClusterMixin, _fit_context
from sklearn.utils import ClassifierTags, Tags, check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from pairspace._core.data import LazyRows, Rows, is_dask
from pairspace._core.frames import frame_of
from pairspace._core.typing import Ints, Seed
from pairspace.base import (
    Supervision,
    rows_to_learn_from,
    subsample,
    unchanged_if_it_fails,
    validated_rows,
    with_plain_numbers,
)
from pairspace.cluster.groups import Groups, fit_groups, label_codes
from pairspace.cluster.panel import PanelTable
from pairspace.constraints import Constraints, classes_and_codes

FIT_ROWS = 10_000  # rows that are learned from; the others are only predicted
LISTED_ANSWERS = 1_000  # of the doubtful ones


class PairClusters(ClusterMixin, BaseEstimator):
    """Predict the groups of all rows from labels or pairs of a few, with a panel of learners.

    Rows joined by must-links form groups, and groups with cannot-links between them differ. Rows of
    groups that all differ from each other are placed: they are labelled examples. Each learner of
    the panel predicts the other rows from them. It is judged by its log loss on held-out examples,
    and the probabilities are the mean over the learners, weighted by these losses.

    If the answers place fewer than half of the rows they are about, for example because the pairs
    were drawn at random, the groups are clusters of k-means regions that follow distances and
    answers.

    Parameters
    ----------
    n_clusters : int or None, default=None
        The number of groups. None means as many as the answers show to differ, at least 2. If the
        answers place too few rows, None chooses a number at least that large, up to 40: that of
        the plain k-means that keeps the most pairs, must-links and cannot-links counted alike. If
        the answers show more groups than ``n_clusters``, there are more. Groups that no answer
        shows start from rows far from all placed ones.
    learners : "auto", list of str or dict, default="auto"
        The learners of the panel: "auto" for all in Notes, a list of their names, or a dict of
        scikit-learn classifiers with ``predict_proba``, which get X as it is.
    hard : bool, default=False
        Whether every given pair is kept. Otherwise answers that are likely to be wrong are
        outvoted: see ``doubtful_answers_``.
    random_state : int, RandomState instance or None, default=None
        Seed of the folds, the learners, and the subsample of more than 10,000 rows.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The group of each row, 0, 1, …; a Dask array if X is a Dask table.
    probabilities_ : ndarray of shape (n_samples, n_clusters)
        The probability of each group for each row; a Dask array if X is a Dask table.
    n_clusters_ : int
        The number of groups.
    group_labels_ : list
        For each group the label in ``y``; None if no label is in it.
    placed_rows_ : ndarray of int
        The rows that the answers place in groups.
    placed_groups_ : ndarray of int
        The groups of these rows by the answers; ``labels_`` differs where an answer is outvoted.
    learner_weights_ : DataFrame, or a dict of columns if pandas is not installed
        The ``learner``, its held-out ``loss`` and its ``weight``, the largest weight first.
    doubtful_answers_ : DataFrame, or a dict of columns if pandas is not installed
        Labels, must-links and cannot-links, the least likely to be right first, at most 1,000:
        ``kind``, the rows ``i`` and ``j`` (−1 for labels) and the ``probability`` of being right.
    error_rate_ : float
        The estimated share of wrong placements; NaN if no rows are placed.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (n_features,)
        The column names of X, if all of them are strings.

    See Also
    --------
    PairSpace : A space from the same answers.
    SKKMeans : Kernel k-means that keeps must-links.

    Notes
    -----
    The learners are label spreading over 10 nearest neighbours [1]_; the same in the space of
    :class:`PairSpace` with fixed weights; a support vector machine; each of these on raw and on
    standardised columns, reduced to 50 directions; logistic regression on standardised columns; and
    extremely randomised trees on all columns. The probabilities of each learner, and of the
    panel, are scaled by a temperature [2]_ chosen on the held-out rows.

    A placement is taken to be wrong with an unknown probability, which is estimated together with
    the temperature. Placements that are probably wrong count less in a second fit.

    Above 10,000 rows it learns from all rows in pairs, up to 5,000 labelled rows, and a sample of
    the others. ``predict`` works block by block, and lazily on Dask tables.

    How good the groups are, also against classifiers trained on as many random labels:
    :doc:`/results/groups_study`.

    References
    ----------
    .. [1] D. Zhou, O. Bousquet, T. N. Lal, J. Weston, B. Schölkopf, "Learning with Local and Global
       Consistency", Advances in Neural Information Processing Systems 16, 2003. Label spreading.
    .. [2] C. Guo, G. Pleiss, Y. Sun, K. Q. Weinberger, "On Calibration of Modern Neural Networks",
       Proceedings of the 34th International Conference on Machine Learning, 2017. Temperatures.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.metrics import adjusted_rand_score
    >>> from pairspace import PairClusters
    >>> X, y = load_wine(return_X_y=True)
    >>> known = np.full(len(y), -1)
    >>> known[::12] = y[::12]
    >>> clusters = PairClusters(random_state=0).fit(X, known)
    >>> bool(adjusted_rand_score(y, clusters.labels_) > 0.8)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_clusters": [None, Interval(Integral, 1, None, closed="left")],
        "learners": [str, list, tuple, dict],
        "hard": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        learners: Any = "auto",
        hard: bool = False,
        random_state: Seed = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.learners = learners
        self.hard = hard
        self.random_state = random_state

    @with_plain_numbers
    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> Self:
        """Find the groups.

        Parameters
        ----------
        X : array-like, sparse matrix, table on disk or Dask table, of shape (n_samples, n_features)
            The data.
        y : Constraints, or labels of shape (n_samples,), default=None
            Pairs, or labels; −1, None or NaN is an unknown label.
        constraints : Constraints, default=None
            Pairs in addition to ``y``.

        Returns
        -------
        PairClusters
            The fitted estimator.
        """
        with unchanged_if_it_fails(self):
            self._fit(X, y, constraints)
        return self

    def _fit(self, X: Any, y: Any, constraints: Constraints | None) -> None:
        rows = validated_rows(self, X, reset=True, at_least=2)
        if self.n_clusters is not None and self.n_clusters > len(rows):
            raise ValueError(
                f"n_clusters={self.n_clusters} must be at most {len(rows)}, the number of rows"
            )
        known = Supervision(y, constraints, len(rows))
        known.require_consistency()
        random = check_random_state(self.random_state)
        learned, known, numbers = _to_learn_from(rows, known, random)
        found = fit_groups(
            PanelTable(learned, random),
            known,
            self.n_clusters,
            self.learners,
            random,
            hard=self.hard,
        )
        self._model, self.n_clusters_ = found, found.n_groups
        self.probabilities_ = found.probabilities
        self.placed_rows_, answers = found.placed.rows, found.answers.rows
        self.placed_groups_ = found.placed.groups
        if numbers is not None:
            self.placed_rows_ = numbers[self.placed_rows_]
            answers = np.where(answers < 0, answers, numbers[answers])
            self.probabilities_ = rows.map_rows(found.predict, found.n_groups)
            if not is_dask(self.probabilities_):
                self.probabilities_[numbers] = found.probabilities
        self.labels_ = self.probabilities_.argmax(axis=1)
        self.error_rate_ = found.error_rate
        self.group_labels_ = _labels_of(found, known, y)
        self._answer_rows = answers

    @property
    def learner_weights_(self) -> Any:
        """The learners with their losses and weights, the largest weight first."""
        check_is_fitted(self)
        found = self._model
        order = np.argsort(-found.weights, kind="stable")
        return frame_of(
            {
                "learner": [found.learners[at] for at in order],
                "loss": found.losses[order],
                "weight": found.weights[order],
            }
        )

    @property
    def doubtful_answers_(self) -> Any:
        """The answers with their probability of being right, the smallest first."""
        check_is_fitted(self)
        answers = self._model.answers
        return frame_of(
            {
                "kind": answers.kinds[:LISTED_ANSWERS],
                "i": self._answer_rows[:LISTED_ANSWERS, 0],
                "j": self._answer_rows[:LISTED_ANSWERS, 1],
                "probability": answers.probability[:LISTED_ANSWERS],
            }
        )

    def fit_predict(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> Ints:
        """Find the groups and return them.

        Parameters
        ----------
        X : array-like, sparse matrix, table on disk or Dask table, of shape (n_samples, n_features)
            The data.
        y : Constraints, or labels of shape (n_samples,), default=None
            Pairs, or labels; −1, None or NaN is an unknown label.
        constraints : Constraints, default=None
            Pairs in addition to ``y``.

        Returns
        -------
        ndarray of shape (n_samples,)
            The group of each row.
        """
        return self.fit(X, y, constraints=constraints).labels_

    def predict(self, X: Any) -> Ints:
        """Predict the groups of new rows.

        Parameters
        ----------
        X : array-like, sparse matrix, table on disk or Dask table, of shape (n_samples, n_features)
            The rows. For rows that were fitted, ``labels_`` is better: it knows the answers.

        Returns
        -------
        ndarray of shape (n_samples,)
            The likeliest group of each row; a Dask array if X is a Dask table.
        """
        return self.predict_proba(X).argmax(axis=1)

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Predict the probability of each group for new rows.

        Parameters
        ----------
        X : array-like, sparse matrix, table on disk or Dask table, of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples, n_clusters)
            The probabilities; a Dask array if X is a Dask table.
        """
        check_is_fitted(self)
        rows = validated_rows(self, X, reset=False, at_least=1, counted=False)
        return rows.map_rows(self._model.predict, self.n_clusters_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags = ClassifierTags()  # scikit-learn expects it beside predict_proba
        return tags


def _to_learn_from(
    rows: Rows, known: Supervision, random: np.random.RandomState
) -> tuple[Any, Supervision, Ints | None]:
    """The rows to learn from, what is known about them, and their numbers; None means all rows."""
    if isinstance(rows, LazyRows):
        some, known, numbers = subsample(rows, known, random, FIT_ROWS)
        return some.values, known, numbers
    if len(rows) <= FIT_ROWS:
        return rows.values, known, None
    numbers = rows_to_learn_from(len(rows), known, FIT_ROWS, random)
    return rows.values[numbers], known.on(numbers), numbers


def _labels_of(found: Groups, known: Supervision, y: Any) -> list[Any]:
    """The label in y of each group; None for groups without."""
    if y is None or isinstance(y, Constraints):
        return [None] * found.n_groups
    names = classes_and_codes(y)[0]
    return [None if code < 0 else names[code] for code in label_codes(found, known)]
