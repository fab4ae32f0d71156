"""Fitting any scikit-learn transformer or pipeline with what is known."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from pairspace.supervision import Supervision


def fitted(estimator: Any, X: Any, known: Supervision) -> Any:
    """A fitted clone. Its last step gets labels and pairs, steps before it what ``y`` can hold."""
    estimator = clone(estimator)
    labels = known.labels if known.classes.n_known else None
    pairs = known.pairs if len(known.pairs.must_link) + len(known.pairs.cannot_link) else None
    y, besides = (pairs, None) if labels is None else (labels, pairs)
    last = estimator
    if isinstance(estimator, Pipeline):
        last = estimator.steps[-1][1]
        if len(estimator) > 1:
            X = estimator[:-1].fit_transform(X, y)
    # Not through the pipeline: how it takes a keyword depends on whether metadata is routed.
    if besides is not None and has_fit_parameter(last, "constraints"):
        last.fit(X, y, constraints=besides)
    else:
        last.fit(X, y)
    return estimator
