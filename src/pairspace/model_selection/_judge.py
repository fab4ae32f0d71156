"""How well a space tells pairs apart that it has not seen, and how sure that is."""

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

N_ANY = 2_000  # pairs of any rows, which give lengths a scale
MIN_JUDGED = 4  # pairs of a kind, without which there is no telling


class Judge:
    """Pairs to judge by.

    Spaces of different folds have different scales. So the length of a held-out pair is replaced by
    its rank: the share of pairs of any rows that are shorter in the same space. The pairs of all
    folds are then judged together, however few a fold has.
    """

    def __init__(self, pairs: Constraints, random: RandomState) -> None:
        self.links = np.vstack([pairs.must_link, pairs.cannot_link])
        self.weight = np.concatenate([pairs.must_weight, pairs.cannot_weight])
        self.same = np.arange(len(self.links)) < len(pairs.must_link)
        first = random.randint(len(pairs), size=N_ANY)
        step = random.randint(1, max(len(pairs), 2), size=N_ANY)
        self.any = np.column_stack([first, (first + step) % len(pairs)])

    @property
    def n_must(self) -> int:
        return int(self.same.sum())

    @property
    def n_cannot(self) -> int:
        return len(self.same) - self.n_must

    @property
    def can_tell(self) -> bool:
        """Whether there are pairs enough; one kind will do, any pairs then stand for the other."""
        kinds = [n for n in (self.n_must, self.n_cannot) if n]
        return bool(kinds) and min(kinds) >= MIN_JUDGED

    def ranks(self, space: Any, X: Any, held_out: Ints) -> Floats:
        """The ranks of held-out pairs in a fitted space."""
        links = np.vstack([self.links[held_out], self.any])
        rows, links = np.unique(links, return_inverse=True)
        embedded = np.asarray(space.transform(_safe_indexing(X, rows)), dtype=np.float64)
        if not np.isfinite(embedded).all():
            raise ValueError("the space has coordinates that are not finite")
        lengths = rows_of(embedded).squared_lengths(links.reshape(-1, 2))
        return share_below(lengths[: len(held_out)], lengths[len(held_out) :])

    def placements(self, ranks: Floats) -> Floats:
        """For each pair, the share of pairs of the other kind that are on its right side.

        Their mean over either kind is the pair AUC: how often a must-link is shorter than a
        cannot-link. A kind that was not given is stood for by pairs of any rows.
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
        """The pair AUC, or the difference of two."""
        kind = self.same if self.n_must else ~self.same
        # Candidates often tie; then their order decides, not the rounding of the mean.
        return float(rounded(np.average(placements[kind], weights=self.weight[kind])))

    def of_fold(self, held_out: Ints, ranks: Floats) -> float:
        """The pair AUC of some pairs alone; NaN if they are of one kind and both were given."""
        same, weight = self.same[held_out], self.weight[held_out]
        if not (self.n_must and self.n_cannot):
            return float(np.average(ranks if self.n_cannot else 1 - ranks, weights=weight))
        if same.all() or not same.any():
            return np.nan
        return float(roc_auc_score(same, -ranks, sample_weight=weight))

    def standard_error(self, placements: Floats) -> float:
        """Of the mean of placements, or of differences of them; infinite with fewer than two.

        As DeLong has it, but pairs that share a row are no independent witnesses: the products of
        their deviations count too, never to make the error smaller.
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


def mean_ranks(n_pairs: int, judged: Sequence[tuple[Ints, Floats]]) -> Floats:
    """The ranks of all pairs, of a pair that several folds hold out the mean."""
    total, times = np.zeros(n_pairs), np.zeros(n_pairs)
    for held_out, ranks in judged:
        total[held_out] += ranks
        times[held_out] += 1
    return total / times
