"""PairSpace's mixture, weighted by how well each grid point ranks held-out pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from pairspace._core.data import Rows
from pairspace._core.linalg import MixtureProblems
from pairspace._core.pairs import disjoint_links
from pairspace._core.threads import one_blas_thread
from pairspace._core.typing import Floats, Ints
from pairspace._within._covariance import Within
from pairspace._within._mixture import GridPoint, Mixture, Scatters
from pairspace.base import Supervision
from pairspace.constraints import Constraints
from pairspace.metrics import share_below

N_FOLDS = 4
MIN_JUDGED = 4  # held-out must-links, and cannot-links, without which nothing is weighted
MIN_ALONE = 20  # cannot-links without must-links: fewer do not choose better than the default
MIN_UNLEARNED = 200  # cannot-links without learned rows: fewer judge worse than biased ones
MAX_JUDGED = 1_000  # of each kind in a fold: enough to tell grid points apart
MAX_ORDER = 300  # above, grid points are compared in the leading directions of all the data …
LEADING = 200  # … so many of them
TEMPERATURE = 0.5  # a point so many standard errors ahead of the default has e times the weight
MOST_AHEAD = 50.0  # standard errors: beyond, more make no difference


class HeldOut(NamedTuple):
    """What is learned without some rows, and pairs of these rows to judge it by."""

    learned: Within
    must: Ints
    cannot: Ints
    n_independent: int  # of the must-links

    def share_of_shorter(self, Z: Rows, space: Floats) -> float:
        """How often a must-link is shorter than a cannot-link in a space."""
        (lengths,) = _squared_lengths(Z, self, [space])
        return float(np.mean(_shares(lengths, len(self.must))[0]))


def weighted_mixture(
    Z: Rows,
    known: Supervision,
    scatters: Scatters,
    grid: Sequence[GridPoint],
    n_components: int,
    random: np.random.RandomState,
    *,
    exact: bool = False,
) -> Mixture | None:
    """The mean of the grid points' mixtures, weighted by their scores on held-out must-links.

    Without must-links the scores are those of the cannot-links against random pairs.

    The first grid point is the default: it has half of the weight if the scores do not differ by
    more than chance. None if there are too few pairs, or a single grid point. Unless ``exact``,
    most eigenproblems are solved among the directions of a few of them: see MixtureProblems.
    """
    if len(grid) == 1:
        return None
    folds_of = held_out_folds if scatters.learned.weight else _unlearned_fold
    folds = list(folds_of(Z, known, random))
    n_must = sum(fold.n_independent for fold in folds)
    n_cannot = min((len(fold.cannot) for fold in folds), default=0)
    if n_must < MIN_JUDGED or n_cannot < MIN_JUDGED:
        return None

    n_leading = LEADING if len(scatters.total) > MAX_ORDER else None
    # For each grid point, how often each must-link is shorter, and each cannot-link is longer.
    of_must, of_cannot = [], []
    with one_blas_thread():
        problems = MixtureProblems(scatters.total, n_leading)
        _, near, identity = map(problems.reduced, scatters.parts)
        for fold in folds:
            seen = Scatters(scatters.total, scatters.near, fold.learned)
            # All that is mixed has one trace, of which the directions do not depend.
            must = problems.reduced(seen.parts[0]) * (scatters.scale / seen.scale)
            shares = np.array([point.mixture(seen).shares for point in grid])
            found = problems.solve([must, near, identity], shares, n_components, exact=exact)
            lengths = _squared_lengths(Z, fold, found)
            compared = [_shares(each, len(fold.must)) for each in lengths]
            of_must.append(np.array([must for must, _ in compared]))
            of_cannot.append(np.array([cannot for _, cannot in compared]))
    must, cannot = np.hstack(of_must), np.hstack(of_cannot)
    # All are judged by the same pairs, so what counts is how they differ from the default on them.
    must, cannot = must - must[0], cannot - cannot[0]
    error = np.sqrt(must.var(axis=1) / n_must + cannot.var(axis=1) / n_cannot)
    ahead = np.clip(must.mean(axis=1) / np.maximum(error, 1e-12), -MOST_AHEAD, MOST_AHEAD)

    prior = np.full(len(grid), 0.5 / (len(grid) - 1))
    prior[0] = 0.5
    weight = prior * np.exp(ahead / TEMPERATURE)
    weight /= weight.sum()
    mixtures = [point.mixture(scatters) for point in grid]
    return Mixture(
        must=float(weight @ [mixture.must for mixture in mixtures]),
        near=float(weight @ [mixture.near for mixture in mixtures]),
        identity=float(weight @ [mixture.identity for mixture in mixtures]),
    )


def held_out_folds(Z: Rows, known: Supervision, random: np.random.RandomState) -> Iterator[HeldOut]:
    """A quarter of the rows that something is known about is held out at a time.

    Nothing about a held-out row is learned from, so no pair of them follows from what is. The ends
    of as many must-links as can be, no two of them with a row in common, are held out together.
    """
    labelled = known.labels >= 0
    disjoint = disjoint_links(known.pairs.must_link, labelled, random, at_most=N_FOLDS * MAX_JUDGED)
    fold_of_row = np.full(len(labelled), -1)
    others = labelled.copy()
    others[known.pairs.must_link] = True
    fold_of_row[others] = _dealt(int(others.sum()), random)
    fold_of_row[disjoint] = _dealt(len(disjoint), random)[:, None]
    held_outs = [fold_of_row == fold for fold in range(N_FOLDS)]
    rest = [known.without(held_out) for held_out in held_outs]
    of_must_links = Within.of_must_links_without(Z, known, held_outs, rest)
    for held_out, seen, of_links in zip(held_outs, rest, of_must_links, strict=True):
        learned = Within.of_classes(Z, seen.classes) + of_links
        rows = np.flatnonzero(held_out & labelled)
        must_of_labels, cannot_of_labels = _pairs_of(known.labels, rows, random)
        must = disjoint[held_out[disjoint[:, 0]]]
        cannot = np.vstack([_unlearned(known.pairs.cannot_link, seen), cannot_of_labels])
        n_independent = len(must) + len(rows) - len(np.unique(known.labels[rows]))
        if learned.weight and n_independent and len(cannot):
            must = _some(np.vstack([must, must_of_labels]), random)
            yield HeldOut(learned, must, _some(cannot, random), n_independent)


def _unlearned_fold(
    Z: Rows, known: Supervision, random: np.random.RandomState
) -> Iterator[HeldOut]:
    """Without must-links nothing is learned: the cannot-links are compared with random pairs."""
    links = known.pairs.cannot_link
    if len(links) >= MIN_ALONE:
        pairs = random.randint(len(Z), size=(MAX_JUDGED, 2))
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        nothing = Within.of_must_links(Z, known)
        yield HeldOut(nothing, pairs, _some(links, random), len(pairs))


def _unlearned(links: Ints, seen: Supervision) -> Ints:
    """The cannot-links whose rows were not learned from, of which there must be some.

    Cannot-links are not learned from, but the must-links of their rows are, and a space fitted to
    many of these keeps learned rows apart from all others. If too few cannot-links have no learned
    row, those with one are taken, too, and then all.
    """
    learned = seen.labels >= 0
    learned[seen.pairs.must_link] = True
    one, other = learned[links.T].astype(np.int8)
    n_learned = one + other
    for at_most in (0, 1):
        if np.count_nonzero(n_learned <= at_most) >= MIN_UNLEARNED:
            return links[n_learned <= at_most]
    return links


def _pairs_of(labels: Ints, rows: Ints, random: np.random.RandomState) -> tuple[Ints, Ints]:
    """Must-links and cannot-links between labelled rows, as many as are judged."""
    size: dict[str, Any] = {"fraction": 1.0}
    if len(rows) * (len(rows) - 1) // 2 > 2 * MAX_JUDGED:
        size = {"per_class": -(-MAX_JUDGED // len(np.unique(labels[rows])))}
    drawn = Constraints.from_labels(labels[rows], **size, random_state=random)
    return rows[drawn.must_link], rows[drawn.cannot_link]


def _dealt(n: int, random: np.random.RandomState) -> Ints:
    """Folds for n things, as equal in size as can be."""
    return random.permutation(n) % N_FOLDS


def _some(pairs: Ints, random: np.random.RandomState) -> Ints:
    if len(pairs) <= MAX_JUDGED:
        return pairs
    return pairs[random.choice(len(pairs), MAX_JUDGED, replace=False)]


def _squared_lengths(Z: Rows, fold: HeldOut, spaces: Sequence[Floats]) -> Floats:
    """Of the must-links, then the cannot-links of a fold, in each space."""
    rows, pairs = np.unique(np.vstack([fold.must, fold.cannot]), return_inverse=True)
    i, j = pairs.reshape(-1, 2).T
    centred, directions = Z.centred(rows), np.hstack(spaces)
    if len(rows) > len(i):  # fewer differences than rows: these are projected
        difference = np.asarray((centred[i] - centred[j]) @ directions)
    else:
        projected = np.asarray(centred @ directions)
        difference = projected[i] - projected[j]
    difference = difference.reshape(len(i), len(spaces), -1)
    return np.einsum("psk,psk->sp", difference, difference)


def _shares(lengths: Floats, n_must: int) -> tuple[Floats, Floats]:
    """The share of longer cannot-links for each must-link, and of shorter must-links for each
    cannot-link; equal ones count half.
    """
    must, cannot = lengths[:n_must], lengths[n_must:]
    return 1 - share_below(must, cannot), share_below(cannot, must)
