"""What scikit-learn's classifiers make of labels alone: a rival in the demo and in the report."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from pairspace._core.typing import Floats, Ints
from pairspace.base import Supervision, placed_rows

MOST_ROWS = 1_000  # that are learned from: the support vector machine takes long with more
# Trees do not depend on the scaling; the others are tried with both.
GRID: list[dict[str, list[Any]]] = [
    {"scale": ["passthrough"], "learn": [RandomForestClassifier(100, random_state=0)]},
    {
        "scale": ["passthrough", StandardScaler()],
        "learn": [
            LogisticRegression(max_iter=500),
            SVC(C=10.0),
            KNeighborsClassifier(1),
            LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
        ],
    },
]


def best_classifier(X: Any, y: Ints) -> Any:
    """The best of five classifiers, raw or standardised, by cross-validation."""
    smallest = int(np.unique(y, return_counts=True)[1].min())
    folds = StratifiedKFold(max(2, min(5, smallest)), shuffle=True, random_state=0)
    steps = Pipeline([("scale", "passthrough"), ("learn", SVC())])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes of one row; iterations that end early
        return GridSearchCV(steps, GRID, cv=folds, error_score=0.0).fit(X, y)


class ClassSpace(TransformerMixin, BaseEstimator):
    """The probabilities of the classes by the best classifier, as the coordinates of a row.

    It learns from labelled rows and from rows that answers place in groups, and from nothing else.
    """

    def fit(self, X: Any, y: Any = None, *, constraints: Any = None) -> Self:
        """Choose and fit a classifier; an error if there are fewer than two groups."""
        placed = placed_rows(Supervision(y, constraints, X.shape[0]))
        if placed.n_groups < 2:
            raise ValueError("the answers place rows in fewer than two groups")
        some = np.random.RandomState(0).permutation(len(placed.rows))[:MOST_ROWS]
        self.search_ = best_classifier(_numbers(X)[placed.rows[some]], placed.groups[some])
        return self

    def transform(self, X: Any) -> Floats:
        """The probability of each class; of margins, the softmax."""
        X = _numbers(X)
        if hasattr(self.search_, "predict_proba"):
            return np.asarray(self.search_.predict_proba(X))
        margins = np.asarray(self.search_.decision_function(X))
        if margins.ndim == 1:
            margins = np.column_stack([-margins, margins])
        return np.asarray(softmax(margins, axis=1))


def _numbers(X: Any) -> Any:
    """A table of which rows can be taken by number."""
    return X.tocsr() if hasattr(X, "tocsr") else np.asarray(X)
