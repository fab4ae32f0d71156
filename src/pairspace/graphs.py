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

from pairspace.rows import DenseRows, Rows, class_indicator, rows_of, working_bytes

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

    def scatter_operator(self, rows: Rows) -> LinearOperator:
        """XᵀLX of the centred rows, to multiply with, where its d × d entries are too many."""
        L = self.laplacian()
        return _operator(rows.shape[1], lambda v: rows.combine(L @ rows.multiply(v)))

    @abstractmethod
    def degrees(self) -> Floats:
        """The sum of the weights at each sample."""

    def degree_gram(self, rows: Rows) -> Floats:
        """XᵀDX of the centred rows, where D has the degrees, which may not be negative."""
        return rows.weighted_gram(self.degrees())

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
        return _sum([*_terms(self), *_terms(other)])

    def _plus(self, other: Graph) -> Graph | None:
        """The sum as one graph of this kind, which reads the rows once; None if it is not one."""
        return None

    def __sub__(self, other: Graph) -> Graph:
        return self + -other


class Edges(Graph):
    """A weight on each of some pairs."""

    def __init__(self, n_samples: int, pairs: Ints, weight: Floats) -> None:
        super().__init__(n_samples)
        self.pairs = pairs
        self.weight = weight

    def _scatter(self, rows: Rows) -> Floats:
        if not isinstance(rows, DenseRows):
            return rows.difference_gram(self.pairs, self.weight)
        touched = np.bincount(self.pairs.ravel(), minlength=self.n_samples) > 0
        n_touched = int(np.count_nonzero(touched))
        # Differences cost pairs × d², the Laplacian twice touched rows × d².
        if len(self.pairs) > 2 * n_touched:
            local = (np.cumsum(touched) - 1)[self.pairs]
            half = _half_laplacian(n_touched, local, self.weight)
            return rows.laplacian_gram(np.flatnonzero(touched), half)
        return rows.difference_gram(self.pairs, self.weight)

    def degrees(self) -> Floats:
        return _degrees(self.n_samples, self.pairs, self.weight)

    @property
    def total(self) -> float:
        return float(self.weight.sum())

    def laplacian(self) -> csr_array:
        half = _half_laplacian(self.n_samples, self.pairs, self.weight)
        return csr_array(half + half.T)

    def __mul__(self, factor: float) -> Edges:
        return Edges(self.n_samples, self.pairs, self.weight * factor)

    def _plus(self, other: Graph) -> Graph | None:
        if not isinstance(other, Edges):
            return None
        pairs = np.vstack([self.pairs, other.pairs])
        return Edges(self.n_samples, pairs, np.concatenate([self.weight, other.weight]))

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

    def _plus(self, other: Graph) -> Graph | None:
        if isinstance(other, Blocks):
            return other._plus(self)
        if isinstance(other, Complete):
            return Complete(self.n_samples, self.weight + other.weight)
        return None

    def _adjacency(self) -> Floats:
        return self.weight * (1 - np.eye(self.n_samples))


class Classes:
    """A labelling, −1 for unknown, and the scatters T_c about the means of its classes."""

    def __init__(self, codes: Ints) -> None:
        self.codes = codes
        self.sizes = np.bincount(codes[codes >= 0])
        self.n_known = int(self.sizes.sum())
        self._read: tuple[Rows, ClassReading] | None = None

    def __len__(self) -> int:
        return len(self.codes)

    def read(self, rows: Rows) -> ClassReading:
        """The rows by classes, kept for the graph that asks next about the same rows."""
        if self._read is None or self._read[0] is not rows:
            classes, some = self.at_hand(rows)
            kind = ReadBySize if classes._worth_a_product_each(some) else ReadByRow
            self._read = rows, kind(classes, some)
        return self._read[1]

    def at_hand(self, rows: Rows) -> tuple[Classes, Rows]:
        """These classes and the rows, or only the rows of a class where these alone are at hand."""
        if rows.in_memory:
            return self, rows
        known = np.flatnonzero(self.codes >= 0)
        few = rows.at_hand(known)
        return (self, rows) if few is None else (Classes(self.codes[known]), few)

    def _worth_a_product_each(self, rows: Rows) -> bool:
        """Whether a matrix for each size of a class is little beside the reading of the rows."""
        n_sizes = len(_distinct(self.sizes))
        if rows.in_memory:
            return self.n_known >= n_sizes * rows.shape[1]
        return 4 * n_sizes * 8 * rows.shape[1] ** 2 <= working_bytes()

    def members(self) -> Iterator[tuple[Ints, Ints]]:
        """The rows of the classes of one size (a row of them a class), for each size there is."""
        order = np.argsort(self.codes, kind="stable")[len(self) - self.n_known :]
        start = np.cumsum(self.sizes) - self.sizes
        for size in _distinct(self.sizes):
            classes = np.flatnonzero(self.sizes == size)
            yield classes, order[start[classes][:, None] + np.arange(size)]


class ClassReading(ABC):
    """Rows read by classes. Nothing small is a difference of large numbers."""

    means: Floats

    @abstractmethod
    def about_means(self, coefficient: Callable[[Any], Any]) -> Floats:
        """Σ f(n_c) T_c for a function f of the class's size."""

    def of_means(self, sizes: Ints) -> Floats:
        """Σ n_c (m_c − m)(m_c − m)ᵀ, where m is the mean of the rows of all classes."""
        spread = (self.means - sizes @ self.means / sizes.sum()) * np.sqrt(sizes)[:, None]
        return spread.T @ spread


class ReadBySize(ClassReading):
    """One reading, from which any coefficients follow: Σ T_c for each size of a class.

    For rows that are many beside the features, so that these matrices are small beside X.
    """

    def __init__(self, classes: Classes, rows: Rows) -> None:
        self.means = np.zeros((len(classes.sizes), rows.shape[1]))
        self._of_size: dict[int, Floats] = {}
        some, members = zip(*classes.members(), strict=True)
        for at, table, read in zip(some, members, rows.class_grams(members), strict=True):
            self._of_size[table.shape[1]], self.means[at] = read
        self._zero = np.zeros((rows.shape[1], rows.shape[1]))
        few = len(classes.sizes) <= len(rows) // 10
        if few and classes.n_known == len(rows):
            # The total scatter and the mean: no need to read the rows for them.
            rows.mean = classes.sizes @ self.means / len(rows)
            rows.gram = self.about_means(lambda size: 1) + self.of_means(classes.sizes)

    def about_means(self, coefficient: Callable[[Any], Any]) -> Floats:
        parts = (gram * coefficient(size) for size, gram in self._of_size.items())
        return sum(parts, start=self._zero)


class ReadByRow(ClassReading):
    """One reading for the means and one for each question: a single product, however many classes.

    For features that are many beside the rows of a class: a product a class would take as long
    to add up as to multiply.
    """

    def __init__(self, classes: Classes, rows: Rows) -> None:
        self._classes, self._rows = classes, rows
        self.means = rows.class_means(classes.codes, classes.sizes)

    def about_means(self, coefficient: Callable[[Any], Any]) -> Floats:
        sizes, codes = self._classes.sizes, self._classes.codes
        of_class = np.where(sizes > 0, coefficient(np.maximum(sizes, 1)), 0.0)
        return self._rows.deviation_gram(codes, self.means, np.append(of_class, 0.0)[codes])


class Blocks(Graph):
    """Weights by classes: on the pairs within each class, and on all pairs between classes.

    Within class c the weight is ``within + pooled / n_c``: ``pooled`` alone is the scatter about
    the means of the classes. Rows of unknown class have no edges.
    """

    def __init__(
        self, classes: Classes, *, within: float = 0.0, between: float = 0.0, pooled: float = 0.0
    ) -> None:
        super().__init__(len(classes))
        self.classes = classes
        self.within = within
        self.between = between
        self.pooled = pooled

    def _scatter(self, rows: Rows) -> Floats:
        n = self.classes.n_known
        if not n:
            return np.zeros((rows.shape[1], rows.shape[1]))
        reading = self.classes.read(rows)
        scatter = reading.about_means(
            lambda size: self.within * size + self.pooled + self.between * (n - size)
        )
        if self.between:
            scatter += self.between * n * reading.of_means(self.classes.sizes)
        return scatter

    def degree_gram(self, rows: Rows) -> Floats:
        if not self.classes.n_known:
            return np.zeros((rows.shape[1], rows.shape[1]))
        reading, sizes = self.classes.read(rows), self.classes.sizes
        means = reading.means - rows.mean
        return reading.about_means(self._degree) + (means.T * (self._degree(sizes) * sizes)) @ means

    def degrees(self) -> Floats:
        of_class = self._degree(self.classes.sizes)
        return np.append(of_class, 0.0)[self.classes.codes]  # the unknown, −1, have none

    def _degree(self, size: Any) -> Any:
        """The sum of the weights at a row of a class of this size."""
        inside = self._inside(size) * (size - 1)
        return inside + self.between * (self.classes.n_known - size)

    def _inside(self, size: Any) -> Any:
        """The weight of a pair within a class of this size."""
        return self.within + self.pooled / np.maximum(size, 1)

    @property
    def total(self) -> float:
        sizes = self.classes.sizes.astype(np.float64)
        same, every = sizes * (sizes - 1) / 2, sizes.sum() * (sizes.sum() - 1) / 2
        return float(self._inside(sizes) @ same + self.between * (every - same.sum()))

    def laplacian(self) -> LinearOperator:
        codes, sizes = self.classes.codes, self.classes.sizes
        indicator = class_indicator(codes, len(sizes))
        inside = self._inside(sizes) - self.between

        def neighbours(v: Floats) -> Floats:
            """A·v, where each row has an edge to itself, too: it cancels in the Laplacian."""
            sums = indicator @ v
            return indicator.T @ ((inside * sums.T).T + self.between * sums.sum(axis=0))

        degrees = neighbours(np.ones(self.n_samples))
        return _operator(self.n_samples, lambda v: (degrees * v.T).T - neighbours(v))

    def __mul__(self, factor: float) -> Blocks:
        return Blocks(
            self.classes,
            within=self.within * factor,
            between=self.between * factor,
            pooled=self.pooled * factor,
        )

    def _plus(self, other: Graph) -> Graph | None:
        if isinstance(other, Complete) and self.classes.n_known == self.n_samples:
            other = Blocks(self.classes, within=other.weight, between=other.weight)
        if not isinstance(other, Blocks) or other.classes is not self.classes:
            return None
        return Blocks(
            self.classes,
            within=self.within + other.within,
            between=self.between + other.between,
            pooled=self.pooled + other.pooled,
        )

    def _adjacency(self) -> Floats:
        inside = self._inside(self.classes.sizes)
        adjacency = np.zeros((self.n_samples, self.n_samples))
        for i, a in enumerate(self.classes.codes):
            for j, b in enumerate(self.classes.codes):
                if i != j and a >= 0 and b >= 0:
                    adjacency[i, j] = inside[a] if a == b else self.between
        return adjacency


class Sum(Graph):
    """Several graphs on top of each other."""

    def __init__(self, terms: list[Graph]) -> None:
        super().__init__(terms[0].n_samples)
        self.terms = terms

    def _scatter(self, rows: Rows) -> Floats:
        # The total scatter comes last, for it may be found on the way.
        terms = sorted(self.terms, key=lambda term: isinstance(term, Complete))
        scatter = terms[0]._scatter(rows)
        for term in terms[1:]:
            scatter += term._scatter(rows)
        return scatter

    def degree_gram(self, rows: Rows) -> Floats:
        # In memory one product is least work. Elsewhere what terms need may be at hand already.
        if rows.in_memory or any(term.degrees().min(initial=0) < 0 for term in self.terms):
            return super().degree_gram(rows)
        return np.sum([term.degree_gram(rows) for term in self.terms], axis=0)

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


def _sum(graphs: list[Graph]) -> Graph:
    """Graphs that can be one are made one."""
    terms: list[Graph] = []
    for graph in graphs:
        for at, term in enumerate(terms):
            if (merged := term._plus(graph)) is not None:
                terms[at] = merged
                break
        else:
            terms.append(graph)
    return terms[0] if len(terms) == 1 else Sum(terms)


def _distinct(sizes: Ints) -> list[int]:
    return sorted(set(sizes[sizes > 0].tolist()))


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
