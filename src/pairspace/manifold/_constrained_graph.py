"""Constraints on the edges of a graph: on single edges, and propagated along the graph."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, diags_array

from pairspace._core.data import slices
from pairspace._core.graphs import Edges
from pairspace._core.pairs import MAX_PAIRS, count_pairs, pair_keys, pairs_of_keys
from pairspace._core.typing import Floats, Ints
from pairspace.base import Supervision
from pairspace.constraints import Constraints

BLOCK = 4_000_000  # numbers to hold at a time
TOLERANCE = 1e-6  # the share of the sum that the last step of the propagation may add


def with_constraints(pull: Edges, known: Supervision) -> Edges:
    """The graph with an edge on each must-link, of its weight, and no edge on a cannot-link.

    Labels stand for all their pairs.
    """
    if not known:
        return pull
    must, weight = _must_pairs(known)
    kept = ~known.about(pull.pairs)
    pairs, weight = np.vstack([pull.pairs[kept], must]), np.append(pull.weight[kept], weight)
    return Edges(pull.n_samples, pairs, weight)


def with_propagated_constraints(pull: Edges, known: Supervision, alpha: float) -> Edges:
    r"""The graph with weights that constraints on nearby pairs have changed.

    Z is 1 on must-links and −1 on cannot-links. These values are propagated along the graph, from
    both ends of a pair; each step passes on a share :math:`\alpha`. With the normalised weights
    :math:`S = D^{-1/2} W D^{-1/2}` the limit is

    .. math:: F = (1 - \alpha)^2 (I - \alpha S)^{-1} Z (I - \alpha S)^{-1}

    (Lu and Ip, ECCV 2010). F is scaled so that its largest value on a given pair is 1. A positive
    :math:`F_{ij}` raises the weight to :math:`1 - (1 - F)(1 - w)`, a negative one lowers it to
    :math:`(1 + F)w`. Only the edges of the graph change, and the pairs of a neighbour of one end of
    a must-link and a neighbour of the other. F is never computed as a whole.
    """
    given = _all_pairs(known)
    if not len(given.must_link) + len(given.cannot_link):
        return pull
    new_pairs = _pairs_around(pull, given.must_link)
    pairs = np.vstack([pull.pairs, new_pairs])
    pull = Edges(pull.n_samples, pairs, np.append(pull.weight, np.zeros(len(new_pairs))))
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
    linked = np.flatnonzero(np.diff(Z.indptr))
    for block in slices(len(linked), BLOCK // n):
        columns = linked[block]
        unit = np.zeros((n, len(columns)))
        unit[columns, np.arange(len(columns))] = 1.0
        left = _propagated(S, alpha, Z[:, columns].toarray())
        right = _propagated(S, alpha, unit)
        for total, (one, other) in ((at_edges, (a, b)), (at_links, (i, j))):
            for some in slices(len(one), BLOCK // len(columns)):
                total[some] += np.einsum("ij,ij->i", left[one[some]], right[other[some]])
    F = np.clip(at_edges / np.abs(at_links).max(), -1, 1)
    weight = np.where(F > 0, 1 - (1 - F) * (1 - pull.weight), (1 + F) * pull.weight)
    return Edges(n, pull.pairs[weight > 0], weight[weight > 0])


def _must_pairs(known: Supervision) -> tuple[Ints, Floats]:
    n_pairs = int(count_pairs(known.classes.sizes).sum())
    if n_pairs > MAX_PAIRS:
        raise ValueError(
            f"the labels have {n_pairs:,} pairs within a class, but at most {MAX_PAIRS:,} can "
            "become edges: give fewer labels, or pairs (Constraints.from_labels)"
        )
    return known.must_pairs(MAX_PAIRS)


def _all_pairs(known: Supervision) -> Constraints:
    n = known.classes.n_known
    if count_pairs(n) > MAX_PAIRS:
        raise ValueError(
            f"{n:,} labels have {count_pairs(n):,} pairs, but at most {MAX_PAIRS:,} can be "
            "propagated: give fewer labels, pairs (Constraints.from_labels), or propagation=None"
        )
    return known.pairs | Constraints.from_labels(known.labels, fraction=1.0) if n else known.pairs


def _pairs_around(pull: Edges, links: Ints) -> Ints:
    """Pairs of a neighbour of one end of a link and a neighbour of the other, without edges."""
    n = pull.n_samples
    near = _adjacency(n, pull.pairs) + csr_array(diags_array(np.ones(n)))
    size = np.diff(near.indptr).astype(np.int64)
    n_pairs = int((size[links[:, 0]] * size[links[:, 1]]).sum())
    if n_pairs > MAX_PAIRS:
        raise ValueError(
            f"{len(links):,} must-links have {n_pairs:,} pairs of neighbours, but at most "
            f"{MAX_PAIRS:,} can be propagated to: give fewer links or labels, lower n_neighbors, "
            "or set propagation=None"
        )
    i, j = (near @ _adjacency(n, links) @ near).nonzero()
    keys = pair_keys(np.column_stack([i[i < j], j[i < j]]).astype(np.int64), n)
    edges = pair_keys(np.sort(pull.pairs, axis=1), n)
    return pairs_of_keys(np.sort(keys[~np.isin(keys, edges)]), n)


def _adjacency(n: int, pairs: Ints) -> csr_array:
    half = csr_array((np.ones(len(pairs)), pairs.T), shape=(n, n))
    return csr_array(half + half.T)


def _propagated(S: csr_array, alpha: float, start: Floats) -> Floats:
    """(1 − α)(I − αS)⁻¹ · start, as a series in αS."""
    total = term = (1 - alpha) * start
    for _ in range(int(np.ceil(np.log(TOLERANCE) / np.log(alpha)))):
        term = alpha * (S @ term)
        total = total + term
    return total
