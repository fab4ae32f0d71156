"""What SLE and SCPLE share: graphs of rows that are more similar than most, split by class."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.metrics import euclidean_distances
from sklearn.utils._param_validation import Interval

from pairspace._core.data import Rows, slices
from pairspace._core.graphs import Edges
from pairspace._core.typing import Bools, Floats, Ints
from pairspace.base import Needs, Supervision
from pairspace.constraints import UNKNOWN, Constraints
from pairspace.manifold._base import GraphReducer
from pairspace.manifold._knowledge import MAX_PAIRS

BLOCK = 4_000_000  # similarities to hold at a time


class ClassGraphReducer(GraphReducer):
    """Base of both. Near rows of one class pull, near rows of different classes push.

    A row of unknown label is pulled by all that are near: nothing is known to speak against it.
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
    needs: ClassVar[Needs] = Needs(either=True, unlabelled=("neighbors",))
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
        random_state: Any = None,
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
        """Above which similarity rows are near, to be compared with all of some rows."""
        raise NotImplementedError

    def _push_weight(self, squared: Floats) -> Floats:
        """The weights of near rows of different classes."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> Self:
        """Find the embedding.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data.
        y : labels of shape (n_samples,), or Constraints, default=None
            Classes, of which some may be unknown (−1, None or NaN), or pairs.
        constraints : Constraints, default=None
            Pairs, which add to the labels: must-links pull with weight 1 or their own, cannot-links
            push with it.
        """
        super().fit(X, y, constraints=constraints)
        self.eigenvalues_ = (1 - self.gamma) * (1 - self.eigenvalues_)
        return self

    def _graphs(self, rows: Rows, known: Supervision) -> tuple[Edges, Edges | None]:
        with self._stage("neighbours"):
            pairs = self._near(rows, known.labels)
        self._labels = known.labels
        labels = known.labels[pairs]
        apart = (labels != UNKNOWN).all(axis=1) & (labels[:, 0] != labels[:, 1])
        together = pairs[~apart]
        pull = Edges(len(rows), together, self._heat(rows.squared_lengths(together)))
        return pull, self._push(rows, pairs[apart], known) if self.gamma else None

    def _push(self, rows: Rows, pairs: Ints, known: Supervision) -> Edges:
        pairs = pairs[~known_pairs(known).about(pairs)]  # a cannot-link has its own weight
        weight = self._push_weight(rows.squared_lengths(pairs))
        pairs = np.vstack([pairs, known.pairs.cannot_link])
        weight = np.append(weight, known.pairs.cannot_weight)
        return Edges(len(rows), pairs, weight * self.gamma / (1 - self.gamma))

    def _pairs_of(self, known: Supervision) -> Supervision:
        return known_pairs(known)  # labels have their say in the graphs already

    def _mean_of_neighbors(self, X: Any, found: Ints, squared: Floats) -> Floats:
        """Of those of the class that most of the near rows, by their weights, belong to."""
        weight = np.exp((squared[:, :1] - squared) / self._squared_sigma)
        labels = self._labels[found]
        votes = (labels[:, :, None] == labels[:, None, :]) @ weight[:, :, None]
        votes = np.where(labels != UNKNOWN, votes[:, :, 0], -1.0)
        winner = np.take_along_axis(labels, votes.argmax(axis=1)[:, None], axis=1)
        weight *= (labels == winner) | (labels == UNKNOWN)
        weight /= weight.sum(axis=1, keepdims=True)
        return np.einsum("ij,ijk->ik", weight, self.embedding_[found])

    def _near(self, rows: Rows, labels: Ints) -> Ints:
        """Pairs of which one is near to the other, and the nearest classmate of each row."""
        n, X, parts, n_pairs = len(rows), rows.values, [], 0
        for block in slices(n, BLOCK // n):
            some = np.arange(block.start, block.stop)
            squared = euclidean_distances(X[some], X, squared=True)
            similarity = np.exp(-squared / self._squared_sigma)
            similarity[np.arange(len(some)), some] = 0  # no row is its own neighbour
            known = (labels[some] != UNKNOWN)[:, None] & (labels != UNKNOWN)
            same = known & (labels[some][:, None] == labels)
            same[np.arange(len(some)), some] = False
            other = known & (labels[some][:, None] != labels)
            near = similarity > self._thresholds(similarity, same, other)
            if self.n_neighbors is not None:
                near &= (
                    similarity
                    >= np.partition(similarity, -self.n_neighbors, axis=1)[
                        :, -self.n_neighbors, None
                    ]
                )
            sociable = np.flatnonzero(same.any(axis=1))
            mate = np.argmax(np.where(same[sociable], similarity[sociable], -1), axis=1)
            near[sociable, mate] = True
            i, j = np.nonzero(near)
            parts.append(np.minimum(some[i], j) * n + np.maximum(some[i], j))
            n_pairs += len(i)
            if n_pairs > MAX_PAIRS:
                raise ValueError(
                    f"{type(self).__name__} joins all rows more similar than most, more than "
                    f"{MAX_PAIRS:,} pairs of these {n:,} rows: give n_neighbors to take the "
                    "nearest of them only"
                )
        keys = np.sort(np.concatenate(parts))
        keys = keys[np.append(True, keys[1:] != keys[:-1])]
        return np.column_stack(np.divmod(keys, n))


def known_pairs(known: Supervision) -> Supervision:
    """Without the labels."""
    return Supervision(known.pairs, None, len(known.labels))
