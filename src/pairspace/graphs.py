r"""Who pulls and who pushes: weighted graphs over the samples, and their scatter matrices.

A graph with the weight :math:`w_{ij}` on each unordered pair has the Laplacian :math:`L = D - A`
and the scatter matrix

.. math:: X^\top L X = \sum_{i<j} w_{ij} (x_i - x_j)(x_i - x_j)^\top

which is d × d and is computed without any n × n matrix. Weights may be negative. Graphs add up
and can be scaled: ``Complete(n) + 2 * cannot - must``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
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
    def laplacian(self) -> csr_array | LinearOperator:
        """L, to multiply with: sparse, or an operator where a matrix would be full."""

    @property
    @abstractmethod
    def total(self) -> float:
        """The sum of the weights over all unordered pairs."""

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

    def laplacian(self) -> csr_array:
        half = _half_laplacian(self.n_samples, self.pairs, self.weight)
        return csr_array(half + half.T)

    @property
    def total(self) -> float:
        return float(self.weight.sum())

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
        return self.weight * self.n_samples * rows.gram()

    def laplacian(self) -> LinearOperator:
        n, weight = self.n_samples, self.weight

        def multiply(v: Floats) -> Floats:
            return weight * (n * v - v.sum(axis=0))

        return _operator(n, multiply)

    @property
    def total(self) -> float:
        return self.weight * self.n_samples * (self.n_samples - 1) / 2

    def __mul__(self, factor: float) -> Complete:
        return Complete(self.n_samples, self.weight * factor)

    def _adjacency(self) -> Floats:
        return self.weight * (1 - np.eye(self.n_samples))


class Classes:
    """A labelling, −1 for unknown, and the scatters within and between its classes."""

    def __init__(self, codes: Ints) -> None:
        self.codes = codes
        self.sizes = np.bincount(codes[codes >= 0])
        self._read: tuple[Rows, Floats, Floats] | None = None

    def __len__(self) -> int:
        return len(self.codes)

    def scatters(self, rows: Rows) -> tuple[Floats, Floats]:
        """Scatters of all pairs within the classes and of all pairs between them.

        With the scatter T_c of class c about its mean, the first is Σ n_c T_c and the second
        Σ (n − n_c) T_c + n · (scatter of the means): sums of squares, so nothing cancels. Both
        come from one reading of the rows and are kept for the graph that asks next.
        """
        if self._read is None or self._read[0] is not rows:
            self._read = (rows, *self._read_scatters(rows))
        return self._read[1:]

    def _read_scatters(self, rows: Rows) -> tuple[Floats, Floats]:
        n_features = rows.shape[1]
        within, between = np.zeros((n_features, n_features)), np.zeros((n_features, n_features))
        n_known = int(self.sizes.sum())
        if not n_known:
            return within, between
        order = np.argsort(self.codes, kind="stable")[len(self) - n_known :]
        start = np.cumsum(self.sizes) - self.sizes
        means = np.zeros((len(self.sizes), n_features))
        for size in np.unique(self.sizes[self.sizes > 0]):  # classes of one size are read together
            classes = np.flatnonzero(self.sizes == size)
            members = order[start[classes][:, None] + np.arange(size)]
            about_means, means[classes] = rows.class_gram(members)
            within += size * about_means
            between += (n_known - size) * about_means
        spread = (means - self.sizes @ means / n_known) * np.sqrt(self.sizes)[:, None]
        return within, between + n_known * (spread.T @ spread)


class Blocks(Graph):
    """One weight on all pairs within the classes, one on all pairs between them."""

    def __init__(self, classes: Classes, within: float = 0.0, between: float = 0.0) -> None:
        super().__init__(len(classes))
        self.classes = classes
        self.within = within
        self.between = between

    def _scatter(self, rows: Rows) -> Floats:
        within, between = self.classes.scatters(rows)
        return self.within * within + self.between * between

    def laplacian(self) -> LinearOperator:
        codes = self.classes.codes
        known = codes >= 0
        member = np.flatnonzero(known), codes[known]
        shape = len(codes), max(len(self.classes.sizes), 1)
        indicator = csr_array((np.ones(len(member[0])), member), shape=shape)
        n_same = indicator @ indicator.sum(axis=0)
        degree = known * (self.within * n_same + self.between * (known.sum() - n_same))

        def multiply(v: Floats) -> Floats:
            same = indicator @ (indicator.T @ v)
            every = np.outer(known, v[known].sum(axis=0)).reshape(v.shape)
            neighbours = (self.within - self.between) * same + self.between * every
            return (degree * v.T).T - neighbours  # a row counts itself in both, which cancels

        return _operator(self.n_samples, multiply)

    @property
    def total(self) -> float:
        sizes = self.classes.sizes.astype(np.float64)
        same = float((sizes * (sizes - 1) / 2).sum())
        every = float(sizes.sum() * (sizes.sum() - 1) / 2)
        return self.within * same + self.between * (every - same)

    def __mul__(self, factor: float) -> Blocks:
        return Blocks(self.classes, self.within * factor, self.between * factor)

    def _adjacency(self) -> Floats:
        codes = self.classes.codes
        known = np.logical_and.outer(codes >= 0, codes >= 0)
        same = np.equal.outer(codes, codes)
        adjacency = np.where(same, self.within, self.between) * known
        np.fill_diagonal(adjacency, 0)
        return adjacency


class Sum(Graph):
    """Several graphs on top of each other."""

    def __init__(self, terms: list[Graph]) -> None:
        super().__init__(terms[0].n_samples)
        self.terms = terms

    def _scatter(self, rows: Rows) -> Floats:
        scatter = np.zeros((rows.shape[1], rows.shape[1]))
        for term in self.terms:
            scatter += term._scatter(rows)
        return scatter

    def laplacian(self) -> csr_array | LinearOperator:
        parts = [term.laplacian() for term in self.terms]
        if not all(isinstance(part, csr_array) for part in parts):
            parts = [aslinearoperator(part) for part in parts]
        return sum(parts[1:], start=parts[0])

    @property
    def total(self) -> float:
        return sum(term.total for term in self.terms)

    def __mul__(self, factor: float) -> Sum:
        return Sum([term * factor for term in self.terms])

    def _adjacency(self) -> Floats:
        return np.sum([term._adjacency() for term in self.terms], axis=0)


def _terms(graph: Graph) -> list[Graph]:
    return graph.terms if isinstance(graph, Sum) else [graph]


def _half_laplacian(n: int, pairs: Ints, weight: Floats) -> csr_array:
    """H with L = H + Hᵀ: half the degrees, and each edge once."""
    i, j = pairs.T.astype(np.int32 if n < 2**31 else np.int64)  # narrow indices are read faster
    degree = np.bincount(i, weight, minlength=n) + np.bincount(j, weight, minlength=n)
    return csr_array(diags_array(degree / 2) - csr_array((weight, (i, j)), shape=(n, n)))


def _operator(n: int, multiply: Any) -> LinearOperator:
    return LinearOperator((n, n), matvec=multiply, rmatvec=multiply, matmat=multiply, dtype=float)
