"""How well clusters agree with classes, by contingency tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import fowlkes_mallows_score, rand_score
from sklearn.metrics.cluster import contingency_matrix, pair_confusion_matrix


def normalized_rand_index(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """½ · P(same cluster | same class) + ½ · P(different clusters | different classes).

    Equation 13 of the BWDR/WBDR paper with its normalisation made explicit. If there is no pair
    of one kind, the other half alone.
    """
    (apart, wrongly_joined), (wrongly_split, together) = pair_confusion_matrix(
        labels_true, labels_pred
    )
    halves = [
        right / (right + wrong)
        for right, wrong in ((together, wrongly_split), (apart, wrongly_joined))
        if right + wrong
    ]
    return float(np.mean(halves)) if halves else 1.0


def pair_f_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """The F-score of "are these two in the same cluster?" over all pairs."""
    (_, wrongly_joined), (wrongly_split, together) = pair_confusion_matrix(labels_true, labels_pred)
    pairs = 2 * together + wrongly_joined + wrongly_split
    return float(2 * together / pairs) if pairs else 1.0


def rand_index(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """The share of pairs on which classes and clusters agree."""
    return float(rand_score(labels_true, labels_pred))


def fowlkes_mallows(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """The geometric mean of precision and recall over pairs."""
    return float(fowlkes_mallows_score(labels_true, labels_pred))


def purity(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """The share of samples that belong to the largest class of their cluster."""
    table = contingency_matrix(labels_true, labels_pred, sparse=True)
    return float(table.max(axis=0).toarray().sum() / table.sum())
