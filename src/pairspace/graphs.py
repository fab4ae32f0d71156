r"""Who pulls and who pushes: weighted graphs over the samples, and their scatter matrices.

A graph with the weight :math:`w_{ij}` on each unordered pair has the Laplacian :math:`L = D - A`
and the scatter matrix

.. math:: X^\top L X = \sum_{i<j} w_{ij} (x_i - x_j)(x_i - x_j)^\top

which is d × d and is computed without any n × n matrix. Weights may be negative. Graphs add up
and can be scaled: ``Complete(n) + 2 * cannot - must``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array
from scipy.sparse.linalg import LinearOperator, aslinearoperator

from pairspace.rows import DenseRows, Rows, rows_of

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Graph(ABC):
    """Weights on pairs of ``n_samples`` samples."""

    def __init__(self, n_samples: int) -> None:
        self.n_samples = n_samples

    def scatter(self, X: Any) -> Floats:
        """XᵀLX. Of an array it has the array's float type; of ``Rows`` it is float64."""
        rows = rows_of(X)
        if len(rows) != self.n_samples:
            raise ValueError(f"X has {len(rows)} rows, but the graph has {self.n_samples} samples")
        scatter = self._scatter(rows)
        narrow = rows is not X and rows.dtype == np.float32
        return scatter.astype(np.float32) if narrow else scatter

    @abstractmethod
    def _scatter(self, rows: Rows) -> Floats: ...

    @abstractmethod
    def degrees(self) -> Floats:
        """The sum of the weights at each sample."""

    @abstractmethod
    def laplacian(self) -> csr_array | LinearOperator:
        """L, to multiply with: sparse, or an operator where a matrix would be full."""

    @property
    def total(self) -> float:
        """The sum of the weights over all unordered pairs."""
        return float(self.degrees().sum()) / 2

    @abstractmethod
    def __mul__(self, factor: float) -> Graph: ...

    @abstractmethod
    def _adjacency(self) -> Floats: ...

    def to_dense(self) -> Floats:
        """L as a full n × n matrix, built weight by weight. For tests."""
        adjacency = self._adjacency()
        return np.diag(adjacency.sum(axis=1)) - adjacency

    def normalized(self) -> Graph:
        """The same graph with weights that add up to 1; an empty graph stays empty."""
        return self * (1 / self.total) if self.total else self

    def __rmul__(self, factor: float) -> Graph:
        return self * factor

    def __neg__(self) -> Graph:
        return self * -1.0

    def __add__(self, other: Graph) -> Graph:
        if self.n_samples != other.n_samples:
            raise ValueError(f"graphs over {self.n_samples} and {other.n_samples} samples")
        return Sum([*_terms(self), *_terms(other)])

    def __sub__(self, other: Graph) -> Graph:
        return self + -other


class Edges(Graph):
    """A weight on each of some pairs."""

    def __init__(self, n_samples: int, pairs: Ints, weight: Floats) -> None:
        super().__init__(n_samples)
        self.pairs = pairs
        self.weight = weight

    def _scatter(self, rows: Rows) -> Floats:
        touched = np.bincount(self.pairs.ravel(), minlength=self.n_samples) > 0
        n_touched = int(np.count_nonzero(touched))
        # Differences cost pairs × d², the Laplacian twice touched rows × d².
        if isinstance(rows, DenseRows) and len(self.pairs) > 2 * n_touched:
            local = (np.cumsum(touched) - 1)[self.pairs]
            half = _half_laplacian(n_touched, local, self.weight)
            return rows.laplacian_gram(np.flatnonzero(touched), half)
        return rows.difference_gram(self.pairs, self.weight)

    def degrees(self) -> Floats:
        return _degrees(self.n_samples, self.pairs, self.weight)

    def laplacian(self) -> csr_array:
        half = _half_laplacian(self.n_samples, self.pairs, self.weight)
        return csr_array(half + half.T)

    def __mul__(self, factor: float) -> Edges:
        return Edges(self.n_samples, self.pairs, self.weight * factor)

    def _adjacency(self) -> Floats:
        adjacency = np.zeros((self.n_samples, self.n_samples))
        for (i, j), weight in zip(self.pairs, self.weight, strict=True):
            adjacency[i, j] += weight
            adjacency[j, i] += weight
        return adjacency


class Complete(Graph):
    """The same weight on every pair: n · weight times the scatter about the mean."""

    def __init__(self, n_samples: int, weight: float = 1.0) -> None:
        super().__init__(n_samples)
        self.weight = weight

    def _scatter(self, rows: Rows) -> Floats:
        return self.weight * self.n_samples * rows.gram

    def degrees(self) -> Floats:
        return np.full(self.n_samples, self.weight * (self.n_samples - 1))

    def laplacian(self) -> LinearOperator:
        n, weight = self.n_samples, self.weight
        return _operator(n, lambda v: weight * (n * v - v.sum(axis=0)))

    def __mul__(self, factor: float) -> Complete:
        return Complete(self.n_samples, self.weight * factor)

    def _adjacency(self) -> Floats:
        return self.weight * (1 - np.eye(self.n_samples))


class Classes:
    """A labelling, −1 for unknown, and the scatters about the means of its classes."""

    def __init__(self, codes: Ints) -> None:
        self.codes = codes
        self.sizes = np.bincount(codes[codes >= 0])
        self.n_known = int(self.sizes.sum())
        self._read: tuple[Rows, list[Floats]] | None = None

    def __len__(self) -> int:
        return len(self.codes)

    def scatters(self, rows: Rows) -> list[Floats]:
        """Scatters of all pairs within the classes, of all between them, and about the means.

        With the scatter T_c of class c about its mean, they are Σ n_c T_c; Σ (n − n_c) T_c
        + n · (scatter of the means); and Σ T_c. Nothing small is a difference of large numbers. All
        come from one reading of the rows and are kept for the graph that asks next.
        """
        if self._read is None or self._read[0] is not rows:
            self._read = rows, self._read_scatters(rows)
        return self._read[1]

    def _read_scatters(self, rows: Rows) -> list[Floats]:
        n, sizes = self.n_known, self.sizes
        (within, about), means = self.grams(rows, lambda size: size, lambda size: 1)
        between = n * about - within
        if n:
            spread = (means - sizes @ means / n) * np.sqrt(sizes)[:, None]
            of_means = spread.T @ spread
            between += n * of_means
            if n == len(rows):
                # The total scatter and the mean: no need to read the rows for them.
                rows.gram, rows.mean = about + of_means, sizes @ means / n
        return [within, between, about]

    def grams(
        self, rows: Rows, *coefficients: Callable[[int], float]
    ) -> tuple[list[Floats], Floats]:
        """Σ f(n_c) T_c for each function f of a class's size, and the means of the classes."""
        n_features = rows.shape[1]
        totals = [np.zeros((n_features, n_features)) for _ in coefficients]
        scaled = np.empty((n_features, n_features))
        means = np.zeros((len(self.sizes), n_features))
        for classes, members in self.members():
            about_means, means[classes] = rows.class_gram(members)
            for total, coefficient in zip(totals, coefficients, strict=True):
                total += np.multiply(about_means, coefficient(members.shape[1]), out=scaled)
        return totals, means

    def members(self) -> Iterator[tuple[Ints, Ints]]:
        """The rows of the classes of one size (a row of them a class), for each size there is."""
        order = np.argsort(self.codes, kind="stable")[len(self) - self.n_known :]
        start = np.cumsum(self.sizes) - self.sizes
        for size in np.unique(self.sizes[self.sizes > 0]):
            classes = np.flatnonzero(self.sizes == size)
            yield classes, order[start[classes][:, None] + np.arange(size)]


class ClassGraph(Graph):
    """A weight on the pairs within each class, and one on all pairs between classes."""

    def __init__(self, classes: Classes) -> None:
        super().__init__(len(classes))
        self.classes = classes

    @abstractmethod
    def _weights(self) -> tuple[Floats, float]:
        """The weight within each class, and the one between."""

    def degrees(self) -> Floats:
        codes = self.classes.codes
        within = np.append(self._weights()[0], 0)  # the unknown, −1, have none
        return self._multiply(np.ones(len(codes))) - within[codes]

    @property
    def total(self) -> float:
        within, between = self._weights()
        sizes = self.classes.sizes.astype(np.float64)
        same, every = sizes * (sizes - 1) / 2, sizes.sum() * (sizes.sum() - 1) / 2
        return float(within @ same + between * (every - same.sum()))

    def laplacian(self) -> LinearOperator:
        degrees = self._multiply(np.ones(self.n_samples))

        def multiply(v: Floats) -> Floats:
            return (degrees * v.T).T - self._multiply(v)

        return _operator(self.n_samples, multiply)

    def _multiply(self, v: Floats) -> Floats:
        """A·v, where each row has an edge to itself, too: it cancels in the Laplacian."""
        within, between = self._weights()
        codes = self.classes.codes
        known = np.flatnonzero(codes >= 0)
        if not known.size:
            return np.zeros_like(v)
        indicator = csr_array(
            (np.ones(len(known)), (codes[known], known)), shape=(len(within), len(v))
        )
        sums = indicator @ v
        of_class = ((within - between) * sums.T).T + between * sums.sum(axis=0)
        return indicator.T @ of_class

    def _adjacency(self) -> Floats:
        within, between = self._weights()
        adjacency = np.zeros((self.n_samples, self.n_samples))
        for i, a in enumerate(self.classes.codes):
            for j, b in enumerate(self.classes.codes):
                if i != j and a >= 0 and b >= 0:
                    adjacency[i, j] = within[a] if a == b else between
        return adjacency


class Blocks(ClassGraph):
    """One weight on all pairs within the classes, one on all pairs between them."""

    def __init__(self, classes: Classes, within: float = 0.0, between: float = 0.0) -> None:
        super().__init__(classes)
        self.within = within
        self.between = between

    def _weights(self) -> tuple[Floats, float]:
        return np.full(len(self.classes.sizes), self.within), self.between

    def _scatter(self, rows: Rows) -> Floats:
        within, between, _ = self.classes.scatters(rows)
        return self.within * within + self.between * between

    def __mul__(self, factor: float) -> Blocks:
        return Blocks(self.classes, self.within * factor, self.between * factor)


class Pooled(ClassGraph):
    """The weight 1/n_c on all pairs within class c: the scatter about the means of the classes."""

    def __init__(self, classes: Classes, weight: float = 1.0) -> None:
        super().__init__(classes)
        self.weight = weight

    def _weights(self) -> tuple[Floats, float]:
        return self.weight / np.maximum(self.classes.sizes, 1), 0.0

    def _scatter(self, rows: Rows) -> Floats:
        return self.weight * self.classes.scatters(rows)[2]

    def __mul__(self, factor: float) -> Pooled:
        return Pooled(self.classes, self.weight * factor)


class Sum(Graph):
    """Several graphs on top of each other."""

    def __init__(self, terms: list[Graph]) -> None:
        super().__init__(terms[0].n_samples)
        self.terms = terms

    def _scatter(self, rows: Rows) -> Floats:
        scatter = np.zeros((rows.shape[1], rows.shape[1]))
        # The total scatter comes last, for it may be found on the way.
        for term in sorted(self.terms, key=lambda term: isinstance(term, Complete)):
            scatter += term._scatter(rows)
        return scatter

    def laplacian(self) -> csr_array | LinearOperator:
        parts = [term.laplacian() for term in self.terms]
        if not all(isinstance(part, csr_array) for part in parts):
            parts = [aslinearoperator(part) for part in parts]
        return sum(parts[1:], start=parts[0])

    def degrees(self) -> Floats:
        return np.sum([term.degrees() for term in self.terms], axis=0)

    def __mul__(self, factor: float) -> Sum:
        return Sum([term * factor for term in self.terms])

    def _adjacency(self) -> Floats:
        return np.sum([term._adjacency() for term in self.terms], axis=0)


def _terms(graph: Graph) -> list[Graph]:
    return graph.terms if isinstance(graph, Sum) else [graph]


def _half_laplacian(n: int, pairs: Ints, weight: Floats) -> csr_array:
    """H with L = H + Hᵀ: half the degrees, and each edge once."""
    i, j = pairs.T.astype(np.int32 if n < 2**31 else np.int64)  # narrow indices are read faster
    edges = csr_array((weight, (i, j)), shape=(n, n))
    return csr_array(diags_array(_degrees(n, pairs, weight) / 2) - edges)


def _degrees(n: int, pairs: Ints, weight: Floats) -> Floats:
    ends = np.bincount(pairs.T.ravel(), np.tile(weight, 2), minlength=n)
    return ends.astype(np.float64, copy=False)


def _operator(n: int, multiply: Callable[[Floats], Floats]) -> LinearOperator:
    return LinearOperator((n, n), matvec=multiply, rmatvec=multiply, matmat=multiply, dtype=float)
