"""What the chosen space is compared with: no reduction, PCA, and classifiers on the labels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from pairspace.base import Supervision, placed_rows
from pairspace.constraints import Constraints
from pairspace.model_selection import cross_validate_pairs
from pairspace.tool.classifiers import ClassSpace

CLASSIFIERS = "labels alone, best of five classifiers"
LEAST_PLACED = 10  # rows with a known group, of which some are held out


class Score(NamedTuple):
    """The pair AUC of a space on held-out answers, with its standard error.

    Parameters
    ----------
    name : str
        The candidate or baseline.
    mean : float
        The pair AUC.
    standard_error : float
        Its standard error.
    chosen : bool
        Whether it is the chosen candidate.
    """

    name: str
    mean: float
    standard_error: float
    chosen: bool = False


def baselines(
    search: Any,
    model: Any = None,
    X: Any = None,
    labels: Any = None,
    constraints: Constraints | None = None,
) -> list[Score]:
    """Score what a chosen space has to beat, on held-out answers.

    Parameters
    ----------
    search : AutoReducer or None
        The search that chose the space. Without one there are no scores.
    model : Pipeline
        The chosen pipeline; its first steps make numbers of the columns.
    X : DataFrame or array of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,), default=None
        Classes; −1, None or NaN is unknown.
    constraints : Constraints, default=None
        The must-links and cannot-links.

    Returns
    -------
    list of Score
        The chosen candidate, PCA, the rows without a reduction, and classifiers of scikit-learn
        if enough rows have a label or are placed by the answers; the best first.
    """
    if search is None:
        return []
    board, columns = search.leaderboard_, ("name", "mean", "standard_error")
    found = [
        Score(str(name), float(mean), float(error), bool(chosen))
        for name, mean, error, chosen, method in zip(
            *(board[column] for column in (*columns, "chosen", "method")), strict=True
        )
        if (chosen or method == "PCA") and np.isfinite(mean)
    ]
    found += [
        Score(str(name), float(mean), float(error))
        for name, mean, error in zip(
            *(search.baselines_[column] for column in columns), strict=True
        )
    ]
    if found and X is not None:
        found += _of_classifiers(search, model, X, labels, constraints)
    return sorted(found, key=lambda score: -score.mean)


def _of_classifiers(
    search: Any, model: Any, X: Any, labels: Any, constraints: Constraints | None
) -> list[Score]:
    """The score of the best of scikit-learn's classifiers, where groups are known."""
    known = Supervision(labels, constraints, len(X))
    placed = placed_rows(known)
    if known.contradicted or len(placed.rows) < LEAST_PLACED:
        return []
    # The classifiers scale for themselves.
    steps = [step for _, step in getattr(model, "steps", [])[:-1]]
    first = [step for step in steps if not isinstance(step, StandardScaler)]
    pairs = Constraints(len(X)) if constraints is None else constraints
    try:
        score = cross_validate_pairs(
            make_pipeline(*first, ClassSpace()), X, pairs, y=labels,
            cv=search.cv, n_repeats=1, random_state=0,
        )  # fmt: skip
    except ValueError:  # a fold whose rows show no two groups
        return []
    return [Score(CLASSIFIERS, float(score.mean), float(score.standard_error))]
