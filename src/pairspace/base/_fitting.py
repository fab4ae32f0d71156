"""Fitting any scikit-learn transformer or pipeline with what is known."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from pairspace.base._supervision import Supervision
from pairspace.constraints import UNKNOWN


def labels_of(known: Supervision) -> NDArray[np.int64]:
    """Return the labels as integers to pass to another estimator.

    Parameters
    ----------
    known : Supervision
        What is known about the rows.

    Returns
    -------
    ndarray of int of shape (n_samples,)
        Classes from 2 on, −1 for unknown: a class 1 beside −1 would be taken for a binary label.
    """
    return np.where(known.labels == UNKNOWN, UNKNOWN, known.labels + 2)


def fitted(estimator: Any, X: Any, known: Supervision) -> Any:
    """Fit a clone of any transformer or pipeline with what is known.

    Parameters
    ----------
    estimator : estimator or Pipeline
        The estimator to clone.
    X : array-like of shape (n_samples, n_features)
        The data.
    known : Supervision
        What is known about the rows. The last step gets labels and pairs; the steps before it get
        labels, or pairs if there are no labels.

    Returns
    -------
    estimator
        The fitted clone.
    """
    estimator = clone(estimator)
    labels = labels_of(known) if known.classes.n_known else None
    pairs = known.pairs if len(known.pairs.must_link) + len(known.pairs.cannot_link) else None
    y, besides = (pairs, None) if labels is None else (labels, pairs)
    last = estimator
    if isinstance(estimator, Pipeline):
        last = estimator.steps[-1][1]
        if len(estimator) > 1:
            before = estimator[:-1]
            X = before.fit_transform(X, y)
            # A pipeline with a memory fits copies of its steps.
            estimator.steps[:-1] = before.steps
    # Not through the pipeline: how it takes a keyword depends on whether metadata is routed.
    if besides is not None and has_fit_parameter(last, "constraints"):
        last.fit(X, y, constraints=besides)
    else:
        last.fit(X, y)
    return estimator
