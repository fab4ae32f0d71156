"""What SLE and SCPLE share: graphs of similar rows, within and between classes."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.metrics import euclidean_distances
from sklearn.utils._param_validation import Interval

from pairspace._core.data import Rows, slices, squared_norms
from pairspace._core.graphs import Edges
from pairspace._core.pairs import MAX_PAIRS, unique_pairs
from pairspace._core.rounding import TIE
from pairspace._core.typing import Bools, Floats, Ints, Seed
from pairspace.base import Needs, Supervision
from pairspace.constraints import UNKNOWN, Constraints
from pairspace.manifold._base import GraphReducer

BLOCK = 4_000_000  # similarities to hold at a time
ROUNDINGS = 8  # of a squared distance by a product, in units of the largest squared length


class ClassGraphReducer(GraphReducer):
    """Base of both: similar rows of one class should be close, of different classes apart.

    A row of unknown label should be close to all similar rows.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **{
            name: allowed
            for name, allowed in GraphReducer._parameter_constraints.items()
            if name not in ("bridge", "eigen_solver")
        },
        "n_neighbors": [None, Interval(Integral, 1, None, closed="left")],
        "gamma": [Interval(Real, 0, 1, closed="left")],
    }
    needs: ClassVar[Needs] = Needs(either=True, unlabelled=("neighbours",))
    bridge = False
    eigen_solver = "auto"

    def __init__(
        self,
        n_components: int = 2,
        *,
        gamma: float = 0.01,
        n_neighbors: int | None = None,
        sigma: float | str = "mean",
        propagation: float | None = None,
        random_state: Seed = None,
        verbose: bool = False,
    ) -> None:
        self.n_components = n_components
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.sigma = sigma
        self.propagation = propagation
        self.random_state = random_state
        self.verbose = verbose

    def _thresholds(self, similarity: Floats, same: Bools, other: Bools) -> Floats:
        """The similarities above which two rows get an edge, for some rows and all others."""
        raise NotImplementedError

    def _push_weight(self, squared: Floats) -> Floats:
        """The weights of edges between classes, from squared distances."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> Self:
        """Compute the embedding.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data.
        y : labels of shape (n_samples,), or Constraints, default=None
            Labels, or pairs; −1, None or NaN is an unknown label.
        constraints : Constraints, default=None
            Pairs in addition to labels. Must-links are edges that pull, cannot-links edges that
            push, of weight 1 or their own.

        Returns
        -------
        object
            The fitted estimator.
        """
        super().fit(X, y, constraints=constraints)
        self.eigenvalues_ = (1 - self.gamma) * (1 - self.eigenvalues_)
        return self

    def _graphs(self, rows: Rows, known: Supervision) -> tuple[Edges, Edges | None]:
        with self._stage("neighbours"):
            pairs = self._similar_pairs(rows, known.labels)
        self._labels = known.labels
        labels = known.labels[pairs]
        apart = (labels != UNKNOWN).all(axis=1) & (labels[:, 0] != labels[:, 1])
        together = pairs[~apart]
        pull = Edges(len(rows), together, self._heat(rows.squared_lengths(together)))
        return pull, self._push(rows, pairs[apart], known) if self.gamma else None

    def _push(self, rows: Rows, pairs: Ints, known: Supervision) -> Edges:
        pairs = pairs[~without_labels(known).about(pairs)]  # a cannot-link has its own weight
        weight = self._push_weight(rows.squared_lengths(pairs))
        pairs = np.vstack([pairs, known.pairs.cannot_link])
        weight = np.append(weight, known.pairs.cannot_weight)
        return Edges(len(rows), pairs, weight * self.gamma / (1 - self.gamma))

    def _edge_supervision(self, known: Supervision) -> Supervision:
        return without_labels(known)  # both graphs use the labels already

    def _embed_new(self, X: Any, near: Ints, squared: Floats) -> Floats:
        """The weighted mean of the nearest rows of the class with the largest sum of weights."""
        weight = np.exp((squared[:, :1] - squared) / self._squared_sigma)
        labels = self._labels[near]
        class_weight = (labels[:, :, None] == labels[:, None, :]) @ weight[:, :, None]
        class_weight = np.where(labels != UNKNOWN, class_weight[:, :, 0], -1.0)
        predicted = np.take_along_axis(labels, class_weight.argmax(axis=1)[:, None], axis=1)
        weight *= (labels == predicted) | (labels == UNKNOWN)
        weight /= weight.sum(axis=1, keepdims=True)
        return np.einsum("ij,ijk->ik", weight, self.embedding_[near])

    def _similar_pairs(self, rows: Rows, labels: Ints) -> Ints:
        """Pairs above a threshold of similarity, and each row with its nearest classmate."""
        n, X, found, n_found = len(rows), rows.values, [], 0
        equal = self._share_of_equals(X)
        for block in slices(n, BLOCK // n):
            some = np.arange(block.start, block.stop)
            squared = euclidean_distances(X[some], X, squared=True)
            similarity = np.exp(-squared / self._squared_sigma)
            similarity[np.arange(len(some)), some] = 0  # no row is its own neighbour
            known = (labels[some] != UNKNOWN)[:, None] & (labels != UNKNOWN)
            same = known & (labels[some][:, None] == labels)
            same[np.arange(len(some)), some] = False
            other = known & (labels[some][:, None] != labels)
            similar = similarity * equal > self._thresholds(similarity, same, other)
            if (k := self.n_neighbors) is not None:
                similar &= similarity >= np.partition(similarity, -k, axis=1)[:, -k, None] * equal
            with_mates = np.flatnonzero(same.any(axis=1))
            of_mates = np.where(same[with_mates], similarity[with_mates], -1)
            mate = np.argmax(of_mates >= of_mates.max(axis=1, keepdims=True) * equal, axis=1)
            similar[with_mates, mate] = True
            i, j = np.nonzero(similar)
            found.append(np.column_stack([some[i], j]))
            n_found += len(i)
            if n_found > MAX_PAIRS:
                raise ValueError(
                    f"the graph of {n:,} rows has more than {MAX_PAIRS:,} edges: set n_neighbors "
                    "to keep the nearest rows only"
                )
        return unique_pairs(np.vstack(found), n)

    def _share_of_equals(self, X: Any) -> float:
        """Similarities are equal if the smaller is at least this share of the larger.

        Rows that are equally near, as in whole numbers, differ by the rounding of their distances.
        """
        rounding = ROUNDINGS * np.finfo(np.float64).eps * float(squared_norms(X).max(initial=0.0))
        return float(np.exp(-TIE - rounding / self._squared_sigma))


def without_labels(known: Supervision) -> Supervision:
    """The pairs of some supervision, without its labels."""
    return Supervision(known.pairs, None, len(known.labels))
