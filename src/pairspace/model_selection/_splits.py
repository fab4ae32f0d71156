"""Cross-validation splits in which no held-out pair is implied by the training pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.random import RandomState

from pairspace._core.pairs import disjoint_links
from pairspace._core.typing import Ints
from pairspace.base import Supervision, labels_of
from pairspace.constraints import UNKNOWN, Constraints

MAX_LABEL_PAIRS = 4_000  # pairs of labelled rows to score: more do not separate methods better


class Split(NamedTuple):
    """The supervision to train on, and which of the scored pairs are held out."""

    train: Supervision
    held_out: Ints


def scored_pairs(known: Supervision, random: RandomState) -> Constraints:
    """The pairs to score: the given ones, and all pairs of labelled rows or a sample of them."""
    labels = labels_of(known)
    n_labelled = int(np.sum(labels != UNKNOWN))
    if n_labelled * (n_labelled - 1) // 2 <= MAX_LABEL_PAIRS:
        drawn = Constraints.from_labels(labels, fraction=1.0)
    else:
        per_class = -(-MAX_LABEL_PAIRS // (2 * len(np.unique(labels[labels != UNKNOWN]))))
        drawn = Constraints.from_labels(labels, per_class=per_class, random_state=random)
    return known.pairs | drawn


def split_pairs(
    known: Supervision, pairs: Constraints, n_folds: int, random: RandomState
) -> Iterator[Split]:
    """Hold out all that is known about some rows, and score every pair that has one of them.

    So no scored pair is given or implied by the training supervision. Folds without a pair to
    score are skipped.
    """
    fold_of_row = assign_folds(known, n_folds, random)
    links = np.vstack([pairs.must_link, pairs.cannot_link])
    for fold in range(n_folds):
        rows = fold_of_row == fold
        held_out = np.flatnonzero(rows[links].any(axis=1))
        if len(held_out):
            yield Split(known.without(rows), held_out)


def assign_folds(known: Supervision, n_folds: int, random: RandomState) -> Ints:
    """A fold for each row with a label or a pair, −1 for the others.

    The rows of a class are spread over the folds, so that methods are scored on new rows of classes
    in the training supervision. Both ends of a pair are in one fold where possible, must-links
    first: such a pair is held out once instead of twice. Each kind is spread evenly.
    """
    labels = known.labels
    fold_of_row = np.full(len(labels), -1)
    shuffled = random.permutation(np.flatnonzero(labels != UNKNOWN))
    by_class = shuffled[np.argsort(labels[shuffled], kind="stable")]
    fold_of_row[by_class] = np.arange(len(by_class)) % n_folds
    for links in (known.pairs.must_link, known.pairs.cannot_link):
        apart = disjoint_links(links, fold_of_row >= 0, random)
        fold_of_row[apart] = _balanced_folds(len(apart), n_folds, random)[:, None]
    in_pairs = np.unique(np.vstack([known.pairs.must_link, known.pairs.cannot_link]))
    rest = in_pairs[fold_of_row[in_pairs] < 0]
    fold_of_row[rest] = _balanced_folds(len(rest), n_folds, random)
    return fold_of_row


def _balanced_folds(n: int, n_folds: int, random: RandomState) -> Ints:
    """Random folds of n items, as equal in size as possible."""
    return (random.permutation(n) + random.randint(n_folds)) % n_folds
