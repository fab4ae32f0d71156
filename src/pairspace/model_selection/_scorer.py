"""The pair AUC on held-out pairs, and its standard error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.random import RandomState
from sklearn.metrics import roc_auc_score
from sklearn.utils import _safe_indexing

from pairspace._core.data import rows_of
from pairspace._core.rounding import rounded
from pairspace._core.typing import Floats, Ints
from pairspace.constraints import Constraints
from pairspace.metrics import share_below

N_REFERENCE = 2_000  # random pairs of rows, against which distances are ranked
MIN_PAIRS = 4  # of a kind, without which methods are not compared


class PairScorer:
    """Score spaces on held-out pairs.

    Spaces of different folds have different scales. So the distance of a held-out pair is replaced
    by its rank: the share of random pairs of rows that are shorter in the same space. The AUC is
    then computed on the pairs of all folds together, so a fold may have only one pair.
    """

    def __init__(self, pairs: Constraints, random: RandomState) -> None:
        self.links = np.vstack([pairs.must_link, pairs.cannot_link])
        self.weight = np.concatenate([pairs.must_weight, pairs.cannot_weight])
        self.same = np.arange(len(self.links)) < len(pairs.must_link)
        first = random.randint(len(pairs), size=N_REFERENCE)
        step = random.randint(1, max(len(pairs), 2), size=N_REFERENCE)
        self.reference = np.column_stack([first, (first + step) % len(pairs)])

    @property
    def n_must(self) -> int:
        return int(self.same.sum())

    @property
    def n_cannot(self) -> int:
        return len(self.same) - self.n_must

    @property
    def has_enough_pairs(self) -> bool:
        """Whether there are enough pairs, of both kinds or of the only kind."""
        kinds = [n for n in (self.n_must, self.n_cannot) if n]
        return bool(kinds) and min(kinds) >= MIN_PAIRS

    def ranks(self, space: Any, X: Any, held_out: Ints) -> Floats:
        """The ranks of held-out pairs in a fitted space."""
        links = np.vstack([self.links[held_out], self.reference])
        rows, links = np.unique(links, return_inverse=True)
        embedded = np.asarray(space.transform(_safe_indexing(X, rows)), dtype=np.float64)
        if not np.isfinite(embedded).all():
            raise ValueError("the embedding has values that are not finite")
        lengths = rows_of(embedded).squared_lengths(links.reshape(-1, 2))
        return share_below(lengths[: len(held_out)], lengths[len(held_out) :])

    def placements(self, ranks: Floats) -> Floats:
        """For each pair, the share of pairs of the other kind that it is ordered correctly with.

        Their mean over either kind is the pair AUC: the probability that a must-link is shorter
        than a cannot-link. If one kind is missing, random pairs of rows take its place.
        """
        same, ranks = self.same, np.asarray(ranks)
        if not self.n_cannot:
            return 1 - ranks
        if not self.n_must:
            return ranks
        placed = np.empty(len(ranks))
        placed[same] = 1 - share_below(ranks[same], ranks[~same], self.weight[~same])
        placed[~same] = share_below(ranks[~same], ranks[same], self.weight[same])
        return placed

    def mean(self, placements: Floats) -> float:
        """The pair AUC of placements, or the difference of two from differences of placements."""
        kind = self.same if self.n_must else ~self.same
        # Candidates often tie; then their order decides, not the rounding of the mean.
        return float(rounded(np.average(placements[kind], weights=self.weight[kind])))

    def fold_auc(self, held_out: Ints, ranks: Floats) -> float:
        """The pair AUC of one fold; NaN if its pairs are of one kind, but both kinds were given."""
        same, weight = self.same[held_out], self.weight[held_out]
        if not (self.n_must and self.n_cannot):
            return float(np.average(ranks if self.n_cannot else 1 - ranks, weights=weight))
        if same.all() or not same.any():
            return np.nan
        return float(roc_auc_score(same, -ranks, sample_weight=weight))

    def standard_error(self, placements: Floats) -> float:
        """The standard error of :meth:`mean`; infinite with fewer than two pairs of a kind.

        This is DeLong's estimate, corrected for pairs that share a row and are not independent:
        the products of their deviations are added where that makes the error larger.
        """
        influence = np.zeros(len(placements))
        for kind in (self.same, ~self.same):
            n = int(kind.sum())
            if n == 1:
                return np.inf
            if n:
                share = self.weight[kind] / self.weight[kind].sum()
                centred = placements[kind] - share @ placements[kind]
                influence[kind] = share * centred * np.sqrt(n / (n - 1))
        independent = influence @ influence
        of_rows = np.bincount(self.links.ravel(), np.repeat(influence, 2))
        return float(np.sqrt(max(of_rows @ of_rows - independent, independent)))


def mean_ranks(n_pairs: int, scored: Sequence[tuple[Ints, Floats]]) -> Floats:
    """The rank of each pair, averaged over the folds that hold it out."""
    total, times = np.zeros(n_pairs), np.zeros(n_pairs)
    for held_out, ranks in scored:
        total[held_out] += ranks
        times[held_out] += 1
    return total / times
