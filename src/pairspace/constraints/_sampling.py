"""Pairs drawn from labels, by their number and never by listing all of them."""

from __future__ import annotations

import numpy as np
from numpy.random import RandomState

from pairspace._core.pairs import count_pairs, pair_keys
from pairspace._core.typing import Ints
from pairspace.constraints._labels import UNKNOWN


def sample_pairs(codes: Ints, n_pairs: int, random: RandomState) -> tuple[Ints, Ints]:
    """``n_pairs`` different pairs of known rows, uniform over all of them: (must, cannot)."""
    known = np.flatnonzero(codes != UNKNOWN)
    pairs = known[_pair_of_rank(_draw(count_pairs(len(known)), n_pairs, random))]
    same = codes[pairs[:, 0]] == codes[pairs[:, 1]]
    return pairs[same], pairs[~same]


def sample_per_class(codes: Ints, per_class: int, random: RandomState) -> tuple[Ints, Ints]:
    """For each class ``per_class`` pairs inside it and as many with one end inside it.

    A class too small for that many gives all it has. No pair is drawn for two classes.
    """
    order = np.argsort(codes, kind="stable")
    order = order[codes[order] != UNKNOWN]
    starts = np.flatnonzero(np.diff(codes[order], prepend=UNKNOWN))
    stops = np.append(starts, len(order))[1:]  # of no class, none

    must, cannot = [np.empty((0, 2), np.int64)], [np.empty((0, 2), np.int64)]
    # The pairs of each class that an earlier class has drawn.
    taken: list[list[int]] = [[] for _ in starts]
    for label, (start, stop) in enumerate(zip(starts, stops, strict=True)):
        size, others = stop - start, len(order) - (stop - start)
        ranks = _draw(count_pairs(size), min(per_class, count_pairs(size)), random)
        must.append(order[start + _pair_of_rank(ranks)])

        # Draw some more than wanted, for some may be taken.
        wanted = min(per_class + len(taken[label]), size * others)
        ranks = random.permutation(_draw(size * others, wanted, random))
        outside = ranks % others if others else ranks
        outside = outside + np.where(outside >= start, size, 0)  # skip the class itself
        inside = start + (ranks // others if others else ranks)
        drawn = np.sort(np.column_stack([order[inside], order[outside]]), axis=1)
        keys = pair_keys(drawn, len(codes))
        new = np.flatnonzero(~np.isin(keys, taken[label]))[:per_class]
        cannot.append(drawn[new])
        for other, key in zip(codes[order[outside[new]]].tolist(), keys[new].tolist(), strict=True):
            taken[other].append(key)
    return np.vstack(must), np.vstack(cannot)


def _draw(population: int, n: int, random: RandomState) -> Ints:
    """``n`` different integers below ``population``, each set of them equally likely."""
    if n > population // 2:
        left_out = _draw(population, population - n, random)
        kept = np.ones(population, dtype=bool)
        kept[left_out] = False
        return np.flatnonzero(kept)
    drawn = np.empty(0, dtype=np.int64)
    while len(drawn) < n:
        more = random.randint(0, population, size=n + n // 8 + 8, dtype=np.int64)
        drawn = np.sort(np.concatenate([drawn, more]))  # np.unique hashes, which is slower here
        drawn = drawn[np.diff(drawn, prepend=-1) > 0]
    return drawn[np.sort(random.permutation(len(drawn))[:n])]


def _pair_of_rank(rank: Ints) -> Ints:
    """Number the pairs (0,1), (0,2), (1,2), (0,3), …: the pair (i, j) at each rank."""
    j = ((1 + np.sqrt(1 + 8 * rank.astype(np.float64))) / 2).astype(np.int64)
    j -= count_pairs(j) > rank  # the square root may be off by one for large ranks
    j += count_pairs(j + 1) <= rank
    return np.column_stack([rank - count_pairs(j), j])
