r"""What is known, put into a graph: directly, and through its neighbours."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, diags_array

from pairspace._core.data import slices
from pairspace._core.graphs import Edges
from pairspace._core.typing import Floats, Ints
from pairspace.base import Supervision
from pairspace.constraints import Constraints

MAX_PAIRS = 10_000_000
BLOCK = 4_000_000  # numbers to hold at a time
TOLERANCE = 1e-6  # of what has not yet arrived


def linked(pull: Edges, known: Supervision) -> Edges:
    """The graph with what is known: its must-links with their weight, no edge on a cannot-link.

    Labels are all their pairs.
    """
    if not known:
        return pull
    must, weight = _must_pairs(known)
    kept = ~known.about(pull.pairs)
    pairs, weight = np.vstack([pull.pairs[kept], must]), np.append(pull.weight[kept], weight)
    return Edges(pull.n_samples, pairs, weight)


def propagated(pull: Edges, known: Supervision, alpha: float) -> Edges:
    r"""The weights, where the neighbours of what is known are moved as well.

    Pairs are values Z, 1 for a must-link and −1 for a cannot-link, that travel along the graph: a
    share :math:`\alpha` at each step, first from the one end and then from the other. With the
    normalised weights :math:`S = D^{-1/2} W D^{-1/2}` they come to rest at

    .. math:: F = (1 - \alpha)^2 (I - \alpha S)^{-1} Z (I - \alpha S)^{-1}

    (Lu and Ip, ECCV 2010). Scaled so that the largest of the given pairs is 1, a positive
    :math:`F_{ij}` raises the weight to :math:`1 - (1 - F)(1 - w)`, a negative one lowers it to
    :math:`(1 + F)w`. That is done to the edges of the graph and to the pairs around a must-link, of
    which one is a neighbour of its one end and one of its other. F as a whole is never made.
    """
    if not known:
        return pull
    given = _all_pairs(known)
    around = _around(pull, given.must_link)
    pairs = np.vstack([pull.pairs, around])
    pull = Edges(pull.n_samples, pairs, np.append(pull.weight, np.zeros(len(around))))
    pairs = np.vstack([given.must_link, given.cannot_link])
    sign = np.append(given.must_weight, -given.cannot_weight)
    n = pull.n_samples
    i, j = pairs.T
    half = csr_array((sign, (i, j)), shape=(n, n))
    Z = csr_array(half + half.T)
    root = 1 / np.sqrt(np.maximum(pull.degrees(), np.finfo(float).tiny))
    a, b = pull.pairs.T
    scaled = csr_array((pull.weight * root[a] * root[b], (a, b)), shape=(n, n))
    S = csr_array(scaled + scaled.T)
    at_edges, at_links = np.zeros(len(pull.pairs)), np.zeros(len(pairs))
    touched = np.flatnonzero(np.diff(Z.indptr))
    for block in slices(len(touched), BLOCK // n):
        columns = touched[block]
        unit = np.zeros((n, len(columns)))
        unit[columns, np.arange(len(columns))] = 1.0
        left = _at_rest(S, alpha, Z[:, columns].toarray())
        right = _at_rest(S, alpha, unit)
        for total, (one, other) in ((at_edges, (a, b)), (at_links, (i, j))):
            for some in slices(len(one), BLOCK // len(columns)):
                total[some] += np.einsum("ij,ij->i", left[one[some]], right[other[some]])
    F = np.clip(at_edges / np.abs(at_links).max(), -1, 1)
    weight = np.where(F > 0, 1 - (1 - F) * (1 - pull.weight), (1 + F) * pull.weight)
    return Edges(n, pull.pairs[weight > 0], weight[weight > 0])


def _must_pairs(known: Supervision) -> tuple[Ints, Floats]:
    sizes = known.classes.sizes
    n_pairs = int((sizes * (sizes - 1) // 2).sum())
    if n_pairs > MAX_PAIRS:
        raise ValueError(
            f"the labels have {n_pairs:,} pairs of one class, too many to join each: give no "
            "labels, fewer of them, or pairs instead (Constraints.from_labels)"
        )
    return known.must_pairs(MAX_PAIRS)


def _all_pairs(known: Supervision) -> Constraints:
    n = known.classes.n_known
    if n * (n - 1) // 2 > MAX_PAIRS:
        raise ValueError(
            f"{n:,} labels have {n * (n - 1) // 2:,} pairs, too many to propagate each: give fewer "
            "labels, pairs instead (Constraints.from_labels), or propagation=None"
        )
    return known.pairs | Constraints.from_labels(known.labels, fraction=1.0) if n else known.pairs


def _around(pull: Edges, links: Ints) -> Ints:
    """Pairs of a neighbour of the one end of a link and one of the other that are no edges."""
    n = pull.n_samples
    near = _pattern(n, pull.pairs) + csr_array(diags_array(np.ones(n)))
    size = np.diff(near.indptr).astype(np.int64)
    n_pairs = int((size[links[:, 0]] * size[links[:, 1]]).sum())
    if n_pairs > MAX_PAIRS:
        raise ValueError(
            f"there are {n_pairs:,} pairs around {len(links):,} must-links, too many to propagate "
            "to each: give fewer links or labels, fewer n_neighbors, or propagation=None"
        )
    i, j = (near @ _pattern(n, links) @ near).nonzero()
    keys = i[i < j].astype(np.int64) * n + j[i < j]
    edges = np.sort(pull.pairs, axis=1)
    keys = keys[~np.isin(keys, edges[:, 0] * n + edges[:, 1])]
    return np.column_stack(np.divmod(np.sort(keys), n))


def _pattern(n: int, pairs: Ints) -> csr_array:
    half = csr_array((np.ones(len(pairs)), pairs.T), shape=(n, n))
    return csr_array(half + half.T)


def _at_rest(S: csr_array, alpha: float, start: Floats) -> Floats:
    """(1 − α)(I − αS)⁻¹ · start, by the steps themselves: each brings a share α less."""
    arrived = moving = (1 - alpha) * start
    for _ in range(int(np.ceil(np.log(TOLERANCE) / np.log(alpha)))):
        moving = alpha * (S @ moving)
        arrived = arrived + moving
    return arrived
