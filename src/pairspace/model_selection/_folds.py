"""Folds of answers: what is held out can't be concluded from what is not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.random import RandomState

from pairspace._core.pairs import disjoint_links
from pairspace._core.typing import Ints
from pairspace.base import Supervision, labels_of
from pairspace.constraints import UNKNOWN, Constraints

MAX_LABEL_PAIRS = 4_000  # pairs of labelled rows to judge by: more tell methods apart no better


class Fold(NamedTuple):
    """What is learned from, and which of the pairs to judge by are held out."""

    seen: Supervision
    held_out: Ints


def judged_pairs(known: Supervision, random: RandomState) -> Constraints:
    """The given pairs, and pairs of labelled rows: all of them or a sample."""
    labels = labels_of(known)
    n_labelled = int(np.sum(labels != UNKNOWN))
    if n_labelled * (n_labelled - 1) // 2 <= MAX_LABEL_PAIRS:
        drawn = Constraints.from_labels(labels, fraction=1.0)
    else:
        per_class = -(-MAX_LABEL_PAIRS // (2 * len(np.unique(labels[labels != UNKNOWN]))))
        drawn = Constraints.from_labels(labels, per_class=per_class, random_state=random)
    return known.pairs | drawn


def folds(
    known: Supervision, pairs: Constraints, n_folds: int, random: RandomState
) -> Iterator[Fold]:
    """Hold out rows: nothing about them is learned from, every pair that touches them judges.

    So no pair that judges follows from what is learned from, whatever is implied. Folds without
    such a pair are left out.
    """
    fold_of_row = deal_rows(known, n_folds, random)
    links = np.vstack([pairs.must_link, pairs.cannot_link])
    for fold in range(n_folds):
        rows = fold_of_row == fold
        held_out = np.flatnonzero(rows[links].any(axis=1))
        if len(held_out):
            yield Fold(known.without(rows), held_out)


def deal_rows(known: Supervision, n_folds: int, random: RandomState) -> Ints:
    """A fold for each row that something is known about, −1 for the others.

    The rows of a class are spread, since a space should be judged by new rows of classes that it
    has seen. The two ends of a pair go together where they can, must-links first: a pair costs the
    learning less if it is held out once. Each kind is dealt evenly.
    """
    labels = known.labels
    fold_of_row = np.full(len(labels), -1)
    shuffled = random.permutation(np.flatnonzero(labels != UNKNOWN))
    by_class = shuffled[np.argsort(labels[shuffled], kind="stable")]
    fold_of_row[by_class] = np.arange(len(by_class)) % n_folds
    for links in (known.pairs.must_link, known.pairs.cannot_link):
        apart = disjoint_links(links, fold_of_row >= 0, random)
        fold_of_row[apart] = _dealt(len(apart), n_folds, random)[:, None]
    in_pairs = np.unique(np.vstack([known.pairs.must_link, known.pairs.cannot_link]))
    rest = in_pairs[fold_of_row[in_pairs] < 0]
    fold_of_row[rest] = _dealt(len(rest), n_folds, random)
    return fold_of_row


def _dealt(n: int, n_folds: int, random: RandomState) -> Ints:
    """Folds for n things, as equal in number as can be."""
    return (random.permutation(n) + random.randint(n_folds)) % n_folds
