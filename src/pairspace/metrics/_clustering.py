"""Agreement of clusters with classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics.cluster import contingency_matrix, pair_confusion_matrix

from pairspace._core.typing import Ints
from pairspace.constraints import cluster_codes


def normalized_rand_index(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Mean of P(same cluster | same class) and P(different clusters | different classes).

    This is equation 13 of the BWDR/WBDR paper with its normalisation made explicit.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        Classes.
    labels_pred : array-like of shape (n_samples,)
        Clusters.

    Returns
    -------
    float
        Between 0 and 1. If all samples are of one class, or each is of its own, only the
        probability that is defined counts.

    See Also
    --------
    sklearn.metrics.rand_score : The share of all pairs that classes and clusters agree on.
    """
    (apart, wrongly_joined), (wrongly_split, together) = pair_confusion_matrix(
        *_codes(labels_true, labels_pred)
    )
    halves = [
        right / (right + wrong)
        for right, wrong in ((together, wrongly_split), (apart, wrongly_joined))
        if right + wrong
    ]
    return float(np.mean(halves)) if halves else 1.0


def pair_f_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """F-score of the prediction "same cluster" for "same class", over all pairs of samples.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        Classes.
    labels_pred : array-like of shape (n_samples,)
        Clusters.

    Returns
    -------
    float
        The harmonic mean of precision and recall, between 0 and 1.

    See Also
    --------
    sklearn.metrics.fowlkes_mallows_score : The geometric mean of the same two.
    """
    (_, wrongly_joined), (wrongly_split, together) = pair_confusion_matrix(
        *_codes(labels_true, labels_pred)
    )
    pairs = 2 * together + wrongly_joined + wrongly_split
    return float(2 * together / pairs) if pairs else 1.0


def purity(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Share of samples that belong to the largest class of their cluster.

    Parameters
    ----------
    labels_true : array-like of shape (n_samples,)
        Classes.
    labels_pred : array-like of shape (n_samples,)
        Clusters.

    Returns
    -------
    float
        Between 0 and 1.
    """
    table = contingency_matrix(*_codes(labels_true, labels_pred), sparse=True)
    return float(table.max(axis=0).toarray().sum() / table.sum())


def _codes(labels_true: ArrayLike, labels_pred: ArrayLike) -> tuple[Ints, Ints]:
    true = cluster_codes(labels_true, "labels_true")
    found = cluster_codes(labels_pred, "labels_pred")
    if len(true) != len(found):
        raise ValueError(
            f"labels_true has {len(true)} rows, but labels_pred has {len(found)}: they must be "
            "about the same rows"
        )
    if not len(true):
        raise ValueError("labels_true and labels_pred must have a row or more; got none")
    return true, found
